#!/usr/bin/env bash
# Builds everything and runs every test.
#
#   scripts/test.sh                       all targets, as continuous integration does
#   scripts/test.sh --config=asan         the same with sanitizers
#   scripts/test.sh //indexing/...        some targets only
#
# Arguments go to `bazel test`; without a target among them, //... is added.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

setup=()
targets=(//...)
for argument in "$@"; do
  case "$argument" in
    --config=asan | --config=tsan) setup=(--sanitizers) ;;
    //* | :*) targets=() ;;
  esac
done
scripts/setup.sh "${setup[@]}"

# Real HLO and StableHLO modules beside the checkout. Without them, tests over
# them skip, and say so.
corpus=../shared/corpus
if [[ -z "${INDEXICAL_CORPUS:-}" && -d "$corpus" ]]; then
  INDEXICAL_CORPUS="$(cd "$corpus" && pwd)"
  export INDEXICAL_CORPUS
fi
echo "test: corpus: ${INDEXICAL_CORPUS:-none}"

# A terminal shows the progress by itself; elsewhere there is a line every half
# minute. At the end stand the skipped tests with the reasons, and what it took.
events="$(mktemp)"
trap 'rm -f "$events"' EXIT
result=0
bazel test --show_progress_rate_limit=30 --build_event_json_file="$events" \
  "$@" "${targets[@]}" || result=$?
scripts/skipped.py "$events" || true
scripts/minutes.py --sums || true
exit "$result"
