#!/usr/bin/env python3
"""Verdicts of pairs of kernels in Python, against runs of both.

  TEST INDEXICAL KERNELS [FIRST_SEED]

Random kernels, each judged by itself with another block, and with one change:
another sign, number, mask, type or order. An interpreter of the language runs
both on several inputs; it shares no code with the library. `same` is never said
where a run tells the two apart, nor where the new kernel does what has no
result; and what a witness of `different` says is what its run gives.
So are the checks of `safety`: elements that are never written, loads of what no
store has written, and what depends on the masked lanes of loads without
`other`, which the interpreter fills as it likes.
"""

import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../import/python"))

import triton_language  # noqa: E402
from scalars import fit  # noqa: E402
from triton_types import Outside, Refused  # noqa: E402

TOOL, COUNT = sys.argv[1], int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 8700
HEAD = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
KINDS = {"f32": "fp32", "f16": "fp16", "i32": "i32"}
SHAPES = {"f32": "f32", "f16": "f16", "i32": "s32"}
problems, counts = [], {}

# Bodies of kernels: B is the block, n or R and C the sizes. `grid` is of B.
FAMILIES = {
    "plain": ("x, y, z, n", "cdiv(n, B)", {"x": "n", "y": "n", "z": "n"}, """
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
    a = tl.load(x + o, mask=m)
    b = tl.load(y + o, mask=m)
    tl.store(z + o, %(op)s, mask=m)
"""),
    "place": ("x, y, n", "cdiv(n, B)", {"x": "n", "y": "n"}, """
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
    a = tl.load(x + o, mask=m)
    b = tl.load(y + o, mask=m)
    tl.store(x + o, %(op)s, mask=m)
"""),
    "again": ("x, y, n", "cdiv(n, B)", {"x": "n", "y": "n"}, """
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
    a = tl.load(x + o, mask=m)
    tl.store(y + o, a * 2.0, mask=m)
    b = tl.load(y + o, mask=m)
    tl.store(x + o, %(op)s, mask=m)
"""),
    "row": ("x, y, R, C", "R", {"x": "R*C", "y": "R"}, """
    r = tl.program_id(0)
    c = tl.arange(0, B)
    a = tl.load(x + r * C + c, mask=c < C, other=%(none)s)
    tl.store(y + r, tl.%(fold)s(a, axis=0))
"""),
    "scaled": ("x, y, R, C", "R", {"x": "R*C", "y": "R*C"}, """
    r = tl.program_id(0)
    c = tl.arange(0, B)
    a = tl.load(x + r * C + c, mask=c < C, other=%(none)s)
    b = tl.%(fold)s(a, axis=0)
    tl.store(y + r * C + c, %(op)s, mask=c < C)
"""),
    "loop": ("x, y, R, C", "R", {"x": "R*C", "y": "R"}, """
    r = tl.program_id(0)
    a = tl.zeros([B], dtype=tl.float32)
    for j in range(0, C, B):
        c = j + tl.arange(0, B)
        a += tl.load(x + r * C + c, mask=c < C, other=0.0)
    tl.store(y + r, tl.sum(a, axis=0))
"""),
    "sums": ("x, y, R, C", "R, cdiv(C, B)", {"x": "R*C", "y": "R"}, """
    r = tl.program_id(0)
    c = tl.program_id(1) * B + tl.arange(0, B)
    a = tl.load(x + r * C + c, mask=c < C, other=0.0)
    tl.atomic_add(y + r, tl.sum(a, axis=0))
"""),
    "added": ("x, y, z, n", "cdiv(n, B)", {"x": "n", "y": "n", "z": "n"}, """
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
    a = tl.load(x + o, mask=m, other=0.0)
    b = tl.load(y + o, mask=m, other=0.0)
    tl.atomic_add(z + o // 2, %(op)s, mask=m)
"""),
    "turn": ("x, y, R, C", "cdiv(R, 4), cdiv(C, B)",
             {"x": "R*C", "y": "R*C"}, """
    r = tl.program_id(0) * 4 + tl.arange(0, 4)[:, None]
    c = tl.program_id(1) * B + tl.arange(0, B)[None, :]
    m = (r < R) & (c < C)
    a = tl.load(x + r * C + c, mask=m, other=0.0)
    tl.store(y + c * R + r, a, mask=m)
"""),
    "bias": ("x, y, z, R, C", "cdiv(R, 4), cdiv(C, B)",
             {"x": "R*C", "y": "C", "z": "R*C"}, """
    r = tl.program_id(0) * 4 + tl.arange(0, 4)
    c = tl.program_id(1) * B + tl.arange(0, B)
    m = (r[:, None] < R) & (c[None, :] < C)
    a = tl.load(x + r[:, None] * C + c[None, :], mask=m, other=0.0)
    b = tl.load(y + c, mask=c < C, other=0.0)
    b = b[None, :]
    tl.store(z + r[:, None] * C + c[None, :], %(op)s, mask=m)
"""),
}
OPS = ["a + b", "a - b", "a * b", "tl.maximum(a, b)", "a * 2.0 + b",
       "tl.where(a > b, a, b)", "tl.where(a > 0.0, a + b, b)",
       "(a + b) * 0.5", "tl.minimum(a, b) - b", "a"]
