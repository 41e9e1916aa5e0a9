#!/usr/bin/env bash
# Runs lit over tests/command. lit stands beside FileCheck in LLVM's packages.
#
#   run_lit.sh INDEXICAL FILECHECK SPLIT_FILE SOFTMAX QUERY_MAPS CUSTOM_OP \
#              COST_MODEL KERNEL_WARNINGS REPORT SIZE_BOUNDS \
#              [LIT OPTIONS]
set -euo pipefail

absolute() { echo "$PWD/$1"; }

lit="$(dirname "$(readlink -f "$2")")/lit"
parameters=(
  -Dindexical="$(absolute "$1")"
  -Dfilecheck="$(absolute "$2")"
  -Dsplit_file="$(absolute "$3")"
  -Dsoftmax="$(absolute "$4")"
  -Dquery_maps="$(absolute "$5")"
  -Dcustom_op="$(absolute "$6")"
  -Dcost_model="$(absolute "$7")"
  -Dkernel_warnings="$(absolute "$8")"
  -Dreport="$(absolute "$9")"
  -Dsize_bounds="$(absolute "${10}")"
  -Dwork="$TEST_TMPDIR"
)
shift 10
exec "$lit" -v -j2 "${parameters[@]}" "$@" "$PWD/tests/command"
