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
git ls-files -z --cached --others --exclude-standard '*.h' '*.cc' |
  xargs -0 --no-run-if-empty "$clang_format" "${mode[@]}"
