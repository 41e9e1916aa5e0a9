#!/usr/bin/env python3
"""Ops of TOSA on numbers, in the forms of several releases of MLIR.

  TEST INDEXICAL [COUNT]

Each case is one op on small random constants. What it gives is computed here,
from TOSA's definition, index by index, with no code of the library. A module
with the op must be equal to one that returns these numbers, and must never be
equal to one with another number among them. The seed is printed;
INDEXICAL_SEED sets another one.
"""

import itertools
import os
import random
import subprocess
import sys
import tempfile


class Tensor:
    def __init__(self, shape, numbers, element="i32"):
        self.shape, self.numbers, self.element = list(shape), numbers, element
        # Whether an element is 0 or -0 by what its sum begins with.
        self.isOpen = False

    def at(self, index):
        place = 0
        for size, i in zip(self.shape, index):
            place = place * size + i
        return self.numbers[place]

    def type(self):
        return "tensor<%s%s>" % ("".join("%dx" % s for s in self.shape),
                                 self.element)

    def literal(self):
        if not self.numbers:
            return "dense<> : " + self.type()

        def written(number):
            if self.element == "i1":
                return "true" if number else "false"
            return repr(float(number)) if self.element[0] == "f" else str(number)

        def nested(shape, numbers):
            if not shape:
                return written(numbers[0])
            step = len(numbers) // shape[0]
            return "[%s]" % ", ".join(
                nested(shape[1:], numbers[k * step:(k + 1) * step])
                for k in range(shape[0]))

        return "dense<%s> : %s" % (nested(self.shape, self.numbers),
                                   self.type())


def made(shape, function, element="i32"):
    return Tensor(shape, [function(i) for i in itertools.product(
        *(range(s) for s in shape))], element)


def drawn(draw, shape, element="i32", low=-9, high=9):
    return made(shape, lambda _: draw.randint(low, high), element)


def sizes(draw, rank, most=3):
    return [draw.randint(1, most) for _ in range(rank)]


def wrapped(number, bits=32):
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


def array(numbers, bits=64):
    return "array<i%d: %s>" % (bits, ", ".join(map(str, numbers)))


class Form:
    """One way to write a case: operands, attributes and lines before it."""

    def __init__(self, op, operands, attributes="", shapes=()):
        self.op, self.operands, self.attributes = op, operands, attributes
        self.shapes = shapes  # lists of numbers, as operands behind the others

    def text(self, result):
        lines, names, types = [], [], []
        for k, operand in enumerate(self.operands):
            lines.append("  %%c%d = arith.constant %s" % (k, operand.literal()))
            names.append("%%c%d" % k)
            types.append(operand.type())
        for k, numbers in enumerate(self.shapes):
            lines.append(
                '  %%s%d = "tosa.const_shape"() {values = dense<%s> : '
                'tensor<%dxindex>} : () -> !tosa.shape<%d>' % (
                    k, list(numbers), len(numbers), len(numbers)))
            names.append("%%s%d" % k)
            types.append("!tosa.shape<%d>" % len(numbers))
        lines.append('  %%r = "tosa.%s"(%s) {%s} : (%s) -> %s' % (
            self.op, ", ".join(names), self.attributes, ", ".join(types),
            result.type()))
        return "func.func @f() -> %s {\n%s\n  return %%r : %s\n}\n" % (
            result.type(), "\n".join(lines), result.type())


def zero(element, rank1=True):
    return Tensor([1] if rank1 else [], [0], element)


#===-- Cases: (result, forms) ------------------------------------------------


