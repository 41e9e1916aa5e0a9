"""What runs a thread of PTX: its integers, its memory, its accesses.

ptx.py reads the text and says what is known here and what is not.
"""

import re

SPACE = 1 << 40   # from one pointer argument to the next
SLOT = 1 << 24    # from one symbol to the next; all lie below 1 << 32
STEPS = 2000000   # a thread that takes more is given up
ALL = (1 << 64) - 1


class Unsupported(Exception):
    """The text has something that this interpreter does not know."""


class Stop(Exception):
    """The thread cannot be followed further; the text says why."""


def hash8(address):
    address ^= address >> 31
    address = address * 0x9E3779B97F4A7C15 & ALL
    address ^= address >> 29
    address = address * 0xBF58476D1CE4E5B9 & ALL
    address ^= address >> 32
    return address & 0xff


def bits_of(kind):
    """The width of a type: 32 of u32 and of bf16x2."""
    if kind == "pred":
        return 1
    found = re.match(r"[a-z]+(\d+)(x2)?$", kind)
    if not found:
        raise Unsupported("type ." + kind)
    return int(found[1]) * (2 if found[2] else 1)


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def number(text):
    """The bits of a literal of an integer or a float, or None."""
    if re.match(r"0[fFdD][0-9a-fA-F]+$", text):
        return int(text[2:], 16)
    text = text.rstrip("U")
    if re.match(r"-?0[0-7]+$", text):
        return int(text, 8)
    whole = re.match(r"-?(0[xX][\da-fA-F]+|\d+)$", text)
    return int(text, 0) if whole else None


def toward_zero(a, b):
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


def shift_left(a, b, bits):
    return a << b if b < bits else 0


def shift_right(a, b, bits):
    return a >> min(b, bits)


# Ops of two operands of one type. Operands of signed types may be negative.
BINARY = {
    "add": lambda a, b, bits: a + b,
    "sub": lambda a, b, bits: a - b,
    "mul.lo": lambda a, b, bits: a * b,
    "mul.wide": lambda a, b, bits: a * b,
    "mul.hi": lambda a, b, bits: a * b >> bits,
    "div": lambda a, b, bits: toward_zero(a, b) if b else None,
    "rem": lambda a, b, bits: a - b * toward_zero(a, b) if b else None,
    "min": lambda a, b, bits: min(a, b),
    "max": lambda a, b, bits: max(a, b),
    "and": lambda a, b, bits: a & b,
    "or": lambda a, b, bits: a | b,
    "xor": lambda a, b, bits: a ^ b,
    "shl": shift_left,
    "shr": shift_right,
}
COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}
COMPARE.update(lo=COMPARE["lt"], ls=COMPARE["le"], hi=COMPARE["gt"],
               hs=COMPARE["ge"])


def reversed_bits(a, bits):
    return int(format(a, "0%db" % bits)[::-1], 2)


UNARY = {
    "neg": lambda a, bits: -a,
    "abs": lambda a, bits: abs(a),
    "not": lambda a, bits: ~a,
    "cnot": lambda a, bits: int(a == 0),
    "popc": lambda a, bits: bin(a).count("1"),
    "clz": lambda a, bits: bits - a.bit_length(),
    "brev": reversed_bits,
}


def both(a, b):
    """And of predicates, of which None may be either."""
    return 0 if a == 0 or b == 0 else None if a is None or b is None else 1


def invert(a):
    return None if a is None else 1 - a


def either(a, b):
    return invert(both(invert(a), invert(b)))


def differ(a, b):
    return None if a is None or b is None else a ^ b


LOGIC = {"and": both, "or": either, "xor": differ}


def field(a, start, length, bits, sign):
    """bfe of PTX: a field of a, filled up with its sign or zeros."""
    start, length = start & 0xff, length & 0xff
    if not length:
        return 0
    last = min(start + length - 1, bits - 1)
    fill = a >> last & 1 if sign else 0
    low = (a >> start) & ((1 << max(0, last - start + 1)) - 1)
    kept = max(0, last - start + 1)
    return low | (-1 << kept) if fill else low


def insert(a, into, start, length, bits):
    """bfi of PTX."""
    start, length = start & 0xff, length & 0xff
    mask = (((1 << length) - 1) << start) & ((1 << bits) - 1)
    return into & ~mask | (a << start) & mask


def permute(a, b, selector):
    source, found = a | b << 32, 0
    for place in range(4):
        nibble = selector >> 4 * place & 0xf
        byte = source >> 8 * (nibble & 7) & 0xff
        if nibble & 8:
            byte = 0xff if byte & 0x80 else 0
        found |= byte << 8 * place
    return found


