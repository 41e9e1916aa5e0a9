#!/usr/bin/env bash
# write_pages.sh INDEXICAL FOLDER: man pages and completions, as the command
# itself prints them.
set -euo pipefail
tool=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"/{man1,bash,zsh,fish}
"$tool" help --format=man | gzip -9n > "$folder/man1/indexical.1.gz"
for command in $("$tool" help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
  "$tool" help --format=man "$command" |
    gzip -9n > "$folder/man1/indexical-$command.1.gz"
done
"$tool" completion bash > "$folder/bash/indexical"
"$tool" completion zsh > "$folder/zsh/_indexical"
"$tool" completion fish > "$folder/fish/indexical.fish"
touch "$folder/done"
