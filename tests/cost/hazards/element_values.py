"""Values of elements, found one at a time from what they read.

A float is a number of a prime field: sums and products are exact and have no
order, and every other function is a random number for each of its arguments.
So two floats are equal only if arithmetic without rounding makes them so. An
integer is a Python integer.

   exponential(p[2]) of two runs is equal if and only if p[2] is.

A Frame evaluates elements of a computation. What its parameters are is given
by a function: within a kernel they are reads of memory.
"""

import functools
import random

from hlo_text import Leaf

PRIME = (1 << 61) - 1

_terms = {}
_extremes = {}
_numbers = random.Random(84)


class Unsupported(Exception):
    """The simulator does not know this instruction."""


def term(*key):
    """Returns the number of an uninterpreted function's value."""
    if key not in _terms:
        _terms[key] = _numbers.randrange(1 << 40, PRIME)
    return _terms[key]


def clamp(value, low, high):
    return max(low, min(high, value))


def start_of(start, size, window):
    """Returns where a slice starts: starts are clamped."""
    return clamp(start, 0, size - window)


_COMPARE = {
    "EQ": lambda a, b: a == b, "NE": lambda a, b: a != b,
    "LT": lambda a, b: a < b, "LE": lambda a, b: a <= b,
    "GT": lambda a, b: a > b, "GE": lambda a, b: a >= b,
}

_UNARY = {"exponential", "log", "tanh", "abs", "sqrt", "rsqrt", "floor",
          "cosine", "sine", "sign", "logistic", "convert", "not"}


def extreme(opcode, values):
    """Returns the value of a maximum or minimum of floats. It has no order,
    as a sum has none; that it is one of the values is not known."""
    parts = []
    for v in values:
        parts += _extremes.get((opcode, v), (v,))
    parts = tuple(sorted(parts))
    found = term(opcode, *parts)
    _extremes[opcode, found] = parts
    return found


def wrapped(leaf, x):
    """Returns the number as the type of a leaf has it."""
    if not leaf.is_integer():
        return x % PRIME
    if leaf.dtype == "pred":
        return x
    half = 1 << (8 * leaf.bytes() - 1) if leaf.dtype[0] == "s" else 0
    return (x + half) % (1 << 8 * leaf.bytes()) - half


def scalar(opcode, leaf, values, attributes, is_float=True):
    """Returns the value of an op on numbers, whose result has this leaf. What
    floats compare to is not known: it is a number for each pair."""
    wrap = functools.partial(wrapped, leaf)
    if opcode == "negate":
        return wrap(-values[0])
    if opcode == "add":
        return wrap(values[0] + values[1])
    if opcode == "subtract":
        return wrap(values[0] - values[1])
    if opcode == "multiply":
        return wrap(values[0] * values[1])
    if opcode in ("maximum", "minimum") and is_float:
        return extreme(opcode, values)
    if opcode in ("maximum", "or"):
        return max(values)
    if opcode in ("minimum", "and"):
        return min(values)
    if opcode == "clamp":
        return clamp(values[1], values[0], values[2])
    if opcode == "compare" and is_float:
        return term(opcode, attributes["direction"], *values)
    if opcode == "compare":
        return int(_COMPARE[attributes["direction"]](*values))
    if opcode == "select" and values[0] in (0, 1):
        return values[1] if values[0] else values[2]
    if opcode in ("divide", "remainder") and not is_float and values[1]:
        quotient = abs(values[0]) // abs(values[1])
        if (values[0] < 0) != (values[1] < 0):
            quotient = -quotient
        return wrap(quotient if opcode == "divide" else
                    values[0] - quotient * values[1])
    if opcode in _UNARY or opcode in ("divide", "power", "remainder",
                                      "select"):
        return term(opcode, leaf.dtype, *values)
    raise Unsupported(opcode)


def literal_element(instruction, index):
    """Returns the element of a constant."""
    leaf = instruction.shape
    text = instruction.literal.replace("{", " ").replace("}", " ")
    words = text.replace(",", " ").split()
    word = words[leaf.offset(index) if len(leaf.layout) < 2 else
                 Leaf(leaf.dtype, leaf.dims,
                      tuple(range(len(leaf.dims) - 1, -1, -1))).offset(index)]
    if word in ("true", "false"):
        return int(word == "true")
    if leaf.is_integer():
        return int(word)
    number = float(word)
    return int(number) % PRIME if number == int(number) else term("c", number)


class Frame:
    """A computation whose parameters have values.

    `parameter(number, path, index)` returns the value of an element of a
    parameter.
    """

    def __init__(self, module, computation, parameter):
        self.module = module
        self.computation = computation
        self.parameter = parameter
        self.known = {}
        self.frames = {}

    def root(self, path, index):
        return self.element(self.computation.root.name, path, index)

    def element(self, name, path, index):
        key = (name, path, index)
        if key not in self.known:
            i = self.computation.by_name[name]
            self.known[key] = evaluate(self, i, path, index)
        return self.known[key]

    def operand(self, i, number, index, path=()):
        return self.element(i.operands[number], path, index)

    def operand_leaf(self, i, number, path=()):
        return self.computation.by_name[i.operands[number]].leaf(path)