def broadcast(draw, function, element="i32", low=-9, high=9, result="i32"):
    shape = sizes(draw, draw.randint(1, 3))
    operands = []
    for _ in range(2):
        own = [1 if draw.random() < 0.3 else s for s in shape]
        if draw.random() < 0.3:
            own = own[draw.randint(0, len(own)):]
        operands.append(drawn(draw, own, element, low, high))
    full = [max([1] + [t.shape[k - len(shape)] for t in operands
                       if len(t.shape) >= len(shape) - k])
            for k in range(len(shape))]

    def value(index):
        picked = []
        for t in operands:
            tail = index[len(index) - len(t.shape):]
            picked.append(t.at([i if s > 1 else 0
                                for i, s in zip(tail, t.shape)]))
        return function(*picked)

    return made(full, value, result), operands


def elementwise(op, function, low=-9, high=9):
    def case(draw):
        result, operands = broadcast(draw, function, "i32", low, high)
        return result, [Form(op, operands)]
    return case


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def division(draw):
    result, operands = broadcast(draw, lambda a, b: quotient(a, b), "i32", 1, 9)
    operands[0].numbers = [-n for n in operands[0].numbers]
    result = made(result.shape, lambda i: -result.at(i))
    return result, [Form("intdiv", operands), Form("div", operands)]


def multiplication(draw):
    element = draw.choice(["i8", "i32"])
    result, operands = broadcast(draw, lambda a, b: wrapped(a * b), element,
                                 -100, 100)
    return result, [Form("mul", operands, "shift = 0 : i8"),
                    Form("mul", operands + [zero("i8")])]


def comparison(op, function):
    def case(draw):
        result, operands = broadcast(draw, function, "i32", -2, 2, "i1")
        return result, [Form(op, operands)]
    return case


def selection(draw):
    shape = sizes(draw, 2)
    p = drawn(draw, shape, "i1", 0, 1)
    a, b = drawn(draw, shape), drawn(draw, [1, shape[1]])
    return made(shape, lambda i: a.at(i) if p.at(i) else b.at([0, i[1]])), [
        Form("select", [p, a, b])]


def negation(draw):
    x = drawn(draw, sizes(draw, 2))
    return made(x.shape, lambda i: -x.at(i)), [
        Form("negate", [x]), Form("negate", [x, zero("i32"), zero("i32")])]


def edgeNegation(draw):
    x = made(sizes(draw, 2), lambda _: draw.choice([-128, -127, 127, 0]), "i8")
    return made(x.shape, lambda i: min(-x.at(i), 127), "i8"), [
        Form("negate", [x, zero("i8"), zero("i8")])]


def clamp(draw):
    x = drawn(draw, sizes(draw, 2))
    low = draw.randint(-5, 0)
    high = draw.randint(low, 6)
    return made(x.shape, lambda i: max(min(x.at(i), high), low)), [
        Form("clamp", [x], "min_val = %d : i32, max_val = %d : i32" % (
            low, high)),
        Form("clamp", [x], "min_int = %d : i64, max_int = %d : i64, "
             "min_fp = %d.0 : f32, max_fp = %d.0 : f32" % (
                 low, high, -high, -low))]


def floats(draw):
    x = drawn(draw, sizes(draw, 2), "f32")
    low, high = -3, 4
    return made(x.shape, lambda i: max(min(x.at(i), high), low), "f32"), [
        Form("clamp", [x], "min_val = -3.0 : f32, max_val = 4.0 : f32"),
        Form("clamp", [x], "min_int = -1 : i64, max_int = 1 : i64, "
             "min_fp = -3.0 : f32, max_fp = 4.0 : f32")]


def concatenation(draw):
    shape = sizes(draw, 2)
    axis = draw.randint(0, 1)
    parts = []
    for _ in range(draw.randint(1, 3)):
        own = list(shape)
        own[axis] = draw.randint(1, 3)
        parts.append(drawn(draw, own))
    shape[axis] = sum(p.shape[axis] for p in parts)

    def value(index):
        index = list(index)
        for part in parts:
            if index[axis] < part.shape[axis]:
                return part.at(index)
            index[axis] -= part.shape[axis]
        raise AssertionError

    return made(shape, value), [
        Form("concat", parts, "axis = %d : i32" % axis),
        Form("concat", parts, "axis = %d : i64" % axis)]


