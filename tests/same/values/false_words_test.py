#!/usr/bin/env python3
"""The command on the smallest inputs of shared/false_words/.

  TEST INDEXICAL

index.tsv has files, a command, and the right word. Rows of the issue *Sameness*
must hold, but those that are listed here with a reason; a listed row that holds
is printed, so that the list can be shortened. The folder is beside the one that
INDEXICAL_CORPUS names; without it the test skips.
"""

import csv
import os
import subprocess
import sys

# Rows that other items of the issue are about.
LISTED = {
    "u3.hlo u4.hlo": "two sums of floats are one under `real` alone",
    "d2a.mlir d2b.mlir": "sizes that a tensor.cast opens",
    "forall_gpu_mapping.mlir to_memref.mlir": "ops of bufferization",
    "R2_flow.mlir R2_util_func.mlir R3_frs.mlir": "dialects of other compilers",
    "store_load_a.mlir store_load_b.mlir": "stores before loads",
}
# Some hundred times what an input takes that is not slow.
SECONDS = 60


def holds(tool, row):
    files = row["files"].split()
    commands = row["command"].split(";")[0].split()
    if commands[0] != "equal":
        done = [subprocess.run([tool, *commands, file], capture_output=True,
                               text=True, timeout=SECONDS) for file in files]
        return all(d.returncode == 0 for d in done)
    done = subprocess.run([tool, *commands, *files], capture_output=True,
                          text=True, timeout=SECONDS)
    if done.returncode not in (0, 3, 4):
        return False
    words = {0: "equal", 3: "different", 4: "undecided"}
    return words[done.returncode] in row["right"]


def main():
    tool = os.path.abspath(sys.argv[1])
    corpus = os.environ.get("INDEXICAL_CORPUS")
    folder = corpus and os.path.join(os.path.dirname(corpus.rstrip("/")),
                                     "false_words")
    if not folder or not os.path.isfile(os.path.join(folder, "index.tsv")):
        print("skipped: INDEXICAL_CORPUS has no false_words beside it")
        return 0
    os.chdir(folder)
    with open("index.tsv", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t")
                if "Sameness" in row["issue"]]
    wrong = 0
    for row in rows:
        try:
            is_right = holds(tool, row)
        except subprocess.TimeoutExpired:
            is_right = False
        if is_right and row["files"] in LISTED:
            print(f"{row['files']}: listed, and holds")
        if not is_right and row["files"] not in LISTED:
            wrong += 1
            print(f"{row['files']}: not {row['right']}")
    print(f"{len(rows)} rows, {wrong} wrong")
    return 1 if wrong or len(rows) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
