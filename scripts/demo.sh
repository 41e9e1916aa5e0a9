#!/usr/bin/env bash
# Builds the tool and prints the maps of an example.
#
#   scripts/demo.sh [FILE]
set -euo pipefail

example="$(realpath -- "${1:-"$(dirname "${BASH_SOURCE[0]}")/../examples/softmax.hlo"}")"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh --build
bazel build --noshow_progress --ui_event_filters=-info //tools:indexical

example="$(realpath --relative-to=. -- "$example")"
echo "\$ indexical dump $example"
exec bazel-bin/tools/indexical dump "$example"
