"""A block of a compiled kernel, run from the text of its LLVM IR.

Every thread is a generator that runs until it has to wait: for the lanes of its
warp at a shuffle, for the whole block at a barrier. Floats are rounded to their
type after each op. Nothing of it is read by Indexical.

    outcome = run(kernel_of(text, "fusion_24"), block=(3, 0, 0), threads=(64, 1, 1))
    outcome["arg4"][6144]      the byte at 6144 of argument 4, if it has changed

Arrays hold numbers that their addresses decide: each two bytes are a bfloat
from -4 to 4, so that four bytes are a float of that size, too. What the
interpreter does not know raises Unknown.
"""

import math
import re
import struct

BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64}


class Unknown(Exception):
    """An instruction or a type that the interpreter does not have."""


class Wrong(Exception):
    """The run has no meaning: a deadlock, or a value that is not there."""


def rounded(kind, value):
    """The number as one of a type."""
    if value != value or value in (math.inf, -math.inf) or kind == "double":
        return value
    if kind == "float":
        try:
            return struct.unpack("<f", struct.pack("<f", value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)
    if kind == "half":
        try:
            return struct.unpack("<e", struct.pack("<e", value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)
    # To the nearest bfloat, from the number itself: 8 bits of a significand.
    if value == 0:
        return value
    mantissa, exponent = math.frexp(value)
    least = max(exponent - 8, -133)
    scaled = math.ldexp(value, -least)
    near = round(scaled)  # to even
    made = math.ldexp(float(near), least)
    return made if abs(made) < 2.0 ** 128 else math.copysign(math.inf, value)


def to_bits(kind, value):
    if kind == "float":
        return struct.unpack("<I", struct.pack("<f", value))[0]
    if kind == "double":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    if kind == "half":
        return struct.unpack("<H", struct.pack("<e", value))[0]
    return struct.unpack("<I", struct.pack("<f", value))[0] >> 16


def of_bits(kind, bits):
    if kind == "float":
        return struct.unpack("<f", struct.pack("<I", bits))[0]
    if kind == "double":
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    if kind == "half":
        return struct.unpack("<e", struct.pack("<H", bits))[0]
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def split_top(text):
    parts, depth, last = [], 0, 0
    for at, c in enumerate(text):
        depth += c in "([{<"
        depth -= c in ")]}>"
        if c == "," and depth == 0:
            parts.append(text[last:at].strip())
            last = at + 1
    parts.append(text[last:].strip())
    return parts


def parse_type(text):
    """The type at the head of the text, and the rest."""
    text = text.strip()
    found = re.match(r"(i\d+|half|bfloat|float|double|ptr(?: addrspace\(\d+\))?|void)", text)
    if found:
        return found[1], text[found.end():].strip()
    if text[:1] in "<{[":
        close = {"<": ">", "{": "}", "[": "]"}[text[0]]
        depth = 0
        for at, c in enumerate(text):
            depth += c in "<{["
            depth -= c in ">}]"
            if depth == 0:
                inner, rest = text[1:at].strip(), text[at + 1:].strip()
                break
        if close == "}":
            return ("struct", tuple(parse_type(p)[0] for p in split_top(inner))), rest
        count, element = inner.split(" x ", 1)
        return ("vector" if close == ">" else "array", int(count),
                parse_type(element)[0]), rest
    raise Unknown("type " + text[:40])


def bits_of(kind):
    if isinstance(kind, tuple):
        if kind[0] == "struct":
            return sum(bits_of(each) for each in kind[1])
        return kind[1] * bits_of(kind[2])
    if kind in BITS:
        return BITS[kind]
    if kind.startswith("ptr"):
        return 64
    return int(kind[1:])


def as_bits(kind, value):
    """The value as an integer of its bits."""
    if isinstance(kind, tuple):
        if kind[0] == "struct":
            raise Unknown("bits of a structure")
        own, all_bits = bits_of(kind[2]), 0
        if value is None or any(each is None for each in value):
            return None
        for k, each in enumerate(value):
            all_bits |= as_bits(kind[2], each) << (k * own)
        return all_bits
    if value is None:  # a value that is not there
        return None
    return to_bits(kind, value) if kind in BITS else value


def from_bits(kind, bits):
    if bits is None:
        return [None] * kind[1] if isinstance(kind, tuple) else None
    if isinstance(kind, tuple):
        own = bits_of(kind[2])
        return [from_bits(kind[2], (bits >> (k * own)) & ((1 << own) - 1))
                for k in range(kind[1])]
    return of_bits(kind, bits) if kind in BITS else bits


def hash8(a):
    m = (1 << 64) - 1
    a &= m
    a ^= a >> 31
    a = a * 0x9E3779B97F4A7C15 & m
    a ^= a >> 29
    a = a * 0xBF58476D1CE4E5B9 & m
    a ^= a >> 32
    return a


def start_byte(array, offset, seed):
    """What an argument holds at the start: bfloats from -4 to 4."""
    h = hash8(((array + 1) << 40) + (offset & ~1) + (seed << 56))
    bits = (h & 1) << 15 | (125 + (h >> 1) % 4) << 7 | (h >> 4) & 0x7f
    return bits >> 8 if offset & 1 else bits & 0xff


class Kernel:
    """A function: its blocks of instructions, and the names of its arguments."""

    def __init__(self, name, arguments, blocks, order):
        self.name, self.arguments = name, arguments
        self.blocks, self.order = blocks, order


def kernel_of(text, name):
    found = re.search(r"^define [^@]*@\"?%s\"?\((.*)\) [^\n]*\{\n(.*?)^\}" %
                      re.escape(name), text, re.M | re.S)
    if not found:
        raise Unknown("no kernel " + name)
    arguments = []
    for number, each in enumerate(split_top(found[1])):
        word = each.split()[-1]
        arguments.append(word if word.startswith("%") else "%%%d" % number)
    blocks, order, label = {}, [], None
    for line in found[2].split("\n"):
        line = line.split(" ;")[0].rstrip() if " ; preds" in line else line.rstrip()
        if not line.strip() or line.lstrip().startswith(("#dbg", ";")):
            continue
        head = re.match(r"^([\w.$-]+):", line)
        if head:
            label = head[1]
            blocks[label] = []
            order.append(label)
            continue
        if label is None:
            label = str(len(arguments))
            blocks[label] = []
            order.append(label)
        blocks[label].append(line.strip())
    return Kernel(name, arguments, blocks, order)


class Block:
    """A block of threads, and what it has stored."""

    def __init__(self, kernel, block, threads, seed):
        self.kernel, self.block, self.threads, self.seed = kernel, block, threads, seed
        self.stored = {}   # (array, offset) -> byte
        self.shared = {}   # (symbol, offset) -> byte

    def load(self, pointer, count):
        space, array, offset = pointer
        made = bytearray()
        for at in range(offset, offset + count):
            if space == "shared":
                if (array, at) not in self.shared:
                    # Nobody knows what is there.
                    made.append(hash8(at ^ self.seed) & 0xff)
                else:
                    if self.shared[array, at] is None:
                        return None
                    made.append(self.shared[array, at])
            else:
                byte = self.stored.get((array, at))
                made.append(start_byte(array, at, self.seed) if byte is None else byte)
        return int.from_bytes(made, "little")

    def store(self, pointer, count, bits):
        space, array, offset = pointer
        where = self.shared if space == "shared" else self.stored
        for k in range(count):
            where[array, offset + k] = (
                None if bits is None else (bits >> (8 * k)) & 0xff)

    def run(self):
        count = self.threads[0] * self.threads[1] * self.threads[2]
        waiting = {}
        live = {}
        for number in range(count):
            live[number] = Thread(self, number).steps()
        sent = dict.fromkeys(live)
        while live:
            for number, thread in list(live.items()):
                if number in waiting:
                    continue
                try:
                    waiting[number] = thread.send(sent[number])
                except StopIteration:
                    del live[number]
            kinds = {what[0] for number, what in waiting.items()}
            sent = {}
            if kinds == {"barrier"} and len(waiting) == len(live):
                sent = dict.fromkeys(waiting)
            elif "shuffle" in kinds:
                for warp in range((count + 31) // 32):
                    lanes = [n for n in range(32 * warp, min(count, 32 * warp + 32))
                             if n in live]
                    if not lanes or any(waiting.get(n, ("",))[0] != "shuffle" for n in lanes):
                        continue
                    for n in lanes:
                        _, mode, value, by, clamp = waiting[n]
                        source = {"bfly": n ^ by, "down": n + by,
                                  "idx": 32 * warp + by, "up": n - by}[mode]
                        if source not in waiting or source // 32 != warp:
                            sent[n] = value
                        else:
                            sent[n] = waiting[source][2]
                if not sent and live:
                    raise Wrong("lanes wait for each other")
            elif live:
                raise Wrong("threads wait for each other")
            for number in sent:
                del waiting[number]
        outcome = {}
        for (array, offset), byte in self.stored.items():
            # What was there before is the same whether it is stored or not.
            if byte == start_byte(array, offset, self.seed):
                continue
            outcome.setdefault("arg%d" % array, {})[offset] = byte
        return outcome


def run(kernel, block, threads, seed=1):
    return Block(kernel, block, threads, seed).run()


from block_thread import Thread  # noqa: E402  (it needs the above)
