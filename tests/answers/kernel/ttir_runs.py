"""Runs launches of Triton's IR as it is printed: calls, branches, loops, memory.

A launch has arrays, whose elements are drawn when they are first read, and runs
its programs one after another in any order. A value that no reader of the text
can know is drawn, too: what foreign code returns, a load of floats as an
integer, a load where its mask is false, a quotient by 0. So one kernel has many
executions, and what is said of it has to be true of each.

    kernel = Kernel(text)
    kernel.accesses                 the loads, stores and atomics in the order in
                                    which a reader meets them: (line, kind, calls)
    launch = kernel.launch(programs, arguments, draw)
    launch.touched                  [Touch(access, program, loops, tile,
                                     argument, element), …]
    launch.seen[program]            all integers that were made or drawn there

Tensors have one dimension. It shares no code with the library, nor with
ttir_interpreter.py, which runs one program with numpy.
"""

import collections
import functools
import re

Touch = collections.namedtuple(
    "Touch", "access program loops tile argument element")
Pointer = collections.namedtuple("Pointer", "argument element")
Block = collections.namedtuple("Block", "base sizes strides offsets tile")
Op = collections.namedtuple(
    "Op", "line results name rest head kind names regions")

FLOAT = "float"  # every float; nothing here depends on one
MOST_TRIPS = 40


class NoRun(Exception):
    """The launch does not end, or does what has no meaning."""


def wrap(value, bits):
    if bits == 1:
        return value & 1
    half = 1 << (bits - 1)
    return (value + half) % (1 << bits) - half


def unsigned(value, bits):
    return value % (1 << bits)


def signed_bit(value, bits):
    """Of one bit, true is -1 where the op is signed."""
    return -value if bits == 1 else value


@functools.lru_cache(maxsize=None)
def bits_of(kind):
    word = re.search(r"(index|i\d+)>*$", kind.strip())[1]
    return 64 if word == "index" else int(word[1:])


@functools.lru_cache(maxsize=None)
def size_of(kind):
    """The elements of a tensor, or None."""
    match = re.match(r"tensor<(\d+)x", kind.strip())
    return int(match[1]) if match else None


def each(apply, *values):
    """Applies a function to scalars, or element by element to tensors."""
    if any(isinstance(value, list) for value in values):
        count = next(len(v) for v in values if isinstance(v, list))
        return [apply(*(v[k] if isinstance(v, list) else v for v in values))
                for k in range(count)]
    return apply(*values)


def divided(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


BINARY = {
    "addi": lambda a, b, n: a + b,
    "subi": lambda a, b, n: a - b,
    "muli": lambda a, b, n: a * b,
    "divsi": lambda a, b, n: divided(a, b),
    "remsi": lambda a, b, n: a - divided(a, b) * b,
    "divui": lambda a, b, n: unsigned(a, n) // unsigned(b, n),
    "remui": lambda a, b, n: unsigned(a, n) % unsigned(b, n),
    "minsi": lambda a, b, n: min(a, b, key=lambda x: signed_bit(x, n)),
    "maxsi": lambda a, b, n: max(a, b, key=lambda x: signed_bit(x, n)),
    "minui": lambda a, b, n: min(a, b, key=lambda x: unsigned(x, n)),
    "maxui": lambda a, b, n: max(a, b, key=lambda x: unsigned(x, n)),
    "andi": lambda a, b, n: a & b,
    "ori": lambda a, b, n: a | b,
    "xori": lambda a, b, n: a ^ b,
    "shli": lambda a, b, n: a << b,
    "shrsi": lambda a, b, n: a >> b,
    "shrui": lambda a, b, n: unsigned(a, n) >> b,
}
COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}
NAMES = re.compile(r"%\w+(?:#\d+)?")


