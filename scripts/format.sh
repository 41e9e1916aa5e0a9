#!/usr/bin/env bash
# Formats every C++ file of the checkout (with --check: only lists those that
# differ).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Other versions format some lines differently.
clang_format=clang-format-22
command -v "$clang_format" >/dev/null || {
  echo "format: $clang_format is not installed (package $clang_format)" >&2
  exit 1
}

mode=(-i)
[[ "${1:-}" != --check ]] || mode=(--dry-run --Werror)
files() { git ls-files -z --cached --others --exclude-standard '*.h' '*.cc'; }
files | xargs -0 --no-run-if-empty "$clang_format" "${mode[@]}"

# Examples in comments stay as they are (.clang-format): who writes one keeps to
# the columns.
if files | LC_ALL=C.UTF-8 xargs -0 grep -HnE '^ *//.{77,}' | grep -E '^[^:]*:[0-9]*:.{81,}'
then
  echo "format: comments of more than 80 columns" >&2
  exit 1
fi
