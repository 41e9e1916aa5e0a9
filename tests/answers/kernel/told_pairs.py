"""What `kernel DIR --of=DIR` says of many kernels and their fusions, in one
call, held against a run that tells some of them apart."""

import json
import os
import random
import subprocess
import tempfile

from kernel_test_call import COUNT, SEED, TOOL, end, problem, problems

BATCH = 60


class Case:
    """A kernel's text beside a pair, which has the fusion's text and `kind`."""

    def __init__(self, pair, text, is_right, seed):
        self.pair, self.text, self.is_right = pair, text, is_right
        self.seed = seed
        self.verdict = self.document = None

    def __str__(self):
        return "%s is %s: %s\n%s%s" % (
            self.pair.kind, self.verdict, json.dumps(self.document)[:3000],
            self.text, self.pair.hlo_text())


def _cases(seeds, make, changed):
    """A right kernel for each seed, and two in which one thing is changed."""
    for seed in seeds:
        rng = random.Random(seed)
        pair = make(rng)
        for number in range(3):
            text = changed(pair.text(), rng) if number else pair.text()
            if text is not None:
                yield "k%d_%d" % (seed, number), Case(
                    pair, text, number == 0, rng.randrange(2**31))


def ask(seeds, make, changed, ending, grid):
    """The cases of the seeds, each with the command's verdict. One that it does
    not answer has none, and its messages."""
    cases = dict(_cases(seeds, make, changed))
    with tempfile.TemporaryDirectory() as folder:
        for side, last in (("kernels", ending), ("of", "hlo")):
            os.makedirs(os.path.join(folder, side))
            for name, case in cases.items():
                path = os.path.join(folder, side, name + "." + last)
                with open(path, "w") as file:
                    file.write(case.pair.hlo_text() if side == "of"
                               else case.text)
        done = subprocess.run(
            [TOOL, "kernel", os.path.join(folder, "kernels"),
             "--of=" + os.path.join(folder, "of"), "--grid=%d" % grid,
             "--num-warps=1", "--format=jsonl"], capture_output=True, text=True)
    for case in cases.values():
        case.document = done.stderr[:2000]
    for line in done.stdout.splitlines():
        document = json.loads(line)
        if "file" in document:
            case = cases[os.path.basename(document["file"]).split(".")[0]]
            case.verdict = document.get("of", {}).get("verdict")
            case.document = document
    return list(cases.values())


def hold(case, is_apart, told):
    """Holds the verdict against a run, and counts it in `told`. Returns whether
    to go on."""
    apart = is_apart(case.pair, case.text, random.Random(case.seed))
    if case.is_right and apart:
        problem("the test is wrong: %s" % case)
    # What is open may be undecided though it is right.
    is_open = getattr(case.pair, "isOpen", False)
    if case.is_right and not is_open and case.verdict != "same values":
        problem("right: %s" % case)
    if apart and case.verdict == "same values":
        problem("a run tells apart: %s" % case)
    key = ("right" if case.is_right else "changed, apart" if apart
           else "changed, not apart", str(case.verdict))
    told[key] = told.get(key, 0) + 1
    return len(problems) <= 3


def run(check):
    """Checks the pairs of all seeds, `check(seeds, told)` some of them, prints
    how many there are of each kind, and ends the test."""
    told = {}
    for first in range(SEED, SEED + COUNT, BATCH):
        check(range(first, min(first + BATCH, SEED + COUNT)), told)
        if len(problems) > 3:
            break
    for key, number in sorted(told.items()):
        print("%6d %s: %s" % ((number,) + key))
    if COUNT >= 60 and not told.get(("changed, apart", "different")):
        problem("no change was seen")
    end()
