#!/usr/bin/env python3
"""Random reductions of several values, and sorts, against rewrites of them.

  TEST INDEXICAL [--pairs=N] [--seed=N]

Argmax and argmin with all their ties, sums beside each other, recurrences and
means; sorts by one operand, with others along. Right rewrites change what is
only written in another way; wrong ones change one thing. enemy_pairs.py says
what must hold.
"""

import sys

import enemy_pairs
from program_nodes import (ORDER, binary, constant, iota, negate, parameter,
                           reshape, reverse, sort, transpose, tuple_reduce)


def lines(text):
    return "NAME {\n  " + "\n  ".join(text.split("; ")) + "\n}"


def arguments(types):
    n = len(types)
    return "; ".join(f"{'ab'[k // n]}{k % n} = {types[k % n]}[] parameter({k})"
                     for k in range(2 * n)) + "; "


def root(types, names):
    if len(types) == 1:
        return f"ROOT r = {types[0]}[] copy({names[0]})"
    of = ", ".join(t + "[]" for t in types)
    return f"ROOT r = ({of}) tuple({', '.join(names)})"


def pick(direction, types, tie):
    """Argmax or argmin; `tie` is the direction of indices, or nothing."""
    def function(a, b):
        first = ORDER[direction](a[0], b[0])
        if tie:
            first |= a[0] == b[0] and ORDER[tie](a[1], b[1])
        return a if first else b
    text = (arguments(types)
            + f"w = pred[] compare(a0, b0), direction={direction}; ")
    mask = "w"
    if tie:
        text += ("e = pred[] compare(a0, b0), direction=EQ; "
                 f"l = pred[] compare(a1, b1), direction={tie}; "
                 "m = pred[] and(e, l); o = pred[] or(w, m); ")
        mask = "o"
    text += "; ".join(f"v{k} = {t}[] select({mask}, a{k}, b{k})"
                      for k, t in enumerate(types)) + "; "
    return function, lines(text + root(types, [f"v{k}"
                                               for k in range(len(types))]))


def sums(types, opcodes):
    from program_nodes import SCALAR

    def function(a, b):
        return tuple(SCALAR[o](x, y) for o, x, y in zip(opcodes, a, b))
    text = arguments(types) + "; ".join(
        f"v{k} = {t}[] {o}(a{k}, b{k})"
        for k, (t, o) in enumerate(zip(types, opcodes))) + "; "
    return function, lines(text + root(types, [f"v{k}"
                                               for k in range(len(types))]))


def recurrence(types, is_turned):
    """(a, i), (b, j) -> (a * b, i * b + j), or with a and i for b and j."""
    def function(a, b):
        if is_turned:
            a, b = b, a
        return a[0] * b[0], a[1] * b[0] + b[1]
    x, y = ("b", "a") if is_turned else ("a", "b")
    text = (arguments(types) + f"p = {types[0]}[] multiply({x}0, {y}0); "
            f"q = {types[0]}[] multiply({x}1, {y}0); "
            f"s = {types[0]}[] add(q, {y}1); ")
    return function, lines(text + root(types, ["p", "s"]))


def horner(type_, by):
    def function(a, b):
        return (a[0] * by + b[0],)
    return function, lines(
        arguments([type_]) + f"c = {type_}[] constant({by}); "
        f"p = {type_}[] multiply(a0, c); ROOT s = {type_}[] add(p, b0)")


