#!/usr/bin/env python3
"""The verdict of `kernel --of`, against an interpreter of the kernel and an
enumeration of the fusion.

  verdict_test.py INDEXICAL RANDOM_PAIRS [FIRST_SEED]

Random fusions with right kernels, and with kernels of which one thing was
changed: a number, a mask, the grid, a type, a store more. The interpreter says
what each program loads and stores; the fusion was made of arrays of sets, which
say what each element reads. Then the kernels of kernel_value_cases.jsonl, where
INDEXICAL_CORPUS names the folder beside it.
"""

import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

import ttir_interpreter
from kernel_test_call import (COUNT, CORPUS, SEED, TOOL, end, problem,
                              problems)


def call(words):
    """The status, the document, and what was said on standard error."""
    done = subprocess.run([TOOL, "kernel"] + words + ["--format=json"],
                          capture_output=True, text=True)
    document = json.loads(done.stdout) if done.stdout.startswith("{") else None
    return done.returncode, document, done.stderr


# Fusions: HLO, and arrays whose elements are the sets of what they read, as
# pairs of a parameter and the number of an element.


def parameter(number, shape):
    count = math.prod(shape)
    reads = np.empty(count, dtype=object)
    for k in range(count):
        reads[k] = frozenset([(number, k)])
    return reads.reshape(shape)


UNITE = np.frompyfunc(lambda a, b: a | b, 2, 1)


class Fusion:
    """`loads` says how a kernel finds what an element reads: a parameter, and
    for each dimension of it a dimension of the result with a factor and an
    addend, or an addend alone."""

    def __init__(self, rng):
        rows, columns = rng.randint(2, 12), rng.randint(2, 20)
        kind = rng.choice(["map", "transpose", "reverse", "slice", "broadcast",
                           "halves", "two", "rotate"])
        self.kind, self.shape = kind, (rows, columns)
        self.parameters = [(rows, columns)]
        same = [(0, 1, 0), (1, 1, 0)]
        a = parameter(0, self.parameters[0])
        lines = []
        if kind == "map":
            lines, results = ["ROOT n = {r} negate(a)"], [a]
            self.loads = [(0, same)]
        elif kind == "two":
            lines = ["n = {r} negate(a)", "c = {r} copy(a)",
                     "ROOT t = ({r}, {r}) tuple(n, c)"]
            results, self.loads = [a, a], [(0, same)]
        elif kind == "transpose":
            self.parameters = [(columns, rows)]
            a = parameter(0, self.parameters[0])
            lines, results = ["ROOT n = {r} transpose(a), dimensions={{1,0}}"], [a.T]
            self.loads = [(0, [(1, 1, 0), (0, 1, 0)])]
        elif kind == "reverse":
            lines = ["ROOT n = {r} reverse(a), dimensions={{1}}"]
            results = [a[:, ::-1]]
            self.loads = [(0, [(0, 1, 0), (1, -1, columns - 1)])]
        elif kind == "slice":
            low = rng.randint(0, 3)
            self.parameters = [(rows + low, columns + 2)]
            a = parameter(0, self.parameters[0])
            lines = ["ROOT n = {r} slice(a), slice={{[%d:%d], [1:%d]}}" % (
                low, low + rows, columns + 1)]
            results = [a[low:, 1:columns + 1]]
            self.loads = [(0, [(0, 1, low), (1, 1, 1)])]
        elif kind == "broadcast":
            self.parameters = [(rows, columns), (columns,)]
            b = parameter(1, (columns,))
            lines = ["w = {r} broadcast(b), dimensions={{1}}",
                     "ROOT n = {r} add(a, w)"]
            results = [UNITE(a, np.broadcast_to(b, self.shape))]
            self.loads = [(0, same), (1, [(1, 1, 0)])]
        elif kind == "rotate":
            lines = ["x = f32[%d,%d] slice(a), slice={{[0:%d], [1:%d]}}" % (
                         rows, columns - 1, rows, columns),
                     "y = f32[%d,1] slice(a), slice={{[0:%d], [0:1]}}" % (
                         rows, rows),
                     "ROOT n = {r} concatenate(x, y), dimensions={{1}}"]
            results = [np.roll(a, -1, axis=1)]
            self.loads = [(0, [(0, 1, 0), (1, 1, 1, columns)])]
        else:
            self.parameters = [(rows, 2 * columns)]
            a = parameter(0, self.parameters[0])
            lines = ["x = {r} slice(a), slice={{[0:%d], [0:%d]}}" % (rows, columns),
                     "y = {r} slice(a), slice={{[0:%d], [%d:%d]}}" % (
                         rows, columns, 2 * columns),
                     "ROOT n = {r} multiply(x, y)"]
            results = [UNITE(a[:, :columns], a[:, columns:])]
            self.loads = [(0, same), (0, [(0, 1, 0), (1, 1, columns)])]
        self.results = [np.ravel(each) for each in results]
        head = ["%s = f32[%s] parameter(%d)" % (
            "ab"[k], ",".join(map(str, shape)), k)
            for k, shape in enumerate(self.parameters)]
        shape = "f32[%d,%d]" % self.shape
        self.text = "HloModule m\nENTRY main {\n%s\n}\n" % "\n".join(
            "  " + line for line in head + [x.format(r=shape) for x in lines])


