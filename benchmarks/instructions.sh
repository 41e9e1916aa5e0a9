#!/usr/bin/env bash
# Counts the instructions that calls of the command execute, and compares them
# with benchmarks/instructions.md.
#
#   benchmarks/instructions.sh            all rows, with the ratio to the table
#   benchmarks/instructions.sh --write    writes the table anew
#   benchmarks/instructions.sh parse      one row
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v valgrind >/dev/null || {
  echo "instructions: Debian's package valgrind is missing" >&2
  exit 1
}
bazel build --config=release //tools:indexical
PYTHONDONTWRITEBYTECODE=1 benchmarks/instructions.py bazel-bin/tools/indexical \
  benchmarks/instructions.md "$@"
