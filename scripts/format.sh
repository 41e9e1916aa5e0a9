#!/usr/bin/env bash
# Formats every C++ file of the checkout (with --check: only says which differ).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for clang_format in clang-format-22 clang-format ""; do
  [[ -n "$clang_format" ]] || {
    echo "format: clang-format is not installed (package clang-format-22)" >&2
    exit 1
  }
  ! command -v "$clang_format" >/dev/null || break
done

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
