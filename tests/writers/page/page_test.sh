#!/usr/bin/env bash
# page_test.sh INDEXICAL SCRIPT MODULE [FILE]…
#
# Finds what drives the browser, or says that there is none.
set -euo pipefail
tool="$PWD/$1" script="$PWD/$2" module="$PWD/$3"
others=("${@:4}")

skip() {
  echo "SKIPPED: $1; scripts/setup.sh installs what pages are tested with"
  exit 0
}

browser=$(command -v chromium || true)
[[ -n "$browser" ]] || skip "there is no chromium"
command -v node >/dev/null || skip "there is no node"
modules=$(npm root -g 2>/dev/null || true)
[[ -d "$modules/playwright-core" ]] || skip "there is no playwright-core"

folder=$(mktemp -d "${TEST_TMPDIR:-/tmp}/page.XXXXXX")
export HOME="$folder" NODE_PATH="$modules"
exec node "$script" "$tool" "$module" "$browser" "$folder" "${others[@]/#/$PWD/}"
