#!/usr/bin/env bash
# The lines of each folder that tests run, in percent.
#
#   scripts/coverage.sh                      all tests
#   scripts/coverage.sh //tests/indexing/... some of them
#
# With all tests, the status is 1 if a folder has less than 90
# (INDEXICAL_COVERAGE).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
targets=("$@") least=0
[[ $# -gt 0 ]] || { targets=(//tests/...) least=${INDEXICAL_COVERAGE:-90}; }

scripts/setup.sh --sanitizers
profiles="$(mktemp -d)"
trap 'rm -rf "$profiles"' EXIT
bazel test --config=lines --noshow_progress --nocache_test_results \
  --test_env=LLVM_PROFILE_FILE="$profiles/%p-%m.profraw" \
  --sandbox_writable_path="$profiles" \
  "${targets[@]}"
bin=/usr/lib/llvm-22/bin
"$bin/llvm-profdata" merge -sparse "$profiles"/*.profraw -o "$profiles/all"
# A wildcard builds no tests of one source (bazel/tests.bzl).
mapfile -t binaries < <(bazel query "kind(cc_test, set(${targets[*]}))" \
  2> /dev/null | sed 's|^//|bazel-bin/|; s|:|/|' \
  | while read -r each; do [[ ! -x "$each" ]] || echo "$each"; done)
[[ ! -x bazel-bin/tools/indexical ]] || binaries+=(bazel-bin/tools/indexical)
"$bin/llvm-cov" export -summary-only -instr-profile="$profiles/all" \
  "${binaries[0]}" "${binaries[@]/#/-object=}" > "$profiles/summary.json"
python3 - "$profiles/summary.json" "$least" << 'EOF'
import collections
import json
import sys

# In an order in which answers/layout counts as answers.
FOLDERS = ("answers writers command same cost import layout program ops exact simplifier "
           "indexing tools").split()
lines = collections.defaultdict(lambda: [0, 0])
for file in json.load(open(sys.argv[1]))["data"][0]["files"]:
    parts = file["filename"].split("/")
    if parts[-1].endswith(".inc"):  # mlir-tblgen wrote it
        continue
    for folder in FOLDERS:
        # A header is also found below bazel-out, by the name it is included by.
        if folder in parts and not {"tests", "examples"} & set(parts):
            summary = file["summary"]["lines"]
            lines[folder][0] += summary["count"]
            lines[folder][1] += summary["covered"]
            break
low = 0
for folder in FOLDERS:
    count, covered = lines[folder]
    if count:
        percent = 100 * covered / count
        low += percent < float(sys.argv[2])
        print("coverage: %-12s %6d lines %6.1f%%" % (folder, count, percent))
sys.exit(1 if low or not lines else 0)
EOF
