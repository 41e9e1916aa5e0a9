#!/usr/bin/env python3
"""`indexical hazards` against a simulator of bytes and orders.

  TEST INDEXICAL [--pairs=N] [--seed=S] [--only=K]

Random pairs of modules that differ in one offset are answered by the command
and tried by the simulator, which shares no code with it. There must be no
answer `safe` or `needless copy` of what an order or a value breaks, none
`hazard` or `must copy` of what none breaks, and no condition that is not exact.
At most 2% of the answers are `undecided`. Prints the seed of each module that
is wrong, with the module; `--only` runs one pair.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

from hazard_answers import check
from random_modules import pair
from replayed_witness import replay

MOST_SHOWN = 8


def run_tool(tool, path, question):
    """Returns the document about a module, or what went wrong."""
    call = [tool, "hazards", path, "--format=json"]
    if question.share:
        call.append("--share=" + question.share)
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode not in (0, 3, 4):
        return None, f"status {done.returncode}: {done.stderr.strip()[:300]}"
    document = json.loads(done.stdout)
    words = [p["answer"] for p in document["places"]]
    status = 3 if "hazard" in words else 4 if "undecided" in words else 0
    if done.returncode != status:
        return None, f"status {done.returncode}, not {status}"
    return document, None


class Report:
    def __init__(self):
        self.counts = collections.Counter()
        self.shown = 0

    def wrong(self, seed, question, problems):
        self.counts["wrong modules"] += 1
        if self.shown < MOST_SHOWN:
            self.shown += 1
            print(f"seed {seed}, {question.family}, share "
                  f"{question.share or '-'}:")
            for p in problems:
                print("  " + p)
            print(question.text)


def try_pair(tool, seed, folder, report):
    tried, said = [], []
    for question in pair(seed):
        path = os.path.join(folder, "m.hlo")
        with open(path, "w") as f:
            f.write(question.text)
        document, error = run_tool(tool, path, question)
        if error:
            report.wrong(seed, question, [error])
            continue
        found = check(question, document)
        for place in document["places"]:
            answer = replay(question, place)
            if answer is False:
                found.add(f"the witness of {place['instruction']} reads the "
                          f"same: {place['witness']}")
            elif answer:
                found.count("replayed witnesses")
        report.counts.update(found.counts)
        report.counts["modules"] += 1
        if found.problems:
            report.wrong(seed, question, found.problems)
        tried.append(found.tried)
        said.append(found.words)
    if len(tried) == 2 and tried[0] != tried[1]:
        report.counts["pairs whose word changes"] += 1
        if said[0] == said[1]:
            report.counts["pairs whose word should change"] += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=84)
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        if options.only is not None:
            try_pair(options.tool, options.only, folder, report)
        else:
            for k in range(options.pairs):
                try_pair(options.tool, options.seed * 1000000 + k * 7, folder,
                         report)
    counts = report.counts
    for name, number in sorted(counts.items()):
        print(f"{number:8} {name}")
    answers = counts["decided"] + counts["undecided"]
    too_many = counts["undecided"] * 50 > answers
    if too_many:
        print("more than 2% of the answers are undecided")
    print(f"seed {options.seed}; TEST INDEXICAL --only=SEED runs one pair")
    return 1 if counts["wrong modules"] or too_many or not answers else 0


if __name__ == "__main__":
    sys.exit(main())