class Reduction:
    def __init__(self, rnd):
        self.rnd = rnd
        self.type = rnd.choice(["s32", "s32", "f32", "u8"])
        self.size, self.rows = rnd.randint(2, 6), rnd.choice([1, 2, 3])
        self.along = 1
        self.kind = rnd.choice(["pick", "pick", "pick", "sums", "recurrence",
                                "horner"])
        shape = (self.rows, self.size)
        self.x = parameter("x", self.type, shape)
        self.parameters = [self.x]
        low = 0 if self.type == "u8" else -1000
        if self.type == "f32":
            low = -float("inf")
        if self.kind == "pick":
            self.direction = rnd.choice(["GT", "GE", "LT", "LE"])
            if self.direction[0] == "L":
                low = (255 if self.type == "u8" else -low)
            self.tie = rnd.choice(["LT", "LT", None, "GT"])
            self.operands = [self.x, iota("s32", shape, 1)]
            self.inits = [constant(self.type, (), [low]),
                          constant("s32", (), [rnd.choice([0, 0, 9])])]
        elif self.kind == "horner":
            self.by = rnd.choice([2, 3])
            self.operands = [self.x]
            self.inits = [constant(self.type, (), [rnd.choice([0, 1])])]
        else:
            self.y = parameter("y", self.type, shape)
            self.parameters.append(self.y)
            self.operands = [self.x, self.y]
            self.opcodes = rnd.choice([("add", "add"), ("add", "maximum"),
                                       ("minimum", "add")])
            self.turned = False
            self.inits = [constant(self.type, (), [k]) for k in (1, 0)]
        self.result = rnd.randrange(len(self.operands))

    def draw(self, rnd):
        low = 0 if self.type == "u8" else -2
        # The number that an argmax begins with may be among the elements.
        has_infinity = (getattr(self, "kind", "") == "pick"
                        and self.type == "f32" and rnd.random() < 0.5)

        def number(value):
            if has_infinity and rnd.random() < 0.7:
                return self.inits[0].compute({})[0]
            return float(value) if self.type == "f32" else value
        return {p.argument: [number(rnd.randint(low, 2))
                             for _ in range(self.rows * self.size)]
                for p in self.parameters}

    def function(self, **changed):
        of = {**self.__dict__, **changed}
        types = [o.type for o in self.operands]
        if of["kind"] == "pick":
            return pick(of["direction"], types, of["tie"])
        if of["kind"] == "sums":
            return sums(types, of["opcodes"])
        if of["kind"] == "recurrence":
            return recurrence(types, of["turned"])
        return horner(self.type, of["by"])

    def make(self, operands=None, inits=None, along=None, result=None,
             **changed):
        function, body = self.function(**changed)
        return tuple_reduce(operands or self.operands, inits or self.inits,
                            self.along if along is None else along, function,
                            body, self.result if result is None else result)

    def rewrites(self):
        o = self.operands
        shape = (self.rows, 1, self.size)
        found = [
            ("transposed", lambda: self.make(
                [transpose(v, [1, 0]) for v in o], along=0)),
            ("reshaped", lambda: reshape(self.make(
                [reshape(v, shape) for v in o], along=2), (self.rows,))),
            ("rows turned", lambda: reverse(self.make(
                [reverse(v, 0) for v in o]), 0)),
            ("moved", lambda: self.make([reverse(reverse(v, 1), 1)
                                         for v in o])),
        ]
        if self.kind == "sums" and self.type != "f32":
            found.append(("elements turned", lambda: self.make(
                [reverse(v, 1) for v in o])))
        if self.kind == "pick" and self.tie == "LT" and (
                self.direction in ("GT", "LT")):
            found.append(("elements turned", lambda: self.make(
                [reverse(v, 1) for v in o])))
        return found

    def mutants(self):
        o = self.operands
        found = [
            ("elements turned", lambda: self.make([reverse(v, 1) for v in o])),
            ("one turned", lambda: self.make([reverse(o[0], 1), *o[1:]])),
            ("another init", lambda: self.make(inits=[
                self.inits[0], *[constant(i.type, (), [3])
                                 for i in self.inits[1:]]])),
        ]
        if len(o) > 1 and o[0].type == o[1].type:
            found.append(("another result", lambda: self.make(
                result=1 - self.result)))
            found.append(("exchanged", lambda: self.make([o[1], o[0]])))
        if self.kind == "pick":
            other = self.rnd.choice([d for d in ("GT", "GE", "LT", "LE")
                                     if d != self.direction])
            found.append(("another direction",
                          lambda: self.make(direction=other)))
            tie = self.rnd.choice([t for t in ("LT", "GT", None)
                                   if t != self.tie])
            found.append(("another tie", lambda: self.make(tie=tie)))
            found.append(("negated indices", lambda: self.make(
                [o[0], negate(o[1])])))
        if self.kind == "recurrence":
            found.append(("turned", lambda: self.make(turned=True)))
        if self.kind == "horner":
            found.append(("by another", lambda: self.make(by=5 - self.by)))
        if self.kind == "sums":
            found.append(("other sums", lambda: self.make(
                opcodes=self.opcodes[::-1] if len(set(self.opcodes)) > 1
                else ("add", "minimum"))))
        return found


