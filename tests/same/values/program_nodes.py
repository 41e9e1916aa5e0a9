"""Small programs as HLO text, and an interpreter of them that shares no code.

  x = parameter("x", "s32", (4,))
  reverse(x, 0).evaluate({"x": [1, 2, 3, 4]})    [4, 3, 2, 1]

A node has a type, a shape, the line that HLO writes for it, and a function of
its operands' elements, which are lists in the order of rows. Floats are
doubles, for programs of numbers so small that f32 has all results exactly. A
scatter applies its updates one after the other, and a reduction goes through
its elements in their order.
"""

import itertools
import math

BITS = {"pred": 1, "s8": 8, "u8": 8, "s16": 16, "s32": 32, "u32": 32, "s64": 64}


def wrapped(number, type_):
    """Returns an integer as its type holds it; a float as it is."""
    if type_ == "pred":
        return int(bool(number))
    if type_ not in BITS:
        return float(number)
    number %= 1 << BITS[type_]
    if type_[0] == "s" and number >> (BITS[type_] - 1):
        number -= 1 << BITS[type_]
    return number


def larger(a, b):
    """Returns the larger number. -0 is below 0, in whichever order they come."""
    return max(a, b, key=lambda value: (value, math.copysign(1, value)))


def points(shape):
    return itertools.product(*map(range, shape))


def place(shape, index):
    """Returns the number of an element, counted in rows."""
    at = 0
    for size, i in zip(shape, index):
        at = at * size + i
    return at


class Node:
    """One instruction. `compute` gets the operands' elements."""

    def __init__(self, type_, shape, opcode, operands, compute, attributes="",
                 argument=None, function=None):
        self.type, self.shape, self.opcode = type_, tuple(shape), opcode
        self.operands, self.compute = operands, compute
        self.attributes, self.argument = attributes, argument
        self.function = function

    def evaluate(self, inputs, known=None):
        known = {} if known is None else known
        if self not in known:
            own = [o.evaluate(inputs, known) for o in self.operands]
            known[self] = self.compute(inputs, *own)
        return known[self]


def typed(type_, shape):
    return f"{type_}[{','.join(map(str, shape))}]"


def nodes_of(root):
    order = []

    def visit(node):
        if node in order:
            return
        for operand in node.operands:
            visit(operand)
        order.append(node)

    visit(root)
    return order


def text(root, parameters):
    """Returns the module whose result is the node."""
    names, lines, functions = {}, [], []
    order = nodes_of(root)
    for number, node in enumerate(parameters):
        names[node] = node.argument
        lines.append(f"  {node.argument} = {typed(node.type, node.shape)} "
                     f"parameter({number})")
    for node in order:
        if node in names:
            continue
        name = names[node] = f"v{len(names)}"
        inside = (node.argument if node.opcode == "constant" else
                  ", ".join(names[o] for o in node.operands))
        attributes = node.attributes
        if node.function:
            functions.append(node.function.replace("NAME", f"f{len(functions)}"))
            attributes += f", to_apply=f{len(functions) - 1}"
        kind = (node.argument if node.opcode in ("reduce", "sort") and
                node.argument else typed(node.type, node.shape))
        root_word = "ROOT " if node is root else ""
        lines.append(f"  {root_word}{name} = {kind} {node.opcode}({inside})"
                     f"{attributes}")
    if root in parameters:
        lines.append(f"  ROOT r = {typed(root.type, root.shape)} "
                     f"copy({names[root]})")
    return ("HloModule m\n" + "\n".join(functions) + "\nENTRY e {\n" +
            "\n".join(lines) + "\n}\n")


def parameter(name, type_, shape):
    return Node(type_, shape, "parameter", [], lambda inputs: inputs[name],
                argument=name)


