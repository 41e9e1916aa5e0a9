#!/usr/bin/env python3
"""`kernel --of` about values, against an interpreter of the kernel and numpy.

  kernel_values_test.py INDEXICAL RANDOM_PAIRS [FIRST_SEED]

Random fusions, right kernels of them and kernels of which one thing was
changed. No kernel that a run tells apart from its fusion has the same values;
the numbers of a witness, run, give different results; right kernels have the
same values. Then the kernels of kernel_value_cases.jsonl, where
INDEXICAL_CORPUS names the folder beside it.
"""

import json
import os
import random
import re
import subprocess
import tempfile

import numpy as np

import ttir_values
from kernel_test_call import (COUNT, CORPUS, SEED, TOOL, end, problem,
                              problems)

F = np.float32
# The name of HLO, the op of the kernel, what it computes; of floats, then of
# integers.
FLOATS = [("add", "arith.addf", np.add), ("subtract", "arith.subf", np.subtract),
          ("multiply", "arith.mulf", np.multiply),
          ("maximum", "arith.maximumf", np.maximum),
          ("minimum", "arith.minimumf", np.minimum),
          ("negate", "arith.negf", np.negative), ("abs", "math.absf", np.abs)]
INTEGERS = [("add", "arith.addi", np.add),
            ("subtract", "arith.subi", np.subtract),
            ("multiply", "arith.muli", np.multiply),
            ("maximum", "arith.maxsi", np.maximum),
            ("minimum", "arith.minsi", np.minimum),
            ("and", "arith.andi", np.bitwise_and),
            ("or", "arith.ori", np.bitwise_or)]


def call(words):
    done = subprocess.run([TOOL, "kernel"] + words + ["--format=json"],
                          capture_output=True, text=True)
    document = json.loads(done.stdout) if done.stdout.startswith("{") else None
    return done.returncode, document, done.stderr


