"""Runs TTIR as `kernel --print=ttir` prints it, with values of all types.

    run(text, (2, 1, 1), {"x": 0, "n": 5}, memory)

Each op is a line, and a region ends with `}`. It knows the ops that random
kernels become, and nothing of Python.
"""

import math
import re

from scalars import (BITS, bits_of, divided, fit, from_bits, is_float,
                     remainder, truncated)
from triton_types import extreme_of, indices_of, size_of, strides_of


class Value:
    def __init__(self, shape, data):
        self.shape, self.data = tuple(shape), data


def unsigned(bits, x):
    return x % (1 << bits)


def kind_of(text):
    """`tensor<8x4xi32>` is ([8, 4], i32)."""
    text = text.strip()
    match = re.match(r"tensor<((?:\d+x)*)(.*)>$", text)
    if not match:
        return [], text
    return [int(n) for n in match[1].split("x") if n], match[2]


def number_of(text, kind):
    if kind == "i1" or text in ("true", "false"):
        return int(text in ("true", "1", "-1"))
    if is_float(kind):
        if text.startswith("0x"):
            return from_bits(kind, int(text, 16))
        return fit(kind, float(text))
    return int(text)


class Machine:
    def __init__(self, text, grid, program, arguments, memory, touched):
        self.lines = [re.sub(r" loc\(#loc\d+\)$", "", line.strip())
                      for line in text.split("\n")]
        self.grid, self.program = grid, program
        self.memory, self.touched, self.values = memory, touched, {}
        start = next(i for i, line in enumerate(self.lines) if "tt.func" in line)
        for name, kind in re.findall(r"%(\w+): (!tt\.ptr<\w+>|\w+)",
                                     self.lines[start]):
            value = (name, 0) if kind.startswith("!") else arguments[name]
            self.values["%" + name] = Value([], [value])
        self.block(start + 1)

    def get(self, name):
        return self.values[name]

    def close(self, at):
        """The line of the bracket that ends the block of line `at`."""
        depth = 0
        while True:
            at += 1
            line = self.lines[at]
            if line.startswith("}") and depth == 0:
                return at
            depth += line.endswith("{") or line.endswith("({")
            depth -= line.startswith("}")

    def block(self, at):
        """Runs from a line on; returns the line that ends the block."""
        while True:
            line = self.lines[at]
            if line.startswith("}") or re.match(
                    r"(scf\.yield|tt\.return|tt\.\w+\.return|scf\.condition)\b",
                    line):
                return at
            if "scf.if " in line:
                at = self.branch(at, line)
            elif "scf.for " in line:
                at = self.loop(at, line)
            elif '"tt.reduce"' in line or '"tt.scan"' in line:
                at = self.reduction(at, line)
            elif line:
                self.op(line)
            at += 1

    def give(self, text, values):
        match = re.match(r"(%\w+)(?::(\d+))? = ", text)
        if not match:
            return
        for k, value in enumerate(values):
            self.values["%s#%d" % (match[1], k)] = value
        if len(values) == 1:
            self.values[match[1]] = values[0]

    def yielded(self, at):
        line = self.lines[at]
        if not re.match(r"(scf\.yield|tt\.\w+\.return)", line):
            return []
        return [self.get(name)
                for name in re.findall(r"%[\w#]+", line.split(" : ")[0])]

    def branch(self, at, line):
        condition = re.search(r"scf\.if (%[\w#]+)", line)[1]
        end, other = self.close(at), None
        if self.lines[end] == "} else {":
            other, end = end, self.close(end)
        begin = at if self.get(condition).data[0] else other
        if begin is not None:
            self.give(line, self.yielded(self.block(begin + 1)))
        return end

    def loop(self, at, line):
        counter, low, high, step = re.search(
            r"scf\.for (%\w+) = (%[\w#]+) to (%[\w#]+) step (%[\w#]+)",
            line).groups()
        carried = re.findall(r"(%\w+) = (%[\w#]+)",
                             line.split("iter_args(")[1]
                             if "iter_args(" in line else "")
        state = [self.get(start) for _, start in carried]
        for k in range(*(self.get(x).data[0] for x in (low, high, step))):
            self.values[counter] = Value([], [k])
            for (name, _), value in zip(carried, state):
                self.values[name] = value
            state = self.yielded(self.block(at + 1))
        self.give(line, state)
        return self.close(at)

    def reduction(self, at, line):
        scans = '"tt.scan"' in line
        operands = [self.get(x) for x in
                    re.findall(r"%[\w#]+", line.split("(", 1)[1].split(")")[0])]
        axis = int(re.search(r"axis = (\d+)", line)[1])
        names = re.findall(r"(%\w+):", self.lines[at + 1])
        shape = operands[0].shape
        strides = strides_of(shape)
        rest = shape[:axis] + shape[axis + 1:]
        outer = [s for k, s in enumerate(strides) if k != axis]
        found = [[] for _ in operands]
        for index in indices_of(rest):
            base = sum(s * k for s, k in zip(outer, index))
            total = None
            for k in range(shape[axis]):
                each = [x.data[base + strides[axis] * k] for x in operands]
                if total is not None:
                    for name, x in zip(names, total + each):
                        self.values[name] = Value([], [x])
                    each = [x.data[0]
                            for x in self.yielded(self.block(at + 2))]
                total = each
                if scans:
                    for into, x in zip(found, total):
                        into.append(x)
            if not scans:
                for into, x in zip(found, total):
                    into.append(x)
        if scans and len(shape) != 1:
            raise NotImplementedError
        self.give(line, [Value(shape if scans else rest, data)
                         for data in found])
        return self.close(at)

    def op(self, line):
        match = re.match(r"(?:(%\w+) = )?([\w.]+) ?(.*)$", line)
        result, name, rest = match.groups()
        value = self.result(name, rest)
        if result:
            self.values[result] = value

    def result(self, name, rest):
        body, _, kinds = rest.rpartition(" : ")
        if name == "arith.constant":
            return self.constant(rest)
        held = [self.get(x) for x in re.findall(r"%[\w#]+", body)]
        if name == "tt.get_program_id":
            return Value([], [self.program["xyz".index(rest[0])]])
        if name == "tt.get_num_programs":
            return Value([], [self.grid["xyz".index(rest[0])]])
        if name == "tt.make_range":
            low, high = (int(re.search(word + r" = (\d+)", rest)[1])
                         for word in ("start", "end"))
            return Value([high - low], list(range(low, high)))
        if name in ("tt.load", "tt.store"):
            return self.access(name, held, kinds)
        target = kinds.split(" -> ")[-1].split(" to ")[-1]
        shape, kind = kind_of(target)
        if name == "tt.splat":
            return Value(shape, held[0].data * size_of(shape))
        if name == "tt.broadcast":
            own = held[0]
            strides = strides_of(own.shape)
            return Value(shape, [
                own.data[sum(s * (k if side > 1 else 0) for s, k, side in
                             zip(strides, index, own.shape))]
                for index in indices_of(shape)])
        if name in ("tt.expand_dims", "tt.reshape"):
            return Value(shape, held[0].data)
        if name == "tt.addptr":
            return Value(held[0].shape, [(base, at + x) for (base, at), x in
                                         zip(held[0].data, held[1].data)])
        if name == "tt.bitcast":
            source = kind_of(kinds.split(" -> ")[0])[1]
            if "!tt.ptr" in source:
                return held[0]
            return Value(shape, [from_bits(kind, bits_of(source, x))
                                 for x in held[0].data])
        if name == "arith.select":
            c, a, b = held
            conditions = c.data * (len(a.data) if not c.shape else 1)
            return Value(a.shape, [x if on else y for on, x, y in
                                   zip(conditions, a.data, b.data)])
        return self.arithmetic(name, body, held, kinds)

    def constant(self, rest):
        match = re.match(r"dense<(.*?)> : (.*)$", rest)
        if match:
            shape, kind = kind_of(match[2])
            return Value(shape, [number_of(match[1], kind)] * size_of(shape))
        word, _, kind = rest.partition(" : ")
        return Value([], [number_of(word, kind or "i1")])

    def arithmetic(self, name, body, held, kinds):
        space, op = name.split(".")
        source = kind_of(kinds.split(" to ")[0])[1]
        kind = kind_of(kinds.split(" to ")[-1])[1]
        bits = BITS.get(source)
        shape = held[0].shape
        if " to " in kinds:
            return Value(shape, [self.converted(op, source, kind, x)
                                 for x in held[0].data])
        if len(held) == 1:
            change = {"negf": lambda x: -x, "absf": abs,
                      "absi": lambda x: fit(kind, abs(x))}[op]
            return Value(shape, [change(x) for x in held[0].data])
        pairs = list(zip(held[0].data, held[1].data))
        if op in ("cmpi", "cmpf"):
            predicate = body.split(",")[0].strip()
            return Value(shape, [int(compared(predicate, bits, a, b))
                                 for a, b in pairs])
        change = {
            "addf": lambda a, b: a + b, "subf": lambda a, b: a - b,
            "mulf": lambda a, b: a * b, "divf": divided, "remf": remainder,
            "addi": lambda a, b: a + b, "subi": lambda a, b: a - b,
            "muli": lambda a, b: a * b, "andi": lambda a, b: a & b,
            "ori": lambda a, b: a | b, "xori": lambda a, b: a ^ b,
            "shli": lambda a, b: a << b, "shrsi": lambda a, b: a >> b,
            "shrui": lambda a, b: unsigned(bits, a) >> b,
            "divsi": truncated,
            "remsi": lambda a, b: a - truncated(a, b) * b,
            "divui": lambda a, b: unsigned(bits, a) // unsigned(bits, b),
            "remui": lambda a, b: unsigned(bits, a) % unsigned(bits, b),
            "maxnumf": lambda a, b: extreme_of("max", a, b),
            "minnumf": lambda a, b: extreme_of("min", a, b),
            "maxsi": max, "minsi": min,
            "maxui": lambda a, b: max((a, b), key=lambda x: unsigned(bits, x)),
            "minui": lambda a, b: min((a, b), key=lambda x: unsigned(bits, x)),
        }[op]
        return Value(shape, [fit(kind, change(a, b)) for a, b in pairs])

    def converted(self, op, source, kind, x):
        if op == "extui":
            return unsigned(BITS[source], x)
        if op == "uitofp":
            return fit(kind, unsigned(BITS[source], x))
        if op in ("fptosi", "fptoui"):
            return fit(kind, math.trunc(x))
        return fit(kind, x)  # extsi, trunci, extf, truncf, sitofp

    def access(self, name, held, kinds):
        pointer = held[0]
        kind = re.search(r"!tt\.ptr<(\w+)>", kinds)[1]
        rest = held[1:] if name == "tt.load" else held[2:]
        mask = rest[0].data if rest else [1] * len(pointer.data)
        made = []
        for k, ((array, at), on) in enumerate(zip(pointer.data, mask)):
            if not on:
                made.append(rest[1].data[k] if len(rest) > 1 else fit(kind, 77))
                continue
            self.touched.add((name[3:], self.program, array, at))
            cells = self.memory[array]
            if not 0 <= at < len(cells):
                raise IndexError
            if name == "tt.load":
                made.append(cells[at])
            else:
                cells[at] = held[1].data[k]
        return Value(pointer.shape, made)


def compared(predicate, bits, a, b):
    if predicate[0] == "u" and predicate != "une":
        a, b = unsigned(bits, a), unsigned(bits, b)
    elif predicate[0] == "s" and bits == 1:
        a, b = -a, -b
    word = predicate[-2:]
    if predicate == "une":
        word = "ne"
    return {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b,
            "gt": a > b, "ge": a >= b}[word]


def run(text, grid, arguments, memory):
    touched = set()
    for z in range(grid[2]):
        for y in range(grid[1]):
            for x in range(grid[0]):
                Machine(text, grid, (x, y, z), arguments, memory, touched)
    return touched
