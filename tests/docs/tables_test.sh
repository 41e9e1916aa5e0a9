#!/usr/bin/env bash
# The tables of docs/keys.md are those that answers describe. Each of their
# cells is read alone, in a docstring of Python, too: none refers to the row
# above it.
set -euo pipefail
if grep -nE '^\|.*\blikewise\b' "$2"; then
  echo "these cells say \`likewise\`: say what it is" >&2
  exit 1
fi
if "$1" < "$2" | diff "$2" -; then exit 0; fi
echo "run: bazel run //docs:write_tables" >&2
exit 1