def written(number, type_):
    if type_ == "pred":
        return "true" if number else "false"
    if isinstance(number, float) and math.isinf(number):
        return "inf" if number > 0 else "-inf"
    if isinstance(number, float) and number == 0:
        return "-0" if math.copysign(1, number) < 0 else "0"
    return str(number)


def constant(type_, shape, numbers):
    def nested(shape, numbers):
        if not shape:
            return written(numbers[0], type_)
        size = len(numbers) // shape[0]
        return "{" + ", ".join(nested(shape[1:], numbers[k * size:(k + 1) * size])
                               for k in range(shape[0])) + "}"
    return Node(type_, shape, "constant", [], lambda inputs: list(numbers),
                argument=nested(tuple(shape), numbers))


def iota(type_, shape, dimension):
    numbers = [wrapped(i[dimension], type_) for i in points(shape)]
    return Node(type_, shape, "iota", [], lambda inputs: numbers,
                f", iota_dimension={dimension}")


def moved(node, shape, opcode, attributes, source):
    """An op that moves elements: that at `index` is the operand's at
    source(index)."""
    table = [place(node.shape, source(i)) for i in points(shape)]
    return Node(node.type, shape, opcode, [node],
                lambda inputs, x: [x[k] for k in table], attributes)


def reverse(node, dimension):
    def source(i):
        i = list(i)
        i[dimension] = node.shape[dimension] - 1 - i[dimension]
        return i
    return moved(node, node.shape, "reverse", f", dimensions={{{dimension}}}",
                 source)


def transpose(node, order):
    shape = tuple(node.shape[k] for k in order)
    return moved(node, shape, "transpose",
                 f", dimensions={{{','.join(map(str, order))}}}",
                 lambda i: [i[order.index(k)] for k in range(len(order))])


def reshape(node, shape):
    return Node(node.type, shape, "reshape", [node], lambda inputs, x: x)


def slice_(node, dimension, low, high):
    shape = list(node.shape)
    shape[dimension] = high - low
    limits = ",".join(
        f"[{low}:{high}]" if k == dimension else f"[0:{size}]"
        for k, size in enumerate(node.shape))

    def source(i):
        return [v + low if k == dimension else v for k, v in enumerate(i)]
    return moved(node, tuple(shape), "slice", f", slice={{{limits}}}", source)


def broadcast(node, shape, dimensions):
    return moved(node, shape, "broadcast",
                 f", dimensions={{{','.join(map(str, dimensions))}}}",
                 lambda i: [i[k] for k in dimensions])


SCALAR = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "maximum": larger,
    "minimum": lambda a, b: -larger(-a, -b),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}
ORDER = {
    "LT": lambda a, b: a < b,
    "LE": lambda a, b: a <= b,
    "GT": lambda a, b: a > b,
    "GE": lambda a, b: a >= b,
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
}


def binary(opcode, a, b):
    def compute(inputs, x, y):
        return [wrapped(SCALAR[opcode](p, q), a.type) for p, q in zip(x, y)]
    return Node(a.type, a.shape, opcode, [a, b], compute)


def negate(a):
    return Node(a.type, a.shape, "negate", [a],
                lambda inputs, x: [wrapped(-p, a.type) for p in x])


def compare(direction, a, b):
    def compute(inputs, x, y):
        return [int(ORDER[direction](p, q)) for p, q in zip(x, y)]
    return Node("pred", a.shape, "compare", [a, b], compute,
                f", direction={direction}")


def select(c, a, b):
    return Node(a.type, a.shape, "select", [c, a, b],
                lambda inputs, c, x, y: [p if k else q
                                         for k, p, q in zip(c, x, y)])


