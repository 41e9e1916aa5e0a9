#!/usr/bin/env python3
"""`kernel --of` of kernels that hold values in memory, against an interpreter of
the kernel and numpy.

  held_values_test.py INDEXICAL RANDOM_PAIRS [FIRST_SEED]

Random kernels with what they compute, and kernels of which one thing was
changed. Right kernels have the same values, but for memory that an earlier
iteration fills, which is undecided; none that a run tells apart has. A kernel
that lost a barrier behind a store into its result is not the same.
"""

import json
import os
import random
import re
import subprocess
import tempfile

import numpy as np

import ttir_values
from kernel_test_call import COUNT, SEED, TOOL, end, problem, problems
from random_held import COLUMNS, ROWS, Held, changed

F = np.float32
BATCH = 60


def is_apart(pair, text, rng):
    make = np.random.RandomState(rng.randrange(2**31))
    for low, high, by in ((-3, 4, 1), (-9, 0, 1), (-99, 99, 64)):
        arrays = [F(make.randint(low, high, size=(ROWS, COLUMNS))) / F(by)
                  for _ in "ab"]
        with np.errstate(all="ignore"):
            want = np.ravel(pair.compute(arrays))
        left = np.full(want.size, ttir_values.ANY + 1, dtype=F)
        try:
            ttir_values.run(text, 1, [np.ravel(a).copy() for a in arrays] +
                            [left])
        except (IndexError, AttributeError, ValueError):
            return True
        if not np.isclose(left, want, rtol=1e-3, atol=1e-3,
                          equal_nan=True).all():
            return True
    return False


def check(seeds, told):
    asked = {}
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            rng = random.Random(seed)
            pair = Held(rng)
            for number in range(3):
                text = changed(pair.text(), rng) if number else pair.text()
                if text is None:
                    continue
                name = "k%d_%d" % (seed, number)
                asked[name] = pair, text, number == 0, rng.randrange(2**31)
                for side, ending, written in (
                        ("kernels", "ttgir", text), ("of", "hlo", pair.hlo_text())):
                    os.makedirs(os.path.join(folder, side), exist_ok=True)
                    with open(os.path.join(folder, side, name + "." + ending),
                              "w") as file:
                        file.write(written)
        done = subprocess.run(
            [TOOL, "kernel", os.path.join(folder, "kernels"),
             "--of=" + os.path.join(folder, "of"), "--grid=1",
             "--num-warps=1", "--format=jsonl"], capture_output=True, text=True)
    verdicts = {}
    for line in done.stdout.splitlines():
        document = json.loads(line)
        if "file" not in document:
            continue
        name = os.path.basename(document["file"]).split(".")[0]
        verdicts[name] = document.get("of", {}).get("verdict"), document
    for name, (pair, text, isRight, seed) in asked.items():
        verdict, document = verdicts.get(name, (None, done.stderr[:2000]))
        context = "%s %s is %s: %s\n%s%s" % (
            pair.kind, name, verdict, json.dumps(document)[:3000], text,
            pair.hlo_text())
        apart = is_apart(pair, text, random.Random(seed))
        # A text that lost a value is no kernel.
        if verdict is None and isRight:
            problem("no answer: " + context)
        if isRight and apart:
            problem("the test is wrong: " + context)
        isOpen = getattr(pair, "isOpen", False)
        if isRight and not isOpen and verdict != "same values":
            problem("right: " + context)
        if apart and verdict == "same values":
            problem("a run tells apart: " + context)
        lines = re.findall(r"gpu\.barrier", text)
        if (pair.kind == "again" and verdict == "same values" and
                len(lines) < len(re.findall(r"gpu\.barrier", pair.text()))):
            # A store that nothing loads needs no barrier in front of it.
            between = re.split(r"gpu\.barrier", text)
            if any(re.search(r"(?s)tt\.store.*tt\.load", part)
                   for part in between):
                problem("a barrier is missing: " + context)
        key = ("right" if isRight else "changed, apart" if apart
               else "changed, not apart", str(verdict))
        told[key] = told.get(key, 0) + 1
        if len(problems) > 3:
            return


if __name__ == "__main__":
    TOLD = {}
    for first in range(SEED, SEED + COUNT, BATCH):
        check(range(first, min(first + BATCH, SEED + COUNT)), TOLD)
        if len(problems) > 3:
            break
    for key, number in sorted(TOLD.items()):
        print("%6d %s: %s" % ((number,) + key))
    if COUNT >= 60 and not TOLD.get(("changed, apart", "different")):
        problem("no change was seen")
    end()
