#!/usr/bin/env python3
"""Every layout of real TTGIR is read, and every conversion has its cost.

  ttgir_test.py INDEXICAL FOLDER

FOLDER has kernels as Triton printed them (tests/answers/kernel/measured). Records of
compilations hold more, if triton/ is beside the folder that INDEXICAL_CORPUS
names. Each op that converts,
loads or stores tiles is found again by its words, in the line that the answer
names. What it costs to convert is counted once more here, from the values of
the forms.
"""

import collections
import itertools
import json
import os
import re
import subprocess
import sys

TOOL, FOLDER = sys.argv[1:3]
CORPUS = os.environ.get("INDEXICAL_CORPUS", "")
RECORDS = os.path.join(CORPUS, "..", "triton") if CORPUS else ""
MOVES = re.compile(r"\b(?:ttg|triton_gpu)\.(?:convert_layout|local_load|"
                   r"local_store|async_copy_global_to_local)\b|"
                   r"\bttg\.local_alloc %")
MOST_POINTS = 1 << 12


def texts():
    for name in sorted(os.listdir(FOLDER)):
        if name.endswith(".ttgir"):
            with open(os.path.join(FOLDER, name)) as file:
                yield name, file.read()
    if not RECORDS or not os.path.isdir(RECORDS):
        print("SKIPPED: triton/ is not beside INDEXICAL_CORPUS")
        return
    for name in sorted(os.listdir(RECORDS)):
        if not name.endswith(".ndjson"):
            continue
        with open(os.path.join(RECORDS, name)) as file:
            for number, line in enumerate(file):
                for found in ttgir_in(json.loads(line)):
                    yield "%s, line %d" % (name, number + 1), found


def ttgir_in(value):
    if isinstance(value, str):
        if "tt.func" in value and "ttg.num-warps" in value:
            yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from ttgir_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from ttgir_in(each)


def holders_of(layout):
    """Who holds each element: (block, warp, lane, register)."""
    names = [each["name"] for each in layout["inputs"]]
    held = collections.defaultdict(set)
    for point in itertools.product(
            *(range(each["size"]) for each in layout["inputs"])):
        at = dict(zip(names, point))
        element = []
        for total in layout["form"]:
            value = total["constant"]
            for digit in total["digits"]:
                value += digit["weight"] * (
                    at[digit["input"]] // digit["step"] % digit["size"])
            for parity in total["parities"]:
                value += parity["weight"] * (sum(
                    at[bit["input"]] >> bit["bit"] & 1
                    for bit in parity["bits"]) % 2)
            element.append(value)
        held[tuple(element)].add(tuple(
            at[name] for name in ("block", "warp", "lane", "register")))
    return held


def counted(before, after):
    """The level of a conversion, how much moves, and the most to a thread."""
    levels = ("none", "registers", "shuffles", "shared", "cluster")
    have, want = holders_of(before), holders_of(after)
    level, lacks = 0, collections.Counter()
    for element, takers in want.items():
        for thread in {taker[:3] for taker in takers}:
            if all(holder[:3] != thread for holder in have[element]):
                lacks[thread] += 1
        for taker in takers:
            level = max(level, min(
                next(4 - k for k in range(4, -1, -1)
                     if holder[:k] == taker[:k])
                for holder in have[element]))
    return {"kind": "convert", "level": levels[level],
            "moved": sum(lacks.values()),
            "least": max(lacks.values(), default=0)}


def check(name, text, seen):
    answer = subprocess.run([TOOL, "layout", "-", "--format=json"], input=text,
                            capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        return ["%s: %s" % (name, answer.stderr)]
    document = json.loads(answer.stdout)
    wrong = ["%s: line %d: %s: %s" % (name, each["line"], each["text"],
                                      each["reason"])
             for each in document["not_understood"]]
    wrong += ["%s: line %d: %s" % (name, each["line"], each["reason"])
              for each in document["moves"] if "reason" in each]
    lines = [number for number, line in enumerate(text.split("\n"), 1)
             for _ in MOVES.findall(line.split("//")[0])]
    if lines != [each["line"] for each in document["moves"]]:
        wrong.append("%s: moves in lines %s, and in the answer %s" % (
            name, lines, [each["line"] for each in document["moves"]]))
    layouts = {each["text"]: each for each in document["layouts"]
               if "text" in each}
    for each in document["moves"]:
        seen["moves"] += 1
        seen[each["move"]["kind"] + "s"] += 1
        key = each["from"], each["to"]
        if each["move"]["kind"] != "convert" or key in seen["known"] or max(
                layouts[text]["points"] for text in key) > MOST_POINTS:
            continue
        seen["known"].add(key)
        seen["counted"] += 1
        expected = counted(layouts[key[0]], layouts[key[1]])
        if expected != each["move"]:
            wrong.append("%s: line %d: %s, and counted %s" % (
                name, each["line"], each["move"], expected))
    seen["texts"] += 1
    seen["layouts"] += len(document["layouts"])
    return wrong


def main():
    seen = collections.Counter()
    seen["known"] = set()
    wrong = []
    for name, text in texts():
        wrong += check(name, text, seen)
    del seen["known"]
    print(dict(seen))
    print("\n".join(wrong))
    assert seen["texts"] > 40 and seen["converts"] > 10 and seen["counted"] > 5
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
