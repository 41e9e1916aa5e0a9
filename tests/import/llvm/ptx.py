"""Runs one thread of a kernel's PTX, as far as its addresses go.

    kernels = read(text)
    accesses, unknown = kernels["add"].run(
        block=(1, 0, 0), thread=(5, 0, 0), threads=(128, 1, 1),
        blocks=(2, 1, 1), values={2: 1000})
      [("load", "arg0", 532, 4), …], []

It knows nothing but PTX, so that it can judge who reads the LLVM IR of the same
kernel. Integers are exact, with the widths and signs of PTX. A value that this
thread alone cannot know is None: floats that were computed, what comes out of
shared memory, of a shuffle, of a vote or of an atomic. Where an address or a
predicate is None, `unknown` says so; what is in `accesses` still happens.

Pointer argument n points to (n + 1) << 40. The byte at address A of an argument
is hash8(A), unless the thread has stored to it. An access is (kind, array,
offset in bytes, bytes); kinds are load, store and atomic, arrays argN,
shared:SYMBOL and global:SYMBOL. Local memory is run but not told. A kernel with
an instruction that is not known is Unsupported: none is skipped.
"""

import re

from ptx_thread import (ALL, BINARY, COMPARE, LOGIC, SLOT, UNARY, Kernel,
                        Unsupported, bits_of, field, funnel, insert, invert,
                        number, permute, signed, table)

FLOAT = re.compile(r"(f16|bf16|f32|f64|tf32|e4m3|e5m2)(x2)?$")
LABEL = re.compile(r"([A-Za-z_$%][\w$]*)\s*:(?!:)")
# Ops that only compute floats, or a value that other threads have a part in.
UNKNOWN = {"fma", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh",
           "testp", "copysign", "shfl", "vote", "match", "redux", "activemask",
           "mma", "createpolicy", "elect"}
# Ops of integers or floats, which touch no memory.
ARITHMETIC = {"add", "sub", "mul", "div", "mad", "min", "max", "neg", "abs"}
# Ops that neither touch memory that is told of nor write a register.
QUIET = {"barrier", "membar", "fence", "prefetch", "prefetchu", "nanosleep",
         "griddepcontrol", "discard", "applypriority", "setmaxnreg"}
SPACES = ("global", "shared", "local", "param", "const")