class Pair:
    """A fusion over rows and columns and a kernel with a program a row, or a
    program a few rows where it has no reduction."""

    def __init__(self, rng):
        self.rng = rng
        self.rows, self.columns = rng.randint(1, 4), rng.randint(1, 12)
        self.kind = rng.choice(["f32", "f32", "i32"])
        self.hlo_kind = self.kind.replace("i", "s")
        self.tile = 1 << (self.columns - 1).bit_length()
        if rng.random() < 0.5:
            self.tile *= 2
        self.hlo, self.lines, self.count = [], [], 0
        self.computations = set()
        self.shape = "%s[%d,%d]" % (self.hlo_kind, self.rows, self.columns)
        self.make()

    def put(self, text):
        self.count += 1
        self.lines.append("    %%v%d = %s" % (self.count, text))
        return "%%v%d" % self.count

    def say(self, text):
        self.count += 1
        self.hlo.append("  h%d = %s" % (self.count, text))
        return "h%d" % self.count

    def tensor(self, kind=None):
        return "tensor<%dx%s>" % (self.tile, kind or self.kind)

    def whole(self, number, kind="i32"):
        return self.put("arith.constant dense<%s> : %s" % (
            number, self.tensor(kind)))

    def make(self):
        rng = self.rng
        row = self.put("tt.get_program_id x : i32")
        wide = self.put("arith.constant %d : i32" % self.columns)
        start = self.put("arith.muli %s, %s : i32" % (row, wide))
        self.start = self.put("tt.splat %s : i32 -> %s" % (
            start, self.tensor("i32")))
        self.at = self.put("tt.make_range {end = %d : i32, start = 0 : i32} : %s"
                           % (self.tile, self.tensor("i32")))
        bound = self.whole(self.columns)
        self.mask = self.put("arith.cmpi slt, %s, %s : %s" % (
            self.at, bound, self.tensor("i32")))
        self.body = self.expression(2)
        hlo, value, compute = self.body
        if rng.random() < 0.5:
            hlo, value, compute = self.reduced(hlo, value, compute)
        self.compute = compute
        self.result = hlo
        index = self.put("arith.addi %s, %s : %s" % (self.start, self.at,
                                                     self.tensor("i32")))
        pointer = self.pointer("%y", index)
        self.lines.append("    tt.store %s, %s, %s : %s" % (
            pointer, value, self.mask, self.tensor("!tt.ptr<%s>" % self.kind)))

    def pointer(self, base, index):
        pointers = self.tensor("!tt.ptr<%s>" % self.kind)
        base = self.put("tt.splat %s : !tt.ptr<%s> -> %s" % (
            base, self.kind, pointers))
        return self.put("tt.addptr %s, %s : %s, %s" % (
            base, index, pointers, self.tensor("i32")))

    def expression(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            return self.leaf()
        if self.kind == "f32" and rng.random() < 0.15:
            return self.choice(depth)
        name, op, compute = rng.choice(FLOATS if self.kind == "f32"
                                       else INTEGERS)
        a = self.expression(depth - 1)
        if name in ("negate", "abs"):
            return (self.say("%s %s(%s)" % (self.shape, name, a[0])),
                    self.put("%s %s : %s" % (op, a[1], self.tensor())),
                    lambda x: compute(a[2](x)))
        b = self.expression(depth - 1)
        return (self.say("%s %s(%s, %s)" % (self.shape, name, a[0], b[0])),
                self.put("%s %s, %s : %s" % (op, a[1], b[1], self.tensor())),
                lambda x: compute(a[2](x), b[2](x)))

    def choice(self, depth):
        a, b = self.expression(depth - 1), self.leaf()
        name, order, compute = self.rng.choice(
            [("LT", "olt", np.less), ("GE", "oge", np.greater_equal),
             ("NE", "une", np.not_equal)])
        is_it = self.say("pred[%d,%d] compare(%s, %s), direction=%s" % (
            self.rows, self.columns, a[0], b[0], name))
        on = self.put("arith.cmpf %s, %s, %s : %s" % (
            order, a[1], b[1], self.tensor()))
        return (self.say("%s select(%s, %s, %s)" % (self.shape, is_it, a[0],
                                                    b[0])),
                self.put("arith.select %s, %s, %s : %s, %s" % (
                    on, a[1], b[1], self.tensor("i1"), self.tensor())),
                lambda x: np.where(compute(a[2](x), b[2](x)), a[2](x), b[2](x)))

    def leaf(self):
        rng = self.rng
        number = rng.randrange(2)
        name = "ab"[number]
        turns = rng.random() < 0.3
        at = self.at
        if turns:
            last = self.whole(self.columns - 1)
            at = self.put("arith.subi %s, %s : %s" % (last, at,
                                                      self.tensor("i32")))
        index = self.put("arith.addi %s, %s : %s" % (self.start, at,
                                                     self.tensor("i32")))
        other = self.whole("0.0" if self.kind == "f32" else "0", self.kind)
        value = self.put("tt.load %s, %s, %s : %s" % (
            self.pointer("%" + name, index), self.mask, other,
            self.tensor("!tt.ptr<%s>" % self.kind)))
        if not turns:
            return name, value, lambda x: x[number]
        return (self.say("%s reverse(%s), dimensions={1}" % (self.shape, name)),
                value, lambda x: x[number][:, ::-1])

    def reduced(self, hlo, value, compute):
        """The reduction of a row, put beside what is reduced."""
        name, op, by = self.rng.choice(
            [("add", "arith.add", np.add), ("maximum", "arith.max", np.max)])
        op += {"add": {"f32": "f", "i32": "i"},
               "maximum": {"f32": "imumf", "i32": "si"}}[name][self.kind]
        neutral = "0" if name == "add" else {"f32": "-inf", "i32": str(-2**31)}[
            self.kind]
        written = neutral
        if self.kind == "f32":
            written = "0.0" if name == "add" else "0xFF800000"
        fill = self.whole(written, self.kind)
        masked = self.put("arith.select %s, %s, %s : %s, %s" % (
            self.mask, value, fill, self.tensor("i1"), self.tensor()))
        self.count += 1
        total = "%%v%d" % self.count
        self.lines += [
            '    %s = "tt.reduce"(%s) <{axis = 0 : i32}> ({' % (total, masked),
            "    ^bb0(%%l%d: %s, %%r%d: %s):" % (
                self.count, self.kind, self.count, self.kind),
            "      %%o%d = %s %%l%d, %%r%d : %s" % (
                self.count, op, self.count, self.count, self.kind),
            "      tt.reduce.return %%o%d : %s" % (self.count, self.kind),
            "    }) : (%s) -> %s" % (self.tensor(), self.kind)]
        spread = self.put("tt.splat %s : %s -> %s" % (
            total, self.kind, self.tensor()))
        mixed = self.put("arith.sub%s %s, %s : %s" % (
            self.kind[0], value, spread, self.tensor()))
        zero = self.say("%s[] constant(%s)" % (self.hlo_kind, neutral))
        rows = "%s[%d]" % (self.hlo_kind, self.rows)
        self.computations.add(name)
        total = self.say("%s reduce(%s, %s), dimensions={1}, to_apply=%s" % (
            rows, hlo, zero, name + "_of"))
        spread_hlo = self.say("%s broadcast(%s), dimensions={0}" % (self.shape,
                                                                    total))

        def of(x):
            each = compute(x)
            whole = (np.sum if by is np.add else np.max)(
                each, axis=1, keepdims=True)
            return each - whole.astype(each.dtype)
        return (self.say("%s subtract(%s, %s)" % (self.shape, hlo, spread_hlo)),
                mixed, of)

    def hlo_text(self):
        text = "HloModule m\n"
        for name in sorted(self.computations):
            text += ("%s_of {\n  x = %s[] parameter(0)\n  y = %s[] parameter(1)"
                     "\n  ROOT o = %s[] %s(x, y)\n}\n" % (
                         name, self.hlo_kind, self.hlo_kind, self.hlo_kind,
                         name))
        return text + ("ENTRY main {\n  a = %s parameter(0)\n"
                       "  b = %s parameter(1)\n%s\n  ROOT root = %s copy(%s)\n"
                       "}\n" % (self.shape, self.shape, "\n".join(self.hlo),
                                self.shape, self.result))

    def text(self):
        pointer = "!tt.ptr<%s>" % self.kind
        return ("module {\n  tt.func public @k(%%a: %s, %%b: %s, %%y: %s) {\n%s\n"
                "    tt.return\n  }\n}\n" % (pointer, pointer, pointer,
                                             "\n".join(self.lines)))


def changed(text, rng):
    """The text with one thing changed, and what it was; nothing where there is
    no such thing."""
    kind = rng.choice(["number", "op", "op", "order", "operands", "other",
                       "reducer"])
    if kind == "number":
        places = list(re.finditer(r"dense<(\d+)>|constant (\d+) :", text))
        place = rng.choice(places)
        group = 1 if place[1] else 2
        other = int(place[group]) + rng.choice([-1, 1])
        return text[:place.start(group)] + str(max(0, other)) + \
            text[place.end(group):], kind
    groups = {"op": [("arith.addf", "arith.subf", "arith.mulf",
                      "arith.maximumf", "arith.minimumf"),
                     ("arith.addi", "arith.subi", "arith.muli", "arith.maxsi",
                      "arith.minsi", "arith.andi", "arith.ori"),
                     ("arith.negf", "math.absf")],
              "order": [("olt", "ole", "oge", "ogt", "une", "oeq"),
                        ("slt", "sle")]}
    if kind in groups:
        names = rng.choice(groups[kind])
        places = list(re.finditer(
            r"(?<=[ =])(%s)(?= )" % "|".join(map(re.escape, names)), text))
        if not places:
            return None, kind
        place = rng.choice(places)
        other = rng.choice([n for n in names if n != place[0]])
        return text[:place.start()] + other + text[place.end():], kind
    if kind == "operands":
        places = list(re.finditer(r"(arith\.\w+ )(%v\d+), (%v\d+) :", text))
        place = rng.choice(places)
        return (text[:place.start()] + place[1] + place[3] + ", " + place[2] +
                " :" + text[place.end():]), kind
    if kind == "other":
        places = list(re.finditer(r"dense<(0\.0|0xFF800000|-2147483648)>", text))
        if not places:
            return None, kind
        place = rng.choice(places)
        other = "1.0" if place[1][:2] != "-2" else "7"
        return text[:place.start(1)] + other + text[place.end(1):], kind
    places = list(re.finditer(r"%o\d+ = arith\.(\w+)", text))
    if not places:
        return None, kind
    other = {"addf": "maximumf", "maximumf": "minimumf", "addi": "maxsi",
             "maxsi": "minsi"}[places[0][1]]
    return text[:places[0].start(1)] + other + text[places[0].end(1):], kind


def inputs(pair, rng):
    """Arrays for both parameters, some families of them."""
    count = pair.rows * pair.columns
    make = np.random.RandomState(rng.randrange(2**31))
    if pair.kind == "i32":
        for low, high in ((-3, 4), (-9, 0), (-2**31, 2**31)):
            yield [make.randint(low, high, size=count, dtype=np.int64).astype(
                np.int32) for _ in "ab"]
        return
    for low, high, by in ((-3, 4, 1), (-9, 0, 1), (0, 2, 1), (-99, 99, 64)):
        yield [F(make.randint(low, high, size=count)) / F(by) for _ in "ab"]
    special = [F(make.randint(-3, 4, size=count)) for _ in "ab"]
    special[0][make.randint(count)] = rng.choice([np.nan, np.inf, -np.inf])
    yield special


def results(pair, text, arrays):
    """What the kernel leaves in the result, and what the fusion computes."""
    left = np.full(pair.rows * pair.columns, ttir_values.ANY + 1,
                   dtype=arrays[0].dtype)
    try:
        ttir_values.run(text, pair.rows, [a.copy() for a in arrays] + [left])
    except (IndexError, KeyError):
        return None, None
    with np.errstate(all="ignore"):
        want = pair.compute([a.reshape(pair.rows, pair.columns)
                             for a in arrays])
    return left, np.ravel(want)


def are_apart(left, want):
    if left is None:
        return False
    if left.dtype == np.int32:
        return bool((left != want.astype(np.int32)).any())
    near = np.isclose(left, want, rtol=1e-3, atol=1e-3, equal_nan=True)
    return not near.all()


def check(name, pair, text, of, rng, folder):
    verdict = of["verdict"]
    context = "%s is %s\n%s%s" % (name, json.dumps(of), text, pair.hlo_text())
    apart = any(are_apart(*results(pair, text, arrays))
                for arrays in inputs(pair, rng))
    if verdict == "same values" and apart:
        problem("a run tells apart what " + context)
    witness = of.get("witness", {})
    if verdict == "different" and "kernel_value" in witness:
        count = pair.rows * pair.columns
        dtype = np.int32 if pair.kind == "i32" else F
        arrays = [np.zeros(count, dtype=dtype) for _ in "ab"]
        for each in witness["inputs"]:
            at = each["element"][0] * pair.columns + each["element"][1]
            arrays["ab".index(each["parameter"])][at] = dtype(
                float(each["value"]))
        left, want = results(pair, text, arrays)
        at = witness["element"]
        numbers = (witness["kernel_value"], witness["fusion_value"])
        if (left is None or "no number" in numbers or
                len(witness["inputs"]) == 16):
            return apart
        if not are_apart(left[at:at + 1], want[at:at + 1]):
            problem("the witness shows nothing: " + context)
    return apart


def check_random(folder):
    told = {}
    for seed in range(SEED, SEED + COUNT):
        rng = random.Random(seed)
        pair = Pair(rng)
        hlo = os.path.join(folder, "f.hlo")
        with open(hlo, "w") as file:
            file.write(pair.hlo_text())
        for number in range(3):
            text, kind = pair.text(), "right"
            if number:
                text, kind = changed(text, rng)
            if text is None:
                continue
            path = os.path.join(folder, "k.ttir")
            with open(path, "w") as file:
                file.write(text)
            status, document, error = call([
                path, "--of=%s#main" % hlo, "--num-warps=1",
                "--grid=%d" % pair.rows])
            name = "seed %d, %s" % (seed, kind)
            if document is None or "of" not in document:
                problem("%s: status %d, %s\n%s%s" % (
                    name, status, error, text, pair.hlo_text()))
                continue
            of = document["of"]
            apart = check(name, pair, text, of, rng, folder)
            if kind == "right" and apart:
                problem("%s: the test is wrong\n%s" % (name, text))
            if kind == "right" and of["verdict"] != "same values":
                problem("%s is right: %s\n%s%s" % (
                    name, json.dumps(of), text, pair.hlo_text()))
            key = ("right" if kind == "right" else
                   "changed, apart" if apart else "changed, not apart",
                   of["verdict"])
            told[key] = told.get(key, 0) + 1
            if len(problems) > 3:
                return
    for key, count in sorted(told.items()):
        print("%6d %s: %s" % ((count,) + key))
    if COUNT >= 50 and not told.get(("changed, apart", "different")):
        problem("no change was seen")


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
            asked = [([], case["answers"])]
            for law, answer in case.get("with_laws", {}).items():
                asked.append((["--float-laws=" + law], [answer]))
            for more, answers in asked:
                _, document, error = call(words + more)
                verdict = document["of"]["verdict"] if document else error
                counts[verdict] = counts.get(verdict, 0) + 1
                open_ones = ("same tiles", "same elements", "undecided")
                if verdict not in answers and not (
                        "undecided" in answers and verdict in open_ones):
                    problem("%s %s: %s, not one of %s: %s" % (
                        case["name"], more, verdict, answers,
                        document and document["of"]))
    print("%d cases: %s" % (len(cases), counts))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        check_random(folder)
    CASES = os.path.join(CORPUS, "../kernel_value_cases.jsonl")
    if CORPUS and os.path.exists(CASES):
        check_cases(CASES)
    else:
        print("SKIPPED: INDEXICAL_CORPUS has no kernel_value_cases.jsonl beside "
              "it")
    end()
