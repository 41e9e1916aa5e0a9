#!/usr/bin/env bash
# libraries_test.sh MADE LIST     fails where the list is not what is made
# libraries_test.sh MADE --write  writes it
set -euo pipefail
if [[ "$2" == --write ]]; then
  install -m 644 "$1" "$BUILD_WORKSPACE_DIRECTORY/scripts/cmake/libraries.cmake"
  exit 0
fi
diff -u "$2" "$1" || {
  echo "scripts/cmake/libraries.cmake is old: bazel run //scripts/cmake:write_libraries" >&2
  exit 1
}