class Kernel:
    """The functions of a text, and the accesses of the one that is public."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.functions = {}
        at = 0
        while at < len(self.lines):
            match = re.search(r"tt\.func (\w+) @(\w+)\((.*?)\)", self.lines[at])
            at += 1
            if match:
                body, at = self.block(at)
                self.functions[match[2]] = (
                    re.findall(r"(%\w+): ([^,]+?)(?: \{[^}]*\})?(?:,|$)",
                               match[3]), body)
                if match[1] == "public":
                    self.entry = match[2]
        self.accesses = []
        self.number(self.functions[self.entry][1], ())
        self.index = {(line, calls): k
                      for k, (line, _, calls) in enumerate(self.accesses)}

    def block(self, at):
        """The ops from line number `at` to the end of the block, and the number
        of the line behind it."""
        ops = []
        while True:
            line = self.lines[at].strip()
            number = at + 1
            at += 1
            if line.startswith("}"):
                return ops, at
            match = re.match(r"(?:([%\w:]+) = )?\"?([\w.]+)\"?(.*)$", line)
            if not match or not line:
                continue
            result, name, rest = match.groups()
            regions = []
            if name == "tt.reduce":
                while not self.lines[at - 1].strip().startswith("})"):
                    at += 1
                rest += self.lines[at - 1]
            elif rest.endswith("{"):
                body, at = self.block(at)
                regions.append(body)
                if self.lines[at - 1].strip() == "} else {":
                    body, at = self.block(at)
                    regions.append(body)
            head = rest.split(" : ")[0]
            ops.append(Op(number, result, name, rest, head,
                          rest.rsplit(" : ", 1)[-1].strip(),
                          NAMES.findall(head), regions))

    def number(self, body, calls):
        kinds = {"tt.load": "reads", "tt.store": "writes",
                 "tt.atomic_rmw": "atomics"}
        for op in body:
            if op.name in kinds:
                self.accesses.append((op.line, kinds[op.name], calls))
            if op.name == "tt.call":
                callee = re.search(r"@(\w+)", op.rest)[1]
                self.number(self.functions[callee][1], calls + (op.line,))
            for region in op.regions:
                self.number(region, calls)

    def launch(self, programs, grid, arguments, draw, is_open):
        """Runs the programs in that order. `is_open`: an argument of 64 bits is
        not known to the reader."""
        return Launch(self, programs, grid, arguments, draw, is_open)


class Launch:
    def __init__(self, kernel, programs, grid, arguments, draw, is_open):
        self.kernel, self.grid, self.draw = kernel, grid, draw
        self.memory, self.touched, self.seen = {}, [], {}
        self.undefined = {}
        self.has_drawn_64 = is_open
        self.parameters, body = kernel.functions[kernel.entry]
        for program in programs:
            self.program, self.loops, self.calls = program, [], ()
            self.seen[program] = set(arguments.values())
            values = {}
            for number, (name, kind) in enumerate(self.parameters):
                values[name] = (Pointer(number, 0) if "ptr" in kind
                                else arguments[number])
            self.block(body, values)

    def any(self, bits):
        value = wrap(self.draw(bits), bits)
        self.seen[self.program].add(value)
        self.has_drawn_64 |= bits == 64
        return value

    def anything(self, kind):
        """A value of that type that nobody knows."""
        size = size_of(kind)
        if re.search(r"\bf\d+>*$", kind.strip()):
            return FLOAT
        bits = bits_of(kind)
        return self.any(bits) if size is None else [self.any(bits)
                                                    for _ in range(size)]

    def block(self, body, values):
        """Runs a block, and returns the operands of its end."""
        for op in body:
            if op.name in ("scf.yield", "tt.return"):
                return [values[name] for name in op.names]
            if op.name == "scf.for":
                found = self.loop(op, values)
            elif op.name == "scf.if":
                found = self.branch(op, values)
            elif op.name == "tt.call":
                found = self.call(op, values)
            else:
                found = [self.value(op, values)]
            if op.results:
                name = op.results.split(":")[0]
                for k, value in enumerate(found):
                    values["%s#%d" % (name, k)] = value
                    if isinstance(value, int):
                        self.seen[self.program].add(value)
                if len(found) == 1:
                    values[name] = found[0]
        return []

    def loop(self, op, values):
        names = NAMES.findall(op.rest.split("{")[0])
        counter, low, high, step = names[0], *(values[n] for n in names[1:4])
        bits = bits_of(op.rest.rsplit(" : ", 1)[1].rstrip(" {"))
        if " unsigned " in op.rest:
            low, high, step = (unsigned(x, bits) for x in (low, high, step))
        if step <= 0:
            raise NoRun
        carried = re.search(r"iter_args\((.*?)\)", op.rest)
        pairs = re.findall(r"(%\w+) = (%[\w#]+)", carried[1]) if carried else []
        state = [values[start] for _, start in pairs]
        trips = max(0, -((low - high) // step))
        if trips > MOST_TRIPS:
            raise NoRun
        self.loops.append(0)
        for trip in range(trips):
            self.loops[-1] = trip
            inner = dict(values)
            inner[counter] = wrap(low + trip * step, bits)
            inner.update((name, held) for (name, _), held in zip(pairs, state))
            state = self.block(op.regions[0], inner)
        self.loops.pop()
        # What a loop carries is not always known to a reader.
        self.has_drawn_64 |= "i64" in op.rest.partition("->")[2].split(" : ")[0]
        return state

    def branch(self, op, values):
        on = values[NAMES.search(op.rest)[0]]
        if on:
            return self.block(op.regions[0], dict(values))
        return self.block(op.regions[1], dict(values)) if op.regions[1:] else []

    def call(self, op, values):
        callee = re.search(r"@(\w+)", op.rest)[1]
        parameters, body = self.kernel.functions[callee]
        given = op.names
        outer, self.calls = self.calls, self.calls + (op.line,)
        found = self.block(body, {name: values[value] for (name, _), value in
                                  zip(parameters, given)})
        self.calls = outer
        return found

    def value(self, op, values):
        space, name = op.name.split(".", 1)
        head, kind = op.head, op.kind
        operands = [values.get(n) for n in op.names]
        if op.name == "arith.constant":
            return self.constant(op.rest.strip())
        if space == "arith" and name in BINARY:
            return each(lambda a, b: self.binary(name, a, b, bits_of(kind)),
                        *operands)
        if name == "cmpi":
            return self.compare(head, kind, operands)
        if name == "select":
            return each(lambda c, a, b: a if c else b, *operands)
        source, _, target = kind.partition(" to ")
        if name in ("extsi", "trunci", "index_cast"):
            old, new = bits_of(source), bits_of(target)
            return each(lambda a: wrap(signed_bit(a, old), new), operands[0])
        if name in ("extui", "index_castui"):
            old, new = bits_of(source), bits_of(target)
            return each(lambda a: wrap(unsigned(a, old), new), operands[0])
        if space in ("arith", "math"):
            if name == "absi":
                self.has_drawn_64 |= bits_of(kind) == 64
                return each(lambda a: wrap(abs(a), bits_of(kind)), operands[0])
            return self.anything(target or kind)
        return self.triton(op, name, head, kind, operands)

    def constant(self, rest):
        word, _, kind = rest.partition(" : ")
        word = word.replace("dense<", "").rstrip(">")
        size = size_of(kind)
        if word in ("true", "false"):
            value = int(word == "true")
        elif re.fullmatch(r"-?\d+", word):
            value = wrap(int(word), bits_of(kind))
        else:
            return FLOAT
        return value if size is None else [value] * size

    def binary(self, name, a, b, bits):
        if (b == 0 if name[:3] in ("div", "rem") else
                name[:2] == "sh" and not 0 <= b < bits):
            # The same machine makes the same of it.
            key = (name, a, b, bits)
            if key not in self.undefined:
                self.undefined[key] = self.any(bits)
            self.seen[self.program].add(self.undefined[key])
            return self.undefined[key]
        value = wrap(BINARY[name](a, b, bits), bits)
        # Integers of 64 bits that nobody knows are taken not to wrap.
        if self.has_drawn_64 and bits == 64 and name in (
                "addi", "subi", "muli", "shli") and value != BINARY[name](
                    a, b, bits):
            raise NoRun
        return value

    def compare(self, head, kind, operands):
        predicate = head.split(",")[0].strip()
        bits = bits_of(kind)
        change = {"s": signed_bit, "u": unsigned}.get(
            predicate[0] if len(predicate) == 3 else "", lambda x, n: x)
        apply = COMPARE[predicate[-2:]]
        return each(lambda a, b: int(apply(change(a, bits), change(b, bits))),
                    *operands)

    def triton(self, op, name, head, kind, operands):
        if name == "get_program_id":
            return self.program["xyz".index(head.strip()[0])]
        if name == "get_num_programs":
            return self.grid["xyz".index(head.strip()[0])]
        if name == "make_range":
            low, high = (int(re.search(word + r" = (\d+)", op.rest)[1])
                         for word in ("start", "end"))
            return list(range(low, high))
        target = kind.split(" -> ")[-1]
        if name == "splat":
            return [operands[0]] * size_of(target)
        if name == "addptr":
            return each(lambda p, o: Pointer(p.argument, p.element + o),
                        *operands)
        if name == "bitcast":
            return operands[0]
        if name == "int_to_ptr":
            argument = self.draw(32) % len(
                [k for _, k in self.parameters if "ptr" in k])
            return Pointer(argument, self.draw(32) % 16)
        if name == "make_tensor_ptr":
            lists = re.findall(r"\[(.*?)\]", head)
            count = len(NAMES.findall(lists[0]))
            return Block(operands[0], operands[1:1 + count],
                         operands[1 + count:1 + 2 * count], operands[1 + 2 * count:],
                         size_of(re.search(r"tensor<.*>", op.rest)[0]))
        if name == "advance":
            block = operands[0]
            return block._replace(
                offsets=[a + b for a, b in zip(block.offsets, operands[1:])])
        if name == "load":
            return self.load(op, kind, operands)
        if name == "store":
            return self.store(op, operands)
        if name == "atomic_rmw":
            return self.atomic(op, operands)
        return self.anything(target)  # what foreign code makes, a reduction

    def element(self, pointer, bits):
        key = tuple(pointer)
        if key not in self.memory:
            self.memory[key] = wrap(self.draw(bits), bits)
        self.seen[self.program].add(self.memory[key])
        self.has_drawn_64 |= bits == 64
        return self.memory[key]

    def places(self, op, pointer, mask):
        """The coordinates and pointers of those lanes that take part."""
        if isinstance(pointer, Block):
            base, check = pointer.base, "boundaryCheck" in op.rest
            pointer, mask = [
                Pointer(base.argument, base.element +
                        (pointer.offsets[0] + k) * pointer.strides[0])
                for k in range(pointer.tile)], [
                    int(not check or
                        0 <= pointer.offsets[0] + k < pointer.sizes[0])
                    for k in range(pointer.tile)]
        number = self.kernel.index[op.line, self.calls]
        lanes = enumerate(pointer) if isinstance(pointer, list) else [
            (None, pointer)]
        for k, at in lanes:
            on = mask if not isinstance(mask, list) else mask[k]
            if on is None or on:
                tile = () if k is None else (k,)
                if abs(at.element) >= 2**63:
                    raise NoRun
                self.touched.append(Touch(number, self.program,
                                          tuple(self.loops), tile, *at))
                yield k, at

    def load(self, op, kind, operands):
        pointee = re.search(r"ptr<(?:tensor<\d+x)?(\w+)", kind)[1]
        operands += [None] * (3 - len(operands))
        pointer, mask, other = operands
        on = dict(self.places(op, pointer, mask))
        if pointee.startswith("f"):
            return FLOAT
        bits = bits_of(pointee)

        def at(k):
            if k in on:
                return self.element(on[k], bits)
            if other is None:
                return self.any(bits)
            return other[k] if isinstance(other, list) else other

        if isinstance(pointer, list):
            return [at(k) for k in range(len(pointer))]
        return at(None)

    def store(self, op, operands):
        mask = operands[2] if len(operands) > 2 else None
        for k, at in self.places(op, operands[0], mask):
            value = operands[1]
            value = value[k] if isinstance(value, list) else value
            if value != FLOAT:
                self.memory[tuple(at)] = value

    def atomic(self, op, operands):
        mask = operands[2] if len(operands) > 2 else None
        before = {}
        for k, at in self.places(op, operands[0], mask):
            before[k] = self.element(at, 32)
            value = operands[1]
            value = value[k] if isinstance(value, list) else value
            self.memory[tuple(at)] = wrap(before[k] + value, 32)
        if isinstance(operands[0], list):
            return [before[k] if k in before else self.any(32)
                    for k in range(len(operands[0]))]
        return before[None] if None in before else self.any(32)
