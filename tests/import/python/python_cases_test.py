#!/usr/bin/env python3
"""Kernels in Python whose answers people wrote down.

  TEST INDEXICAL

shared/judge_cases.jsonl has texts that Triton refuses, with line, column and
kind; kernels whose integers of 32 bits wrap from some sizes on, or never do;
and kernels with several configurations. The file is beside the folder that
INDEXICAL_CORPUS names; without it the test skips.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]
problems = []


def problem(case, text):
    problems.append(case["id"])
    print("%s: %s" % (case["id"], text))


def call(path, case, *words):
    words = ["--type=%s=%s" % pair for pair in case["types"].items()] + [
        "--const=%s=%s" % pair for pair in case.get("consts", {}).items()
    ] + list(words)
    done = subprocess.run([TOOL, "kernel", path] + words, capture_output=True,
                          text=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


def elements(kind):
    return {"fp32": "f32", "fp16": "f16", "i32": "s32"}[kind.lstrip("*")]


def launch(case):
    sides = case["grid"].replace("),", ")|").replace(",", "|")
    sides = re.sub(r"\(([^)]*)\|([^)]*)\)", r"(\1,\2)", sides)
    return ["--grid=" + sides.replace("|", ", ")] + [
        "--shape=%s=%s[%s]" % (name, elements(case["types"][name]), size)
        for name, size in case["shapes"].items()]


def refusal(case, path):
    status, _, message = call(path, case)
    found = re.match(r".*?:(\d+):(\d+): (\w+): ", message)
    if status != 1 or not found:
        return problem(case, "status %d: %s" % (status, message))
    line, column, kind = int(found[1]), int(found[2]), found[3]
    if (line, kind) != (case["line"], case["kind"]):
        return problem(case, "%d %s is found: %s" % (line, kind, message))
    # Columns count from 1 here, and from 0 there.
    if column - 1 != case["column"]:
        problem(case, "column %d is found" % column)
    return None


def holds(condition, sizes):
    text = condition.replace("mod", "%")
    return eval(text, {"cdiv": lambda a, b: -(-a // b)}, dict(sizes))


def wrap(case, path):
    status, text, message = call(path, case, "--format=json", *launch(case))
    if status not in (0, 4):
        return problem(case, "status %d: %s" % (status, message))
    wraps = json.loads(text)["wraps"]
    want = case["want_wraps_where"]
    if want == "never":
        if wraps["answer"] != "never":
            problem(case, "%s is found" % wraps)
        return None
    if wraps["answer"] != "from":
        return problem(case, "%s is found" % wraps)
    # The case bounds the whole address; `x + r * C` and `+ c` are two steps in
    # Triton, and only the product has 32 bits. So sizes that wrap are among
    # those of the case, and the case's are not far away.
    names = re.findall(r"[A-Za-z]\w*", want)
    sizes = {name: 1 for name in names if name not in ("or", "and")}
    first = {item["name"]: item["value"] for item in wraps["first"]}
    for own in wraps["where"].split(" or "):
        for name in re.findall(r"[A-Za-z]\w*", own):
            sizes.setdefault(name, 1)
    sizes.update(first)
    if not holds(want, sizes):
        problem(case, "at %s nothing wraps by the case" % first)
    # One less of the largest size: nothing wraps by the answer.
    for name in first:
        less = dict(sizes)
        less.update({each: min(less[each], max(first.values()) - 1)
                     for each in first})
        if holds(wraps["where"], less):
            problem(case, "it wraps at %s already" % less)
    # Both conditions at many sizes: where one step leaves its range, so does
    # the whole address; and where that does without the sizes that only the
    # last step adds, a step does one size further.
    steps = re.findall(r"[A-Za-z]\w*", wraps["where"])
    chosen = random.Random(case["id"])
    greatest = 2**31 - 1
    for _ in range(2000):
        some = {name: min(greatest, int(2 ** chosen.uniform(0, 31)))
                for name in sizes}
        if chosen.random() < 0.5:
            # Near where it begins.
            some[chosen.choice(sorted(some))] = max(1, min(
                greatest, first.get(chosen.choice(sorted(first)), 1) +
                chosen.randint(-2, 2)))
        if holds(wraps["where"], some) and not holds(want, some):
            problem(case, "at %s nothing wraps by the case" % some)
            break
        some = {name: size if name in steps else 1
                for name, size in some.items()}
        further = {name: min(greatest, size + 1) for name, size in some.items()}
        if holds(want, some) and max(some.values()) < greatest and not holds(
                wraps["where"], further):
            problem(case, "it wraps at %s" % some)
            break
    return None


def configs(case, path):
    used = " ".join([case["grid"], *case["shapes"].values(), *case["types"]])
    sizes = ["--arg=%s=%d" % pair for pair in
             (("n", 3000), ("R", 60), ("C", 100))
             if re.search(r"\b%s\b" % pair[0], used)]
    status, text, message = call(path, case, "--format=jsonl", *sizes,
                                 *launch(case))
    if status not in (0, 4):
        return problem(case, "status %d: %s" % (status, message))
    found = [json.loads(line) for line in text.splitlines()]
    found = [each for each in found if "config_number" in each]
    wanted = re.findall(r"triton\.Config\(\{'(\w+)': (\d+)\}", case["text"])
    own = [tuple(each["config"][0].values()) for each in found]
    if own != wanted:
        problem(case, "%s is found, of %s" % (own, wanted))
    for each in found:
        if each["in_bounds"]["answer"] != "proved":
            problem(case, "in bounds: %s" % each["in_bounds"])
        if "predicted_us" not in each or not each["moved_bytes"]:
            problem(case, "a configuration has no cost")
    return None


def main():
    corpus = os.environ.get("INDEXICAL_CORPUS", "")
    path = os.path.join(os.path.dirname(corpus.rstrip("/")),
                        "judge_cases.jsonl")
    if not corpus or not os.path.exists(path):
        print("SKIPPED: INDEXICAL_CORPUS has no judge_cases.jsonl beside it")
        return
    kinds = {"refusal": refusal, "wrap": wrap, "configs": configs}
    counts = {}
    with tempfile.TemporaryDirectory() as folder, open(path) as file:
        for line in file:
            case = json.loads(line)
            kind = case["kind_of_case"]
            if kind not in kinds:
                continue
            with open(folder + "/k.py", "w") as text:
                text.write(case["text"])
            kinds[kind](case, folder + "/k.py")
            counts[kind] = counts.get(kind, 0) + 1
    print(counts)
    if set(counts) != set(kinds):
        problems.append("kinds")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
