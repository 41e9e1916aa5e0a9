"""Runs Triton's IR as it is printed, one program at a time, with numpy.

It reads the text line by line with regular expressions and computes every
integer and every pointer as 64-bit numbers that wrap as the op's type says.
Floats are nothing. So it finds what each load and store touches without any of
the library's code.

    accesses(text, program=(3, 0, 0), arguments={3: 98432})
      [(line, "load", loop indices, array of (argument, element) where the mask
        holds), …]
"""

import functools
import re

import numpy as np


class Pointer:
    """Pointers of a tensor: argument numbers and element numbers."""

    def __init__(self, argument, element):
        self.argument, self.element = argument, element


class Block:
    def __init__(self, base, sizes, strides, offsets, tile):
        self.base, self.sizes, self.strides = base, sizes, strides
        self.offsets, self.tile = offsets, tile


def wrap(value, bits):
    value = np.asarray(value, dtype=object)
    if bits == 1:
        return value & 1
    half = 1 << (bits - 1)
    return (value + half) % (1 << bits) - half


def bits_of(kind):
    kind = kind.strip()
    match = re.search(r"x?(i\d+|index)>?(?:, #\w+>)?$", kind.split(", #")[0])
    if not match:
        return None
    return 64 if match[1] == "index" else int(match[1][1:])


def shape_of(kind):
    match = re.match(r"tensor<((?:\d+x)+)", kind.strip().lstrip("!").strip())
    return [int(n) for n in match[1].split("x") if n] if match else []


def truncated(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


DIVIDE = np.vectorize(truncated, otypes=[object])
UNSIGNED = {8: 255, 16: 65535, 32: 2**32 - 1, 64: 2**64 - 1}

BINARY = {
    "addi": lambda a, b, n: a + b,
    "subi": lambda a, b, n: a - b,
    "muli": lambda a, b, n: a * b,
    "divsi": lambda a, b, n: DIVIDE(a, b),
    "remsi": lambda a, b, n: a - DIVIDE(a, b) * b,
    "divui": lambda a, b, n: (a & UNSIGNED[n]) // (b & UNSIGNED[n]),
    "remui": lambda a, b, n: (a & UNSIGNED[n]) % (b & UNSIGNED[n]),
    "minsi": lambda a, b, n: np.where(a < b, a, b),
    "maxsi": lambda a, b, n: np.where(a < b, b, a),
    "andi": lambda a, b, n: a & b,
    "ori": lambda a, b, n: a | b,
    "xori": lambda a, b, n: a ^ b,
}

COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b, "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b, "sge": lambda a, b: a >= b,
}


def as_object(value):
    return np.array(value, dtype=object)