def reversal(draw):
    x = drawn(draw, sizes(draw, 3))
    axis = draw.randint(0, 2)

    def value(index):
        index = list(index)
        index[axis] = x.shape[axis] - 1 - index[axis]
        return x.at(index)

    return made(x.shape, value), [Form("reverse", [x], "axis = %d : i32" % axis)]


def transposition(draw):
    x = drawn(draw, sizes(draw, 3))
    perms = list(range(3))
    draw.shuffle(perms)

    def value(index):
        at = [0] * 3
        for k, p in enumerate(perms):
            at[p] = index[k]
        return x.at(at)

    return made([x.shape[p] for p in perms], value), [
        Form("transpose", [x], "perms = " + array(perms, 32)),
        Form("transpose", [x, Tensor([3], perms)]),
        Form("transpose", [x, Tensor([3], perms, "i64")])]


def reshaping(draw):
    x = drawn(draw, sizes(draw, 3))
    to = draw.choice([[x.shape[0] * x.shape[1], x.shape[2]],
                      [x.shape[0], x.shape[2] * x.shape[1]],
                      [len(x.numbers)], [1] + x.shape])
    return Tensor(to, x.numbers), [
        Form("reshape", [x], "new_shape = " + array(to)),
        Form("reshape", [x], shapes=[to])]


def slicing(draw):
    x = drawn(draw, sizes(draw, 2, 4))
    start = [draw.randint(0, s - 1) for s in x.shape]
    size = [draw.randint(1, s - b) for s, b in zip(x.shape, start)]
    return made(size, lambda i: x.at([a + b for a, b in zip(i, start)])), [
        Form("slice", [x], "start = %s, size = %s" % (
            array(start), array(size))),
        Form("slice", [x], shapes=[start, size])]


def tiling(draw):
    x = drawn(draw, sizes(draw, 2))
    copies = sizes(draw, 2)
    shape = [s * c for s, c in zip(x.shape, copies)]
    return made(shape, lambda i: x.at([a % s for a, s in zip(i, x.shape)])), [
        Form("tile", [x], "multiples = " + array(copies)),
        Form("tile", [x], shapes=[copies])]


def padding(draw):
    x = drawn(draw, sizes(draw, 2))
    pads = [draw.randint(0, 2) for _ in range(4)]
    with_ = draw.randint(-5, 5)
    shape = [x.shape[k] + pads[2 * k] + pads[2 * k + 1] for k in range(2)]

    def value(index):
        at = [i - pads[2 * k] for k, i in enumerate(index)]
        inside = all(0 <= i < s for i, s in zip(at, x.shape))
        return x.at(at) if inside else with_

    table = Tensor([2, 2], pads)
    forms = [Form("pad", [x, table, Tensor([], [with_])])]
    if with_ == 0:
        forms.append(Form("pad", [x, table]))
    return made(shape, value), forms


def gathering(draw):
    n, k, c, w = sizes(draw, 4)
    x = drawn(draw, [n, k, c])
    rows = made([n, w], lambda _: draw.randint(0, k - 1))
    return made([n, w, c], lambda i: x.at(
        [i[0], rows.at([i[0], i[1]]), i[2]])), [Form("gather", [x, rows])]


def reduction(op, begin, function):
    def case(draw):
        x = drawn(draw, sizes(draw, 3), "i32", -4, 4)
        axis = draw.randint(0, 2)
        shape = list(x.shape)
        shape[axis] = 1

        def value(index):
            total = begin
            for k in range(x.shape[axis]):
                at = list(index)
                at[axis] = k
                total = function(total, x.at(at))
            return wrapped(total)

        return made(shape, value), [Form(op, [x], "axis = %d : i32" % axis)]
    return case


