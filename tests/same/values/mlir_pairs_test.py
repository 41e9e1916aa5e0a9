#!/usr/bin/env python3
"""`equal --values` on the pairs of shared/mlir_pairs/.

  TEST INDEXICAL

index.tsv says of each pair whether its second module refines its first. A right
pair is `equal` or undecided, and AT_LEAST of them are equal. A wrong one is
never equal, but for those that are listed here with what is taken for granted.
Of some right pairs the second module does less than the first, so that they
are not equal: LISTED. The folder is beside the one that INDEXICAL_CORPUS names;
without it the test skips.
"""

import csv
import os
import subprocess
import sys

# Wrong pairs that are equal where something holds.
ASSUMED = {
    "memref-ops__load-intro-bad2": "an argument's memory holds values",
}
# Right pairs that may be different: the second one refines the first.
LISTED = {}
AT_LEAST = 116
SECONDS = 60


def answer(tool, name):
    done = subprocess.run(
        [tool, "equal", "--values", "--deadline=5", name + ".src.mlir",
         name + ".tgt.mlir"], capture_output=True, text=True, timeout=SECONDS)
    return {0: "equal", 3: "different", 4: "undecided"}.get(
        done.returncode, "refused: " + done.stderr.split("\n")[0])


def main():
    tool = os.path.abspath(sys.argv[1])
    corpus = os.environ.get("INDEXICAL_CORPUS")
    folder = corpus and os.path.join(os.path.dirname(corpus.rstrip("/")),
                                     "mlir_pairs")
    if not folder or not os.path.isfile(os.path.join(folder, "index.tsv")):
        print("skipped: INDEXICAL_CORPUS has no mlir_pairs beside it")
        return 0
    os.chdir(folder)
    with open("index.tsv", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    counts = {}
    problems = []
    for row in rows:
        name, truth = row["name"], row["truth"]
        try:
            found = answer(tool, name)
        except subprocess.TimeoutExpired:
            found = "no answer"
        word = found.split(":")[0]
        counts[truth, word] = counts.get((truth, word), 0) + 1
        if "-v" in sys.argv:
            print(name, truth, found)
        if word == "no answer":
            problems.append("%s: no answer in %d s" % (name, SECONDS))
        if truth == "right" and word == "different" and name not in LISTED:
            problems.append(name + " is right, and different")
        if truth == "wrong" and word == "equal" and name not in ASSUMED:
            problems.append(name + " is wrong, and equal")
    for key, count in sorted(counts.items()):
        print("%4d %s pairs: %s" % (count, *key))
    if counts.get(("right", "equal"), 0) < AT_LEAST:
        problems.append("fewer than %d right pairs are equal" % AT_LEAST)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
