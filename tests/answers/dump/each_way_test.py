#!/usr/bin/env python3
"""dump --each-way of random programs with calls, against their definitions.

Programs have fusions and calls in each other, tuples, loops, softmaxes, operands
that are given twice and parameters that nothing reads. Each op says in a line
which elements of its operands an element reads. Ways are found by going down
the operands, and into what is called: which instructions are on each, in order,
which pairs of elements it reads, and how often it reads an element.

  INDEXICAL_WAYS=2000 INDEXICAL_WAYS_SEED=n    so many programs, from this seed
"""

import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest

COMMAND = os.path.abspath(sys.argv.pop(1))
SUM = ("HloModule m\nsum { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
       " ROOT c = f32[] add(a, b) }\n")
LOOP = """body_{w} {{ t = {tuple} parameter(0)
  i = s32[] get-tuple-element(t), index=0
  a = f32[{n}] get-tuple-element(t), index=1
  x = f32[{n}] get-tuple-element(t), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  u = f32[{less}] slice(a), slice={{[1:{n}]}}
  v = f32[1] slice(a), slice={{[0:1]}}
  q = f32[{n}] concatenate(u, v), dimensions={{0}}
  s = f32[{n}] add(q, x)
  ROOT o = {tuple} tuple(j, s, x) }}
cond_{w} {{ t = {tuple} parameter(0)
  i = s32[] get-tuple-element(t), index=0
  m = s32[] constant({trips})
  ROOT l = pred[] compare(i, m), direction=LT }}
"""


def f32(shape):
    return "f32[%s]" % ",".join(map(str, shape))


def typed(shape):
    """A list of shapes is a tuple's; its counter has no shape of an array."""
    if isinstance(shape, tuple):
        return f32(shape)
    return "(%s)" % ", ".join(map(f32, shape))


def listed(numbers):
    return "{%s}" % ",".join(map(str, numbers))


def elements(shape):
    return itertools.product(*map(range, shape))


def reshaped(index, shape, to):
    at = 0
    for i, size in zip(index, shape):
        at = at * size + i
    found = []
    for size in reversed(to):
        at, rest = divmod(at, size)
        found.append(rest)
    return tuple(reversed(found))


class Instruction:
    """`reads` maps an element to (operand, element) pairs; None: a parameter.

    What hands leaves on has `leaf` instead: from a leaf of the result to lists
    of (operand, leaf, pairs of elements or None for equal ones).
    """

    def __init__(self, name, text, shape, operands, reads=None, leaf=None,
                 callee=None):
        self.name, self.text, self.shape = name, text, shape
        self.operands, self.reads, self.leaf = operands, reads, leaf
        self.callee = callee

    def leaves(self):
        return [self.shape] if isinstance(self.shape, tuple) else self.shape


class Computation:
    def __init__(self, name):
        self.name, self.body, self.parameters, self.zero = name, [], [], None
        self.root = None

    def arrays(self):
        return [i for i in self.body
                if isinstance(i.shape, tuple) and i.shape]

    def text(self, prefix=""):
        lines = ["  %s%s = %s\n" % ("ROOT " if i is self.root else "",
                                    i.name, i.text) for i in self.body]
        return "%s%s {\n%s}\n" % (prefix, self.name, "".join(lines))


