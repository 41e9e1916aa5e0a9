"""Runs Triton's IR with values: what a kernel leaves in its buffers.

    run(text, grid, [array of a, array of b, array of y])

The arrays are flat, of numpy's float32 or int32, and are changed in place. A
load where its mask is false without another value gives a number that no right
kernel stores. An access outside of an array raises IndexError, and an op that
is not here KeyError.
"""

import re

import numpy as np

from ttir_interpreter import (Block, Interpreter, Pointer, shape_of)

ANY = 12345.0
F = np.float32
BINARY = {
    "addf": lambda a, b: a + b, "subf": lambda a, b: a - b,
    "mulf": lambda a, b: a * b, "divf": lambda a, b: a / b,
    "maximumf": np.maximum, "minimumf": np.minimum,
    "maxnumf": np.fmax, "minnumf": np.fmin,
}
UNARY = {"arith.negf": lambda a: -a, "math.absf": np.abs, "math.exp": np.exp,
         "math.exp2": np.exp2}
ORDER = {"oeq": np.equal, "une": np.not_equal, "olt": np.less,
         "ole": np.less_equal, "ogt": np.greater, "oge": np.greater_equal}
INTEGERS = {"addi": lambda a, b: a + b, "muli": lambda a, b: a * b,
            "maxsi": np.maximum, "minsi": np.minimum}


