#!/usr/bin/env bash
# Writes the tables of docs/formats.md anew, and what is made of them.
set -euo pipefail
tool="$PWD/$1"
cd "$BUILD_WORKSPACE_DIRECTORY"
page="$(mktemp)"
"$tool" < docs/formats.md > "$page"
cp "$page" docs/formats.md
python3 docs/formats_schema.py docs/formats.md > docs/formats.schema.json
python3 python/write_answers.py docs/formats.md
