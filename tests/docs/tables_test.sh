#!/usr/bin/env bash
# The tables of docs/formats.md are those that answers describe.
set -euo pipefail
if "$1" < "$2" | diff "$2" -; then exit 0; fi
echo "run: bazel run //docs:write_tables" >&2
exit 1