class Body:
    """Turns the statements of a kernel's body into actions on a Thread."""

    def __init__(self, kernel, symbols):
        self.kernel, self.symbols = kernel, dict(symbols)
        self.scopes, self.count, self.widths = [{}], 0, {}

    # Operands. A reader is a function from a Thread to an integer or None.

    def rename(self, name):
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return name

    def width(self, name):
        return self.widths.get(name) or self.widths.get(
            re.sub(r"\d+$", "", name), 64)

    def operand(self, text, kind):
        """The bits of an operand; signed where the type is."""
        bits, sign = bits_of(kind), kind[0] == "s"
        mask = (1 << bits) - 1
        text = text.strip()
        negated = text.startswith("!")
        text = text.lstrip("!")
        constant = number(text)
        if kind == "pred" and constant is not None:
            constant = int(constant != 0)
        match = re.match(r"([A-Za-z_$][\w$]*)\s*(?:\+\s*(\d+))?$", text)
        if constant is None and match and match[1] in self.symbols:
            constant = self.symbols[match[1]] + int(match[2] or 0)
        if constant is not None:
            constant &= mask
            constant = signed(constant, bits) if sign else constant
            return lambda thread: constant
        name = self.rename(text)
        if name == text and not re.match(r"%[\w$]+(\.[xyz])?$", text):
            raise Unsupported("operand " + text)

        def get(thread):
            value = thread.registers.get(name)
            if value is None:
                return None
            if negated:
                return 1 - value
            value &= mask
            return signed(value, bits) if sign else value
        return get

    def address(self, text):
        inside = re.match(r"\[\s*([^\s+\]]+)\s*(?:([+-])\s*(-?\w+))?\s*\]$",
                          text.strip())
        if not inside:
            raise Unsupported("address " + text)
        offset = number(inside[3] or "0") * (-1 if inside[2] == "-" else 1)
        base = self.operand(inside[1], "b64")

        def get(thread):
            value = base(thread)
            return None if value is None else value + offset & ALL
        return get

    def result(self, text, kind):
        """A function that writes a register, and the register's name."""
        name = self.rename(text.strip())
        mask = (1 << self.width(name)) - 1
        bits = bits_of(kind)

        def put(thread, value):
            if value is not None:
                value &= (1 << bits) - 1
                if kind[0] == "s":
                    value = signed(value, bits)
                value &= mask
            thread.registers[name] = value
        return put, name

    def pieces(self, text):
        """The operands between braces, or the one that there is."""
        text = text.strip()
        return split(text[1:-1]) if text.startswith("{") else [text]

    def compute(self, target, kind, function, operands):
        """target = function(operands), None if one of these is None."""
        put, name = self.result(target, kind)

        def action(thread):
            values = [get(thread) for get in operands]
            put(thread, None if None in values else function(*values))
        action.writes = [name]
        return "value", action

    def unknown(self, target):
        names = [self.rename(piece.strip()) for part in target.split("|")
                 for piece in self.pieces(part)]

        def action(thread):
            for name in names:
                thread.registers[name] = None
        action.writes = names
        return "value", action

    # Ops, each by its first word.

    def decode(self, op, operands):
        """(effect, action) of an op, or None if it does nothing."""
        parts = op.split(".")
        base, kind = parts[0], parts[-1]
        if base in ("bra", "ret", "exit", "trap"):
            return "jump", operands[0].strip() if base == "bra" else None
        if base == "cp" and op.startswith("cp.async") and "bulk" not in parts:
            return self.cp_async(operands) if operands[1:] else None
        if base in QUIET or (base == "bar" and
                             parts[1] in ("sync", "arrive", "warp")):
            return None
        if base in UNKNOWN or base == "bar":
            return self.unknown(operands[0])
        method = getattr(self, "op_" + base, None)
        if method:
            return method(parts, kind, operands)
        if FLOAT.match(kind) and base in ARITHMETIC:
            return self.unknown(operands[0])
        return self.integer(parts, kind, operands)

    def integer(self, parts, kind, operands):
        bits = bits_of(kind)
        name = ".".join(parts[:2]) if parts[0] in ("mul", "mad") else parts[0]
        extra = set(parts[1:-1]) - {"lo", "hi", "wide"}
        if extra or kind.endswith("x2"):
            raise Unsupported(".".join(parts))
        if kind == "pred":
            return self.logic(parts[0], operands)
        target, rest = operands[0], operands[1:]
        wide = kind[0] + str(2 * bits) if name.endswith(".wide") else kind
        if parts[0] in ("shl", "shr"):
            kinds = [kind, "u32"]
        else:
            kinds = [kind] * len(rest)
        if name.startswith("mad."):
            kinds[2] = wide
            function = BINARY["mul" + name[3:]]
            return self.compute(
                target, wide, lambda a, b, c: function(a, b, bits) + c,
                [self.operand(*each) for each in zip(rest, kinds)])
        readers = [self.operand(*each) for each in zip(rest, kinds)]
        if name in BINARY and len(rest) == 2:
            function = BINARY[name]
            return self.compute(target, wide,
                                lambda a, b: function(a, b, bits), readers)
        if name in UNARY and len(rest) == 1:
            if name in ("popc", "clz"):
                wide = "u32"
            function = UNARY[name]
            return self.compute(target, wide, lambda a: function(a, bits),
                                readers)
        raise Unsupported(".".join(parts))

    def logic(self, name, operands):
        put, target = self.result(operands[0], "pred")
        readers = [self.operand(text, "pred") for text in operands[1:]]

        def action(thread):
            values = [get(thread) for get in readers]
            put(thread, invert(values[0]) if name == "not"
                else LOGIC[name](*values))
        action.writes = [target]
        return "value", action

    def op_setp(self, parts, kind, operands):
        targets = operands[0].split("|")
        if FLOAT.match(kind):
            compare, readers = None, []
        else:
            compare = COMPARE[parts[1]]
            readers = [self.operand(text, kind) for text in operands[1:3]]
        third = self.operand(operands[3], "pred") if operands[3:] else None
        combine = LOGIC[parts[2]] if third else None
        puts = [self.result(text, "pred") for text in targets]

        def action(thread):
            values = [get(thread) for get in readers]
            found = (None if compare is None or None in values
                     else int(compare(*values)))
            for (put, _), one in zip(puts, (found, invert(found))):
                put(thread, combine(one, third(thread)) if third else one)
        action.writes = [name for _, name in puts]
        return "value", action

    def op_selp(self, parts, kind, operands):
        put, name = self.result(operands[0], kind)
        first, second = (self.operand(text, kind) for text in operands[1:3])
        which = self.operand(operands[3], "pred")

        def action(thread):
            on = which(thread)
            a, b = first(thread), second(thread)
            put(thread, a if on or a == b else None if on is None else b)
        action.writes = [name]
        return "value", action

    def op_mov(self, parts, kind, operands):
        target, source = operands[0].strip(), operands[1].strip()
        bits = bits_of(kind)
        targets, sources = self.pieces(target), self.pieces(source)
        each, part = bits // len(sources), bits // len(targets)
        reads = [self.operand(text, "b%d" % each if len(sources) > 1 else kind)
                 for text in sources]
        puts = [self.result(text, "b%d" % part if len(targets) > 1 else kind)
                for text in targets]

        def action(thread):
            values = [get(thread) for get in reads]
            whole = (None if None in values else
                     sum(value << each * k for k, value in enumerate(values)))
            for k, (put, _) in enumerate(puts):
                put(thread, None if whole is None else whole >> part * k)
        action.writes = [name for _, name in puts]
        return "value", action

    def op_cvta(self, parts, kind, operands):
        return self.compute(operands[0], kind, lambda a: a,
                            [self.operand(operands[1], kind)])

    def op_cvt(self, parts, kind, operands):
        if any(FLOAT.match(part) for part in parts[-2:]):
            return self.unknown(operands[0])
        if len(parts) != 3:
            raise Unsupported(".".join(parts))
        return self.compute(operands[0], parts[1], lambda a: a,
                            [self.operand(operands[1], kind)])

    def op_bfe(self, parts, kind, operands):
        bits = bits_of(kind)
        return self.compute(
            operands[0], kind,
            lambda a, start, length: field(a, start, length, bits,
                                           kind[0] == "s"),
            [self.operand(operands[1], "b%d" % bits)] +
            [self.operand(text, "u32") for text in operands[2:4]])

    def op_bfi(self, parts, kind, operands):
        bits = bits_of(kind)
        return self.compute(
            operands[0], kind, lambda a, b, c, d: insert(a, b, c, d, bits),
            [self.operand(text, kind) for text in operands[1:3]] +
            [self.operand(text, "u32") for text in operands[3:5]])

    def op_prmt(self, parts, kind, operands):
        if parts[1:] != ["b32"]:
            raise Unsupported(".".join(parts))
        readers = [self.operand(text, kind) for text in operands[1:4]]
        return self.compute(operands[0], kind, permute, readers)

    def op_lop3(self, parts, kind, operands):
        readers = [self.operand(text, kind) for text in operands[1:5]]
        return self.compute(operands[0], kind, table, readers)

    def op_shf(self, parts, kind, operands):
        left, wrap = parts[1] == "l", parts[2] == "wrap"
        return self.compute(
            operands[0], kind, lambda a, b, c: funnel(a, b, c, left, wrap),
            [self.operand(text, "b32") for text in operands[1:4]])

    # Memory.

    def shape(self, parts, kind):
        """The space, the elements and the bytes of one of a load or store."""
        count = next((int(part[1:]) for part in parts[1:]
                      if re.match(r"v\d$", part)), 1)
        space = next((part.split("::")[0] for part in parts[1:]
                      if part.split("::")[0] in SPACES), None)
        return space, count, bits_of(kind) // 8

    def op_ld(self, parts, kind, operands):
        space, count, width = self.shape(parts, kind)
        targets = self.pieces(operands[0])
        puts = [self.result(text, kind) for text in targets]
        if space == "param":
            name = re.match(r"\[\s*([\w$]+)\s*\]$", operands[1].strip())
            put = puts[0][0]
            if not name or len(puts) != 1:
                raise Unsupported("ld.param " + operands[1])
            return "value", lambda thread: put(thread,
                                               thread.parameters[name[1]])
        address = self.address(operands[1])

        def action(thread):
            held = thread.load(address(thread), space, count * width)
            for k, (put, _) in enumerate(puts):
                part = held[k * width:(k + 1) * width]
                put(thread, None if None in part
                    else int.from_bytes(bytes(part), "little"))
        action.writes = [name for _, name in puts]
        return "memory", action

    def op_st(self, parts, kind, operands):
        space, _, width = self.shape(parts, kind)
        address = self.address(operands[0])
        reads = [self.operand(text, "b%d" % (8 * width))
                 for text in self.pieces(operands[1])]
        return "memory", lambda thread: thread.store(
            address(thread), space, [get(thread) for get in reads], width)

    def op_atom(self, parts, kind, operands):
        space, count, width = self.shape(parts, kind)
        target = [] if parts[0] == "red" else operands[:1]
        address = self.address(operands[len(target)])
        names = [self.rename(text.strip()) for each in target
                 for text in self.pieces(each)]

        def action(thread):
            at = address(thread)
            found = thread.touch("atomic", at, space, count * width)
            thread.stored_anywhere |= found is None
            if found:
                thread.stored.update(range(at, at + count * width))
            for name in names:
                thread.registers[name] = None
        action.writes = names
        return "memory", action

    op_red = op_atom

    def matrix(self, parts, address, action):
        """ldmatrix and stmatrix: 8 lanes give the rows of each matrix."""
        lanes = 8 * next(int(part[1:]) for part in parts
                         if re.match(r"x[124]$", part))
        if parts[-1] != "b16" or "m8n8" not in parts:
            raise Unsupported(".".join(parts))

        def run(thread):
            at = address(thread)
            action(thread, at, thread.registers["%laneid"] < lanes)
        return run

    def op_ldmatrix(self, parts, kind, operands):
        names = [self.rename(text.strip()) for text in self.pieces(operands[0])]

        def load(thread, at, gives):
            if gives:
                thread.load(at, "shared", 16)
            for name in names:
                thread.registers[name] = None
        run = self.matrix(parts, self.address(operands[1]), load)
        run.writes = names
        return "memory", run

    def op_stmatrix(self, parts, kind, operands):
        def store(thread, at, gives):
            if gives:
                thread.store(at, "shared", [None], 16)
        return "memory", self.matrix(parts, self.address(operands[0]), store)

    def cp_async(self, operands):
        """A store to shared memory of a load, of nothing if its size is 0."""
        if not operands[1].strip().startswith("["):
            return None  # cp.async.mbarrier
        to, source = self.address(operands[0]), self.address(operands[1])
        whole = number(operands[2].strip())
        size = self.operand(operands[3] if operands[3:] else operands[2], "u32")

        def action(thread):
            thread.store(to(thread), "shared", [None], whole)
            count = size(thread)
            if count is None:
                thread.doubt("how much cp.async loads")
            elif count:
                thread.load(source(thread), "global", count)
        return "memory", action

    # Statements.

    def statement(self, text):
        """One statement without its semicolon."""
        declared = re.match(r"\.reg\s+\.(\w+)\s+(.*)$", text, re.S)
        if declared:
            for name in split(declared[2]):
                name = re.sub(r"<\d+>$", "", name.strip())
                if len(self.scopes) > 1:
                    inner = "%s@%d" % (name, self.count)
                    self.scopes[-1][name] = name = inner
                self.widths[name] = bits_of(declared[1])
            return
        if text.startswith("."):
            if re.match(r"\.(shared|local|global|const|extern)\b", text):
                self.symbols.update(symbols(text + ";", self.kernel))
            elif not re.match(r"\.(pragma|loc|file)\b", text):
                raise Unsupported(text.split()[0])
            return
        match = re.match(r"(?:@(!?)\s*([%\w$]+)\s+)?([a-z]\w*[\w.:]*)\s*(.*)$",
                         text, re.S)
        if not match:
            raise Unsupported(text)
        negated, guard, op, rest = match.groups()
        decoded = self.decode(op, split(rest))
        if decoded:
            self.kernel.code.append((guard and self.rename(guard),
                                     int(negated == "!"), *decoded))

    def parse(self, text):
        at = 0
        while at < len(text):
            if text[at] in " \t\r\n;":
                at += 1
            elif text[at] == "{":
                self.count += 1
                self.scopes.append({})
                at += 1
            elif text[at] == "}":
                self.scopes.pop()
                at += 1
            elif label := LABEL.match(text, at):
                self.kernel.labels[label[1]] = len(self.kernel.code)
                at = label.end()
            else:
                end = text.index(";", at)
                self.statement(text[at:end].strip())
                at = end + 1