class Sorting:
    def __init__(self, rnd):
        self.rnd = rnd
        self.type = rnd.choice(["s32", "f32", "u8"])
        self.size, self.rows = rnd.randint(2, 6), rnd.choice([1, 2])
        shape = (self.rows, self.size)
        self.x = parameter("x", self.type, shape)
        self.parameters = [self.x]
        self.operands = [self.x]
        if rnd.random() < 0.6:
            self.operands.append(iota("s32", shape, 1))
        self.direction = rnd.choice(["LT", "GT"])
        self.stable = len(self.operands) > 1
        self.result = rnd.randrange(len(self.operands))

    draw = Reduction.draw

    def make(self, operands=None, direction=None, along=1, result=None):
        direction = direction or self.direction
        operands = operands or self.operands
        of = "; ".join(f"{'ab'[k % 2]}{k // 2} = {operands[k // 2].type}[] "
                       f"parameter({k})" for k in range(2 * len(operands)))
        body = lines(of + f"; ROOT r = pred[] compare(a0, b0), "
                     f"direction={direction}")
        return sort(operands, along,
                    lambda a, b: ORDER[direction](a[0], b[0]), body,
                    self.result if result is None else result, self.stable)

    def rewrites(self):
        o = self.operands
        return [
            ("sort transposed", lambda: transpose(self.make(
                [transpose(v, [1, 0]) for v in o], along=0), [1, 0])),
            ("sort, rows turned", lambda: reverse(self.make(
                [reverse(v, 0) for v in o]), 0)),
            ("sort moved", lambda: reverse(reverse(self.make(), 1), 1)),
        ]

    def mutants(self):
        o = self.operands
        found = [
            ("sort, other direction", lambda: self.make(
                direction={"LT": "GT", "GT": "LT"}[self.direction])),
            ("sort turned", lambda: reverse(self.make(), 1)),
            ("sort, one turned", lambda: self.make([reverse(o[0], 1),
                                                    *o[1:]])),
            ("sort twice", lambda: binary("add", self.make(), self.make())),
        ]
        if len(o) > 1:
            found.append(("sort of negated", lambda: self.make(
                [o[0], negate(o[1])])))
        return found


def make_pair(rnd):
    case = Sorting(rnd) if rnd.random() < 0.25 else Reduction(rnd)
    is_right = rnd.random() < 0.4
    name, make = rnd.choice(case.rewrites() if is_right else case.mutants())
    return case.make(), make(), case.parameters, case.draw, name, is_right


if __name__ == "__main__":
    bad, totals = enemy_pairs.run(make_pair)
    right = sum(n for (truth, _), n in totals.items() if truth == "right")
    equal = totals.get(("right", "equal"), 0)
    differ = sum(n for (truth, _), n in totals.items() if truth == "differ")
    different = totals.get(("differ", "different"), 0)
    print(f"{equal} of {right} right ones equal, "
          f"{different} of {differ} wrong ones different, {bad} bad answers")
    is_poor = equal * 2 < right or different * 2 < differ
    sys.exit(1 if bad or (is_poor and right > 20 and differ > 20) else 0)