def scatter(x, indices, updates, window, inserted, to_operand, vector, update,
            body, flags=""):
    """`update(type)` is the function of two numbers, `body` its HLO text."""
    batch = [k for k in range(len(updates.shape)) if k not in window]
    kept = [k for k in range(len(x.shape)) if k not in inserted]

    def compute(inputs, x_, i_, u_):
        result = list(x_)
        # XLA goes through the index vectors, and through a window for each.
        def order(at):
            return [at[b] for b in batch]
        for at in sorted(points(updates.shape), key=order):
            index = [0] * len(x.shape)
            outside = False
            for k, dimension in enumerate(to_operand):
                own = [at[b] for b in batch]
                if vector < len(indices.shape):
                    own.insert(vector, k)
                start = i_[place(indices.shape, own)]
                size = (updates.shape[window[kept.index(dimension)]]
                        if dimension in kept else 1)
                outside |= start < 0 or start + size > x.shape[dimension]
                index[dimension] = start
            for w, dimension in zip(window, kept):
                index[dimension] += at[w]
            if outside:
                continue
            n = place(x.shape, index)
            result[n] = update(result[n], u_[place(updates.shape, at)])
        return result

    def listed(numbers):
        return ",".join(map(str, numbers))
    return Node(x.type, x.shape, "scatter", [x, indices, updates], compute,
                f", update_window_dims={{{listed(window)}}}, "
                f"inserted_window_dims={{{listed(inserted)}}}, "
                f"scatter_dims_to_operand_dims={{{listed(to_operand)}}}, "
                f"index_vector_dim={vector}{flags}", function=body)


def tuple_reduce(operands, inits, dimension, function, body, result):
    """One result of a reduction of several values along a dimension.
    `function` takes two tuples."""
    shape = [s for k, s in enumerate(operands[0].shape) if k != dimension]
    count = len(operands)

    def compute(inputs, *values):
        columns, starts = values[:count], [v[0] for v in values[count:]]
        out = []
        for at in points(shape):
            state = tuple(starts)
            for k in range(operands[0].shape[dimension]):
                index = list(at)
                index.insert(dimension, k)
                n = place(operands[0].shape, index)
                state = tuple(
                    wrapped(v, o.type) for v, o in
                    zip(function(state, tuple(c[n] for c in columns)),
                        operands))
            out.append(state)
        return out
    kind = ("(" + ", ".join(typed(o.type, shape) for o in operands) + ")"
            if count > 1 else None)
    whole = Node(operands[0].type, shape, "reduce", [*operands, *inits],
                 compute, f", dimensions={{{dimension}}}", argument=kind,
                 function=body)
    if count == 1:
        inner = whole.compute
        whole.compute = lambda inputs, *v: [s[0] for s in inner(inputs, *v)]
        return whole
    return Node(operands[result].type, shape, "get-tuple-element", [whole],
                lambda inputs, all_: [s[result] for s in all_],
                f", index={result}")


def sort(operands, dimension, before, body, result, stable):
    shape = operands[0].shape

    def compute(inputs, *columns):
        out = [None] * len(columns[0])
        rest = [s if k != dimension else 1 for k, s in enumerate(shape)]
        for at in points(rest):
            places = []
            for k in range(shape[dimension]):
                index = list(at)
                index[dimension] = k
                places.append(place(shape, index))
            sorted_ = []
            for n in places:
                line = tuple(c[n] for c in columns)
                k = len(sorted_)
                while k and before(line, sorted_[k - 1]):
                    k -= 1
                sorted_.insert(k, line)
            for n, line in zip(places, sorted_):
                out[n] = line
        return out
    kind = ("(" + ", ".join(typed(o.type, shape) for o in operands) + ")"
            if len(operands) > 1 else None)
    whole = Node(operands[0].type, shape, "sort", list(operands), compute,
                 f", dimensions={{{dimension}}}"
                 f"{', is_stable=true' if stable else ''}",
                 argument=kind, function=body)
    if len(operands) == 1:
        inner = whole.compute
        whole.compute = lambda inputs, *v: [s[0] for s in inner(inputs, *v)]
        return whole
    return Node(operands[result].type, shape, "get-tuple-element", [whole],
                lambda inputs, all_: [s[result] for s in all_],
                f", index={result}")
