#!/usr/bin/env python3
"""What barriers order among the threads of a block, in kernels in LLVM IR.

  block_order_test.py INDEXICAL BLOCK_ORDER.cu [--kernels=N] [--seed=S]

Random kernels (block_order_kernels.py) are executed, one barrier at a time. For shared
memory `shared_overwritten`, and for an array of one block `overwritten`, is `violated`
if and only if a load and a store of two threads are in one epoch, and the witness is
such a pair; `written_once` is never `violated` in one block without two stores in one
epoch, and never `proved` with them. `undecided` is counted: it is right only with a
loop or an exchange of lanes. Kernels in CUDA C++ have the words that stand before them.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import block_order_kernels as kernels  # pylint: disable=wrong-import-position

MOST_UNDECIDED = 0.1  # of the random kernels
HEAD = re.compile(r"^// (\w+), (\d[\d,]*) blocks of (\d[\d,]*)(?:, (--.*))?\nKERNEL void (\w+)\(", re.M)
counts, problems = Counter(), []


def ask(tool, path, grid, block, *words):
    done = subprocess.run([tool, "kernel", path, f"--grid={grid}", f"--block={block}", "--format=json", *words],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3, 4):
        problems.append(f"status {done.returncode}: {done.stderr}")
        return None, done.returncode
    return json.loads(done.stdout), done.returncode


def wrong_pair(witness, certain, is_shared):
    """Returns whether the witness is no pair of the race."""
    writer, reader = witness["writers"][0], witness["readers"][0]
    block = witness["program"] if is_shared else witness["programs"][0]
    return not any(pair[0] == block[0] and pair[2] == writer["tile"][0] and pair[5] == reader["tile"][0]
                   and pair[3] == tuple(writer.get("loops", ())) and pair[6] == tuple(reader.get("loops", ()))
                   for pair in certain)


def check_random(tool, path, steps, is_shared):
    blocks = 2 if is_shared else 1
    with open(path, "w", encoding="utf-8") as f:
        f.write(kernels.text_of(steps, is_shared))
    document, status = ask(tool, path, blocks, kernels.THREADS)
    if document is None:
        return "no answer"
    certain, stores = kernels.races(steps, blocks)
    found = document.get("shared_overwritten" if is_shared else "overwritten")
    answer = found["answer"] if found else "none"
    counts["shared" if is_shared else "global", answer] += 1
    if answer == "undecided":
        counts["reason: " + found["reason"]] += 1
    elif (answer == "violated") != bool(certain):
        return f"{found}, but {sorted(certain)[:1] or 'no race'}"
    if answer == "violated":
        if wrong_pair(found["witness"], certain, is_shared):
            return f"the witness {found['witness']} has an order"
        if status != 3:
            return f"status {status}"
    if is_shared:
        return None
    once = document["written_once"]["answer"]
    counts["written once", once] += 1
    if once != "undecided" and (once == "violated") != bool(stores):
        return f"written once: {document['written_once']}, but {sorted(stores)[:1] or 'no race'}"
    return None


def check_cuda(tool, source, folder):
    clang = shutil.which("clang-22")
    if not clang:
        print("SKIPPED: there is no clang-22 here, which compiles block_order.cu")
        return
    path = os.path.join(folder, "block_order.ll")
    subprocess.run([clang, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib",
                    "-S", "-emit-llvm", "-O2", "-w", source, "-o", path], check=True)
    with open(source, encoding="utf-8") as f:
        text = f.read()
    for word, grid, block, words, name in HEAD.findall(text):
        document, status = ask(tool, path, grid, block, "--function=" + name, *words.split())
        found = document and document.get("shared_overwritten", {"answer": "none"})
        counts["cuda"] += 1
        if not found or found["answer"] != word:
            problems.append(f"{name}: {found}, not {word}")
        elif (word == "violated") != (status == 3) and document["written_once"]["answer"] != "violated":
            problems.append(f"{name}: status {status}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("source")
    parser.add_argument("--kernels", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        check_cuda(options.tool, options.source, folder)
        for k in range(options.kernels):
            r = random.Random(options.seed * 1000003 + k)
            steps, is_shared = kernels.random_kernel(r), r.random() < 0.7
            wrong = check_random(options.tool, os.path.join(folder, "k.ll"), steps, is_shared)
            if wrong:
                problems.append(f"seed {options.seed}, kernel {k}: {wrong}\n{steps}")
                if len(problems) > 4:
                    break
    print(dict(counts))
    asked = sum(count for key, count in counts.items() if key[0] in ("shared", "global"))
    undecided = counts["shared", "undecided"] + counts["global", "undecided"]
    for word in ("proved", "violated"):
        if not counts["shared", word] or not counts["global", word]:
            problems.append(f"no kernel is {word}")
    if undecided > MOST_UNDECIDED * asked:
        problems.append(f"{undecided} of {asked} kernels are undecided")
    for problem in problems:
        print("FAILED:", problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