def split(text):
    """At the commas outside of braces and brackets."""
    parts = re.split(r",(?![^{\[]*[}\]])", text)
    return [part for part in parts if part.strip()]


def symbols(text, kernel):
    """The variables that a text declares, with addresses in this kernel."""
    found = {}
    for match in re.finditer(
            r"\.(shared|local|global|const)\s+(?:\.align\s+\d+\s+)?"
            r"\.(\w+)\s+([\w$]+)\s*((?:\[\d*\])*)\s*(?:=\s*([^;]*))?;", text):
        space, kind, name, sizes, held = match.groups()
        where = "global" if space == "const" else space
        kernel.places.append((where, name))
        found[name] = SLOT * len(kernel.places)
        values = [number(each.strip()) for each in
                  (held or "").strip(" {}\n").split(",")]
        # Only what no kernel can write: .global is also a kernel's own state.
        if held and space == "const" and None not in values:
            width = bits_of(kind) // 8
            count = 1
            for size in re.findall(r"\d+", sizes):
                count *= int(size)
            kernel.constants[name] = b"".join(  # the rest is 0
                (value & (1 << 8 * width) - 1).to_bytes(width, "little")
                for value in values).ljust(count * width, b"\0")
    return found


def closing(text, at):
    """The place of the brace that closes the one at a place."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, at):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.start()
    raise Unsupported("a brace that is not closed")


def read(text):
    """The kernels of a text of PTX by name; one not known is an Unsupported."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*|^\s*\.(loc|file)\b[^\n]*", "", text,
                  flags=re.S | re.M)
    found, outside = {}, []
    entries = []
    at = 0
    for match in re.finditer(r"\.(entry|func)\b[^({;]*?([\w$]+)\s*\(", text):
        if match.start() < at:
            continue
        brace, end = text.find("{", match.end()), text.find(";", match.end())
        if brace < 0 or 0 <= end < brace:
            continue  # a declaration
        outside.append(text[at:match.start()])
        at = closing(text, brace) + 1
        if match[1] == "entry":
            entries.append((match[2], text[match.end():brace],
                            text[brace + 1:at - 1]))
    outside.append(text[at:])
    for name, head, body in entries:
        parameters = [
            (each[3], each[1], bool(each[2])) for each in re.finditer(
                r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)\s+(\.ptr\b[^,)]*?\s)?"
                r"([\w$]+)(?:\[\d+\])?\s*(?=[,)])", head)]
        required = re.search(r"\.reqntid\s+([\d, ]+)", head)
        sizes = required and [int(each) for each in required[1].split(",")]
        kernel = Kernel(name, parameters,
                        sizes and tuple(sizes + [1] * (3 - len(sizes))))
        try:
            known = {}
            for part in outside:
                known.update(symbols(part, kernel))
            Body(kernel, known).parse(body)
            found[name] = kernel
        except Unsupported as problem:
            found[name] = problem
    return found