def table(a, b, c, lut):
    """lop3 of PTX: the bits of lut by a, b and c."""
    found = 0
    for row in range(8):
        if lut >> row & 1:
            found |= ((a if row & 4 else ~a) & (b if row & 2 else ~b) &
                      (c if row & 1 else ~c))
    return found


def funnel(a, b, count, left, wrap):
    count = count & 31 if wrap else min(count, 32)
    whole = b << 32 | a
    return whole << count >> 32 if left else whole >> count


class Thread:
    """What a thread has while it runs."""

    def __init__(self, kernel, registers, parameters):
        self.kernel, self.registers = kernel, registers
        self.parameters = parameters
        self.accesses, self.unknown = [], []
        self.stored, self.local = set(), {}
        self.stored_anywhere = False

    def doubt(self, text):
        self.unknown.append(text)

    def place(self, address, space):
        """The array and the offset behind an address."""
        if address < SPACE >> 1:
            slot = (address + SLOT // 2) // SLOT
            if slot - 1 in range(len(self.kernel.places)):
                kind, name = self.kernel.places[slot - 1]
                return kind + ":" + name, address - slot * SLOT
            return (space or "generic") + ":", address
        argument = (address + SPACE // 2) // SPACE - 1
        return "arg%d" % argument, address - (argument + 1) * SPACE

    def touch(self, kind, address, space, count):
        """Notes an access; returns its array and offset, or None."""
        if address is None:
            self.doubt("the address of a " + kind)
            return None
        array, offset = self.place(address, space)
        if not array.startswith("local:"):
            self.accesses.append((kind, array, offset, count))
        return array, offset

    def load(self, address, space, count):
        found = self.touch("load", address, space, count)
        if found is None or found[0].startswith("shared"):
            return [None] * count
        array, offset = found
        if array.startswith("local:"):
            return [self.local.get(address + k) for k in range(count)]
        if array.startswith("global:"):
            held = self.kernel.constants.get(array[7:])
            return [held[offset + k]
                    if held and 0 <= offset + k < len(held) else None
                    for k in range(count)]
        if not array.startswith("arg"):
            return [None] * count
        return [None if self.stored_anywhere or address + k in self.stored
                else hash8(address + k) for k in range(count)]

    def store(self, address, space, values, width):
        found = self.touch("store", address, space, len(values) * width)
        if found is None:
            self.stored_anywhere = True
            return
        for k, value in enumerate(values):
            for byte in range(width):
                at = address + k * width + byte
                if found[0].startswith("local:"):
                    self.local[at] = (None if value is None
                                      else value >> 8 * byte & 0xff)
                else:
                    self.stored.add(at)


class Kernel:
    """A kernel: run() runs one of its threads."""

    def __init__(self, name, parameters, required):
        self.name, self.parameters = name, parameters  # (name, type, pointer)
        self.required = required  # threads of a block, or None
        self.code, self.labels = [], {}
        self.places, self.constants = [], {}

    def run(self, block, thread, threads, blocks, values=None, seen=None):
        """Its accesses in their order, and what is not known of them.

        threads and blocks are the sizes of a block and of the grid; values are
        the arguments that are no pointers, by their number. What runs is added
        to the set seen, by its place in the code.
        """
        row = thread[1] + threads[1] * thread[2]
        lane = (thread[0] + threads[0] * row) % 32
        registers = {"%laneid": lane, "%lanemask_lt": (1 << lane) - 1,
                     "%lanemask_eq": 1 << lane}
        for axis, letter in enumerate("xyz"):
            registers["%tid." + letter] = thread[axis]
            registers["%ctaid." + letter] = block[axis]
            registers["%ntid." + letter] = threads[axis]
            registers["%nctaid." + letter] = blocks[axis]
        parameters = {}
        for index, (name, kind, pointer) in enumerate(self.parameters):
            given = (values or {}).get(index)
            if given is None and (pointer or kind in ("u64", "b64")):
                given = (index + 1) * SPACE
            parameters[name] = given
        state = Thread(self, registers, parameters)
        at, steps = 0, 0
        try:
            while at is not None and at < len(self.code):
                steps += 1
                if steps > STEPS:
                    raise Stop("more than %d steps" % STEPS)
                guard, negated, effect, action = self.code[at]
                place, at = at, at + 1
                if guard:
                    on = registers.get(guard)
                    if on is None:
                        if effect == "jump":
                            raise Stop("the predicate of a branch")
                        if effect == "memory":
                            state.doubt("the predicate of an access")
                            state.stored_anywhere = True
                        for name in getattr(action, "writes", ()):
                            registers[name] = None
                        continue
                    if on == negated:
                        continue
                if seen is not None:
                    seen.add(place)
                if effect == "jump":
                    at = self.labels[action] if action else None
                else:
                    action(state)
        except Stop as stop:
            state.doubt(str(stop))
        return state.accesses, state.unknown
