#!/usr/bin/env python3
"""Random scatters against rewrites of them, right and wrong.

  TEST INDEXICAL [--pairs=N] [--seed=N]

Scatters of rows, of elements and of windows, which set, add, multiply or take
the larger number; indices that are parameters or known, too large, negative and
twice the same. Right rewrites are what compilers and `jax.numpy` make of them;
wrong ones change one thing. enemy_pairs.py says what must hold.
"""

import random
import sys

import enemy_pairs
from program_nodes import (binary, broadcast, compare, constant, iota, larger,
                           parameter, reshape, reverse, scatter, select, slice_,
                           text, transpose, wrapped)

KINDS = {
    "set": (lambda a, b: b, "ROOT c = T[] copy(b)"),
    "add": (lambda a, b: a + b, "ROOT c = T[] add(a, b)"),
    "multiply": (lambda a, b: a * b, "ROOT c = T[] multiply(a, b)"),
    "maximum": (larger, "ROOT c = T[] maximum(a, b)"),
    "turned": (lambda a, b: b - a, "ROOT c = T[] subtract(b, a)"),
}


def body_of(kind, type_):
    return ("NAME {\n  a = T[] parameter(0)\n  b = T[] parameter(1)\n  "
            + KINDS[kind][1] + "\n}").replace("T[", type_ + "[")


def update_of(kind, type_):
    return lambda a, b: wrapped(KINDS[kind][0](a, b), type_)