class Kernel:
    """The text of a right kernel. Its parts can be changed before it is
    written."""

    def __init__(self, fusion, rng):
        self.fusion = fusion
        rows, columns = fusion.shape
        self.tile = (rng.choice([1, 2, 4, 8]), rng.choice([2, 4, 8, 16]))
        self.across = -(-columns // self.tile[1])
        self.grid = -(-rows // self.tile[0]) * self.across
        # None, or what an integer argument holds: the number of columns.
        self.size = columns if rng.random() < 0.4 else None
        self.lines, self.count = [], 0

    def put(self, text):
        name = "%%v%d" % self.count
        self.count += 1
        self.lines.append("  %s = %s" % (name, text))
        return name

    def number(self, value, kind="i32"):
        return self.put("arith.constant %s : %s" % (
            value if kind == "i32" else "dense<%d>" % value, kind))

    def write(self):
        tile = "tensor<%dx%dxi32>" % self.tile
        pid = self.put("tt.get_program_id x : i32")
        across = self.number(self.across)
        starts = []
        for k, op in enumerate(("divsi", "remsi")):
            at = self.put("arith.%s %s, %s : i32" % (op, pid, across))
            side = self.number(self.tile[k])
            starts.append(self.put("arith.muli %s, %s : i32" % (at, side)))
        index, on = [], []
        for k, side in enumerate(self.tile):
            row = self.put("tt.make_range {end = %d : i32, start = 0 : i32} : "
                           "tensor<%dxi32>" % (side, side))
            thin = "tensor<%s>" % ("%dx1xi32" % side if k == 0
                                   else "1x%dxi32" % side)
            row = self.put("tt.expand_dims %s {axis = %d : i32} : "
                           "tensor<%dxi32> -> %s" % (row, 1 - k, side, thin))
            row = self.put("tt.broadcast %s : %s -> %s" % (row, thin, tile))
            start = self.put("tt.splat %s : i32 -> %s" % (starts[k], tile))
            index.append(self.put("arith.addi %s, %s : %s" % (start, row, tile)))
            if k == 1 and self.size is not None:
                bound = self.put("tt.splat %%n : i32 -> %s" % tile)
            else:
                bound = self.number(self.fusion.shape[k], tile)
            on.append(self.put("arith.cmpi slt, %s, %s : %s" % (
                index[k], bound, tile)))
        mask = self.put("arith.andi %s, %s : %s" % (
            on[0], on[1], tile.replace("i32", "i1")))
        for number, ways in self.fusion.loads:
            self.access(number, self.address(ways, number, index, tile), tile,
                        mask, None)
        # What is stored is not known: tiles alone count.
        floats = tile.replace("i32", "f32")
        stored = self.put("arith.constant dense<0.000000e+00> : " + floats)
        stored = self.put('tt.extern_elementwise %s {libname = "", libpath = "", '
                          'pure = true, symbol = "any"} : (%s) -> %s' % (
                              stored, floats, floats))
        whole = [(0, 1, 0), (1, 1, 0)]
        first = len(self.fusion.parameters)
        for k in range(len(self.fusion.results)):
            at = self.address(whole, None, index, tile)
            self.access(first + k, at, tile, mask, stored)
        arguments = ["%%p%d: !tt.ptr<f32>" % k
                     for k in range(first + len(self.fusion.results))]
        if self.size is not None:
            arguments.append("%n: i32")
        return "tt.func @k(%s) {\n%s\n  tt.return\n}\n" % (
            ", ".join(arguments), "\n".join(self.lines))

    def address(self, ways, number, index, tile):
        shape = (self.fusion.shape if number is None
                 else self.fusion.parameters[number])
        at = self.number(0, tile)
        for size, way in zip(shape, ways):
            own = index[way[0]]
            factor = self.number(way[1], tile)
            own = self.put("arith.muli %s, %s : %s" % (own, factor, tile))
            addend = self.number(way[2], tile)
            own = self.put("arith.addi %s, %s : %s" % (own, addend, tile))
            if len(way) > 3:
                around = self.number(way[3], tile)
                own = self.put("arith.remsi %s, %s : %s" % (own, around, tile))
            step = self.number(size, tile)
            at = self.put("arith.muli %s, %s : %s" % (at, step, tile))
            at = self.put("arith.addi %s, %s : %s" % (at, own, tile))
        return at

    def access(self, argument, at, tile, mask, stored):
        pointers = tile.replace("i32", "!tt.ptr<f32>")
        base = self.put("tt.splat %%p%d : !tt.ptr<f32> -> %s" % (
            argument, pointers))
        pointer = self.put("tt.addptr %s, %s : %s, %s" % (
            base, at, pointers, tile))
        if stored:
            self.lines.append("  tt.store %s, %s, %s : %s" % (
                pointer, stored, mask, pointers))
        else:
            self.put("tt.load %s, %s : %s" % (pointer, mask, pointers))


def changed(text, grid, rng):
    """The text and the grid with one thing changed, and what it was."""
    kind = rng.choice(["number", "number", "number", "mask", "grid", "type",
                       "into parameter", "again"])
    if kind == "grid":
        return text, max(1, grid + rng.choice([-1, 1, 2])), kind
    if kind == "type":
        other = rng.choice(["f16", "bf16", "i32", "f64", "i8"])
        return text.replace("f32", other).replace(
            "0.000000e+00", "0" if other[0] == "i" else "0.000000e+00"), grid, kind
    lines = text.split("\n")
    if kind == "into parameter":
        at = max(k for k, line in enumerate(lines) if "tt.store" in line)
        pointer = next(line.split(" = ")[0].strip() for line in lines
                       if "tt.addptr" in line)
        lines.insert(at + 1, re.sub(r"store %\w+", "store " + pointer, lines[at]))
        return "\n".join(lines), grid, kind
    if kind == "again":  # what was stored is loaded
        at = max(k for k, line in enumerate(lines) if "tt.store" in line)
        words = re.match(r"  tt.store (%\w+), %\w+, (%\w+) : (.*)", lines[at])
        lines.insert(at + 1, "  %%again = tt.load %s, %s : %s" % words.groups())
        return "\n".join(lines), grid, kind
    if kind == "mask":
        at = rng.choice([k for k, line in enumerate(lines)
                         if "tt.store" in line or "tt.load" in line])
        lines[at] = re.sub(r", %\w+ : ", " : ", lines[at])
        return "\n".join(lines), grid, kind
    places = list(re.finditer(r"arith\.constant (?:dense<)?(-?\d+)>? : ", text))
    place = rng.choice(places)
    number = int(place[1])
    other = rng.choice([number + 1, number - 1, number * 2 + 1])
    if "remsi" in text and number and not other:
        other = number + 1
    return text[:place.start(1)] + str(other) + text[place.end(1):], grid, kind


def run(text, grid, arguments):
    """What each program loads and stores: sets of (argument, element)."""
    programs = []
    for p in range(grid):
        sets = {"load": set(), "store": set()}
        for _, op, _, pairs in ttir_interpreter.accesses(text, (p, 0, 0),
                                                         arguments):
            sets[op].update(pairs)
        programs.append(sets)
    return programs


def truth(fusion, programs):
    """What is not stored, what is stored outside and into parameters, whether
    each program loads all that its stored elements read."""
    first = len(fusion.parameters)
    stored = set().union(*[p["store"] for p in programs])
    whole = {(first + k, e) for k, result in enumerate(fusion.results)
             for e in range(len(result))}
    into = {pair for pair in stored if pair[0] < first}
    loads = all(fusion.results[a - first][e] <= p["load"]
                for p in programs for a, e in p["store"] & whole)
    return whole - stored, stored - whole - into, into, loads


def check(name, fusion, text, words, true, isTyped, isRight):
    missing, outside, into, loads = true
    status, document, error = call(words)
    if document is None or "of" not in document:
        return problem("%s: status %d, %s\n%s%s" % (
            name, status, error, text, fusion.text))
    of = document["of"]
    verdict = of["verdict"]
    wrong = None
    if verdict == "same tiles" and (missing or outside or into or isTyped or
                                    not loads):
        wrong = "missing %s, outside %s, into parameters %s, loads all %s" % (
            sorted(missing)[:3], sorted(outside)[:3], sorted(into)[:3], loads)
    if verdict == "different" and not missing and not outside:
        wrong = "every element is stored, and no other"
    first = len(fusion.parameters)
    if "witness" in of and (first + of["witness"]["result"],
                            of["witness"]["element"]) not in outside:
        wrong = "the witness is none"
    if "not_stored" in of and (first + of["not_stored"]["result"],
                               of["not_stored"]["element"]) not in missing:
        wrong = "the element is stored"
    if isRight and verdict != "same tiles" and fusion.kind != "rotate":
        wrong = "it is right"
    if (verdict == "different") != ("witness" in of or "not_stored" in of):
        wrong = "a witness is there, or none"
    if (verdict == "undecided") != ("reason" in of):
        wrong = "a reason is there, or none"
    bad = "violated" in (document["in_bounds"]["answer"],
                         document["written_once"]["answer"])
    want = 3 if bad or verdict == "different" else 4
    if status != want:
        wrong = "status %d" % status
    if wrong:
        problem("%s is %s: %s\n%s\n%s%s" % (
            name, json.dumps(of), wrong, " ".join(words), text, fusion.text))
    return verdict


def check_random(folder):
    told = {}
    for seed in range(SEED, SEED + COUNT):
        rng = random.Random(seed)
        fusion = Fusion(rng)
        kernel = Kernel(fusion, rng)
        text, grid = kernel.write(), kernel.grid
        hlo = os.path.join(folder, "%d.hlo" % seed)
        with open(hlo, "w") as file:
            file.write(fusion.text)
        arguments = {}
        if kernel.size is not None:
            arguments = {len(fusion.parameters) + len(fusion.results):
                         kernel.size}
        for number in range(3):
            kind, now, programs = "right", text, grid
            if number:
                now, programs, kind = changed(text, grid, rng)
            path = os.path.join(folder, "%d_%d.ttir" % (seed, number))
            with open(path, "w") as file:
                file.write(now)
            words = [path, "--of=%s#main" % hlo, "--num-warps=1",
                     "--grid=%d" % programs]
            if kernel.size is not None:
                words.append("--arg=n=%d" % kernel.size)
            plain = re.sub(r"bf16|f16|f64|\bi8\b", "f32", now)
            true = truth(fusion, run(plain, programs, arguments))
            name = "seed %d, %s" % (seed, kind)
            verdict = check(name, fusion, now, words, true, kind == "type",
                            kind == "right")
            told[kind, verdict] = told.get((kind, verdict), 0) + 1
            if kind == "right" and rng.random() < 0.5:
                guess = [w for w in words if not w.startswith("--grid")]
                status, document, _ = call(guess)
                if document and "violated" in json.dumps(document):
                    problem("%s: the grid is guessed wrongly" % name)
                if document and document["of"]["verdict"] == "different":
                    problem("%s: different by a guess" % name)
                status, document, _ = call(words + ["--level=tiles"])
                if status != (0 if verdict == "same tiles" else 4):
                    problem("%s: --level=tiles is %d" % (name, status))
            if kernel.size is not None and number == 0:
                unknown = [w for w in words if not w.startswith("--arg")]
                _, document, error = call(unknown)
                if document["of"]["verdict"] != "undecided":
                    problem("%s: %s without a size\n%s" % (
                        name, document["of"], now))
            if len(problems) > 3:
                return
    for (kind, verdict), count in sorted(told.items()):
        print("%6d %s: %s" % (count, kind, verdict))
    for kind in ("right", "number", "mask", "grid", "into parameter"):
        if not any(k == kind for k, _ in told):
            problem("no kernel was changed by " + kind)
    if not told.get(("number", "different")):
        problem("no number was seen")


def check_cases(path):
    with open(path) as file:
        cases = [json.loads(line) for line in file]
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            kernel = os.path.join(folder, "k." + case["form"])
            hlo = os.path.join(folder, "f.hlo")
            for name, key in ((kernel, "kernel"), (hlo, "hlo")):
                with open(name, "w") as file:
                    file.write(case[key])
            words = [kernel, "--of=%s#%s" % (hlo, case["computation"]),
                     "--grid=" + ",".join(map(str, case["grid"]))]
            if case["form"] == "ttir":
                words.append("--num-warps=%d" % case["num_warps"])
            words += ["--arg=%s=%s" % pair for pair in case["args"].items()]
            status, document, error = call(words)
            verdict = document["of"]["verdict"] if document else error
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict == "different" and "different" not in case["answers"]:
                problem("%s is different: %s" % (case["name"], document["of"]))
    print("%d cases: %s" % (len(cases), counts))


with tempfile.TemporaryDirectory() as folder:
    check_random(folder)
CASES = os.path.join(CORPUS, "../kernel_value_cases.jsonl")
if CORPUS and os.path.exists(CASES):
    check_cases(CASES)
else:
    print("SKIPPED: INDEXICAL_CORPUS has no kernel_value_cases.jsonl beside it")
end()
