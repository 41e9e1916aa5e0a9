#!/usr/bin/env bash
# Builds the tool for use, without assertions, and prints the maps of an example.
# A build from nothing takes some minutes, and shows its progress.
#
#   scripts/demo.sh [FILE]
set -euo pipefail

example="$(realpath -- "${1:-"$(dirname "${BASH_SOURCE[0]}")/../examples/softmax.hlo"}")"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
example="$(realpath --relative-to=. -- "$example")"
echo "demo: installs what is missing (scripts/setup.sh --build), builds the" \
  "command, ten minutes or so on two cores the first time, and prints the" \
  "maps of $example" >&2
scripts/setup.sh --build
bazel build --config=release --show_progress_rate_limit=10 \
  --ui_event_filters=-info //tools:indexical

echo "\$ indexical dump $example"
exec bazel-bin/tools/indexical dump "$example"