def apply(frame, name, values):
    """Returns the results of a scalar computation, one for each leaf."""
    computation = frame.module.computations[name.lstrip("%")]
    inner = Frame(frame.module, computation, lambda n, path, index: values[n])
    return [inner.root(path, ()) for path, _ in computation.root.leaves()]


def window(frame, i, first, operand, sizes):
    """Returns the clamped starts of a dynamic slice or its update."""
    starts = [frame.operand(i, first + d, ()) for d in range(len(sizes))]
    return [start_of(s, n, w) for s, n, w in zip(starts, operand.dims, sizes)]


def evaluate(frame, i, path, index):
    """Returns an element of an instruction, from those of its operands."""
    op = i.opcode
    if op == "parameter":
        return frame.parameter(int(i.literal), path, index)
    if op == "constant":
        return literal_element(i, index)
    if op == "iota":
        return index[int(i.attributes["iota_dimension"])]
    if op == "tuple":
        return frame.operand(i, path[0], index, path[1:])
    if op == "get-tuple-element":
        number = int(i.attributes["index"])
        return frame.operand(i, 0, index, (number,) + path)
    if op in ("fusion", "call"):
        return called(frame, i).root(path, index)
    if op == "scatter":
        return scattered(frame, i, path[0] if path else 0)[index]
    if op == "optimization-barrier":
        return frame.operand(i, 0, index, path)
    if op in _MOVES:
        return _MOVES[op](frame, i, index)
    leaf = i.shape
    values = []
    for number in range(len(i.operands)):
        dims = frame.operand_leaf(i, number).dims
        values.append(frame.operand(i, number, index if dims else ()))
    is_float = not frame.operand_leaf(i, 0).is_integer()
    return scalar(op, leaf, values, i.attributes, is_float)


def called(frame, i):
    """Returns the frame of the computation that a fusion or call runs."""
    if i.name not in frame.frames:
        name = i.attributes.get("calls") or i.attributes["to_apply"]
        frame.frames[i.name] = Frame(
            frame.module, frame.module.computations[name.lstrip("%")],
            lambda n, path, index: frame.operand(i, n, index, path))
    return frame.frames[i.name]


def _copy(frame, i, index):
    return frame.operand(i, 0, index)


def _bitcast(frame, i, index):
    return frame.operand(i, 0, frame.operand_leaf(i, 0).index_at(
        i.shape.offset(index)))


def _reshape(frame, i, index):
    def plain(leaf):
        rank = len(leaf.dims)
        return Leaf(leaf.dtype, leaf.dims, tuple(range(rank - 1, -1, -1)))
    return frame.operand(i, 0, plain(frame.operand_leaf(i, 0)).index_at(
        plain(i.shape).offset(index)))


def _broadcast(frame, i, index):
    return frame.operand(i, 0, tuple(index[d] for d in
                                     i.numbers("dimensions", ())))


def _transpose(frame, i, index):
    source = [0] * len(index)
    for d, s in enumerate(i.numbers("dimensions")):
        source[s] = index[d]
    return frame.operand(i, 0, tuple(source))


def _reverse(frame, i, index):
    reversed_ = i.numbers("dimensions")
    return frame.operand(i, 0, tuple(
        n - 1 - k if d in reversed_ else k
        for d, (k, n) in enumerate(zip(index, i.shape.dims))))


def _slice(frame, i, index):
    source = []
    for k, text in zip(index, i.attributes["slice"].strip("{}").split("],")):
        numbers = [int(x) for x in text.strip("[] ").split(":")]
        source.append(numbers[0] + k * (numbers[2] if len(numbers) > 2 else 1))
    return frame.operand(i, 0, tuple(source))


def _gather(frame, i, index):
    """Of single elements of a list, by a list of them."""
    size = frame.operand_leaf(i, 0).dims[0]
    at = frame.operand(i, 1, (index[0], 0))
    return frame.operand(i, 0, (clamp(at, 0, size - 1),))


def _concatenate(frame, i, index):
    dimension = i.numbers("dimensions")[0]
    index = list(index)
    for number in range(len(i.operands)):
        size = frame.operand_leaf(i, number).dims[dimension]
        if index[dimension] < size:
            return frame.operand(i, number, tuple(index))
        index[dimension] -= size
    raise ValueError(i.name)


