#!/usr/bin/env bash
# Runs lit over tests/import/stablehlo/opt. lit stands beside FileCheck.
#
#   run_opt_lit.sh INDEXICAL_OPT FILECHECK EXTERNAL_DIALECT [LIT OPTIONS]
set -euo pipefail

absolute() { echo "$PWD/$1"; }

lit="$(dirname "$(readlink -f "$2")")/lit"
parameters=(
  -Dindexical_opt="$(absolute "$1")"
  -Dfilecheck="$(absolute "$2")"
  -Dexternal_dialect="$(absolute "$3")"
  -Dwork="$TEST_TMPDIR"
)
shift 3
exec "$lit" -v -j2 "${parameters[@]}" "$@" "$PWD/tests/import/stablehlo/opt"
