#!/usr/bin/env python3
"""Pairs of kernels at the edges of what a judge may say.

  TEST INDEXICAL

An integer without a value is a size: numbers outside of its bounds show no
difference. A loop begins with its first number. Elements outside of a shape,
and elements that the old kernel does not access, are not granted. Masked lanes
are violations only where they change what is left.
"""

import json
import os
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]
HEAD = """import triton
import triton.language as tl


@triton.jit
def k(x, y, n, B: tl.constexpr = 4):
    o = tl.program_id(0) * B + tl.arange(0, B)
"""
POINT = HEAD + "    v = tl.load(x + o)\n%s    tl.store(y + o, %s)\n"
MASKED = HEAD + """    a = tl.load(x + o%s)
    tl.store(y + o, %s, mask=%s)
"""
LOOP = HEAD + """    a = tl.zeros([B], dtype=tl.float32)%s
    for j in range(0, n, B):
        a *= tl.load(x + j + o, mask=j + o < n, other=%s)
    tl.store(y + o, a)
"""
wrong = []


def judge(new, old, grid, *more):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("new", new), ("old", old)):
            with open(os.path.join(folder, name + ".py"), "w") as file:
                file.write(text)
        done = subprocess.run(
            [TOOL, "kernel", folder + "/new.py", "--of=" + folder + "/old.py",
             "--grid=" + grid, "--of-grid=" + grid, "--format=json", *more],
            capture_output=True, text=True, check=False, timeout=100)
    if not done.stdout:
        return done.returncode, {"verdict": done.stderr, "safety": {}}
    return done.returncode, json.loads(done.stdout)["judge"]


def expect(what, found, verdicts, bounds=None):
    status, said = found
    is_right = said["verdict"] in verdicts
    is_right &= (status == 0) == (said["verdict"] == "same")
    if bounds:
        is_right &= said["safety"].get("out_of_bounds") == bounds
    if not is_right:
        wrong.append("%s: status %d, %s" % (what, status, said))
    return said


OPEN = ("undecided", "same_where")
# For all n from 1 on these are the same, and for n = -3 they are not.
for body, value, other in (
        ("    if n > 0:\n        v = v + 1.0\n", "v", "v + 1.0"),
        ("    if n >= 1:\n        v = v + 1.0\n", "v", "v + 1.0"),
        ("", "v + (n >> 1)", "v + n // 2"),
        ("", "v - (-n) // 4", "v + n // 4")):
    expect(body + value, judge(POINT % (body, value), POINT % ("", other), "1"),
           ("same",) + OPEN)
# These differ at sizes, and the witness names them.
for new, old, more in (("v + n", "v - n", []),
                       ("v + n", "v + 9", ["--assume=n <= 20"]),
                       ("v + (n == 1)", "v", ["--assume=n <= 1"])):
    found = expect(new, judge(POINT % ("", new), POINT % ("", old), "1", *more),
                   ("different",))
    size = found.get("witness", {}).get("sizes", {}).get("n", 0)
    if not 1 <= size <= (20 if more else 2**31 - 1):
        wrong.append("%s: n = %s" % (new, size))

# 0 times what overflows is 0, and times infinity NaN, for both.
expect("product from 0", judge(LOOP % ("", "1.0"), LOOP % ("", "0.0"), "1"),
       OPEN + ("same",))
expect("product from 1",
       judge(LOOP % (" + 1.0", "1.0"), LOOP % (" + 1.0", "0.0"), "1"),
       ("different",))


def masked(mask, value="a + 1.0", loads=True):
    return MASKED % (", mask=" + mask if loads else "", value, mask)


GRID = "cdiv(n, B)"
SHAPES = ["--shape=x=f32[n]", "--shape=y=f32[n]"]
FLIPPED = masked("o < n", "1.0 + a")
expect("in the shape", judge(FLIPPED, masked("o < n"), GRID, *SHAPES),
       ("same",), "proved")
expect("no shape", judge(FLIPPED, masked("o < n"), GRID), ("same",),
       "undecided")
expect("one shape", judge(FLIPPED, masked("o < n"), GRID, SHAPES[0]),
       ("same",), "undecided")
for side, word in (("n + 1", "proved"), ("2 * n", "proved"),
                   ("n - 1", "undecided"), ("5", "undecided")):
    expect("f32[%s]" % side,
           judge(FLIPPED, masked("o < n"), GRID, "--shape=x=f32[%s]" % side,
                 "--shape=y=f32[%s]" % side),
           ("same",) if word == "proved" else OPEN, word)
