#!/usr/bin/env python3
"""Pairs of kernels whose verdicts people wrote down.

  TEST INDEXICAL

shared/judge_cases.jsonl has pairs of kernels in Python: what the new one is to
the old one (`same`, `different`), and the laws of floats that this needs. Each
is judged at a few sizes, and once more for all sizes: then it may also have a
condition under which both are the same (`same_where`). No verdict and no
condition may be false, and so many have to be decided. The file is beside the folder that INDEXICAL_CORPUS names; without it
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
MOST_OPEN = 2
# For all sizes: pairs that are the same, and conditions, in a hundred.
LEAST_SAME, LEAST_WHERE = 70, 80
# Conditions that the cases do not have: z + o % n has no race there, and rows
# that fill their block need no mask.
KNOWN_WHERE = {"add/modulo race": "n mod 128 = 0",
               "norm/two moments": "C mod 128 = 0"}


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
    made += ["--zero=" + name
             for name in (case.get("options") or {}).get("zero", [])]
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


def condition(text, case, values):
    """Whether a condition of the cases, or of a verdict, holds."""
    text = text.replace(" and ", " & ").split(" & ")[0]
    names = dict(case["consts_old"], **values)
    return eval(re.sub(r"(?<![<>=!])=(?!=)", "==", text.replace("mod", "%")),
                {}, names)


def for_all_sizes(folder, case):
    """Returns the verdict for all sizes, its condition, and what is wrong."""
    more = []
    if case["laws"]:
        more.append("--float-laws=" + ",".join(case["laws"]))
    required = case["requires"] or ""
    if "<= B" in required:
        name = required.split(" ")[0]
        more.append("--assume=%s <= %d" % (name, case["consts_old"]["B"]))
    status, found = judge(folder, case, {}, *more)
    verdict, where = found["verdict"], found.get("sizes", {}).get("where")
    if verdict in ("same", "different") and verdict != case["want"]:
        return verdict, where, "%s, not %s" % (verdict, case["want"])
    if status != {"same": 0, "different": 3}.get(verdict, 4):
        return verdict, where, "%s has status %d" % (verdict, status)
    told = case["same_where"] or KNOWN_WHERE.get(case["id"])
    if where is None:
        return verdict, where, ""
    if told is None:
        return verdict, where, "the condition %s" % where
    for size in range(1, 600):
        values = dict.fromkeys(re.findall(r"[A-Za-z]+", where + told), size)
        values = {k: v for k, v in values.items()
                  if k not in case["consts_old"] and k != "mod"}
        if required and "<= B" in required and not condition(
                required, case, values):
            continue
        if condition(where, case, values) and not condition(told, case, values):
            return verdict, where, "%s, not %s" % (where, told)
    return verdict, where, ""


def check_all_sizes(folder, cases):
    wrong, same, wheres = [], [0, 0], [0, 0]
    for case in cases:
        verdict, where, problem = for_all_sizes(folder, case)
        if problem:
            wrong.append("%s: for all sizes: %s" % (case["id"], problem))
        if case["want"] == "same":
            same[0] += verdict == "same"
            same[1] += 1
        if case["same_where"]:
            wheres[0] += where is not None
            wheres[1] += 1
    print("for all sizes: %d of %d are the same, %d of %d conditions" % (
        same[0], same[1], wheres[0], wheres[1]))
    for (found, all_of), least, what in ((same, LEAST_SAME, "pairs"),
                                         (wheres, LEAST_WHERE, "conditions")):
        if found * 100 < least * all_of:
            wrong.append("%d of %d %s are too few" % (found, all_of, what))
    return wrong


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
        wrong += check_all_sizes(folder, cases)
    print("%d pairs: %d right, %d open, %d wrong" % (
        len(cases), right, len(still_open), len(wrong)))
    print("\n".join(still_open + wrong))
    if wrong or len(still_open) > MOST_OPEN or not cases:
        sys.exit(1)


if __name__ == "__main__":
    main()