CHANGES = [
    ("a + b", "b + a"), ("a - b", "b - a"), ("a * b", "b * a"),
    ("a * 2.0", "a + a"), (" < ", " <= "), (" < n", " < n - 1"),
    (" < C", " < C - 1"), (" < R", " < R - 1"), (", mask=m)", ")"),
    (", other=0.0", ", other=1.0"), (", other=0.0", ""),
    ("tl.maximum", "tl.minimum"), ("sum(", "max("), ("max(", "min("),
    (" + c,", " + c + 1,"), ("x + o", "x + o + 1"), ("y + o", "y + o // 2"), ("o // 2", "o // 3"), (" + r,", " + r // 2,"),
    ("* C", "* (C - 1)"), ("range(0, C, B)", "range(0, C // B * B, B)"),
    ("range(0, C, B)", "range(0, C + B, B)"), ("a > b", "a >= b"),
    ("0.5", "0.25"), ("2.0", "3.0"), (" & ", " | "),
    ("tl.store(z + o, ", "tl.store(z + n - 1 - o, "),
    ("a = tl.load", "a = 0.0 + tl.load"), ("program_id(0)", "program_id(1)"),
    ("a, mask", "a.to(tl.float16).to(tl.float32), mask"),
    ("- b", "+ (-b)"), ("r * C + c", "c * R + r"), ("tl.store(y", "tl.store(x"),
    ("c = tl.arange(0, B)", "c = B - 1 - tl.arange(0, B)"),
]


def laws_of(text):
    """Atomic sums have no order."""
    return ["--float-laws=reassociate"] if "atomic" in text else []


def source_of(rng):
    name = rng.choice(list(FAMILIES))
    names, grid, arrays, body = FAMILIES[name]
    fold = rng.choice(["sum", "max"])
    body %= {"op": rng.choice(OPS), "fold": fold,
             "none": "0.0" if fold == "sum" else "-float('inf')"}
    text = HEAD + "def k(%s, B: tl.constexpr):" % names + body
    sizes = ({"n": rng.randrange(2, 21)} if "n" in names.split(", ") else
             {"R": rng.randrange(2, 7), "C": rng.randrange(2, 9)})
    blocks = [8, 16] if name in ("row", "scaled") else [2, 4, 8]
    return text, grid, arrays, sizes, rng.choice(blocks), rng.choice(blocks)