class Interpreter:
    def __init__(self, text, program, arguments):
        self.lines = text.split("\n")
        self.maps = dict(re.findall(r"^(#\w+) = #xla\.indexing_map<\"(.*?)\">",
                                    text, re.M))
        self.program, self.arguments = program, arguments
        self.values, self.found, self.loops = {}, [], []
        self.tiles = []

    def run(self):
        start = next(i for i, line in enumerate(self.lines) if "tt.func" in line)
        names = re.findall(r"(%\w+): ", self.lines[start].split("{\n")[0])
        for number, name in enumerate(names):
            kind = self.lines[start].split(name + ": ")[1]
            if kind.startswith("!tt.ptr"):
                self.values[name] = Pointer(as_object(number), as_object(0))
            elif number in self.arguments:
                self.values[name] = as_object(self.arguments[number])
        self.block(start + 1)
        return self.found

    def block(self, at):
        """Runs lines from `at` to the end of the block; the next line."""
        while at < len(self.lines):
            line = self.lines[at].split(" loc(")[0].strip()
            if line == "}" or line.startswith(("scf.yield", "tt.return")):
                return at
            if "scf.for" in line:
                at = self.loop(at, line)
            elif '"tt.reduce"' in line:
                while not self.lines[at].strip().startswith("})"):
                    at += 1
            elif line:
                self.op(at, line)
            at += 1
        return at

    def loop(self, at, line):
        match = re.search(r"(?:(%\w+)(?::\d+)? = )?scf\.for (%\w+) = (%\w+) to "
                          r"(%\w+) step (%\w+)", line)
        result, counter, low, high, step = match.groups()
        carried = re.search(r"iter_args\((.*?)\)", line)
        pairs = re.findall(r"(%\w+) = (%[\w#]+)", carried[1]) if carried else []
        state = [self.values.get(start) for _, start in pairs]
        end = None
        low, high, step = (int(self.values[x]) for x in (low, high, step))
        self.loops.append(0)
        for number, value in enumerate(range(low, high, step)):
            self.loops[-1] = number
            self.values[counter] = as_object(value)
            for (name, _), held in zip(pairs, state):
                self.values[name] = held
            end = self.block(at + 1)
            text = self.lines[end].split(" loc(")[0]
            if "scf.yield" in text:
                names = re.findall(r"%[\w#]+", text.split(" : ")[0])
                state = [self.values.get(name) for name in names]
        self.loops.pop()
        if end is None:
            depth, end = 1, at
            while depth:
                end += 1
                depth += self.lines[end].rstrip().endswith("{")
                depth -= self.lines[end].strip().startswith("}")
            end -= 1
        if result:
            for k, held in enumerate(state):
                self.values["%s#%d" % (result, k)] = held
            if len(state) == 1:
                self.values[result] = state[0]
        return end + (not self.lines[end].strip().startswith("}"))

    def op(self, at, line):
        match = re.match(r"(?:(%[\w:]+) = )?([\w.]+) ?(.*)$", line)
        if not match:
            return
        result, name, rest = match.groups()
        try:
            value = self.value(at, name, rest)
        except (KeyError, TypeError):
            value = None
        if result:
            self.values[result] = value

    def operands(self, rest):
        return [self.values[name] for name in
                re.findall(r"%[\w#]+", rest.split(" : ")[0])]

    def value(self, at, name, rest):
        space, op = name.split(".", 1)
        kind = rest.rsplit(" : ", 1)[-1]
        if name == "arith.constant":
            match = re.match(r"(?:dense<)?(-?\d+|true|false)>? : (.*)$", rest)
            if not match:
                return None
            word = {"true": 1, "false": 0}.get(match[1], match[1])
            whole = np.full(shape_of(match[2]), None, dtype=object)
            whole[...] = int(word)
            return whole
        if space == "arith" and op in BINARY:
            a, b = self.operands(rest)
            bits = bits_of(kind)
            return wrap(BINARY[op](a, b, bits), bits)
        if name in ("arith.extsi", "arith.trunci", "arith.index_cast"):
            return wrap(self.operands(rest)[0], bits_of(kind.split(" to ")[1]))
        if name in ("arith.extui", "arith.index_castui"):
            source = bits_of(kind.split(" to ")[0])
            return self.operands(rest)[0] & UNSIGNED.get(source, 1)
        if name == "arith.cmpi":
            predicate = rest.split(",")[0].strip()
            a, b = self.operands(rest)
            return as_object(COMPARE[predicate](a, b).astype(int)
                             if np.ndim(COMPARE[predicate](a, b)) else
                             int(COMPARE[predicate](a, b)))
        if name == "arith.select":
            c, a, b = self.operands(rest)
            if isinstance(a, Pointer):
                return Pointer(np.where(c == 1, a.argument, b.argument),
                               np.where(c == 1, a.element, b.element))
            return np.where(c == 1, a, b)
        if name == "xla.apply_indexing":
            return self.indexing(rest)
        if space == "tt":
            return self.triton(at, op, rest, kind)
        return None

    def indexing(self, rest):
        alias, operands = re.match(r"(#\w+)\((.*)\)", rest).groups()
        head, body = self.maps[alias].split(" -> ", 1)
        names = re.findall(r"\w+", head)
        body = body.split("), domain")[0].removeprefix("(")
        body = body.replace("floordiv", "//").replace("mod", "%")
        values = {name: self.values[operand.strip()]
                  for name, operand in zip(names, operands.split(","))}
        return as_object(eval(body, {}, values))

    def triton(self, at, op, rest, kind):
        if op == "get_program_id":
            return as_object(self.program["xyz".index(rest[0])])
        if op == "make_range":
            low = int(re.search(r"start = (\d+)", rest)[1])
            high = int(re.search(r"end = (\d+)", rest)[1])
            return as_object(list(range(low, high)))
        target = kind.split(" -> ")[-1]
        if op == "splat":
            return self.moved(rest, lambda x: np.broadcast_to(
                x, shape_of(target)))
        if op == "broadcast":
            return self.moved(rest, lambda x: np.broadcast_to(
                x, shape_of(target)))
        if op == "expand_dims":
            axis = int(re.search(r"axis = (\d+)", rest)[1])
            return self.moved(rest, lambda x: np.expand_dims(x, axis))
        if op == "reshape":
            return self.moved(rest, lambda x: np.reshape(x, shape_of(target)))
        if op == "trans":
            order = [int(n) for n in
                     re.search(r"i32: ([\d, ]+)", rest)[1].split(",")]
            return self.moved(rest, lambda x: np.transpose(x, order))
        if op == "addptr":
            pointer, offset = self.operands(rest)
            return Pointer(pointer.argument, pointer.element + offset)
        if op == "make_tensor_ptr":
            return self.make_block(rest)
        if op == "advance":
            block, *by = self.operands(rest)
            offsets = [wrap(a + b, 64) for a, b in zip(block.offsets, by)]
            return Block(block.base, block.sizes, block.strides, offsets,
                         block.tile)
        if op in ("load", "store"):
            return self.access(at, op, rest)
        return None

    def moved(self, rest, change):
        value = self.operands(rest)[0]
        if value is None:
            return None
        if isinstance(value, Pointer):
            element = change(value.element)
            argument = np.broadcast_to(value.argument, np.shape(value.element))
            return Pointer(change(argument), element)
        return change(value)

    def make_block(self, rest):
        base = self.values[re.match(r"%[\w#]+", rest)[0]]
        lists = re.findall(r"\[(.*?)\]", rest.split(" {")[0])
        sizes, strides, offsets = ([self.values[x.strip()] for x in part.split(",")]
                                   for part in lists[:3])
        tile = shape_of(re.search(r"<(tensor<.*)>", rest)[1])
        return Block(base, sizes, strides, offsets, tile)

    def access(self, at, op, rest):
        names = re.findall(r"%[\w#]+", rest.split(" : ")[0])
        pointer = self.values[names[0]]
        place = 1 if op == "load" else 2
        mask = self.values[names[place]] if len(names) > place else None
        if isinstance(pointer, Block):
            pointer, mask = self.in_block(pointer, rest)
        argument = np.broadcast_to(pointer.argument, np.shape(pointer.element))
        if mask is None:
            on = np.ones(np.size(pointer.element), dtype=int)
        else:
            on = np.ravel(np.broadcast_to(mask, np.shape(pointer.element)))
        self.tiles.append((at + 1, op, tuple(self.loops), pointer.element,
                           np.reshape(on, np.shape(pointer.element))))
        self.found.append((at + 1, op, tuple(self.loops), in_order(
            np.ravel(argument), np.ravel(pointer.element), on)))
        return None

    def in_block(self, block, rest):
        grid = coordinates(tuple(block.tile))
        element = block.base.element
        mask = None
        check = re.search(r"boundaryCheck = array<i32: ([\d, ]+)>", rest)
        checked = [int(n) for n in check[1].split(",")] if check else []
        for k, (offset, stride) in enumerate(zip(block.offsets, block.strides)):
            index = offset + grid[k]
            element = element + index * stride
            if k in checked:
                inside = ((index >= 0) & (index < block.sizes[k])).astype(int)
                mask = inside if mask is None else mask & inside
        return Pointer(block.base.argument, element), mask


