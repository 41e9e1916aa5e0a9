#!/usr/bin/env bash
# A thousand modules through the rule indexical_report (bazel/report.bzl), one
# sandboxed action each, while one of the workers is killed:
#
#   scripts/many_modules.sh [NUMBER]
#
# Modules are those of INDEXICAL_CORPUS, where that is set, else made here. What
# has to be seen:
#   - the build in which a worker dies fails, names its module, and ends the rest
#   - the next build does that one, and the merge, and nothing else
#   - what comes out is that of one call for all, byte for byte
set -euo pipefail
number=${1:-1000}
cd "$(dirname "$0")/.."
package=many_modules_$$
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/$package"

python3 - "$folder/$package" "$number" "${INDEXICAL_CORPUS:-}" << 'MAKE'
import os
import random
import shutil
import sys

folder, number, corpus = sys.argv[1], int(sys.argv[2]), sys.argv[3]
found = sorted(
    os.path.join(at, name) for at, _, names in os.walk(corpus or "/dev/null")
    for name in names if name.endswith((".hlo", ".txt", ".mlir")))


def chain(length):
    lines = [" x0 = f32[64,64] parameter(0)"]
    for i in range(length):
        op = random.choice(["negate(x%d)", "transpose(x%d), dimensions={1,0}",
                            "reverse(x%d), dimensions={0}"]) % i
        lines.append(" x%d = f32[64,64] %s" % (i + 1, op))
    return "HloModule m\nENTRY e {\n%s\n ROOT r = f32[64,64] abs(x%d)\n}\n" % (
        "\n".join(lines), length)


# The first one works for seconds: it is the one whose worker is killed.
made = ["m00000.hlo"]
with open(os.path.join(folder, made[0]), "w") as file:
    file.write(chain(300000))
for i in range(1, number):
    source = found[i - 1] if i <= len(found) else None
    made.append("m%05d.%s" % (
        i, "mlir" if source and source.endswith(".mlir") else "hlo"))
    path = os.path.join(folder, made[-1])
    if source:
        shutil.copyfile(source, path)
    else:
        with open(path, "w") as file:
            file.write(chain(random.randrange(1, 400)))
with open(os.path.join(folder, "BUILD"), "w") as file:
    file.write('load("//bazel:report.bzl", "indexical_report")\n\n'
               'indexical_report(\n    name = "report",\n    srcs = [\n%s'
               '    ],\n)\n' % "".join('        "%s",\n' % m for m in made))
with open(os.path.join(folder, "..", "list"), "w") as file:
    for name in made:
        file.write("%s/%s\n" % (os.path.basename(folder), name))
MAKE

build() {
  bazel build --package_path="%workspace%:$folder" --keep_going \
    --spawn_strategy=sandboxed --noshow_progress "$@" \
    "//$package:report" 2>&1
}

# Ends the process, and no other, that reports on the first module.
kill_worker() {
  for _ in $(seq 6000); do
    for process in /proc/[0-9]*; do
      if [[ "$(readlink "$process/exe" 2> /dev/null)" == */indexical ]] &&
        tr '\0' ' ' < "$process/cmdline" 2> /dev/null |
        grep -q "$package/report.parts/0.jsonl"; then
        kill -9 "${process#/proc/}" && echo "killed ${process#/proc/}" && return
      fi
    done
    sleep 0.05
  done
  echo "no worker was seen"
}

bazel build //tools:indexical 2>&1 | tail -1
echo "== A build of $number modules, one worker killed"
kill_worker &
if build > "$folder/first"; then
  echo "FAILED: the build ends well without its worker"
  exit 1
fi
wait $!
grep -E "m00000|processes:" "$folder/first" | cut -c1-200
echo "== The build once more"
build | tee "$folder/second" | grep -E "processes:|Elapsed" | cut -c1-200

bin=$(bazel info bazel-bin 2> /dev/null)
echo "== One call for all"
tool=$bin/tools/indexical
(cd "$folder" && "$tool" report @list --format=jsonl > one.jsonl 2> /dev/null) ||
  [[ $? -eq 1 ]]
cmp "$folder/one.jsonl" "$bin/$package/report.jsonl" || { echo FAILED; exit 1; }
wc -l "$folder/one.jsonl" | cut -d' ' -f1
tail -1 "$folder/one.jsonl" | cut -c1-300
echo "byte for byte the same"
rm -rf "${bin:?}/$package"