def mutant(rng, text):
    start = text.index("):") + 2
    places = [(change, match.start()) for change in CHANGES
              for match in re.finditer(re.escape(change[0]), text)
              if match.start() > start]
    if not places:
        return text
    (old, new), at = rng.choice(places)
    return text[:at] + new + text[at + len(old):]


def number_of(text, sizes, block):
    cdiv = lambda a, b: -(-a // b)
    made = eval("(" + text + ",)", {"cdiv": cdiv}, {**sizes, "B": block})
    return tuple(made) + (1,) * (3 - len(made))


class Watched(triton_language.Run):
    """A program whose accesses are in a list, and whose masked lanes hold what
    `fill(line, program, turn, lane)` says."""
    log, fill, turns = [], None, {}

    def at(self, access, name, element):
        Watched.log.append((self.program, access, name, element))
        return super().at(access, name, element)

    def tl_load(self, pointer, mask=None, other=None):
        place = (self.line, self.program)
        self.turn = Watched.turns.get(place, 0)
        Watched.turns[place] = self.turn + 1
        return super().tl_load(pointer, mask, other)

    def masked_lane(self, kind, lane):
        if Watched.fill is None:
            return super().masked_lane(kind, lane)
        return fit(kind, Watched.fill(self.line, self.program, self.turn, lane))


triton_language.Run = Watched


class Runs:
    """What a kernel does with arrays: their content in the end."""

    def __init__(self, text, grid, arrays, sizes, block):
        self.text, self.arrays = text, arrays
        self.grid = number_of(grid, sizes, block)
        self.arguments = {"B": block}
        for name, value in sizes.items():
            self.arguments[name] = value if value == 1 else ("i32", value)
        for name in arrays:
            self.arguments[name] = ("*f32", None)
        self.lengths = {name: number_of(side, sizes, block)[0]
                        for name, side in arrays.items()}

    def tile_of(self, rank):
        """The sides of a tile that the families load."""
        block = self.arguments["B"]
        return [4, block][-rank:] if rank else []

    def run(self, content, fill=None):
        """The arrays, and the elements that are stored: [(array, element)]."""
        stored = []
        Watched.log, Watched.turns = [], {}
        Watched.fill = fill and staticmethod(fill)

        class Array(list):
            def __init__(self, name, values):
                super().__init__(values)
                self.name = name

            def __setitem__(self, element, value):
                stored.append((self.name, element))
                super().__setitem__(element, value)

        memory = {name: Array(name, content[name]) for name in self.arrays}
        touched = triton_language.run(self.text, "k", self.grid,
                                      self.arguments, memory)
        return {k: list(v) for k, v in memory.items()}, stored, touched


def inputs_of(rng, arrays, lengths, is_exact):
    """Numbers; sums of exact ones are exact in any order."""
    kind = rng.randrange(3 if is_exact else 4)

    def number():
        if kind == 0:
            return float(rng.randrange(-3, 4))
        if kind == 1:
            return rng.randrange(-16, 17) / 8
        if kind == 2:
            return float(-rng.randrange(1, 9))
        return fit("f32", rng.choice([0.3, 1 + 2**-12, 2049.0, 3.0, -7.5]))

    return {name: [number() for _ in range(lengths[name])] for name in arrays}


def alike(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


def near(text, value):
    claimed = float(text)
    if math.isnan(claimed) or math.isinf(claimed):
        return alike(claimed, value)
    return abs(claimed - value) <= 1e-4 * max(1, abs(claimed))


def check_same(rng, new, old):
    """What a run shows against `same`, or ""."""
    for _ in range(6):
        content = inputs_of(rng, new.arrays, new.lengths,
                            "sum" in new.text or "atomic" in new.text)
        try:
            theirs = old.run(content)
        except Outside:
            return ""  # the old kernel says nothing here
        try:
            ours = new.run(content)
        except Outside as error:
            return "it is outside: %s" % (error,)
        if len(ours[1]) != len(set(ours[1])):
            return "an element is stored twice"
        for name in new.arrays:
            for k, (a, b) in enumerate(zip(ours[0][name], theirs[0][name])):
                if not alike(a, b):
                    return "element %d of %s is %s, not %s" % (k, name, a, b)
    return ""


def outputs_of(old, content):
    """Arrays that the old kernel stores, and does not load."""
    touched = old.run(content)[2]

    def has(name, *kinds):
        return any(t[1] in kinds and t[3] == name for t in touched)

    return [name for name in old.arrays
            if has(name, "store", "atomic") and not has(name, "load", "atomic")]


FILLS = [0.0, -1.0, 3.5, 1e30, -1e30, float("inf"), float("nan")]


def check_safety(rng, safety, new, old):
    """What a run shows against the checks of the new kernel, or ""."""
    def count(what):
        key = what + " " + safety[what]
        counts[key] = counts.get(key, 0) + 1
        return safety[what]

    content = inputs_of(rng, new.arrays, new.lengths, True)
    try:
        outputs = outputs_of(old, content)
        stored = set(new.run(content)[1])
    except Outside:
        return ""
    stored |= {entry[2:] for entry in Watched.log if entry[1] == "atomic"}
    early, before = set(), set()
    for program, access, name, element in Watched.log:
        if access == "store":
            before.add((program, name, element))
        elif name in outputs and (program, name, element) not in before:
            early.add((program, name, element))
    never = {(name, element) for name in outputs
             for element in range(new.lengths[name])} - stored
    told = {each["what"]: each for each in safety.get("violations", [])}
    for what, found in (("never_written", never),
                        ("read_before_written", early)):
        answer = count(what)
        if answer == "proved" and found:
            return "%s is proved, and there is %s" % (what, min(found))
        if answer != "violated":
            continue
        at = (told[what]["argument"], told[what]["element"])
        if what == "read_before_written":
            at = (tuple(told[what]["program"]),) + at
        if at not in found:
            return "%s is violated, and not at %s" % (what, at)
    answer = count("undefined")
    if answer == "undecided":
        return ""
    differing = set()
    for _ in range(4 if answer == "violated" else 1):
        content = inputs_of(rng, new.arrays, new.lengths, True)
        runs = [new.run(content, lambda *_, fill=fill: fill)[0]
                for fill in FILLS]
        differing |= {(name, k) for name in new.arrays for run in runs
                      for k, x in enumerate(run[name])
                      if not alike(x, runs[0][name][k])}
    if answer == "proved" and differing:
        return "undefined is proved, and lanes change %s" % (min(differing),)
    if answer == "violated":
        at = (told["undefined"]["argument"], told["undefined"]["element"])
        if at not in differing:
            return "undefined is violated, and no lane changes %s" % (at,)
    return ""


def filled_by(witness, new):
    """What masked lanes hold by a witness, as Watched takes it."""
    lanes = {}
    for given in witness.get("inputs", []):
        if "lane" not in given:
            continue
        lane, at = given["lane"], 0
        tile = lane.get("tile", [])
        for k, side in zip(tile, new.tile_of(len(tile))):
            at = at * side + k
        place = (lane["line"], tuple(lane["program"]),
                 lane.get("turns", [0])[0], at)
        lanes[place] = float(given["value"])
    others = float(witness.get("others", 0))
    return lambda *place: lanes.get(place, others)


def check_witness(witness, new, old):
    content = {name: [float(witness.get("others", 0))] * new.lengths[name]
               for name in new.arrays}
    fill = filled_by(witness, new)
    for given in witness.get("inputs", []):
        if "lane" in given:
            continue
        if not 0 <= given["element"] < new.lengths[given["argument"]]:
            return "an input is outside"
        content[given["argument"]][given["element"]] = float(given["value"])
    kind = witness["kind"]
    try:
        ours = new.run(content, fill)
    except Outside as error:
        return "" if kind == "out_of_bounds" else "it is outside: %s" % (error,)
    if kind == "out_of_bounds":
        return "no access is outside"
    if kind == "written_twice":
        return "" if len(set(ours[1])) < len(ours[1]) else "nothing is"
    if kind == "overwritten":
        both = {t[3:] for t in ours[2] if t[1] == "load"} & {
            t[3:] for t in ours[2] if t[1] == "store"}
        return "" if both else "nothing is"
    theirs = old.run(content)
    name, element = witness["argument"], witness["element"]
    if element >= new.lengths[name]:
        return "the element is outside"
    a, b = ours[0][name][element], theirs[0][name][element]
    own, other = ((name, element) in side[1] for side in (ours, theirs))
    if own != ("program" in witness) or other != ("program_of" in witness):
        return "stored by new: %s, by old: %s" % (own, other)
    if "value" not in witness:
        return "" if own != other else "both store it"
    if not near(witness["value"], a) or not near(witness["value_of"], b):
        return "the numbers are %s and %s" % (a, b)
    return "" if not alike(a, b) else "both are %s" % a


def judged(path, new, old, blocks, sizes, arrays, grid):
    for name, text in (("new", new), ("old", old)):
        with open(os.path.join(path, name + ".py"), "w") as file:
            file.write(text)
    call = [TOOL, "kernel", path + "/new.py", "--of=" + path + "/old.py",
            "--format=json", "--grid=" + grid, "--of-grid=" + grid,
            "--const=B=%d" % blocks[0], "--of-const=B=%d" % blocks[1]]
    call += ["--arg=%s=%d" % pair for pair in sizes.items()]
    call += ["--type=%s=i32" % name for name in sizes]
    call += ["--type=%s=*fp32" % name for name in arrays]
    call += ["--shape=%s=f32[%s]" % pair for pair in arrays.items()]
    call += laws_of(old)
    done = subprocess.run(call, capture_output=True, text=True, check=False,
                          timeout=100)
    if done.returncode == 1:
        return None, done.stderr
    if done.returncode not in (0, 3, 4):
        return {"verdict": "crash"}, done.stderr
    return json.loads(done.stdout)["judge"], ""


def check(seed, path):
    rng = random.Random(seed)
    old, grid, arrays, sizes, block, other = source_of(rng)
    new = mutant(rng, old) if rng.randrange(4) else old
    found, message = judged(path, new, old, (other, block), sizes, arrays, grid)

    def problem(what):
        problems.append(seed)
        print("seed %d: %s\n%s\n%s\n%s, B=%d, old B=%d\n%s" % (
            seed, what, new, old, sizes, other, block, found or message))

    if found is None:  # a mutant that Triton refuses
        counts["refused"] = counts.get("refused", 0) + 1
        return
    verdict = found["verdict"]
    counts[verdict] = counts.get(verdict, 0) + 1
    sides = [Runs(new, grid, arrays, sizes, other),
             Runs(old, grid, arrays, sizes, block)]
    try:
        if verdict == "same":
            wrong = check_same(rng, *sides)
        elif verdict == "different":
            wrong = check_witness(found["witness"], *sides)
        else:
            wrong = "" if verdict == "undecided" else verdict
        wrong = wrong or check_safety(rng, found["safety"], *sides)
    except Refused as error:
        wrong = "the interpreter refuses it: %s" % (error,)
    if wrong:
        problem("%s, but %s" % (verdict, wrong))


def main():
    with tempfile.TemporaryDirectory() as path:
        for seed in range(SEED, SEED + COUNT):
            check(seed, path)
            if len(problems) > 5:
                break
    print("kernels", COUNT, "first seed", SEED, counts)
    decided = counts.get("same", 0) + counts.get("different", 0)
    few = decided * 2 < COUNT or not counts.get("same")
    if few:
        print("too few are decided")
    sys.exit(1 if problems or few else 0)


if __name__ == "__main__":
    main()
