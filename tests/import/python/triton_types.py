"""Tensors of Triton's language, their types, and what operators do with them.

It shares no code with the library.
"""

import math

from scalars import (BITS, divided, fit, is_float, is_signed, remainder,
                     truncated)


class Refused(Exception):
    def __init__(self, kind, line):
        super().__init__(kind, line)
        self.kind, self.line = kind, line


class Outside(Exception):
    """An access outside of its array."""


class Tensor:
    def __init__(self, kind, shape, data):
        self.kind, self.shape, self.data = kind, tuple(shape), data

    def map(self, kind, change):
        return Tensor(kind, self.shape, [change(x) for x in self.data])


def size_of(shape):
    return math.prod(shape)


def strides_of(shape):
    strides, step = [], 1
    for side in reversed(shape):
        strides.insert(0, step)
        step *= side
    return strides


def indices_of(shape):
    found = [()]
    for side in shape:
        found = [index + (k,) for index in found for k in range(side)]
    return found


def stretch(value, shape):
    """A tensor with more or larger sides."""
    if value.shape == tuple(shape):
        return value
    missing = len(shape) - len(value.shape)
    own = (1,) * missing + value.shape
    strides = strides_of(own)
    data = [value.data[sum(s * (k if side > 1 else 0)
                           for s, k, side in zip(strides, index, own))]
            for index in indices_of(shape)]
    return Tensor(value.kind, shape, data)


def kind_rank(kind):
    return 2 if is_float(kind) else 0 if kind == "i1" else 1


def wider(a, b):
    if is_signed(a) == is_signed(b):
        return a if BITS[a] > BITS[b] else b
    unsigned, signed = (a, b) if not is_signed(a) else (b, a)
    return unsigned if BITS[unsigned] >= BITS[signed] else signed


def constant_kind(value):
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, int):
        for kind, low, high in (("i32", -2**31, 2**31), ("u32", 0, 2**32),
                                ("i64", -2**63, 2**63), ("u64", 0, 2**64)):
            if low <= value < high:
                return kind
        raise OverflowError
    size = abs(value)
    normal = 2.0**-126 <= size <= (2 - 2**-23) * 2.0**127
    return "f32" if size == 0 or not math.isfinite(value) or normal else "f64"


