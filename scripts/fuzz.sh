#!/usr/bin/env bash
# Runs the fuzz targets of tests/fuzz with libFuzzer and the address and
# undefined-behaviour sanitizers.
#
#   scripts/fuzz.sh 600              ten minutes each
#   scripts/fuzz.sh 3600 hlo maps    an hour each of these
#
# Earlier inputs are in fuzz/NAME, and fuzzing starts from them. An input that
# shows a fault is in fuzz/findings. The status is 1 if there is one.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:?seconds for each target}
shift
targets=("$@")
[[ $# -gt 0 ]] || targets=(hlo mlir equal options maps launch profile kernel llvm python)

scripts/setup.sh --sanitizers
labels=("${targets[@]/#///tests/fuzz:}")
bazel build --config=fuzz "${labels[@]/%/_fuzzer}" || exit 1
export ASAN_OPTIONS=allow_user_poisoning=0
findings=0
mkdir -p fuzz/findings
for target in "${targets[@]}"; do
  mkdir -p "fuzz/$target"
  echo "== $target"
  "bazel-bin/tests/fuzz/${target}_fuzzer" "fuzz/$target" \
    "tests/fuzz/seeds/$target" -dict="tests/fuzz/$target.dict" \
    -max_total_time="$seconds" -max_len=4096 -timeout=60 -rss_limit_mb=4096 \
    -artifact_prefix="fuzz/findings/$target-" -print_final_stats=1 \
    > "fuzz/$target.log" 2>&1 || findings=1
  grep -E '^(stat::number_of_executed_units|stat::new_units_added|WRONG|SUMMARY)|ERROR' \
    "fuzz/$target.log"
done
exit $findings
