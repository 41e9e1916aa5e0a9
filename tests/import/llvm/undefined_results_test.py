#!/usr/bin/env python3
"""Pairs of kernels whose ops lack a result for some numbers, against all numbers.

  TEST INDEXICAL

A kernel stores a chain of operations on two loaded bytes, or on a loaded byte
and the thread's number. Operations have flags (`nuw`, `exact`, `nneg`, ...),
and divide and shift by anything. The old kernel is the new one with a flag, a
constant or an operation changed, or one that leaves something out:

    new  mul (add nuw %a, 1), 0        poison where %a is 255
    old  0                             never: they are not the same

The oracle evaluates both for all 65,536 pairs of bytes, with poison and
undefined behaviour (LangRef). New may replace old if it has a result wherever
old has one, and the same. `same` of another pair is wrong, and so is
`different` of a pair that may. The seed is printed; INDEXICAL_SEED sets another
one, INDEXICAL_COUNT how many pairs.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

import numpy

A, B = (each.ravel() for each in numpy.meshgrid(numpy.arange(256), numpy.arange(256)))
THREADS = 32


def signed(x, bits):
    return numpy.where(x >> (bits - 1) == 1, x - (1 << bits), x)


class Number:
    """Numbers of so many bits for all inputs, and where they are poison."""

    def __init__(self, value, poison, bits):
        self.value = numpy.asarray(value).astype(numpy.int64) & ((1 << bits) - 1)
        self.poison, self.bits = numpy.broadcast_to(poison, self.value.shape), bits

    def signed(self):
        return signed(self.value, self.bits)


def outside(exact, bits, is_signed):
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    return (exact < low) | (exact > high)


class Machine:
    """Evaluates operations; `failed` is where one has undefined behaviour."""

    def __init__(self):
        self.failed = numpy.zeros(A.shape, bool)

    def binary(self, op, flags, x, y):
        bits, poison = x.bits, x.poison | y.poison
        a, b = x.value, y.value
        if op in ("udiv", "urem", "sdiv", "srem"):
            is_signed = op[0] == "s"
            lowest = is_signed & (x.signed() == -(1 << bits - 1)) & (b == (1 << bits) - 1)
            bad = (b == 0) | lowest
            self.failed |= y.poison | (~poison & bad)
            a, b = (x.signed(), y.signed()) if is_signed else (a, b)
            by = numpy.where(bad | y.poison, 1, b)
            quotient = numpy.abs(a) // numpy.abs(by) * numpy.sign(a) * numpy.sign(by)
            rest = a - quotient * by
            if "exact" in flags:
                poison = poison | (rest != 0)
            return Number(quotient if op.endswith("div") else rest, poison, bits)
        if op in ("shl", "lshr", "ashr"):
            poison = poison | (b >= bits)
            by = numpy.minimum(b, bits - 1)
            if op == "shl":
                for flag, from_, is_signed in (("nuw", a, False), ("nsw", x.signed(), True)):
                    if flag in flags:
                        poison = poison | outside(from_ << by, bits, is_signed)
                return Number(a << by, poison, bits)
            if "exact" in flags:
                poison = poison | (a & ((1 << by) - 1) != 0)
            return Number((x.signed() if op == "ashr" else a) >> by, poison, bits)
        of = {"add": lambda p, q: p + q, "sub": lambda p, q: p - q, "mul": lambda p, q: p * q,
              "and": lambda p, q: p & q, "or": lambda p, q: p | q, "xor": lambda p, q: p ^ q}[op]
        if "nuw" in flags:
            poison = poison | outside(of(a, b), bits, False)
        if "nsw" in flags:
            poison = poison | outside(of(x.signed(), y.signed()), bits, True)
        if "disjoint" in flags:
            poison = poison | (a & b != 0)
        return Number(of(a, b), poison, bits)

    def cast(self, op, flags, x, bits):
        poison = x.poison
        if op == "trunc":
            if "nuw" in flags:
                poison = poison | outside(x.value, bits, False)
            if "nsw" in flags:
                poison = poison | outside(x.signed(), bits, True)
            return Number(x.value, poison, bits)
        if "nneg" in flags:
            poison = poison | (x.signed() < 0)
        return Number(x.signed() if op == "sext" else x.value, poison, bits)

    def compare(self, op, flags, x, y):
        a, b = (x.signed(), y.signed()) if op[0] == "s" else (x.value, y.value)
        of = {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}
        poison = x.poison | y.poison
        if "samesign" in flags:
            poison = poison | ((x.signed() < 0) != (y.signed() < 0))
        return Number(of[op if op in of else op[1:]], poison, 1)

    def call(self, op, x, y):
        poison = x.poison | (y.poison if y else False)
        if op in ("umin", "umax"):
            of = numpy.minimum if op == "umin" else numpy.maximum
            return Number(of(x.value, y.value), poison, x.bits)
        if op in ("smin", "smax"):
            of = numpy.minimum if op == "smin" else numpy.maximum
            return Number(of(x.signed(), y.signed()), poison, x.bits)
        if op == "abs":
            return Number(numpy.abs(x.signed()), poison | (x.signed() == -(1 << x.bits - 1)), x.bits)
        length = numpy.zeros(x.value.shape, numpy.int64)
        for bit in range(x.bits):
            length = numpy.where(x.value >> bit & 1 == 1, bit + 1, length)
        return Number(x.bits - length, poison | (x.value == 0), x.bits)


def chosen(c, x, y):
    is_first = c.value == 1
    return Number(numpy.where(is_first, x.value, y.value),
                  c.poison | numpy.where(is_first, x.poison, y.poison), x.bits)


FLAGS = {"add": ["nuw", "nsw"], "sub": ["nuw", "nsw"], "mul": ["nuw", "nsw"], "shl": ["nuw", "nsw"],
         "lshr": ["exact"], "ashr": ["exact"], "udiv": ["exact"], "sdiv": ["exact"],
         "or": ["disjoint"], "zext": ["nneg"], "trunc": ["nuw", "nsw"], "icmp": ["samesign"]}


class Chain:
    """Operations, each a tuple (kind, name, flags, operands)."""

    def __init__(self, draw, is_of_thread):
        self.draw, self.is_of_thread, self.steps = draw, is_of_thread, []
        self.bits = [8, 8]
        for _ in range(draw.randint(1, 6)):
            self.add(self.step())
        self.close()

    def close(self):
        if self.bits[-1] == 1:
            self.add(("cast", "zext", [], (len(self.bits) - 1,), 8))
        if self.bits[-1] == 16:
            self.add(("cast", "trunc", self.flags("trunc"), (len(self.bits) - 1,), 8))

    def add(self, step):
        self.steps.append(step)
        self.bits.append(step[4])

    def flags(self, name):
        return [each for each in FLAGS.get(name, []) if self.draw.random() < 0.35]

    def of(self, bits):
        known = [k for k, own in enumerate(self.bits) if own == bits]
        return self.draw.choice(known[-3:] if self.draw.random() < 0.7 else known)

    def operand(self, bits):
        if self.draw.random() < 0.35 or bits not in self.bits:
            return ("number", self.draw.choice([0, 0, 1, 2, 3, 7, 8, 127, 128, 255]) % (1 << bits))
        return self.of(bits)

    def step(self):
        if 1 in self.bits and self.draw.random() < 0.12:
            # An operation behind a branch, and the phi after it.
            inner = self.computed()
            while inner[0] == "select" or inner[4] == 1:
                inner = self.computed()
            return ("branch", "branch", inner, (self.of(1), self.operand(inner[4])), inner[4])
        return self.computed()

    def computed(self):
        draw = self.draw
        bits = draw.choice([own for own in self.bits[-3:] if own > 1] or [8])
        kind = draw.random()
        if kind < 0.6:
            name = draw.choice(["add", "sub", "mul", "mul", "and", "or", "xor", "shl", "lshr", "ashr",
                                "sub", "udiv", "sdiv", "urem", "srem"])
            first = self.of(bits)
            second = first if draw.random() < 0.15 else self.operand(bits)
            return ("binary", name, self.flags(name), (first, second), bits)
        if kind < 0.7:
            name = draw.choice(["zext", "sext"]) if bits == 8 else "trunc"
            return ("cast", name, self.flags(name), (self.of(bits),), 24 - bits)
        if kind < 0.8:
            name = draw.choice(["umin", "umax", "smin", "smax", "abs", "ctlz"])
            second = (self.operand(bits),) if name[1:] in ("min", "max") else ()
            return ("call", name, [], (self.of(bits),) + second, bits)
        if 1 in self.bits and kind < 0.92:
            return ("select", "select", [], (self.of(1), self.operand(bits), self.operand(bits)), bits)
        return ("icmp", draw.choice(["eq", "ne", "ult", "ule", "slt", "sgt", "uge"]),
                self.flags("icmp"), (self.of(bits), self.operand(bits)), 1)

    def changed(self):
        """Returns another chain, of which this one may be a replacement."""
        other = Chain.__new__(Chain)
        other.draw, other.is_of_thread = self.draw, self.is_of_thread
        other.steps, other.bits = list(self.steps), list(self.bits)
        for _ in range(self.draw.randint(0, 2)):
            at = self.draw.randrange(len(other.steps))
            kind, name, flags, operands, bits = other.steps[at]
            way = self.draw.random()
            if kind == "branch":
                # Its operation is computed in any case.
                other.steps[at] = flags
                continue
            if way < 0.4 and FLAGS.get(name if kind != "icmp" else "icmp"):
                flags = self.flags(name if kind != "icmp" else "icmp")
            elif way < 0.55 and kind == "binary":
                operands = (operands[0], self.draw.choice([("number", 0), ("number", 1), operands[0]]))
            elif way < 0.8 and bits > 1:
                kind, name, flags = "binary", "or", []
                number = self.draw.choice([0, 0, 1, (1 << bits) - 1])
                operands = (("number", number), ("number", 0))
            else:
                flags = []
            other.steps[at] = (kind, name, flags, operands, bits)
        return other

    def evaluated(self):
        machine = Machine()
        a = A % THREADS if self.is_of_thread else A
        values = [Number(a, numpy.zeros(A.shape, bool), 8), Number(B, numpy.zeros(A.shape, bool), 8)]
        for kind, name, flags, operands, bits in self.steps:
            choice = None
            if kind == "branch":
                c, other = values[operands[0]], operands[1]
                other = (Number(numpy.full(A.shape, other[1]), False, bits)
                         if isinstance(other, tuple) else values[other])
                choice, before = (c, other), machine.failed.copy()
                kind, name, flags, operands, bits = flags
            def of(k, bits=bits, kind=kind, operands=operands):
                if isinstance(operands[k], tuple):
                    own = values[operands[0]].bits if kind == "icmp" else bits
                    return Number(numpy.full(A.shape, operands[k][1]), False, own)
                return values[operands[k]]
            if kind == "binary":
                values.append(machine.binary(name, flags, of(0), of(1)))
            elif kind == "cast":
                values.append(machine.cast(name, flags, of(0), bits))
            elif kind == "icmp":
                values.append(machine.compare(name, flags, of(0), of(1)))
            elif kind == "call":
                values.append(machine.call(name, of(0), of(1) if len(operands) > 1 else None))
            else:
                values.append(chosen(of(0), of(1), of(2)))
            if choice:
                c, other = choice
                taken = ~c.poison & (c.value == 1)
                machine.failed = before | c.poison | (taken & machine.failed)
                values[-1] = chosen(c, values[-1], other)
        return values[-1], machine.failed

    def operation(self, step, names):
        kind, op, flags, operands, bits = step

        def of(j):
            return str(operands[j][1]) if isinstance(operands[j], tuple) else names[operands[j]]
        words = "".join(" " + each for each in flags)
        own = self.bits[operands[0]] if not isinstance(operands[0], tuple) else bits
        if kind == "binary":
            return f"{op}{words} i{bits} {of(0)}, {of(1)}"
        if kind == "cast":
            return f"{op}{words} i{own} {of(0)} to i{bits}"
        if kind == "icmp":
            return f"icmp{words} {op} i{own} {of(0)}, {of(1)}"
        if kind == "select":
            return f"select i1 {of(0)}, i{bits} {of(1)}, i{bits} {of(2)}"
        second = f"i{bits} {of(1)}" if len(operands) > 1 else "i1 true"
        return f"call i{bits} @llvm.{op}.i{bits}(i{bits} {of(0)}, {second})"

    def text(self, name):
        lines, names, block = [], ["%a", "%b"], "entry"
        for k, (kind, op, flags, operands, bits) in enumerate(self.steps):
            if kind == "branch":
                c, other = operands
                value = other[1] if isinstance(other, tuple) else names[other]
                lines.append(f"  br i1 {names[c]}, label %t{k}, label %e{k}\nt{k}:")
                lines.append(f"  %w{k} = " + self.operation(flags, names))
                lines.append(f"  br label %e{k}\ne{k}:")
                text = f"phi i{bits} [ %w{k}, %t{k} ], [ {value}, %{block} ]"
                block = f"e{k}"
            else:
                text = self.operation(self.steps[k], names)
            names.append(f"%v{k}")
            lines.append(f"  {names[-1]} = {text}")
        first = ("  %a = trunc i32 %t to i8" if self.is_of_thread else
                 "  %pa = getelementptr i8, ptr %x, i32 %t\n  %a = load i8, ptr %pa")
        return f"""define ptx_kernel void @{name}(ptr %x, ptr %z, ptr %y) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
{first}
  %pb = getelementptr i8, ptr %z, i32 %t
  %b = load i8, ptr %pb
{chr(10).join(lines)}
  %o = getelementptr i8, ptr %y, i32 %t
  store i8 {names[-1]}, ptr %o
  ret void
}}
"""


HEAD = "target triple = \"nvptx64-nvidia-cuda\"\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" + "".join(
    f"declare i{bits} @llvm.{op}.i{bits}(i{bits}, {'i1' if op in ('abs', 'ctlz') else f'i{bits}'})\n"
    for op in ("umin", "umax", "smin", "smax", "abs", "ctlz") for bits in (8, 16))


def may_replace(new, old):
    """Whether the new chain has old's result wherever old has one."""
    (ours, failed), (theirs, other) = new.evaluated(), old.evaluated()
    free = other | theirs.poison
    return bool(numpy.all(free | (~failed & ~ours.poison & (ours.value == theirs.value))))