class Case:
    """A scatter into rows of x: its parts, to change one by one."""

    def __init__(self, rnd):
        self.type = rnd.choice(["s32", "s32", "f32", "u8"])
        self.kind = rnd.choice(["set", "set", "add", "add", "add", "multiply",
                                "maximum", "turned"])
        self.rows, self.columns = rnd.randint(2, 6), rnd.choice([0, 2, 3])
        self.window = rnd.choice([1, 1, 1, 2])
        if self.window > self.rows:
            self.window = 1
        self.count = rnd.choice([1, 2, 3, 4])
        self.itype = rnd.choice(["s32", "s32", "s64", "u32", "s8"])
        self.is_known = rnd.random() < 0.3
        shape = (self.rows, self.columns) if self.columns else (self.rows,)
        self.x = parameter("x", self.type, shape)
        low = 0 if self.itype == "u32" else -2
        if self.is_known:
            self.numbers = [rnd.randint(low, self.rows + 1)
                            for _ in range(self.count)]
            self.i = self.table(rnd)
        else:
            self.i = parameter("i", self.itype, (self.count,))
        row = ((self.window,) if self.window > 1 else ())
        self.u = parameter("u", self.type,
                           (self.count, *row) + shape[1:])
        self.parameters = [self.x] + ([] if self.is_known else [self.i])
        self.parameters.append(self.u)

    def table(self, rnd):
        """The known indices as a list, or as a part of a larger table."""
        n, kind = self.count, rnd.choice(["list", "rows", "column", "long"])
        def others(size):
            return [rnd.randint(0, self.rows) for _ in range(size)]
        if kind == "rows" and n % 2 == 0:
            return reshape(constant(self.itype, (2, n // 2), self.numbers),
                           (n,))
        if kind == "column":
            rows = [x for k in range(n) for x in (*others(1), self.numbers[k])]
            column = slice_(constant(self.itype, (n, 2), rows), 1, 1, 2)
            return reshape(column, (n,))
        if kind == "long":
            # So many that a digest stands for them.
            all_ = self.numbers + others(5000 - n)
            return slice_(constant(self.itype, (5000,), all_), 0, 0, n)
        return constant(self.itype, (n,), self.numbers)

    def draw(self, rnd):
        def numbers(node):
            if node is self.i:
                low = 0 if self.itype == "u32" else -2
                return [rnd.randint(low, self.rows + 1) for _ in range(self.count)]
            n = 1
            for size in node.shape:
                n *= size
            all_ = [rnd.randint(-4, 4) for _ in range(n)]
            if self.type == "f32":
                return [rnd.choice([float(v), -0.0, 0.5]) for v in all_]
            return [wrapped(v, self.type) for v in all_]
        return {p.argument: numbers(p) for p in self.parameters}

    def scatter(self, x=None, i=None, u=None, kind=None, flags="", vector=1,
                window=None):
        kind = kind or self.kind
        x, i, u = x or self.x, i or self.i, u or self.u
        start = 1 if self.window == 1 else 1
        windows = list(range(start, len(u.shape))) if window is None else window
        inserted = [0] if self.window == 1 else []
        return scatter(x, i, u, windows, inserted, [0], vector,
                       update_of(kind, self.type), body_of(kind, self.type),
                       flags)


def rewrites(case):
    """Right ones: name, and what makes the second program."""
    def indexed():
        return case.scatter(i=reshape(case.i, (case.count, 1)))

    def turned_updates():
        rank = len(case.u.shape)
        order = [*range(1, rank), 0]
        u = transpose(case.u, order)
        return case.scatter(u=u, window=list(range(rank - 1)))

    def halves():
        half = case.count // 2
        first = case.scatter(i=slice_(case.i, 0, 0, half),
                             u=slice_(case.u, 0, 0, half))
        return case.scatter(x=first, i=slice_(case.i, 0, half, case.count),
                            u=slice_(case.u, 0, half, case.count))

    def from_zero():
        zero = constant(case.type, (), [0])
        zeros = broadcast(zero, case.x.shape, [])
        return binary("add", case.x, case.scatter(x=zeros))

    def turned_around():
        return case.scatter(i=reverse(case.i, 0), u=reverse(case.u, 0))

    def one_hot():
        """x + the sum of the updates where their indices are the row's."""
        all_ = case.x
        for k in range(case.count):
            i = slice_(case.i, 0, k, k + 1)
            u = reshape(slice_(case.u, 0, k, k + 1), case.x.shape[1:])
            mask = compare("EQ", broadcast(reshape(i, ()), case.x.shape, []),
                           iota(case.itype, case.x.shape, 0))
            spread = broadcast(u, case.x.shape,
                               list(range(1, len(case.x.shape))))
            changed = (spread if case.kind == "set" else
                       binary(case.kind, all_, spread))
            all_ = select(mask, changed, all_)
        return all_

    def twice_moved():
        return reverse(reverse(case.scatter(), 0), 0)

    found = [("copied", lambda: reshape(case.scatter(), case.x.shape)),
             ("moved", twice_moved), ("index vectors", indexed),
             ("updates transposed", turned_updates)]
    is_integer = case.type != "f32"
    if case.count > 1:
        found.append(("in two halves", halves))
    if case.kind == "add" and is_integer:
        found.append(("from zero", from_zero))
    if case.kind in ("add", "multiply", "maximum") and is_integer:
        found.append(("turned around", turned_around))
    if case.window == 1 and case.kind in ("add", "set", "maximum", "multiply"):
        found.append(("one by one", one_hot))
    if case.is_known and len(set(case.numbers)) == case.count:
        found.append(("unique", lambda: case.scatter(
            flags=", unique_indices=true")))
    return found


def mutants(case, rnd):
    def offset():
        one = broadcast(constant(case.itype, (), [1]), (case.count,), [])
        return case.scatter(i=binary("add", case.i, one))

    def clamped():
        low = broadcast(constant(case.itype, (), [0]), (case.count,), [])
        high = broadcast(constant(case.itype, (), [case.rows - case.window]),
                         (case.count,), [])
        return case.scatter(i=binary("minimum", binary("maximum", case.i, low),
                                     high))

    def other_halves():
        half = case.count // 2
        first = case.scatter(i=slice_(case.i, 0, half, case.count),
                             u=slice_(case.u, 0, half, case.count))
        return case.scatter(x=first, i=slice_(case.i, 0, 0, half),
                            u=slice_(case.u, 0, 0, half))
    found = [
        ("another kind", lambda: case.scatter(
            kind=rnd.choice([k for k in KINDS if k != case.kind]))),
        ("updates reversed", lambda: case.scatter(u=reverse(case.u, 0))),
        ("indices reversed", lambda: case.scatter(i=reverse(case.i, 0))),
        ("operand reversed", lambda: case.scatter(x=reverse(case.x, 0))),
        ("both reversed", lambda: case.scatter(i=reverse(case.i, 0),
                                               u=reverse(case.u, 0))),
        ("indices by one", offset), ("indices clamped", clamped),
        ("no update", lambda: reshape(case.x, case.x.shape)),
    ]
    if len(case.u.shape) > 1:
        found.append(("windows reversed",
                      lambda: case.scatter(u=reverse(case.u, 1))))
    if case.count > 1:
        found.append(("halves exchanged", other_halves))
        found.append(("one update less", lambda: case.scatter(
            i=slice_(case.i, 0, 1, case.count),
            u=slice_(case.u, 0, 1, case.count))))
    return found


def make_pair(rnd):
    case = Case(rnd)
    is_right = rnd.random() < 0.5
    name, make = rnd.choice(rewrites(case) if is_right else mutants(case, rnd))
    return (case.scatter(), make(), case.parameters, case.draw, name, is_right)


if __name__ == "__main__":
    bad, totals = enemy_pairs.run(make_pair)
    right = sum(n for (truth, _), n in totals.items() if truth == "right")
    equal = totals.get(("right", "equal"), 0)
    differ = sum(n for (truth, _), n in totals.items() if truth == "differ")
    different = totals.get(("differ", "different"), 0)
    print(f"{equal} of {right} right ones equal, "
          f"{different} of {differ} wrong ones different, {bad} bad answers")
    # Fewer would mean that scatters are not followed.
    is_poor = equal * 10 < right * 9 or different * 10 < differ * 9
    sys.exit(1 if bad or (is_poor and right > 20 and differ > 20) else 0)
