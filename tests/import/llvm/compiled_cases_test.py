#!/usr/bin/env python3
"""Kernels in LLVM IR against what an interpreter of their PTX saw.

  TEST INDEXICAL

shared/compiled_cases/cases.jsonl has, for some blocks and threads of 41
kernels, the bytes that each thread accessed. `kernel --at` must list the same.
PTX may take one vector where the IR has several accesses, so that bytes are
compared. The folder is beside the one that INDEXICAL_CORPUS names; without it
the test skips.
"""

import collections
import json
import os
import subprocess
import sys

# A list that is as long was cut.
LISTED = 40


def numbers(values):
    return ",".join(str(v) for v in values)


def grid_of(case):
    """The IR's grid; where it has none, one that has all blocks of the case."""
    return [given or max(fact["block"][k] for fact in case["facts"]) + 1
            for k, given in enumerate(case["grid"])]


def accesses_of(tool, folder, case, block, thread):
    width, height, _ = case["block"]
    at = [thread % width, thread // width % height, thread // width // height]
    call = [tool, "kernel", os.path.join(folder, case["file"]),
            "--format=json", "--function=" + case["kernel"],
            "--grid=" + numbers(grid_of(case)),
            "--block=" + numbers(case["block"]), "--loads=hash8",
            "--at=%s:%s" % (numbers(block), numbers(at))]
    call += ["--arg=%s=%d" % given for given in case["args"].items()]
    done = subprocess.run(call, capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 3, 4):
        raise AssertionError("%s\n%s" % (" ".join(call), done.stderr))
    return json.loads(done.stdout)["thread_accesses"]


def address(array, offset):
    """A number for a byte of an argument, wherever it lies: the cases name a
    byte outside of all arrays by its address."""
    if array.startswith("arg"):
        return ((int(array[3:]) + 1) << 40) + offset
    if array == "?":
        return offset
    return (array, offset)


def bytes_of(accesses):
    found = collections.Counter()
    for kind, array, offset, count in accesses:
        for k in range(count):
            found[kind, address(array, offset + k)] += 1
    return found


def is_same(got, want):
    if len(want) < LISTED:
        return bytes_of(got) == bytes_of(want)
    # Of a list that was cut, all bytes are among those that were found.
    return not bytes_of(want) - bytes_of(got)


def main():
    tool = sys.argv[1]
    corpus = os.environ.get("INDEXICAL_CORPUS", "")
    folder = os.path.join(os.path.dirname(corpus.rstrip("/")), "compiled_cases")
    if not corpus or not os.path.isdir(folder):
        print("SKIPPED: no folder of compiled kernels beside INDEXICAL_CORPUS")
        return 0
    same = 0
    wrong = []
    with open(os.path.join(folder, "cases.jsonl")) as lines:
        cases = [json.loads(line) for line in lines]
    for case in cases:
        for fact in case["facts"]:
            for thread, want in fact["threads"].items():
                found = accesses_of(tool, folder, case, fact["block"],
                                    int(thread))
                unknown = [a["reason"] for a in found if "reason" in a]
                got = [(a["kind"], a["array"], a["offset_bytes"], a["bytes"])
                       for a in found if "reason" not in a]
                if unknown or not is_same(got, want):
                    wrong.append((case["id"], fact["block"], thread, unknown))
                else:
                    same += 1
    print("%d threads of %d kernels are the same, %d are not" %
          (same, len(cases), len(wrong)))
    for each in wrong[:10]:
        print("  ", *each)
    return 1 if wrong or same < 400 else 0


if __name__ == "__main__":
    sys.exit(main())