class Windows:
    def __init__(self, draw, rank, dilates, most=3):
        self.kernel = sizes(draw, rank, 2)
        self.stride = sizes(draw, rank, 2)
        self.dilation = sizes(draw, rank, 2) if dilates else [1] * rank
        self.pad, self.input, self.output = [], [], []
        for k in range(rank):
            reach = (self.kernel[k] - 1) * self.dilation[k] + 1
            before, after = (draw.randint(0, self.kernel[k] - 1)
                             for _ in range(2))
            out = draw.randint(1, most)
            size = (out - 1) * self.stride[k] + reach - before - after
            if size < 1:
                before, size = 0, size + before
            if size < 1:
                after, size = 0, size + after
            self.pad += [before, after]
            self.input.append(size)
            self.output.append(out)

    def places(self, out):
        """(index within the kernel, index of the input) inside the input."""
        for inner in itertools.product(*(range(s) for s in self.kernel)):
            at = [o * s - self.pad[2 * k] + i * d for k, (o, s, i, d) in
                  enumerate(zip(out, self.stride, inner, self.dilation))]
            if all(0 <= a < s for a, s in zip(at, self.input)):
                yield list(inner), at

    def attributes(self):
        return "pad = %s, stride = %s" % (array(self.pad), array(self.stride))


def pool(op):
    def case(draw):
        w = Windows(draw, 2, False)
        n, c = sizes(draw, 2, 2)
        x = drawn(draw, [n, *w.input, c], "f32")

        def value(index):
            found = [x.at([index[0], *at, index[3]])
                     for _, at in w.places(index[1:3])]
            if op == "max_pool2d":
                return max(found) if found else None
            # Windows have 1, 2 or 4 elements: what is divided is exact.
            return sum(found) / len(found) if found else None

        result = made([n, *w.output, c], value, "f32")
        if None in result.numbers:
            return case(draw)
        attributes = "kernel = %s, %s" % (array(w.kernel), w.attributes())
        if op == "max_pool2d":
            return result, [Form(op, [x], attributes)]
        return result, [
            Form(op, [x], attributes + ", acc_type = f32"),
            Form(op, [x, zero("f32"), zero("f32")],
                 attributes + ", acc_type = f32")]
    return case


