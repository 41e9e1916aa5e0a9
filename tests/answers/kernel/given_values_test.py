#!/usr/bin/env python3
"""What `--runtime` says of a loaded value, against all values within.

  given_values_test.py INDEXICAL BATCHES [FIRST_SEED]

Random kernels load an index and access what an expression of it names, where a
comparison of it holds. With bounds any value within may occur: an access that no
value makes is in bounds, one that some value makes outside is not proved, and a
violated one has a witness that is outside. With one value the answer is that of
the value. No bounds that the type has are refused.
"""

import json
import os
import random
import subprocess
import tempfile

from kernel_test_call import COUNT, SEED, TOOL, end, problem

KERNELS = 12  # in each batch, which is one call
BINARY = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "minsi": min,
    "maxsi": max,
}
COMPARED = {
    "slt": lambda a, b: a < b,
    "sge": lambda a, b: a >= b,
    "sgt": lambda a, b: a > b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "ult": lambda a, b: a % 2**32 < b % 2**32,
    "ugt": lambda a, b: a % 2**32 > b % 2**32,
}
HEAD = """tt.func @k(%x: !tt.ptr<f32>, %w: !tt.ptr<f32>, %ix: !tt.ptr<i32>) {
  %i = tt.load %ix : !tt.ptr<i32>
  %wi = tt.addptr %w, %i : !tt.ptr<f32>, i32
  %always = tt.load %wi : !tt.ptr<f32>
  %p = tt.get_program_id x : i32
"""


class Kernel:
    """A kernel, and the element that each value and program accesses."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        where = self.condition() if rng.random() < 0.85 else None
        element = self.number(rng.choice([0, 1, 1, 2]))
        mask = ", " + where[0] if where else ""
        self.lines.append("%%a = tt.addptr %%x, %s : !tt.ptr<f32>, i32" %
                          element[0])
        self.line = HEAD.count("\n") + len(self.lines) + 1
        self.lines.append("%%v = tt.load %%a%s : !tt.ptr<f32>" % mask)
        self.element = element[1]
        self.holds = where[1] if where else lambda i, p: True
        self.text = HEAD + "".join("  %s\n" % line for line in self.lines) + (
            "  tt.return\n}\n")

    def name(self, line):
        name = "%%e%d" % len(self.lines)
        self.lines.append("%s = %s" % (name, line))
        return name

    def number(self, depth):
        rng = self.rng
        if depth == 0:
            if rng.random() < 0.75:
                return rng.choice([("%i", lambda i, p: i),
                                   ("%i", lambda i, p: i),
                                   ("%p", lambda i, p: p)])
            value = rng.choice([0, 1, 2, 3, 5, 7, 33, -1, -2])
            return (self.name("arith.constant %d : i32" % value),
                    lambda i, p: value)
        (a, f), (b, g) = self.number(depth - 1), self.number(depth - 1)
        if rng.random() < 0.2:
            where, holds = self.condition()
            return (self.name("arith.select %s, %s, %s : i32" % (where, a, b)),
                    lambda i, p: f(i, p) if holds(i, p) else g(i, p))
        kind = rng.choice(sorted(BINARY))
        return (self.name("arith.%s %s, %s : i32" % (kind, a, b)),
                lambda i, p: BINARY[kind](f(i, p), g(i, p)))

    def condition(self):
        kind = self.rng.choice(sorted(COMPARED))
        (a, f), (b, g) = self.number(self.rng.choice([0, 1])), self.number(0)
        return (self.name("arith.cmpi %s, %s, %s : i32" % (kind, a, b)),
                lambda i, p: COMPARED[kind](f(i, p), g(i, p)))


def documents(folder, kernels, words):
    paths = []
    for number, kernel in enumerate(kernels):
        paths.append(os.path.join(folder, "%d.ttir" % number))
        with open(paths[-1], "w") as file:
            file.write(kernel.text)
    done = subprocess.run([TOOL, "kernel"] + paths + words + ["--format=json"],
                          capture_output=True, text=True)
    found = [json.loads(line) for line in done.stdout.split("\n") if line]
    if len(found) != len(kernels):
        problem("status %d, %d documents\n%s\n%s" % (
            done.returncode, len(found), done.stderr,
            "".join(kernel.text for kernel in kernels)))
        return []
    return found


def check(kernel, document, values, grid, size, where):
    """Returns the answer, or None if there is none."""
    def wrong(text):
        problem("%s: %s\n%s%s" % (where, text, kernel.text, document))

    if "error" in document:
        return wrong("an error")
    found = [each for each in document["reads"] if each["line"] == kernel.line]
    if len(found) != 1:
        return wrong("no access in line %d" % kernel.line)
    elements = {kernel.element(i, p) for i in values for p in range(grid)
                if kernel.holds(i, p)}
    outside = {each for each in elements if not 0 <= each < size}
    answer = found[0]["in_bounds"]["answer"]
    if answer == "proved" and outside:
        wrong("proved, and %s is outside" % sorted(outside))
    if answer == "violated":
        witness = found[0]["in_bounds"].get("witness", found[0]["in_bounds"])
        if witness["element"] not in outside:
            wrong("violated, and outside are only %s" % sorted(outside))
    return answer, bool(elements)


def main():
    counts = {}
    for seed in range(SEED, SEED + COUNT):
        rng = random.Random(seed)
        kernels = [Kernel(rng) for _ in range(KERNELS)]
        low = rng.choice([-3, 0, 0, 1, 5, 33])
        high = low + rng.choice([0, 1, 3, 9])
        grid, size = rng.randint(1, 3), rng.choice([1, 4, 8, 40])
        one = rng.randint(low, high)
        for values, text in ((range(low, high + 1), "%d..%d" % (low, high)),
                             ([one], str(one))):
            words = ["--grid=%d" % grid, "--num-warps=1", "--shape=ix=s32[1]",
                     "--shape=x=f32[%d]" % size, "--runtime=loaded0=" + text]
            where = "FIRST_SEED %d, %s" % (seed, " ".join(words))
            with tempfile.TemporaryDirectory() as folder:
                found = documents(folder, kernels, words)
            for kernel, document in zip(kernels, found):
                answer = check(kernel, document, values, grid, size, where)
                counts[answer] = counts.get(answer, 0) + 1
    print("from seed %d: %s" % (SEED, ", ".join(
        "%s%s %d" % (answer[0], "" if answer[1] else " (never)", number)
        for answer, number in sorted(counts.items(), key=str) if answer)))
    for answer in (("proved", True), ("proved", False), ("violated", True)):
        if counts.get(answer, 0) < COUNT:
            problem("only %d answers %s" % (counts.get(answer, 0), answer))
    end()


main()
