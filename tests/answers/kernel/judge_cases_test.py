#!/usr/bin/env python3
"""Pairs of kernels whose verdicts people wrote down.

  TEST INDEXICAL

shared/judge_cases.jsonl has pairs of kernels in Python: what the new one is to
the old one (`same`, `different`), and the laws of floats that this needs. Each
is judged at a few sizes. No verdict may be false, and so many have to be
decided. The file is beside the folder that INDEXICAL_CORPUS names; without it
the test skips.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]
# Sizes by the family of a case: each dictionary is one call for both kernels.
SIZES = {
    "add": [{"n": 1000}, {"n": 300}],
    "bias": [{"R": 20, "C": 50, "sx": 50, "sy": 50},
             {"R": 33, "C": 40, "sx": 64, "sy": 48}],
    "softmax": [{"R": 5, "C": 100}],
    "rowsum": [{"R": 3, "C": 100}],
    "mm": [{"M": 40, "N": 36, "K": 40}],
    "norm": [{"R": 4, "C": 100}],
    "transpose": [{"R": 20, "C": 50}],
    "gather": [{"n": 6, "D": 50, "V": 9}],
    "argmax": [{"R": 5, "C": 50}],
    "scale": [{"n": 1000}, {"n": 100}],
    "half": [{"n": 100}],
    "idiv": [{"n": 100, "d": 7}],
}
MOST_OPEN = 3


def elements(kind):
    return {"fp32": "f32", "fp16": "f16", "i32": "s32"}[kind.lstrip("*")]


def grid(text):
    """Puts a space behind the commas between sides."""
    sides = text.replace("),", ")|").replace(",", "|")
    sides = re.sub(r"\(([^)]*)\|([^)]*)\)", r"(\1,\2)", sides)
    return sides.replace("|", ", ")


def words(case, sizes):
    made = ["--grid=" + grid(case["grid_new"]),
            "--of-grid=" + grid(case["grid_old"]), "--format=json"]
    made += ["--type=%s=%s" % pair for pair in case["types"].items()]
    made += ["--const=%s=%s" % pair for pair in case["consts_new"].items()]
    made += ["--of-const=%s=%s" % pair for pair in case["consts_old"].items()]
    made += ["--arg=%s=%d" % pair for pair in sizes.items()]
    made += ["--shape=%s=%s[%s]" % (name, elements(case["types"][name]), side)
             for name, side in case["shapes"].items()]
    return made


def judge(folder, case, sizes, *more):
    paths = []
    for side in ("new", "old"):
        paths.append(os.path.join(folder, side + ".py"))
        with open(paths[-1], "w") as file:
            file.write(case[side])
    call = [TOOL, "kernel", paths[0], "--of=" + paths[1]]
    done = subprocess.run(call + words(case, sizes) + list(more),
                          capture_output=True, text=True, check=False,
                          timeout=120)
    if not done.stdout:
        return done.returncode, {"verdict": "refused", "reason": done.stderr}
    return done.returncode, json.loads(done.stdout)["judge"]


def verdicts(folder, case):
    """Yields what is wrong, or "", or "open" of a verdict that is undecided."""
    laws = ",".join(case["laws"] or [])
    family = case["id"].split("/")[0]
    for sizes in SIZES[family]:
        status, found = judge(folder, case, sizes)
        statuses = {"same": 0, "different": 3, "undecided": 4, "same_where": 4}
        verdict = found["verdict"]
        if status != statuses.get(verdict, 1):
            yield "%s has status %d" % (verdict, status)
        want = case["want"]
        if laws and verdict == "undecided":
            missing = set(found.get("laws", [])) - set(case["laws"])
            if missing and "real" not in case["laws"]:
                yield "laws %s, not %s" % (found.get("laws"), laws)
            status, found = judge(folder, case, sizes,
                                  "--float-laws=" + laws)
            verdict = found["verdict"]
        elif laws and verdict == want:
            yield "%s without %s" % (verdict, laws)
        if verdict in ("undecided", "refused"):
            yield "open: %s" % found.get("reason")
        elif verdict != want:
            yield "%s, not %s" % (verdict, want)
        elif verdict == "different" and not found.get("witness"):
            yield "no witness"
        else:
            yield ""


def main():
    corpus = os.environ.get("INDEXICAL_CORPUS", "")
    path = os.path.join(os.path.dirname(corpus.rstrip("/")),
                        "judge_cases.jsonl")
    if not corpus or not os.path.exists(path):
        print("SKIPPED: INDEXICAL_CORPUS has no judge_cases.jsonl beside it")
        return
    with open(path) as file:
        cases = [json.loads(line) for line in file]
    cases = [case for case in cases if case["kind_of_case"] == "pair"]
    wrong, still_open, right = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            said = list(verdicts(folder, case))
            bad = [text for text in said if text and not text.startswith("open")]
            if bad:
                wrong.append("%s: %s" % (case["id"], "; ".join(bad)))
            elif any(said):
                still_open.append("%s: %s" % (case["id"], said))
            else:
                right += 1
    print("%d pairs: %d right, %d open, %d wrong" % (
        len(cases), right, len(still_open), len(wrong)))
    print("\n".join(still_open + wrong))
    if wrong or len(still_open) > MOST_OPEN or not cases:
        sys.exit(1)


if __name__ == "__main__":
    main()
