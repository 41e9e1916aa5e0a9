#!/usr/bin/env bash
# pictures.sh [INDEXICAL]
#
# Makes the pictures of pages in docs/pictures anew: report.png of the step that
# was measured on an H100, and profile.png of a profile beside the corpus, where
# INDEXICAL_CORPUS names one. Chromium shows each page at 1280 x 800.
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$(realpath "${1:-bazel-bin/tools/indexical}")
[[ -x "$tool" ]] || { echo "pictures.sh: build //tools:indexical first" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The pages' day is that of the last commit, so that a picture can be made again.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH NODE_PATH HOME="$folder"
NODE_PATH=$(npm root -g)

# picture NAME FILE: the page of the file's report, as docs/pictures/NAME.png. The
# page shows the call, so that it is made where the file is.
picture() {
  ln -s "$(realpath "$2")" "$folder/"
  (cd "$folder" && "$tool" report "$(basename "$2")" --format=html -o "$1.html")
  node - "$folder/$1.html" "docs/pictures/$1.png" "$(command -v chromium)" <<'END'
const {chromium} = require('playwright-core');
const [file, picture, executablePath] = process.argv.slice(2);
(async () => {
  const browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-gpu']});
  try {
    const page = await browser.newPage({viewport: {width: 1280, height: 800}});
    await page.goto('file://' + file);
    await page.waitForSelector('body[data-ready]');
    await page.screenshot({path: picture});
  } finally {
    await browser.close();
  }
})().catch((error) => { console.error(error); process.exitCode = 1; });
END
  echo "docs/pictures/$1.png"
}

picture report tests/cost/launch/measured/h100/transformer_step.hlo
profile="${INDEXICAL_CORPUS:-}/../profiles/tw003.xplane.pb"
if [[ -e "$profile" ]]; then
  picture profile "$profile"
else
  echo "SKIPPED: profile.png; the folder profiles/ is not beside INDEXICAL_CORPUS"
fi