class Types:
    """Operators on tensors; `line` is that of the text."""

    line = 0

    def refuse(self, kind):
        raise Refused(kind, self.line)

    # Types

    def tensor(self, value):
        if isinstance(value, Tensor):
            return value
        if not isinstance(value, (bool, int, float)):
            self.refuse("type")
        try:
            kind = constant_kind(value)
        except OverflowError:
            self.refuse("type")
        return Tensor(kind, (), [fit(kind, value)])

    def cast(self, value, kind):
        old = value.kind
        if old == kind:
            return value
        if old[0] == "*" or kind[0] == "*":
            self.refuse("type")
        if is_float(old) and is_float(kind):
            if old in ("f16", "bf16") and kind != "f32":
                return self.cast(self.cast(value, "f32"), kind)
            return value.map(kind, lambda x: fit(kind, x))
        if kind == "i1":
            return value.map("i1", lambda x: int(x != 0))
        if is_float(old):
            return value.map(kind, lambda x: fit(kind, math.trunc(x)))
        if is_float(kind):
            return value.map(kind, lambda x: fit(kind, x))
        return value.map(kind, lambda x: fit(kind, x))

    def joined(self, a, b):
        shape = []
        n = max(len(a.shape), len(b.shape))
        for x, y in zip((1,) * (n - len(a.shape)) + a.shape,
                        (1,) * (n - len(b.shape)) + b.shape):
            if x != y and 1 not in (x, y):
                self.refuse("shape")
            shape.append(y if x == 1 else x)
        return stretch(a, shape), stretch(b, shape)

    def promoted(self, a, b, divides=False, pointers=False):
        constants = [not isinstance(x, Tensor) for x in (a, b)]
        kinds = []
        for value in (a, b):
            kinds.append(value.kind if isinstance(value, Tensor)
                         else self.tensor(value).kind)
        if any(kind[0] == "*" for kind in kinds):
            if not pointers or any(is_float(k) for k in kinds) or (
                    all(k[0] == "*" for k in kinds) and kinds[0] != kinds[1]):
                self.refuse("type")
            return self.joined(self.tensor(a), self.tensor(b))
        kind = self.common(kinds, constants, divides)
        values = []
        for value, constant in zip((a, b), constants):
            if not constant:
                values.append(self.cast(value, kind))
                continue
            if not is_float(kind) and fit(kind, value) != value:
                self.refuse("type")
            number = fit("f32", value) if kind in ("f16", "bf16") else value
            values.append(Tensor(kind, (), [fit(kind, number)]))
        return self.joined(*values)

    def common(self, kinds, constants, divides):
        a, b = kinds
        if constants[0] != constants[1]:
            scalar, tensor = (a, b) if constants[0] else (b, a)
            if kind_rank(scalar) <= kind_rank(tensor):
                if divides and tensor in ("f16", "bf16"):
                    return "f32"
                return tensor
        if "f64" in kinds:
            return "f64"
        if "f32" in kinds:
            return "f32"
        if "f16" in kinds:
            return "f32" if divides else "f16"
        if a == b == "bf16":
            return "f32" if divides else "bf16"
        if "bf16" in kinds:
            return "f32"
        if divides and is_signed(a) != is_signed(b):
            self.refuse("type")
        return wider(a, b)

    # Operators

    def binary(self, sign, a, b):
        if not isinstance(a, Tensor) and not isinstance(b, Tensor):
            return self.constants(sign, a, b)
        if sign in ("and", "or"):
            a, b = self.tensor(a), self.tensor(b)
            if a.kind != "i1" or b.kind != "i1":
                self.refuse("type")
            sign = "&" if sign == "and" else "|"
        if sign == "**":
            self.refuse("unsupported")
        a, b = self.promoted(a, b, sign in ("/", "//", "%"), sign in "+-")
        kind = a.kind
        if "*" in (kind[0], b.kind[0]):
            return self.pointers(sign, a, b)
        pairs = list(zip(a.data, b.data))
        if sign in ("&", "|", "^", "<<", ">>", "//") and is_float(kind):
            self.refuse("type")
        if sign == "/" and not is_float(kind):
            a, b, kind = self.cast(a, "f32"), self.cast(b, "f32"), "f32"
            pairs = list(zip(a.data, b.data))
        change = {
            "+": lambda x, y: x + y, "-": lambda x, y: x - y,
            "*": lambda x, y: x * y, "/": divided,
            "//": truncated,
            "%": remainder if is_float(kind) else
                 lambda x, y: x - truncated(x, y) * y,
            "&": lambda x, y: x & y, "|": lambda x, y: x | y,
            "^": lambda x, y: x ^ y, "<<": lambda x, y: x << y,
            ">>": lambda x, y: x >> y,
        }[sign]
        return Tensor(kind, a.shape, [fit(kind, change(x, y)) for x, y in pairs])

    def pointers(self, sign, a, b):
        if a.kind[0] == "*" and b.kind[0] == "*":
            self.refuse("type")
        if b.kind[0] == "*":
            if sign == "-":
                self.refuse("type")
            a, b = b, a
        if b.kind == "i1":
            self.refuse("unsupported")
        by = b.data
        if sign == "-":
            # A negative number of the offset's own type.
            signed = "i" + b.kind[1:]
            by = [fit(signed, -x) for x in by]
        return Tensor(a.kind, a.shape,
                      [(base, at + x) for (base, at), x in zip(a.data, by)])

    def constants(self, sign, a, b):
        if sign in ("and", "or"):
            return (a and b) if sign == "and" else (a or b)
        try:
            return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b,
                    "/": lambda: a / b, "//": lambda: a // b,
                    "%": lambda: a % b, "&": lambda: a & b,
                    "|": lambda: a | b, "^": lambda: a ^ b,
                    "<<": lambda: a << b, ">>": lambda: a >> b,
                    "**": lambda: a ** b}[sign]()
        except (TypeError, ZeroDivisionError, ValueError):
            self.refuse("type")

    def compared(self, sign, a, b):
        change = {"<": lambda x, y: x < y, "<=": lambda x, y: x <= y,
                  ">": lambda x, y: x > y, ">=": lambda x, y: x >= y,
                  "==": lambda x, y: x == y, "!=": lambda x, y: x != y}[sign]
        if not isinstance(a, Tensor) and not isinstance(b, Tensor):
            return change(a, b)
        a, b = self.promoted(a, b)
        if a.kind == "i1" and sign not in ("==", "!="):
            # One bit is a signed number here: true is -1.
            a, b = a.map("i1", lambda x: -x), b.map("i1", lambda x: -x)
        return Tensor("i1", a.shape,
                      [int(change(x, y)) for x, y in zip(a.data, b.data)])

    def chosen(self, condition, a, b):
        condition = self.cast(self.tensor(condition), "i1")
        a, b = self.promoted(a, b, pointers=True)
        condition, a = self.joined(condition, a)
        a, b = self.joined(a, b)
        return Tensor(a.kind, a.shape,
                      [x if c else y for c, x, y in
                       zip(condition.data, a.data, b.data)])

    def extreme(self, name, a, b):
        a, b = self.tensor(a), self.tensor(b)
        a, b = (self.cast(x, "f32") if x.kind == "bf16" else x for x in (a, b))
        a, b = self.promoted(a, b)
        return Tensor(a.kind, a.shape, [extreme_of(name, x, y)
                                        for x, y in zip(a.data, b.data)])


def extreme_of(name, a, b):
    if isinstance(a, float):
        if math.isnan(a):
            return b
        if math.isnan(b):
            return a
    return max(a, b) if name == "max" else min(a, b)


def folded(name, row):
    best = row[0]
    for x in row[1:]:
        best = extreme_of(name, best, x)
    return best
