#!/usr/bin/env bash
# The checks before a release, beside scripts/test.sh: three hours or so.
#
#   scripts/trust.sh                       everything
#   scripts/trust.sh sanitizers fuzzers    some parts
#
#   sanitizers   all tests under addresses and undefined behaviour; those that
#                use threads under tsan
#   fuzzers      ten minutes of each target (INDEXICAL_FUZZ_SECONDS)
#   random       scripts/long_tests.sh
#   coverage     the lines that tests run, for each folder (90% or a reason)
#   consumers    the library from outside: Bazel, CMake, pkg-config; packages, a
#                dialect and a pass of another project (.ci/run: CMake alone)
#   mutants      changes of simplifier/, ops/ and exact/ that tests have to see
#                (INDEXICAL_MUTANTS each)
#
# The record goes to trust.log. The status is 1 if a part found a fault.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
parts=("$@")
[[ $# -gt 0 ]] || parts=(sanitizers fuzzers random coverage consumers mutants)

sanitizers() {
  scripts/test.sh --config=asan && scripts/test.sh --config=tsan //tests/threads/...
}
fuzzers() { scripts/fuzz.sh "${INDEXICAL_FUZZ_SECONDS:-600}"; }
random() { scripts/long_tests.sh; }
coverage() { scripts/coverage.sh; }
consumers() {
  scripts/setup.sh --packages && scripts/consumers.sh
}
mutants() {
  local found=0
  for folder in simplifier ops exact; do
    scripts/mutants.py "$folder" --count="${INDEXICAL_MUTANTS:-30}" || found=1
  done
  return $found
}

status=0
{
  echo "trust: $(git rev-parse --short HEAD), $(date --utc --iso-8601=minutes)"
  for part in "${parts[@]}"; do
    begin=$SECONDS
    if "$part"; then result=passed; else result=FAILED; status=1; fi
    echo "trust: $part $result, $(((SECONDS - begin) / 60)) minutes"
  done
} 2>&1 | tee trust.log
exit "$(grep -c '^trust: .* FAILED' trust.log)"