def main():
    tool = sys.argv[1]
    seed = int(os.environ.get("INDEXICAL_SEED", random.randrange(1 << 32)))
    count = int(os.environ.get("INDEXICAL_COUNT", 300))
    print("seed", seed)
    counts, wrong = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pair.ll")
        for number in range(count):
            draw = random.Random(f"{seed} {number}")
            new = Chain(draw, draw.random() < 0.2)
            old = new.changed()
            if draw.random() < 0.2:
                new, old = old, new
            with open(path, "w") as file:
                file.write(HEAD + new.text("new") + old.text("old"))
            done = subprocess.run(
                [tool, "kernel", path, "--function=new", f"--of={path}#old", f"--block={THREADS}",
                 "--grid=1", "--of-grid=1", "--format=json", "--shape=x=s8[32]", "--shape=z=s8[32]",
                 "--shape=y=s8[32]"], capture_output=True, text=True, check=False)
            try:
                answer = json.loads(done.stdout)["judge"]["verdict"]
            except (ValueError, KeyError):
                answer = "no answer: " + (done.stderr or done.stdout)[:300]
            may = may_replace(new, old)
            counts[(may, answer)] = counts.get((may, answer), 0) + 1
            bad = answer.startswith("no answer") or (answer.startswith("same") and not may) or (
                answer == "different" and may)
            if bad:
                wrong += 1
                if wrong <= 5:
                    print(f"pair {number}: {answer}, may replace: {may}\n{new.text('new')}{old.text('old')}")
    for (may, answer), times in sorted(counts.items()):
        print(f"{times} {'may' if may else 'may not'} replace: {answer}")
    print(f"{count} pairs, {wrong} wrong")
    proved = sum(times for (may, answer), times in counts.items() if may and answer.startswith("same"))
    right = sum(times for (may, _), times in counts.items() if may)
    if right >= 50 and proved * 3 < right:
        print(f"too few are proved: {proved} of {right}")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
