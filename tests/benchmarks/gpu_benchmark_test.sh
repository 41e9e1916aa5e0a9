#!/usr/bin/env bash
# The program's messages if there is no GPU, or one that reads wrongly.
set -euo pipefail
program="$1" driver="$2"

expect() {
  local status="$1" pattern="$2" output got=0
  shift 2
  output="$("$program" "$@" 2>&1)" || got=$?
  if [[ "$got" -ne "$status" ]] || ! grep --quiet -- "$pattern" <<<"$output"; then
    echo "gpu_benchmark $*: status $got (not $status), or no '$pattern' in:"
    echo "$output"
    exit 1
  fi
}

expect 0 '^no GPU: libabacus.so.1 cannot be loaded; ' --driver=libabacus.so.1
# One line, and nothing before or after it.
[[ "$("$program" --driver=libabacus.so.1 | wc -l)" -eq 1 ]]
expect 0 '^stride 32  *32.00  *0.1  *0.1  *8.00  *[0-9.]*$' --predict --elements=4096
expect 0 '^\.visible \.entry kernel($' --ptx --case='stride 3'
expect 0 '^// stride 32$' --ptx --case='stride 3'
# Nothing runs on this one.
expect 1 'the sum of thread .* is .*, and should be' --driver="$driver"
expect 2 '`--elements=5000` is not understood; known: ' --elements=5000
expect 0 '^predicted for h200$' --predict --device=h200 --elements=4096
expect 2 '`--device=abacus` is not understood; known: ' --device=abacus
expect 2 '`abacus` is not understood; known: ' abacus