def _pad(frame, i, index):
    source = []
    dims = frame.operand_leaf(i, 0).dims
    for k, n, text in zip(index, dims, i.attributes["padding"].split("x")):
        low, _, *interior = [int(x) for x in text.split("_")]
        step = (interior[0] if interior else 0) + 1
        if (k - low) % step or not 0 <= (k - low) // step < n:
            return frame.operand(i, 1, ())
        source.append((k - low) // step)
    return frame.operand(i, 0, tuple(source))


def _dynamic_slice(frame, i, index):
    sizes = i.numbers("dynamic_slice_sizes")
    starts = window(frame, i, 1, frame.operand_leaf(i, 0), sizes)
    return frame.operand(i, 0, tuple(s + k for s, k in zip(starts, index)))


def _update(frame, i, index):
    sizes = frame.operand_leaf(i, 1).dims
    starts = window(frame, i, 2, i.shape, sizes)
    inside = tuple(k - s for k, s in zip(index, starts))
    if all(0 <= k < n for k, n in zip(inside, sizes)):
        return frame.operand(i, 1, inside)
    return frame.operand(i, 0, index)


def _reduce(frame, i, index):
    value = frame.operand(i, 1, ())
    for source in reduced_by(frame, i, index):
        value = apply(frame, i.attributes["to_apply"],
                      [value, frame.operand(i, 0, source)])[0]
    return value


def reduced_by(frame, i, index):
    """Returns the indices of the operand that a result's element sums."""
    dims = frame.operand_leaf(i, 0)
    gone = i.numbers("dimensions")
    kept = [d for d in range(len(dims.dims)) if d not in gone]
    return [s for s in dims.indices()
            if tuple(s[d] for d in kept) == tuple(index)]


def _dot(frame, i, index):
    left, right = frame.operand_leaf(i, 0), frame.operand_leaf(i, 1)
    cl = i.numbers("lhs_contracting_dims", ())
    cr = i.numbers("rhs_contracting_dims", ())
    bl = i.numbers("lhs_batch_dims", ())
    br = i.numbers("rhs_batch_dims", ())
    fl = [d for d in range(len(left.dims)) if d not in cl + bl]
    fr = [d for d in range(len(right.dims)) if d not in cr + br]
    a, b = [0] * len(left.dims), [0] * len(right.dims)
    for k, (x, y) in zip(index, zip(bl, br)):
        a[x] = b[y] = k
    rest = index[len(bl):]
    for k, d in zip(rest, fl):
        a[d] = k
    for k, d in zip(rest[len(fl):], fr):
        b[d] = k
    total = 0
    sizes = Leaf("s32", tuple(left.dims[d] for d in cl), ())
    for inner in sizes.indices():
        for k, x, y in zip(inner, cl, cr):
            a[x] = b[y] = k
        total += frame.operand(i, 0, tuple(a)) * frame.operand(i, 1, tuple(b))
    return total if i.shape.is_integer() else total % PRIME


_MOVES = {
    "copy": _copy, "bitcast": _bitcast, "reshape": _reshape,
    "broadcast": _broadcast, "transpose": _transpose, "reverse": _reverse,
    "gather": _gather, "slice": _slice, "concatenate": _concatenate, "pad": _pad,
    "dynamic-slice": _dynamic_slice, "dynamic-update-slice": _update,
    "reduce": _reduce, "dot": _dot,
}


class Scatter:
    """What a scatter combines, one index of the updates at a time."""

    def __init__(self, frame, i):
        self.frame, self.i = frame, i
        self.count = (len(i.operands) - 1) // 2
        self.operand = frame.operand_leaf(i, 0)
        self.indices = frame.operand_leaf(i, self.count)
        self.updates = frame.operand_leaf(i, self.count + 1)
        self.windows = i.numbers("update_window_dims", ())
        inserted = i.numbers("inserted_window_dims", ())
        self.kept = [d for d in range(len(self.operand.dims))
                     if d not in inserted]
        self.sizes = [1] * len(self.operand.dims)
        for d, w in zip(self.kept, self.windows):
            self.sizes[d] = self.updates.dims[w]

    def target(self, index):
        """Returns where an element of the updates goes, or None if its window
        leaves the operand: a scatter leaves such a window out."""
        vector = int(self.i.attributes["index_vector_dim"])
        batch = [k for d, k in enumerate(index) if d not in self.windows]
        start = [0] * len(self.operand.dims)
        to_operand = self.i.numbers("scatter_dims_to_operand_dims", ())
        for n, d in enumerate(to_operand):
            at = batch[:vector] + [n] + batch[vector:]
            if vector == len(self.indices.dims):
                at = batch
            start[d] = self.frame.operand(self.i, self.count, tuple(at))
        if not all(0 <= s <= n - w for s, n, w in
                   zip(start, self.operand.dims, self.sizes)):
            return None
        for d, w in zip(self.kept, self.windows):
            start[d] += index[w]
        return tuple(start)

    def combined(self, old, index):
        """Returns the new values of a target, one for each operand."""
        new = [self.frame.operand(self.i, self.count + 1 + n, index)
               for n in range(self.count)]
        return apply(self.frame, self.i.attributes["to_apply"], old + new)


def scattered(frame, i, number):
    """Returns all elements of a scatter's result, by index."""
    if (i.name, number) not in frame.frames:
        scatter = Scatter(frame, i)
        values = {index: [frame.operand(i, n, index)
                          for n in range(scatter.count)]
                  for index in scatter.operand.indices()}
        for index in scatter.updates.indices():
            target = scatter.target(index)
            if target is not None:
                values[target] = scatter.combined(values[target], index)
        for n in range(scatter.count):
            frame.frames[i.name, n] = {k: v[n] for k, v in values.items()}
    return frame.frames[i.name, number]
