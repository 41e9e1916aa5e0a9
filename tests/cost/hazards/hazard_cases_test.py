#!/usr/bin/env python3
"""`indexical hazards` on the cases of shared/hazard_cases/.

  TEST INDEXICAL

index.tsv has, for each module, a question, the right word, and the values that
a parameter has. All words must be right, every condition must hold for exactly
the values that are named, and a place that is broken must have a witness. The
folder is beside the one that INDEXICAL_CORPUS names; without it the test skips.
"""

import csv
import json
import os
import re
import subprocess
import sys

# From the best word to the worst.
WORDS = ["safe in place", "needless copy", "safe if", "must copy", "undecided",
         "hazard"]
UPDATES = {"update", "scatter", "fusion"}


def places_of(tool, path, kind, names):
    """Returns the places that a question is about."""
    call = [tool, "hazards", "--format=json", path]
    if kind == "share":
        call.append("--share=" + names[0])
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode not in (0, 3, 4):
        raise RuntimeError(done.stderr)
    places = json.loads(done.stdout)["places"]
    words = [place["answer"] for place in places]
    status = 3 if "hazard" in words else 4 if "undecided" in words else 0
    if done.returncode != status:
        raise RuntimeError(f"status {done.returncode}, not {status}")

    def is_meant(place):
        if kind == "share":
            return True
        if kind == "update":
            return place["kind"] in UPDATES and place["instruction"] in names
        if kind in ("copy", "copies"):
            return (place["kind"] in ("copy", "async")
                    and place["instruction"] in names)
        if kind == "carry":
            return place["kind"] == kind and place["instruction"] in names
        if kind == "alias":
            return place["kind"] == kind
        return place["kind"] != "copy"

    return [place for place in places if is_meant(place)]


def values_that_hold(place, values):
    """Returns the values of the one parameter for which the place is safe."""
    found = []
    for value in values:
        names = {}
        for variable in place["runtime"]:
            number = value
            if variable["clamped"]:
                number = min(max(number, variable["lower"]), variable["upper"])
            names[variable["name"]] = number

        def holds(constraint):
            number = eval(constraint["expression"], {"__builtins__": {}}, names)
            low, high = constraint["lower"], constraint["upper"]
            return ((low is None or low <= number)
                    and (high is None or number <= high))

        if any(all(holds(c) for c in every) for every in place["conditions"]):
            found.append(value)
    return found


def wrong(tool, folder, row):
    """Returns what is wrong of the answer to a case, or nothing."""
    file, question, expected, values = row[:4]
    kind, *names = question.split(" ")
    try:
        places = places_of(tool, os.path.join(folder, "cases", file), kind,
                           names)
    except RuntimeError as error:
        return str(error)
    if not places:
        return "no place"
    words = [place["answer"] for place in places]
    word = max(words, key=WORDS.index)
    if kind == "copies" and len(set(words)) > 1:
        return f"words {words}"
    if word != re.sub(r" (k=.*|order)$", "", expected):
        return f"`{word}`, not `{expected}`"
    for place in places:
        if (place["answer"] in ("hazard", "must copy")) != ("witness" in place):
            return "a witness is missing, or there is one of a safe place"
    if expected == "safe if order":
        return None if any("order" in place for place in places) else "no order"
    wanted = [int(n) for n in re.findall(r"k=(-?\d+)", expected)]
    if wanted:
        low, high = values.split("=")[1].split("..")
        found = values_that_hold(places[0], range(int(low), int(high) + 1))
        if found != wanted:
            return f"safe for {found}, not {wanted}"
    return None


def main():
    corpus = os.environ.get("INDEXICAL_CORPUS")
    folder = os.path.join(corpus or "", os.pardir, "hazard_cases")
    if not corpus or not os.path.isdir(folder):
        print("SKIPPED: the folder hazard_cases/ is not beside "
              "INDEXICAL_CORPUS")
        return 0
    with open(os.path.join(folder, "index.tsv")) as f:
        rows = [row for row in csv.reader(f, delimiter="\t")
                if row and row[0].endswith(".hlo")]
    problems = 0
    for row in rows:
        problem = wrong(sys.argv[1], folder, row)
        if problem:
            problems += 1
            print(f"{row[0]}, {row[1]}: {problem}")
    print(f"{len(rows) - problems} of {len(rows)} cases are right")
    return 1 if problems or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
