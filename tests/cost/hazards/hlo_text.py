"""Reads the text of small HLO modules for the simulator of hazards.

A shape is a Leaf or, if it is a tuple, a list of shapes. A leaf of a shape is
named by its path:

   (f32[4], (s32[], f32[2,3]{0,1}))      {0}, {1,0} and {1,1}
   f32[4]                                {}

Nothing of Indexical reads here: the simulator shares no code with what it
checks.
"""

import re
from dataclasses import dataclass, field

BYTES = {
    "pred": 1, "s8": 1, "u8": 1, "s16": 2, "u16": 2, "f16": 2, "bf16": 2,
    "s32": 4, "u32": 4, "f32": 4, "s64": 8, "u64": 8, "f64": 8,
}


@dataclass(frozen=True)
class Leaf:
    """An array: `layout` lists the dimensions from minor to major."""
    dtype: str
    dims: tuple
    layout: tuple

    def bytes(self):
        return BYTES[self.dtype]

    def size(self):
        size = 1
        for d in self.dims:
            size *= d
        return size

    def offset(self, index):
        """Returns the number of the element in memory, not its byte."""
        offset, step = 0, 1
        for d in self.layout:
            offset += index[d] * step
            step *= self.dims[d]
        return offset

    def index_at(self, offset):
        index = [0] * len(self.dims)
        for d in self.layout:
            index[d] = offset % self.dims[d]
            offset //= self.dims[d]
        return tuple(index)

    def indices(self):
        """Returns all indices, the last dimension fastest."""
        found = [()]
        for d in self.dims:
            found = [i + (k,) for i in found for k in range(d)]
        return found

    def is_integer(self):
        return self.dtype[0] in "su" or self.dtype == "pred"


@dataclass
class Instruction:
    name: str
    shape: object
    opcode: str
    operands: list
    literal: str
    attributes: dict
    line: int

    def leaves(self):
        return leaves_of(self.shape)

    def leaf(self, path=()):
        shape = self.shape
        for k in path:
            shape = shape[k]
        return shape

    def numbers(self, key, default=None):
        """Returns the integers of an attribute such as dimensions={1,0}."""
        if key not in self.attributes:
            return default
        return tuple(int(x) for x in re.findall(r"-?\d+", self.attributes[key]))


@dataclass
class Computation:
    name: str
    instructions: list = field(default_factory=list)
    root: Instruction = None
    by_name: dict = field(default_factory=dict)

    def parameters(self):
        found = [i for i in self.instructions if i.opcode == "parameter"]
        return sorted(found, key=lambda i: int(i.literal))


@dataclass
class Module:
    name: str
    computations: dict
    entry: Computation
    scheduled: bool
    aliases: list  # (path of the result, parameter, its path, mark)


def leaves_of(shape, path=()):
    """Returns the pairs of path and Leaf, in order."""
    if isinstance(shape, Leaf):
        return [(path, shape)]
    return [x for k, s in enumerate(shape) for x in leaves_of(s, path + (k,))]


def path_of(text):
    return tuple(int(x) for x in re.findall(r"\d+", text))


def split_top(text, separator=","):
    """Splits at separators that stand in no bracket and in no quotes."""
    parts, depth, start, quoted = [], 0, 0, False
    for k, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif not quoted and c in "({[":
            depth += 1
        elif not quoted and c in ")}]":
            depth -= 1
        elif c == separator and depth == 0 and not quoted:
            parts.append(text[start:k].strip())
            start = k + 1
    parts.append(text[start:].strip())
    return [p for p in parts if p]


def closing(text, start):
    """Returns the place of the bracket that closes the one at `start`."""
    depth = 0
    for k in range(start, len(text)):
        depth += text[k] in "({["
        depth -= text[k] in ")}]"
        if depth == 0:
            return k
    raise ValueError("no closing bracket: " + text)


def read_shape(text):
    """Returns the shape at the start of a text, and the rest of the text."""
    if text[0] == "(":
        end = closing(text, 0)
        parts = [read_shape(p)[0] for p in split_top(text[1:end])]
        return parts, text[end + 1:]
    m = re.match(r"(\w+)\[([\d,]*)\](\{[^}]*\})?", text)
    if not m:
        raise ValueError("no shape: " + text)
    dims = tuple(int(x) for x in m.group(2).split(",") if x)
    layout = tuple(range(len(dims) - 1, -1, -1))
    if m.group(3):
        layout = path_of(m.group(3))
    return Leaf(m.group(1), dims, layout), text[m.end():]


def read_instruction(text, line):
    name, rest = text.split(" = ", 1)
    shape, rest = read_shape(rest.strip())
    rest = rest.strip()
    start = rest.index("(")
    end = closing(rest, start)
    opcode, inner = rest[:start].strip(), rest[start + 1:end]
    attributes = {}
    for part in split_top(rest[end + 1:]):
        key, _, value = part.partition("=")
        attributes[key.strip()] = value.strip()
    operands = []
    if opcode not in ("parameter", "constant", "iota"):
        operands = [p.split()[-1].lstrip("%") for p in split_top(inner)]
    return Instruction(name.strip().lstrip("%"), shape, opcode, operands,
                       inner, attributes, line)


def read_aliases(head):
    """Returns the pairs of input_output_alias in a module's first line."""
    at = head.find("input_output_alias=")
    if at < 0:
        return []
    start = head.index("{", at)
    inner = head[start + 1:closing(head, start)]
    found = []
    for m in re.finditer(r"\{([\d, ]*)\}:\s*\((\d+),\s*\{([\d, ]*)\}"
                         r"(?:,\s*(\w+)-alias)?\)", inner):
        found.append((path_of(m.group(1)), int(m.group(2)),
                      path_of(m.group(3)), m.group(4) or "may"))
    return found


def read_aliasing(instruction):
    """Returns the triples of output_to_operand_aliasing."""
    text = instruction.attributes.get("output_to_operand_aliasing", "")
    return [(path_of(m.group(1)), int(m.group(2)), path_of(m.group(3)))
            for m in re.finditer(r"\{([\d, ]*)\}:\s*\((\d+),\s*\{([\d, ]*)\}\)",
                                 text)]


def read_module(text):
    """Returns the Module of a text. Raises ValueError for what it lacks."""
    module, computation = None, None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("//"):
            continue
        if line.startswith("HloModule"):
            name = re.match(r"HloModule ([\w.-]+)", line).group(1)
            module = Module(name, {}, None, "is_scheduled=true" in line,
                            read_aliases(line))
        elif line.endswith("{") and " = " not in line:
            words = line[:-1].split()
            is_entry = words[0] == "ENTRY"
            computation = Computation(words[is_entry].lstrip("%"))
            module.computations[computation.name] = computation
            if is_entry:
                module.entry = computation
        elif line == "}":
            computation = None
        else:
            is_root = line.startswith("ROOT ")
            instruction = read_instruction(line[5:] if is_root else line,
                                           number)
            computation.instructions.append(instruction)
            computation.by_name[instruction.name] = instruction
            if is_root:
                computation.root = instruction
    for c in module.computations.values():
        c.root = c.root or c.instructions[-1]
    return module