class Programs:
    def __init__(self, seed):
        self.random, self.count, self.before = random.Random(seed), 0, ""

    def name(self, letter):
        self.count += 1
        return letter + str(self.count)

    def add(self, c, op, shape, operands, reads, attributes="", **more):
        names = ", ".join(x.name for x in operands)
        made = Instruction(self.name("v"), "%s %s(%s)%s" % (
            typed(shape), op, names, attributes and ", " + attributes), shape,
            operands, reads, **more)
        c.body.append(made)
        return made

    def zero(self, c):
        if c.zero is None:
            c.zero = Instruction(self.name("z"), "f32[] constant(0)", (), [],
                                 lambda i: [])
            c.body.append(c.zero)
        return c.zero

    def tuple(self, c, operands):
        return self.add(c, "tuple", [x.shape for x in operands], operands, None,
                        leaf=lambda l: [(l, 0, None)])

    def computation(self, name, shapes, depth, ops):
        c = Computation(name)
        for k, shape in enumerate(shapes):
            c.body.append(Instruction(self.name("p"), "%s parameter(%d)" % (
                typed(shape), k), shape, []))
            c.parameters.append(c.body[-1])
        for _ in range(ops):
            arrays = c.arrays()
            if not arrays:
                break
            x = arrays[-1] if self.random.random() < .4 \
                else self.random.choice(arrays)
            self.random.choice(self.STEPS)(self, c, x, arrays, depth)
        made = [i for i in c.body if i.shape != () and i.leaves()[0] != ()]
        c.root = made[-1] if self.random.random() < .85 \
            else self.random.choice(made)
        if self.random.random() < .25 and isinstance(c.root.shape, tuple):
            arrays = c.arrays()
            c.root = self.tuple(c, [self.random.choice(arrays) for _ in
                                    range(self.random.randint(1, 3))])
        c.body.remove(c.root)
        c.body.append(c.root)
        return c

    # Ops.

    def unary(self, c, x, arrays, depth):
        self.add(c, "exponential", x.shape, [x], lambda i: [(0, i)])

    def binary(self, c, x, arrays, depth):
        y = self.random.choice([y for y in arrays if y.shape == x.shape])
        self.add(c, "add", x.shape, [x, y], lambda i: [(0, i), (1, i)])

    def transpose(self, c, x, arrays, depth):
        order = list(range(len(x.shape)))
        self.random.shuffle(order)
        back = sorted(range(len(order)), key=order.__getitem__)
        self.add(c, "transpose", tuple(x.shape[k] for k in order), [x],
                 lambda i: [(0, tuple(i[k] for k in back))],
                 "dimensions=" + listed(order))

    def reshape(self, c, x, arrays, depth):
        left, to = math.prod(x.shape), []
        while left > 1:
            to.append(self.random.choice(
                [d for d in range(2, left + 1) if left % d == 0]))
            left //= to[-1]
        to.insert(self.random.randint(0, len(to)), 1)
        to = tuple(to)
        self.add(c, self.random.choice(["reshape", "bitcast"]), to, [x],
                 lambda i: [(0, reshaped(i, to, x.shape))])

    def broadcast(self, c, x, arrays, depth):
        if len(x.shape) < 4:
            self.broadcasted(c, x, self.random.randint(0, len(x.shape)),
                             self.random.randint(1, 4))

    def broadcasted(self, c, x, at, size):
        shape = x.shape[:at] + (size,) + x.shape[at:]
        return self.add(c, "broadcast", shape, [x],
                        lambda i: [(0, i[:at] + i[at + 1:])], "dimensions=" +
                        listed(k for k in range(len(shape)) if k != at))

    def reduce(self, c, x, arrays, depth):
        self.reduced(c, x, self.random.randrange(len(x.shape)))

    def reduced(self, c, x, at):
        return self.add(c, "reduce", x.shape[:at] + x.shape[at + 1:],
                        [x, self.zero(c)],
                        lambda i: [(0, i[:at] + (k,) + i[at:])
                                   for k in range(x.shape[at])],
                        "dimensions={%d}, to_apply=sum" % at)

    def softmax(self, c, x, arrays, depth):
        at = self.random.randrange(len(x.shape))
        e = self.add(c, "exponential", x.shape, [x], lambda i: [(0, i)])
        b = self.broadcasted(c, self.reduced(c, e, at), at, x.shape[at])
        self.add(c, "divide", x.shape, [e, b], lambda i: [(0, i), (1, i)])

    def slice(self, c, x, arrays, depth):
        begins = [self.random.randrange(n) for n in x.shape]
        ends = [self.random.randint(b + 1, n) for b, n in zip(begins, x.shape)]
        by = [self.random.randint(1, 2) for _ in x.shape]
        shape = tuple(-(-(e - b) // s) for b, e, s in zip(begins, ends, by))
        self.add(c, "slice", shape, [x],
                 lambda i: [(0, tuple(b + s * k
                                      for b, s, k in zip(begins, by, i)))],
                 "slice={%s}" % ", ".join(
                     "[%d:%d:%d]" % of for of in zip(begins, ends, by)))

    def concatenate(self, c, x, arrays, depth):
        at = self.random.randrange(len(x.shape))
        y = self.random.choice([
            y for y in arrays if len(y.shape) == len(x.shape) and
            y.shape[:at] == x.shape[:at] and
            y.shape[at + 1:] == x.shape[at + 1:]])
        n = x.shape[at]
        if n + y.shape[at] < 10:
            self.add(c, "concatenate", x.shape[:at] + (n + y.shape[at],) +
                     x.shape[at + 1:], [x, y],
                     lambda i: [(0, i) if i[at] < n else
                                (1, i[:at] + (i[at] - n,) + i[at + 1:])],
                     "dimensions={%d}" % at)

    def reverse(self, c, x, arrays, depth):
        axes = [k for k in range(len(x.shape))
                if self.random.random() < .5] or [0]
        self.add(c, "reverse", x.shape, [x],
                 lambda i: [(0, tuple(n - 1 - k if a in axes else k for a, (k, n)
                                      in enumerate(zip(i, x.shape))))],
                 "dimensions=" + listed(axes))

    def dot(self, c, x, arrays, depth):
        a = self.random.randrange(len(x.shape))
        y, b = self.random.choice([(y, b) for y in arrays for b in
                                   range(len(y.shape))
                                   if y.shape[b] == x.shape[a]])
        shape = (x.shape[:a] + x.shape[a + 1:] + y.shape[:b] +
                 y.shape[b + 1:])
        left = len(x.shape) - 1
        if 0 < len(shape) < 5:
            self.add(c, "dot", shape, [x, y], lambda i: [
                pair for k in range(x.shape[a]) for pair in (
                    (0, i[:a] + (k,) + i[a:left]),
                    (1, i[left:left + b] + (k,) + i[left + b:]))],
                "lhs_contracting_dims={%d}, rhs_contracting_dims={%d}" % (a, b))

    def call(self, c, x, arrays, depth):
        if depth == 0:
            return
        tuples = [i for i in c.body if isinstance(i.shape, list) and
                  i.shape[0] != ()]
        operands = [self.random.choice(arrays + tuples)
                    for _ in range(self.random.randint(1, 3))]
        name = self.name("c")
        callee = self.computation(name, [y.shape for y in operands], depth - 1,
                                  self.random.randint(1, 5))
        self.before += callee.text()
        op, attributes = self.random.choice([
            ("fusion", "kind=kLoop, calls="), ("call", "to_apply=")])
        self.add(c, op, callee.root.shape, operands, None, attributes + name,
                 callee=callee)

    def element(self, c, x, arrays, depth):
        tuples = [i for i in c.body if isinstance(i.shape, list)]
        if tuples:
            y = self.random.choice(tuples)
            k = self.random.choice([k for k, shape in enumerate(y.shape)
                                    if shape != ()])
            self.taken(c, y, k)

    def taken(self, c, y, k):
        self.add(c, "get-tuple-element", y.shape[k], [y], None, "index=%d" % k,
                 leaf=lambda l: [(0, k, None)])

    def several(self, c, x, arrays, depth):
        self.tuple(c, [self.random.choice(arrays)
                       for _ in range(self.random.randint(1, 3))])

    def loop(self, c, x, arrays, depth):
        """Each trip turns the array by one element and adds another array."""
        if len(x.shape) != 1 or x.shape[0] < 2:
            return
        (n,), trips = x.shape, self.random.randint(0, 4)
        y = self.random.choice([y for y in arrays if y.shape == x.shape])
        counter = Instruction(self.name("k"), "s32[] constant(0)", (), [],
                              lambda i: [])
        c.body.append(counter)
        carried = "(s32[], f32[%d], f32[%d])" % (n, n)
        start = self.tuple(c, [counter, x, y])
        start.text = "%s tuple(%s, %s, %s)" % (carried, counter.name, x.name,
                                               y.name)
        turned = [((i,), ((i + trips) % n,)) for i in range(n)]
        added = [((i,), ((i + k) % n,)) for i in range(n)
                 for k in range(trips)]
        name = self.name("w")
        self.before += LOOP.format(w=name, tuple=carried, n=n, less=n - 1,
                                   trips=trips)
        ways = {0: [], 1: [(0, 1, turned), (0, 2, added)], 2: [(0, 2, None)]}
        c.body.append(Instruction(
            name, "%s while(%s), condition=cond_%s, body=body_%s" % (
                carried, start.name, name, name), [(), x.shape, x.shape],
            [start], leaf=ways.__getitem__))
        self.taken(c, c.body[-1], self.random.choice([1, 1, 2]))

    STEPS = [unary, binary, binary, transpose, reshape, broadcast, reduce,
             softmax, slice, concatenate, reverse, dot, call, call, element,
             several, loop]


def product(first, second):
    behind = {}
    for a, b in second:
        behind.setdefault(a, []).append(b)
    return {(a, c) for a, b in first for c in behind.get(b, ())}


def ways(at, leaf, to, to_leaf):
    """Names and pairs of each way that reads something."""
    shape = at.leaves()[leaf]
    yield from down(at, leaf, to, to_leaf, [at.name],
                    {(i, i) for i in elements(shape)})


def down(at, leaf, to, to_leaf, names, pairs):
    if not pairs:
        return
    if at is to:
        if leaf == to_leaf:
            yield names, pairs
    elif at.leaf:
        for k, below, step in at.leaf(leaf):
            x = at.operands[k]
            yield from down(x, below, to, to_leaf, names + [x.name],
                            pairs if step is None else product(pairs, step))
    elif at.callee:
        for k, x in enumerate(at.operands):
            for below in range(len(x.leaves())):
                for inner, step in ways(at.callee.root, leaf,
                                        at.callee.parameters[k], below):
                    inside = [at.name + "/" + name for name in inner[:-1]]
                    yield from down(x, below, to, to_leaf,
                                    names + inside + [x.name],
                                    product(pairs, step))
    elif at.reads:
        reads = {b: at.reads(b) for _, b in pairs}
        for k, x in enumerate(at.operands):
            yield from down(x, 0, to, to_leaf, names + [x.name], {
                (a, c) for a, b in pairs for n, c in reads[b] if n == k})


def value(text, names):
    text = text.replace("floordiv", "//").replace(" mod ", " % ")
    return eval(text, {"__builtins__": {}, "min": min, "max": max}, names)


def holds(constraint, names):
    found = value(constraint["expression"], names)
    return (constraint["lower"] in (None, found) or
            constraint["lower"] < found) and (
                constraint["upper"] in (None, found) or
                constraint["upper"] > found)


def pairs_of(document):
    """The pairs of a map without runtime variables."""
    variables = document["dimensions"] + document["ranges"]
    found = set()
    for values in itertools.product(*(range(v["lower"], v["upper"] + 1)
                                      for v in variables)):
        names = dict(zip((v["name"] for v in variables), values))
        if all(holds(c, names) for c in document["constraints"]):
            found.add((values[:len(document["dimensions"])],
                       tuple(value(text, names)
                             for text in document["results"])))
    return found


class EachWayTest(unittest.TestCase):
    def test_random_programs(self):
        first = int(os.environ.get("INDEXICAL_WAYS_SEED", "1"))
        count = int(os.environ.get("INDEXICAL_WAYS", "80"))
        self.ways = self.inside = 0
        for seed in range(first, first + count):
            self.check(seed)
        print("%d ways, %d of them through calls, from seed %d" %
              (self.ways, self.inside, first))
        self.assertGreater(self.ways, count)
        self.assertGreater(self.inside * 10, count)

    def check(self, seed):
        programs = Programs(seed)
        draw = programs.random
        shapes = [tuple(draw.randint(1, 4) for _ in range(draw.randint(1, 3)))
                  for _ in range(draw.randint(1, 2))]
        main = programs.computation("main", shapes, draw.randint(1, 3),
                                    draw.randint(3, 9))
        if max(math.prod(shape) for i in main.body
               for shape in i.leaves()) > 400:
            return
        text = SUM + programs.before + main.text("ENTRY ")
        for parameter in main.parameters:
            if parameter is not main.root:
                self.compare(main, parameter, text, "seed %d\n%s" % (seed, text))

    def compare(self, main, parameter, text, where):
        answers = self.dumped(text, main.root.name, parameter.name)
        for leaf in range(len(main.root.leaves())):
            expected = list(ways(main.root, leaf, parameter, 0))
            if len(expected) > 256:
                continue
            shown = []
            for way in answers.get(leaf, {}).get("ways", []):
                self.assertEqual(way["precision"], "exact", where)
                pairs = set().union(*map(pairs_of, way["maps"]))
                distinct = len({b for _, b in pairs})
                self.assertEqual((way["distinct"], way["reads"]),
                                 (distinct, len(pairs)), where)
                if pairs:
                    shown.append((way["instructions"], pairs))
            self.assertEqual([names for names, _ in shown],
                             [names for names, _ in expected], where)
            self.assertEqual(shown, expected, where)
            self.ways += len(expected)
            self.inside += sum(any("/" in name for name in names)
                               for names, _ in expected)

    def dumped(self, text, root, parameter):
        """The answers by results."""
        with tempfile.NamedTemporaryFile("w", suffix=".hlo") as file:
            file.write(text)
            file.flush()
            result = subprocess.run(
                [COMMAND, "dump", file.name, "--computation=main",
                 "--from=" + root, "--to=" + parameter, "--each-way",
                 "--format=json"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr + text)
        for computation in json.loads(result.stdout)["modules"][0][
                "computations"]:
            if computation["name"] == "main":
                return {answer["result"]: answer
                        for answer in computation["output_to_input"]}
        self.fail(text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