PAST = masked("o <= n", "1.0 + a")
expect("past the shape", judge(PAST, masked("o <= n"), GRID, *SHAPES), OPEN,
       "undecided")
ROWS = HEAD.replace("x, y, n", "x, y, R, C") + """    r = tl.program_id(1)
    m = o < %s
    tl.store(y + r * C + o, tl.load(x + r * C + o, mask=m), mask=m)
"""
for bound, sides, word in (("C", "R,C", "proved"), ("C", "R,2*C", "undecided"),
                           ("C", "R+1,C", "proved"),
                           ("C", "R-1,C", "undecided"),
                           ("C", "C,R", "undecided"),
                           ("C + 1", "R,C", "undecided")):
    rows = ROWS % bound
    expect("rows below %s of f32[%s]" % (bound, sides),
           judge(rows, rows, "cdiv(C, B), R", "--shape=x=f32[%s]" % sides,
                 "--shape=y=f32[%s]" % sides), ("same",) + OPEN, word)

# Old accesses no element from n on.
MORE = masked("o < n", loads=False)
for size in ([], ["--arg=n=5"]):
    expect("more than old %s" % size, judge(MORE, masked("o < n"), GRID, *size),
           OPEN)
expect("as much as old", judge(MORE, masked("o < n"), GRID, "--arg=n=8"),
       ("same",))
expect("in a larger shape",
       judge(MORE, masked("o < n"), GRID, "--arg=n=5", "--shape=x=f32[8]",
             "--shape=y=f32[8]"), ("same",), "proved")

# Masked lanes without `other` hold anything. They count only where other
# numbers of them change what stays.
LANE = HEAD + "    a = tl.load(x + o, mask=o < n%s)\n%s"
STORE = "    tl.store(y + o, %s)\n"
AGAIN = STORE % "a" + "    tl.debug_barrier()\n" + STORE
TURNS = HEAD + """    for j in range(0, 2):
        a = tl.load(x + o, mask=(o < n) | (j == 1)%s)
        tl.store(y + o, a)
"""
TRIANGLE = HEAD + """    r, c = tl.program_id(0), tl.arange(0, 8)
    tl.store(y + r, tl.sum(tl.load(x + c, mask=c <= r%s), axis=0))
"""
OTHER = ", other=0"
CASES = (
    # what, new, old, the answers of `undefined`, elements of a violation
    ("stored", LANE % ("", STORE % "a + 1"),
     LANE % (OTHER, STORE % "a + 1"), ("violated",), (5, 6, 7)),
    ("chosen", LANE % ("", STORE % "tl.where(o < n, a, 0)"),
     LANE % (OTHER, STORE % "a"), ("proved",), ()),
    ("twice in one", LANE % ("", STORE % "a ^ a"),
     LANE % (OTHER, STORE % "a * 0 + 1"), ("proved", "undecided"), ()),
    ("stored again", LANE % ("", AGAIN % "1"), LANE % (OTHER, STORE % "2"),
     ("proved", "undecided"), ()),
    ("a part stored again",
     LANE % ("", AGAIN.replace(" %s)", " 1, mask=o >= n)")),
     LANE % (OTHER, STORE % "a"), ("proved", "undecided"), ()),
    ("the last turn has none", TURNS % "", LANE % (OTHER, STORE % "a"),
     ("proved", "undecided"), ()),
    ("the last row has none", TRIANGLE % "", TRIANGLE % OTHER,
     ("violated",), tuple(range(7))),
)
for what, new, old, answers, elements in CASES:
    status, said = judge(new, old, "8" if "row" in what else "2", "--arg=n=5",
                         "--type=x=*i32", "--type=y=*i32", "--shape=x=s32[8]",
                         "--shape=y=s32[8]")
    answer = said["safety"].get("undefined")
    found = [each["element"] for each in said["safety"].get("violations", [])
             if each["what"] == "undefined"]
    if answer not in answers or (answer == "violated") != bool(found) or (
            not set(found) <= set(elements)) or (found and status != 3):
        wrong.append("%s: status %d, %s" % (what, status, said))

print("\n".join(wrong) or "all right")
sys.exit(1 if wrong else 0)