def convolution(op):
    def case(draw):
        rank = 3 if op == "conv3d" else 2
        w = Windows(draw, rank, True, 2)
        n, c, m = sizes(draw, 3, 2)
        x = drawn(draw, [n, *w.input, c], "f32", -3, 3)
        isApart = op == "depthwise_conv2d"
        f = drawn(draw, [*w.kernel, c, m] if isApart else [m, *w.kernel, c],
                  "f32", -3, 3)
        channels = c * m if isApart else m
        bias = drawn(draw, [channels], "f32")

        def value(index):
            o, last = index[1:-1], index[-1]
            total = bias.at([last])
            for inner, at in w.places(o):
                if isApart:
                    total += x.at([index[0], *at, last // m]) * f.at(
                        [*inner, last // m, last % m])
                    continue
                for k in range(c):
                    total += x.at([index[0], *at, k]) * f.at(
                        [last, *inner, k])
            return total

        attributes = w.attributes() + ", dilation = " + array(w.dilation)
        return made([n, *w.output, channels], value, "f32"), [
            Form(op, [x, f, bias], attributes),
            Form(op, [x, f, bias, zero("f32"), zero("f32")],
                 attributes + ", acc_type = f32")]
    return case


def layer(draw):
    n, k, m = sizes(draw, 3)
    x, f = drawn(draw, [n, k], "f32"), drawn(draw, [m, k], "f32")
    bias = drawn(draw, [m], "f32")
    return made([n, m], lambda i: bias.at([i[1]]) + sum(
        x.at([i[0], j]) * f.at([i[1], j]) for j in range(k)), "f32"), [
            Form("fully_connected", [x, f, bias])]


def product(draw):
    element = draw.choice(["f32", "i8"])
    n, h, c, w = sizes(draw, 4)
    a, b = drawn(draw, [n, h, c], element), drawn(draw, [n, c, w], element)
    to = "i32" if element == "i8" else "f32"

    def factors(i):
        return [(a.at([i[0], i[1], k]), b.at([i[0], k, i[2]]))
                for k in range(c)]

    result = made([n, h, w], lambda i: sum(x * y for x, y in factors(i)), to)
    result.isOpen = to == "f32" and any(
        all(x * y == 0 and x + y < 0 for x, y in factors(i))
        for i in itertools.product(range(n), range(h), range(w)))
    return result, [Form("matmul", [a, b]),
                    Form("matmul", [a, b, zero(element), zero(element)])]


CASES = [
    elementwise("add", lambda a, b: a + b),
    elementwise("sub", lambda a, b: a - b),
    elementwise("maximum", max), elementwise("minimum", min),
    elementwise("bitwise_and", lambda a, b: a & b),
    elementwise("bitwise_or", lambda a, b: a | b),
    elementwise("bitwise_xor", lambda a, b: a ^ b),
    elementwise("logical_left_shift", lambda a, b: wrapped(a << b), 0, 9),
    elementwise("logical_right_shift", lambda a, b: a >> b, 0, 9),
    division, multiplication, negation, edgeNegation, clamp, floats, selection,
    comparison("equal", lambda a, b: a == b),
    comparison("greater", lambda a, b: a > b),
    comparison("greater_equal", lambda a, b: a >= b),
    concatenation, reversal, transposition, reshaping, slicing, tiling,
    padding, gathering,
    reduction("reduce_sum", 0, lambda a, b: a + b),
    reduction("reduce_prod", 1, lambda a, b: a * b),
    reduction("reduce_product", 1, lambda a, b: a * b),
    reduction("reduce_max", -2**31, max), reduction("reduce_min", 2**31, min),
    pool("max_pool2d"), pool("avg_pool2d"), convolution("conv2d"),
    convolution("conv3d"), convolution("depthwise_conv2d"), layer, product,
]


def returned(result):
    return "func.func @f() -> %s {\n  %%r = arith.constant %s\n  return %%r : " \
        "%s\n}\n" % (result.type(), result.literal(), result.type())


def altered(draw, result):
    numbers = list(result.numbers)
    k = draw.randrange(len(numbers))
    numbers[k] = not numbers[k] if result.element == "i1" else \
        numbers[k] + draw.choice([-2, -1, 1, 2])
    return Tensor(result.shape, numbers, result.element)


def main():
    tool = os.path.abspath(sys.argv[1])
    seed = int(os.environ.get("INDEXICAL_SEED", "20261129"))
    count = int(os.environ.get("INDEXICAL_COUNT", len(CASES)))
    print("seed", seed)
    equal = right = 0
    problems = []

    def answer(folder, first, second):
        paths = []
        for name, text in (("a.mlir", first), ("b.mlir", second)):
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([tool, "equal", "--values", *paths],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    with tempfile.TemporaryDirectory() as folder:
        for k in range(count):
            draw = random.Random(seed + k)
            result, forms = CASES[k % len(CASES)](draw)
            wrong = altered(draw, result)
            for form in forms:
                text = form.text(result)
                code, said = answer(folder, text, returned(result))
                if result.isOpen and code == 4:
                    continue
                right += 1
                equal += code == 0
                if code != 0:
                    problems.append("seed %d: not equal\n%s%s%s" % (
                        seed + k, text, returned(result), said))
            text = draw.choice(forms).text(result)
            code, said = answer(folder, text, returned(wrong))
            if code in (0, 5):
                problems.append("seed %d: equal\n%s%s%s" % (
                    seed + k, text, returned(wrong), said))
    print("%d of %d are equal" % (equal, right))
    print("\n".join(problems[:5]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