class Values(Interpreter):
    def __init__(self, text, program, arrays, arguments=()):
        super().__init__(text, program, dict(arguments))
        self.arrays = arrays

    def block(self, at):
        while at < len(self.lines):
            line = self.lines[at].strip()
            if '"tt.reduce"' in line or '"tt.scan"' in line:
                at = self.reduce(at, line) + 1
                continue
            if line == "}" or line.startswith(("scf.yield", "tt.return")):
                return at
            if "scf.for" in line:
                at = self.loop(at, line)
            elif line:
                self.op(at, line)
            at += 1
        return at

    def pick(self, at, line):
        """A reduction of two values by its region, one lane after the other."""
        result = re.match(r"%\w+", line)[0]
        values = [self.values[x] for x in
                  re.search(r"\((%[\w#]+), (%[\w#]+)\)", line).groups()]
        names = re.findall(r"(%\w+):", self.lines[at + 1])
        total = [value[0] for value in values]
        for k in range(1, len(values[0])):
            self.values.update(zip(names, total + [v[k] for v in values]))
            here = at + 2
            while "tt.reduce.return" not in self.lines[here]:
                self.op(here, self.lines[here].strip())
                here += 1
            total = [np.asarray(self.values[x])[()] for x in
                     re.findall(r"%\w+", self.lines[here].split(" : ")[0])]
        while not self.lines[at].strip().startswith("})"):
            at += 1
        for k, value in enumerate(total):
            self.values["%s#%d" % (result, k)] = value
        return at

    def reduce(self, at, line):
        if ":2 = " in line:
            return self.pick(at, line)
        result, kind, operand = re.match(
            r'(%\w+) = "tt.(reduce|scan)"\((%\w+)\)', line).groups()
        axis = int(re.search(r"axis = (\d+)", line)[1])
        op = None
        while not self.lines[at].strip().startswith("})"):
            found = re.search(r"= arith\.(\w+) ", self.lines[at])
            op = found[1] if found else op
            at += 1
        value = np.moveaxis(np.asarray(self.values[operand]), axis, 0)
        turns = "reverse = true" in line
        if turns:
            value = value[::-1]
        total = value[0]
        found = [total]
        for each in value[1:]:
            total = (BINARY.get(op) or INTEGERS[op])(total, each)
            if op in INTEGERS:
                total = wrapped(total)
            found.append(total)
        if kind == "scan":
            total = np.moveaxis(np.array(found[::-1] if turns else found), 0,
                                axis)
        self.values[result] = total
        return at

    def call(self, name, operands):
        """Runs a function of the file; what it returns."""
        start = next(i for i, line in enumerate(self.lines)
                     if "tt.func" in line and "@%s(" % name in line)
        held, self.values = self.values, {}
        names = re.findall(r"(%\w+): ", self.lines[start])
        self.values.update(zip(names, operands))
        end = self.block(start + 1)
        found = self.values[re.findall(r"%\w+", self.lines[end])[0]]
        self.values = held
        return found

    def value(self, at, name, rest):
        kind = rest.rsplit(" : ", 1)[-1]
        operands = [self.values.get(x) for x in
                    re.findall(r"%[\w#]+", rest.split(" : ")[0])]
        if name == "arith.constant" and re.search("0x[7F]F800000", rest):
            return np.full(shape_of(kind), np.inf if "0x7" in rest else -np.inf,
                           dtype=F)
        if name == "arith.constant" and re.search(r"[xt]?f32>?$|: f32", rest):
            number = F(re.search(r"(?:dense<)?(-?[\d.e+]+|-?inf)", rest)[1])
            return np.full(shape_of(kind), number, dtype=F)
        op = name.split(".")[1]
        if name.startswith("arith.") and op in BINARY:
            return BINARY[op](F(operands[0]), F(operands[1]))
        if name == "tt.call":
            return self.call(re.match(r"@(\w+)", rest)[1], operands)
        if name == "arith.sitofp":
            return F(np.asarray(operands[0], dtype=np.int64))
        if name.startswith("ttg."):
            return self.shared(op, rest, kind)
        if name == "tt.dot":
            return (F(operands[0]) @ F(operands[1]) + F(operands[2])).astype(F)
        if name in UNARY:
            return UNARY[name](F(operands[0]))
        if name == "arith.cmpf":
            compare = ORDER[rest.split(",")[0].strip()]
            return np.asarray(compare(*operands)).astype(object) * 1
        if name == "arith.select" and not isinstance(operands[1], Pointer):
            return np.where(np.asarray(operands[0]) == 1, *operands[1:])
        return super().value(at, name, rest)

    def shared(self, op, rest, kind):
        """Shared memory is an array, and its views are numpy's."""
        names = re.findall(r"%[\w#]+", rest.split(" : ")[0])
        held = [self.values[name] for name in names]
        target = kind.split(" -> ")[-1]
        if op == "local_alloc":
            sides = re.search(r"memdesc<((?:\d+x)+)", target)[1]
            made = np.full([int(n) for n in sides.split("x") if n], F(ANY))
            if held:
                made[...] = held[0]
            return made
        if op == "local_store":
            if np.shape(held[0]) != np.shape(held[1]):
                raise IndexError  # the text is no kernel
            held[1][...] = held[0]
            return None
        if op == "local_load":
            return np.array(held[0], dtype=F)
        if op == "memdesc_trans":
            order = [int(n) for n in
                     re.search(r"i32: ([\d, ]+)", rest)[1].split(",")]
            return np.transpose(held[0], order)
        if op == "memdesc_index":
            return held[0][int(held[1])]
        if op == "async_copy_global_to_local":
            held[1][...] = self.access(0, "load", names[0] + " : ")
            return None
        return None

    def access(self, at, op, rest):
        names = re.findall(r"%[\w#]+", rest.split(" : ")[0])
        held = [self.values[name] for name in names]
        pointer = held[0]
        if isinstance(pointer, Block):
            raise NotImplementedError
        place = 1 if op == "load" else 2
        shape = np.shape(pointer.element)
        mask = (np.broadcast_to(held[place], shape) if len(held) > place
                else np.ones(shape, dtype=object)).astype(bool)
        array = self.arrays[int(np.ravel(pointer.argument)[0])]
        element = np.asarray(pointer.element)
        inside = (element >= 0) & (element < len(array))
        if (mask & ~inside.astype(bool)).any():
            raise IndexError
        element = np.where(mask, element, 0).astype(np.int64)
        if op == "load":
            other = held[2] if len(held) > 2 else array.dtype.type(ANY)
            found = np.where(mask, array[element], other)
            return found.astype(object if array.dtype == np.int32 else F)
        value = np.broadcast_to(np.asarray(held[1]), shape)
        for e, v, on in zip(np.ravel(element), np.ravel(value), np.ravel(mask)):
            if on:
                array[e] = v
        return None


def wrapped(value):
    return (np.asarray(value, dtype=object) + 2**31) % 2**32 - 2**31


def run(text, grid, arrays):
    for program in range(grid):
        with np.errstate(all="ignore"):
            Values(text, (program, 0, 0), arrays).run()
