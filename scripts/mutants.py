#!/usr/bin/env python3
"""Changes the code in small ways, and looks whether a test sees it.

  scripts/mutants.py FOLDER [--count=N] [--seed=S] [--tests=TARGETS]

A mutant is one operator or constant of a function of FOLDER that became
another: `<` is `<=`, `+` is `-`, `&&` is `||`, 1 is 0. It is killed where the
build fails or a test does. The status is 1 where more than a tenth survive;
each survivor is printed, to be killed by a test or shown to change nothing.
The file that is changed is put back, also after Ctrl-C.
"""

import argparse
import os
import random
import re
import subprocess
import sys

TESTS = {
    "simplifier": "//tests/simplifier/... //tests/program/maps:program_test",
    "ops": "//tests/ops/...",
    "exact": "//tests/exact/...",
}
CHANGES = [
    (r"(?<=[\w)\]]) <= ", " < "), (r"(?<=[\w)\]]) >= ", " > "),
    (r"(?<=[\w)\]]) < (?=[\w(*-])", " <= "), (r"(?<=[\w)\]]) > (?=[\w(*-])", " >= "),
    (r" == ", " != "), (r" != ", " == "), (r" && ", " || "), (r" \|\| ", " && "),
    (r"(?<=[\w)\]]) \+ ", " - "), (r"(?<=[\w)\]]) - ", " + "),
    (r"(?<=[\w)\]]) \* (?=[\w(])", " + "), (r"\b1\b(?=[;,) ])", "0"),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
    (r"std::min\(", "std::max("), (r"std::max\(", "std::min("),
    (r"\bcontinue;", ";"), (r"\breturn std::nullopt;", ";"),
]


def places(folder):
    """(file, begin, end, what stands there instead)."""
    found = []
    for where, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if not name.endswith(".cc"):
                continue
            path = os.path.join(where, name)
            text = open(path).read()
            for line in re.finditer(r"^ +\S.*$", text, re.M):
                code = line.group().split("//")[0]
                if '"' in code or code.lstrip().startswith(("#", "*", "case ")):
                    continue
                for pattern, other in CHANGES:
                    for match in re.finditer(pattern, code):
                        found.append((path, line.start() + match.start(),
                                      line.start() + match.end(), other))
    return found


def survives(tests):
    return subprocess.run(
        ["bazel", "test", "--noshow_progress", "--test_output=summary",
         "--notest_keep_going", *tests.split()],
        capture_output=True, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", choices=sorted(TESTS))
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests")
    asked = parser.parse_args()
    tests = asked.tests or TESTS[asked.folder]
    if not survives(tests):
        print("mutants: the tests fail before anything is changed")
        return 1
    all_places = places(asked.folder)
    drawn = random.Random(asked.seed).sample(
        all_places, min(asked.count, len(all_places)))
    survivors = 0
    for path, begin, end, other in drawn:
        text = open(path).read()
        line = text.count("\n", 0, begin) + 1
        try:
            with open(path, "w") as file:
                file.write(text[:begin] + other + text[end:])
            alive = survives(tests)
        finally:
            with open(path, "w") as file:
                file.write(text)
        survivors += alive
        print("mutants: %s %s:%d: `%s` is `%s`" % (
            "SURVIVED" if alive else "killed", path, line,
            text[begin:end].strip(), other.strip()), flush=True)
    print("mutants: %s: %d of %d survived, seed %d" % (
        asked.folder, survivors, len(drawn), asked.seed))
    return 1 if survivors * 10 > len(drawn) else 0


if __name__ == "__main__":
    sys.exit(main())
