#!/usr/bin/env bash
# report_rule_test.sh INDEXICAL REPORT MODULE…: the report of indexical_report
# (bazel/report.bzl) is that of one call.
set -uo pipefail
tool=$1 report=$2
shift 2
"$tool" report "$@" --format=jsonl --device=a100 > "$TEST_TMPDIR/one.jsonl"
[[ $? -eq 1 ]] || { echo "a module is wrong, and the status does not say so"; exit 1; }
diff "$TEST_TMPDIR/one.jsonl" "$report" &&
  grep -q '"kind":"total","files":4,"failed":1,' "$report"