@functools.lru_cache(maxsize=64)
def coordinates(tile):
    """The coordinates of a tile along each dimension, exact integers."""
    return np.meshgrid(*[as_object(list(range(n))) for n in tile],
                       indexing="ij")


def in_order(arguments, elements, on):
    """The arguments and elements of those that are on, in order."""
    on = np.asarray(on).astype(bool)
    if not on.all():
        arguments, elements = arguments[on], elements[on]
    try:
        arguments = arguments.astype(np.int64)
        elements = elements.astype(np.int64)
    except OverflowError:  # an element that 64 bits do not hold
        pairs = sorted((int(a), int(e)) for a, e in zip(arguments, elements))
        return as_object([a for a, _ in pairs]), as_object([e for _, e in pairs])
    if (elements[1:] < elements[:-1]).any() or (arguments[1:] !=
                                                arguments[:-1]).any():
        order = np.lexsort((elements, arguments))
        arguments, elements = arguments[order], elements[order]
    return arguments, elements


def accesses(text, program=(0, 0, 0), arguments=None):
    return [(line, op, loops, list(zip(numbers.tolist(), elements.tolist())))
            for line, op, loops, (numbers, elements) in
            Interpreter(text, program, arguments or {}).run()]


def touched(text, program=(0, 0, 0), arguments=None):
    """What `accesses` has, as values that are quick to compare."""
    return [(line, op, loops) + tuple(
                numbers.tolist() if numbers.dtype == object else
                numbers.tobytes() for numbers in both)
            for line, op, loops, both in
            Interpreter(text, program, arguments or {}).run()]


def tiles(text, program=(0, 0, 0), arguments=None):
    """The same with the elements and the mask of each coordinate of the tile:
    [(line, op, loop indices, elements, mask), …]."""
    interpreter = Interpreter(text, program, arguments or {})
    interpreter.run()
    return interpreter.tiles
