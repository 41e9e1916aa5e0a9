#!/usr/bin/env python3
"""Bounds and races of kernels in Python, against all programs of a run.

  TEST INDEXICAL KERNELS [FIRST_SEED]

Random addresses and masks, and each kernel with one change: another sign of
comparison, another number, a mask left out. An interpreter of the language
finds the elements that each line touches; it shares no code with the library.
`proved` is never said where an element is outside, or written by two programs;
`violated` is never said where none is; and the maps of a line have its
elements.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../answers/kernel"))

import triton_language  # noqa: E402
from map_elements import elements_of  # noqa: E402
from triton_types import Outside  # noqa: E402

TOOL, COUNT = sys.argv[1], int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 8600
problems = []


class Cells:
    """An array without an end, in which nothing is kept."""

    def __len__(self):
        return 1 << 40

    def __getitem__(self, element):
        return 0

    def __setitem__(self, element, value):
        pass


def source_of(rng):
    block = rng.choice([2, 4, 8])
    rows, columns = rng.randrange(1, 7), rng.randrange(1, block + 3)
    kind = rng.randrange(4)
    lines = ["import triton", "import triton.language as tl", "", "",
             "@triton.jit", "def k(x, y, R, C, B: tl.constexpr):"]
    if kind == 0:  # a block of elements a program
        grid = (-(-rows * columns // block), 1, 1)
        lines += ["    o = tl.program_id(0) * B + tl.arange(0, B)",
                  "    m = o < R * C"]
        at, mask = "o", "m"
    elif kind == 1:  # a row a program
        grid = (rows, 1, 1)
        lines += ["    r = tl.program_id(0)", "    c = tl.arange(0, B)",
                  "    m = c < C"]
        at, mask = "r * C + c", "m"
    elif kind == 2:  # tiles
        grid = (-(-rows // 2), -(-columns // block), 1)
        lines += ["    r = tl.program_id(0) * 2 + tl.arange(0, 2)[:, None]",
                  "    c = tl.program_id(1) * B + tl.arange(0, B)[None, :]",
                  "    m = (r < R) & (c < C)"]
        at, mask = "r * C + c", "m"
    else:  # a loop over the columns
        grid = (rows, 1, 1)
        lines += ["    r = tl.program_id(0)",
                  "    for j in range(0, C, B):",
                  "        c = j + tl.arange(0, B)",
                  "        m = c < C"]
        at, mask = "r * C + c", "m"
    indent = "        " if kind == 3 else "    "
    shift = rng.choice(["", "", " + 1", " - 1"])
    lines += ["%sv = tl.load(x + %s%s, mask=%s, other=0.0)" %
              (indent, at, shift, mask),
              "%stl.store(y + %s, v, mask=%s)" %
              (indent, rng.choice([at, at, "(%s) // 2" % at, "c" if kind else
                                   "o"]), mask)]
    return "\n".join(lines) + "\n", block, rows, columns, grid


def mutant(rng, text):
    changes = [(" < ", " <= "), (" * B", " * B + 1"), (" & ", " | "),
               (", mask=m)", ")"), ("* C", "* (C + 1)"), (" + c", " + c * 2"),
               ("0, C, B", "0, C + 1, B"), ("(0)", "(1)"), ("< C", "< C + 2")]
    start = text.index("def k")
    places = [(change, match.start()) for change in changes
              for match in re.finditer(re.escape(change[0]), text)
              if match.start() > start]
    (old, new), at = rng.choice(places)
    return text[:at] + new + text[at + len(old):]


def meant(text, block, rows, columns, grid):
    """[(line, access, program, argument, element), …]; the writers of y, each
    as often as it writes."""
    arguments = {"x": ("*f32", None), "y": ("*f32", None), "B": block,
                 "R": rows if rows == 1 else ("i32", rows),
                 "C": columns if columns == 1 else ("i32", columns)}
    writes = []

    class Written(Cells):
        def __setitem__(self, element, value):
            writes.append(element)

    memory = {"x": Cells(), "y": Written()}
    try:
        touched = triton_language.run(text, "k", grid, arguments, memory)
    except Outside:
        return None, None
    return touched, writes


def check(seed, name, text, block, rows, columns, grid, path):
    with open(path, "w") as file:
        file.write(text)
    size = rows * columns
    done = subprocess.run(
        [TOOL, "kernel", path, "--format=json", "--type=x=*fp32",
         "--type=y=*fp32", "--type=R=i32", "--type=C=i32",
         "--const=B=%d" % block, "--arg=R=%d" % rows, "--arg=C=%d" % columns,
         "--grid=%d,%d,%d" % grid, "--shape=x=f32[R*C]",
         "--shape=y=f32[R * C]"], capture_output=True, text=True, check=False)

    def problem(what):
        problems.append(seed)
        print("seed %d, %s: %s\n%s%s\nB=%d R=%d C=%d grid %s" % (
            seed, name, what, text, done.stderr, block, rows, columns, grid))

    if done.returncode not in (0, 3, 4):
        problem("status %d" % done.returncode)
        return
    answer = json.loads(done.stdout)
    touched, writes = meant(text, block, rows, columns, grid)
    inside = answer["in_bounds"]["answer"]
    if touched is None:  # an element in front of the array
        if inside == "proved":
            problem("an element is outside")
        return
    outside = any(not 0 <= touch[4] < size for touch in touched)
    if inside == ("proved" if outside else "violated"):
        problem("in bounds is %s" % inside)
    twice = len(writes) != len(set(writes))
    once = answer["written_once"]["answer"]
    programs = {}
    for touch in touched:
        if touch[1] == "store":
            programs.setdefault(touch[4], set()).add(touch[2])
    races = any(len(each) > 1 for each in programs.values())
    if once == "proved" and races or once == "violated" and not twice:
        problem("written once is %s" % once)
    for access in answer["reads"] + answer["writes"]:
        if access["mask"] == "cover" or "map" not in access:
            continue
        own = {touch[4] for touch in touched if touch[0] == access["line"]}
        found = set()
        loops = -(-columns // block) + 2 if "loop0" in access["map"] else 1
        for x in range(grid[0]):
            for y in range(grid[1]):
                for turn in range(loops):
                    found.update(elements_of(access["map"], (x, y, 0), [turn]))
        if found != own:
            problem("line %d touches %s, and its maps %s" % (
                access["line"], sorted(own), sorted(found)))


def main():
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(SEED, SEED + COUNT):
            rng = random.Random(seed)
            text, *sizes = source_of(rng)
            check(seed, "as it is", text, *sizes, folder + "/k.py")
            check(seed, "changed", mutant(rng, text), *sizes, folder + "/k.py")
            if len(problems) > 5:
                break
    print("kernels", 2 * COUNT, "first seed", SEED)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
