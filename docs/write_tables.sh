#!/usr/bin/env bash
# Writes the tables of docs/keys.md anew, and what is made of them.
set -euo pipefail
tool="$PWD/$1"
cd "$BUILD_WORKSPACE_DIRECTORY"
page="$(mktemp)"
"$tool" < docs/keys.md > "$page"
cp "$page" docs/keys.md
python3 docs/formats_schema.py docs/keys.md > docs/formats.schema.json
python3 python/write_answers.py docs/keys.md
