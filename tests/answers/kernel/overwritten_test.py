#!/usr/bin/env python3
"""`kernel --alias` against an enumeration of all pairs of accesses.

  overwritten_test.py INDEXICAL RANDOM_KERNELS [FIRST_SEED]

`overwritten` is `violated` if and only if a load and a store of one element
have no order, and its witness is such a pair. It is `undecided` only if nobody
knows whether a pipelined loop moves a load. Where INDEXICAL_CORPUS names the
folder, the kernels of hazard_cases/ beside it have the words of its index.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter

from kernel_test_call import COUNT, CORPUS, SEED, TOOL, end, problem
from overwritten_kernels import races, random_kernel, text_of

counts = Counter()


def ask(path, grid, alias, *words):
    call = [TOOL, "kernel", path, "--grid=%d" % grid, "--num-warps=1",
            "--format=json", *words]
    if alias:
        call.append("--alias=" + alias)
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode not in (0, 3, 4):
        problem("status %d: %s" % (done.returncode, done.stderr))
        return None, done.returncode
    return json.loads(done.stdout), done.returncode


def wrong_answer(kernel, alias, document, status):
    certain, open_ = races(kernel, alias)
    found = document.get("overwritten")
    if found is None:
        steps = kernel.before + kernel.body + kernel.after
        both = [{s.argument for s in steps if s.kind == kind}
                for kind in ("load", "store")]
        counts["no array is loaded and stored"] += 1
        return "no answer" if alias or both[0] & both[1] else None
    answer = found["answer"]
    counts[answer] += 1
    wanted = "violated" if certain else "undecided" if open_ else "proved"
    if answer != wanted:
        pairs = sorted(certain or open_)
        return "%s, not %s: %s" % (found, wanted, pairs[:1])
    if answer == "violated":
        witness = found["witness"]
        writer, reader = witness["writers"][0], witness["readers"][0]
        pair = (witness["element"], witness["programs"][0][0],
                writer["tile"][0], witness["programs"][1][0],
                reader["tile"][0])
        if pair not in certain:
            return "the witness %s has an order" % (pair,)
        if status != 3:
            return "status %d" % status
    return None


def check_random(folder):
    path = os.path.join(folder, "k.ttir")
    for k in range(COUNT):
        r = random.Random(SEED * 1000003 + k)
        kernel = random_kernel(r)
        alias = r.random() < 0.6
        with open(path, "w") as f:
            f.write(text_of(kernel))
        document, status = ask(path, kernel.grid, "x,y" if alias else "")
        wrong = document and wrong_answer(kernel, alias, document, status)
        if wrong:
            problem("seed %d, kernel %d, alias %s: %s\n%s\n%s" % (
                SEED, k, alias, wrong, kernel, text_of(kernel)))
            if counts["shown"] == 3:
                return
            counts["shown"] += 1


def check_cases(folder):
    """Checks the kernels of the index: `kernel grid=4 alias=x,y`, a word."""
    for line in open(os.path.join(folder, "index.tsv")):
        name, question, word = line.split("\t")[:3]
        if not name.endswith(".ttir"):
            continue
        words = dict(w.split("=") for w in question.split()[1:])
        document, _ = ask(os.path.join(folder, "cases", name),
                          int(words["grid"]), words.get("alias", ""))
        wanted = {"hazard": "violated", "safe in place": "proved"}[word]
        found = document["overwritten"] if document else {}
        counts["cases"] += 1
        if found.get("answer") != wanted:
            problem("%s: %s, not %s" % (name, found, wanted))


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_random(folder)
    cases = os.path.join(os.path.dirname(CORPUS.rstrip("/")), "hazard_cases")
    if CORPUS and os.path.exists(os.path.join(cases, "index.tsv")):
        check_cases(cases)
    else:
        print("SKIPPED: INDEXICAL_CORPUS has no hazard_cases beside it")
    print(dict(counts))
    if not counts["proved"] or not counts["violated"]:
        problem("no kernel is %s" % ("violated" if counts["proved"] else
                                     "proved"))
    end()


if __name__ == "__main__":
    sys.exit(main())
