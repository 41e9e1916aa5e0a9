"""A thread of block_machine: the instructions of LLVM IR, one by one."""

import math
import re

import block_machine as m

LIMIT = 200_000  # instructions of a thread


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) else value


def compare(predicate, a, b, kind):
    if a is None or b is None:
        raise m.Wrong("a value that is not there is compared")
    if kind in m.BITS:
        isnan = a != a or b != b
        if predicate in ("ord", "uno"):
            return (not isnan) if predicate == "ord" else isnan
        plain = {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b,
                 "gt": a > b, "ge": a >= b}[predicate[1:]]
        if isnan:
            return predicate[0] == "u"
        return plain
    if isinstance(a, tuple):
        raise m.Unknown("pointers are compared")
    bits = m.bits_of(kind)
    if predicate[0] == "s":
        a, b = signed(a, bits), signed(b, bits)
        predicate = predicate[1:]
    elif predicate[0] == "u":
        predicate = predicate[1:]
    return {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b,
            "gt": a > b, "ge": a >= b}[predicate]


def float_op(op, kind, a, b):
    if a is None or b is None:
        return None
    try:
        if op == "fadd":
            made = a + b
        elif op == "fsub":
            made = a - b
        elif op == "fmul":
            made = a * b
        elif op == "fdiv":
            if b == 0:
                made = math.nan if a == 0 or a != a else math.copysign(
                    math.inf, a) * math.copysign(1, b)
            else:
                made = a / b
        else:
            made = math.fmod(a, b)
    except (OverflowError, ValueError):
        made = math.nan
    return m.rounded(kind, made)


def integer_op(op, bits, a, b):
    if a is None or b is None:
        return None
    mask = (1 << bits) - 1
    if op in ("udiv", "urem", "sdiv", "srem"):
        if b == 0:
            raise m.Wrong("a division by 0")
        if op[0] == "s":
            x, y = signed(a, bits), signed(b, bits)
            q = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
            return (q if op == "sdiv" else x - q * y) & mask
        return a // b if op == "udiv" else a % b
    if op in ("shl", "lshr", "ashr"):
        if b >= bits:
            raise m.Wrong("a shift by all bits")
        return {"shl": a << b, "lshr": a >> b, "ashr": signed(a, bits) >> b}[op] & mask
    return {"add": a + b, "sub": a - b, "mul": a * b, "and": a & b, "or": a | b,
            "xor": a ^ b}[op] & mask


def function(name, kind, values, bits):
    """A call that only computes."""
    if any(value is None for value in values):
        return None
    x = values[0] if values else None
    try:
        if "ex2.approx" in name or name.startswith("llvm.exp2"):
            return m.rounded(kind, 2.0 ** x)
        if "rsqrt.approx" in name:
            return m.rounded(kind, 1 / math.sqrt(x)) if x > 0 else math.nan
        if "lg2.approx" in name:
            return m.rounded(kind, math.log2(x)) if x > 0 else math.nan
        if name.startswith("llvm.sqrt") or "sqrt.rn" in name:
            return m.rounded(kind, math.sqrt(x)) if x >= 0 else math.nan
        if name.startswith("llvm.fma"):
            return m.rounded(kind, values[0] * values[1] + values[2])
    except OverflowError:
        return math.inf
    if name.startswith("llvm.fabs") or "nvvm.fabs" in name:
        return abs(x)
    if name.startswith(("llvm.maxnum", "llvm.minnum", "llvm.nvvm.fmax", "llvm.nvvm.fmin",
                        "llvm.maximum", "llvm.minimum")):
        y = values[1]
        pick = max if "max" in name else min
        if x != x or y != y:
            passes = "imum" in name or ".nan" in name
            return math.nan if passes else (y if x != x else x)
        return pick(x, y)
    for word, is_signed in (("s", True), ("u", False)):
        for pick in ("min", "max"):
            if name.startswith("llvm.%s%s." % (word, pick)):
                both = [signed(v, bits) if is_signed else v for v in values]
                return (min if pick == "min" else max)(both) & ((1 << bits) - 1)
    raise m.Unknown("call of " + name)


class Thread:
    def __init__(self, block, number):
        self.block, self.number = block, number
        self.values = {}
        for k, name in enumerate(block.kernel.arguments):
            self.values[name] = ("global", k, 0)
        x, y, _ = block.threads
        self.ids = (number % x, number // x % y, number // (x * y))

    def operand(self, kind, text):
        text = text.strip()
        if text.startswith("%"):
            if text not in self.values:
                raise m.Unknown("value " + text)
            return self.values[text]
        if text in ("poison", "undef"):
            return [None] * kind[1] if isinstance(kind, tuple) and kind[0] != "struct" else None
        if text == "zeroinitializer":
            return [0.0 if kind[2] in m.BITS else 0] * kind[1]
        if text.startswith("@"):
            return ("shared", text, 0)
        if text.startswith("getelementptr"):
            return self.address(text[len("getelementptr"):])
        if isinstance(kind, tuple):
            if text.startswith("<"):
                return [self.operand(*m.parse_type(p)) for p in m.split_top(text[1:-1])]
            raise m.Unknown("constant " + text)
        if text in ("true", "false"):
            return int(text == "true")
        if kind in m.BITS:
            if text.startswith("0xR") or text.startswith("0xH"):
                return m.of_bits(kind, int(text[3:], 16))
            if text.startswith("0x"):
                return m.rounded(kind, m.of_bits("double", int(text, 16)))
            return m.rounded(kind, float(text))
        if text == "null":
            return ("global", -1, 0)
        return int(text) & ((1 << m.bits_of(kind)) - 1)

    def typed(self, text):
        """The operand `TYPE VALUE`, with attributes between."""
        kind, rest = m.parse_type(text)
        rest = re.sub(r"^(?:(?:nonnull|noundef|align \d+|dereferenceable\(\d+\)|range\([^)]*\)) )+", "", rest)
        return kind, self.operand(kind, rest)

    def address(self, text):
        text = text.strip()
        text = re.sub(r"^(?:(?:inbounds|nuw|nusw) ?)+", "", text).strip()
        if text.startswith("("):
            text = text[1:-1]
        parts = m.split_top(text)
        kind = m.parse_type(parts[0])[0]
        _, (space, array, offset) = self.typed(parts[1])
        for k, each in enumerate(parts[2:]):
            own, index = self.typed(each)
            if k > 0:
                if not isinstance(kind, tuple) or kind[0] == "struct":
                    raise m.Unknown("a structure in memory")
                kind = kind[2]
            offset += signed(index, m.bits_of(own)) * (m.bits_of(kind) // 8)
        return (space, array, offset)

    def steps(self):
        kernel = self.block.kernel
        label, before, count = kernel.order[0], None, 0
        while True:
            entered = {}
            lines = kernel.blocks[label]
            for line in lines:  # all phis are taken at once
                found = re.match(r"(%\S+) = phi (?:(?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) )*(.*)", line)
                if not found:
                    break
                kind, rest = m.parse_type(found[2])
                for value, come in re.findall(r"\[ (.*?), %\"?([\w.$-]+)\"? \]", rest):
                    if come == before:
                        entered[found[1]] = self.operand(kind, value)
                        break
                else:
                    raise m.Unknown("phi " + line)
            self.values.update(entered)
            for line in lines[len(entered):]:
                count += 1
                if count > LIMIT:
                    raise m.Unknown("a thread runs for very long")
                if line.startswith("ret"):
                    return
                if line.startswith("br "):
                    before = label
                    found = re.match(r"br i1 (\S+), label %\"?([\w.$-]+)\"?, label %\"?([\w.$-]+)\"?", line)
                    if found:
                        label = found[2] if self.operand("i1", found[1]) else found[3]
                    else:
                        label = re.match(r"br label %\"?([\w.$-]+)\"?", line)[1]
                    break
                name, _, code = line.rpartition(" = ") if re.match(r"%\S+ = ", line) else ("", "", line)
                if name:
                    name, code = line.split(" = ", 1)
                result = self.execute(code)
                if isinstance(result, tuple) and result and result[0] == "wait":
                    result = yield result[1]
                if name:
                    self.values[name] = result
            else:
                raise m.Unknown("a block without an end")

    def execute(self, code):
        code = re.sub(r", ![\w.]+ !\d+|, !range !\d+|, align \d+| #\d+$", "", code)
        op, _, rest = code.partition(" ")
        if op in ("tail", "notail"):
            op, _, rest = rest.partition(" ")
        if op in ("fadd", "fsub", "fmul", "fdiv", "frem"):
            kind, rest = m.parse_type(rest)
            a, b = [self.operand(kind, p) for p in m.split_top(rest)]
            if isinstance(kind, tuple):
                return [float_op(op, kind[2], x, y) for x, y in zip(a, b)]
            return float_op(op, kind, a, b)
        if op in ("add", "sub", "mul", "shl", "lshr", "ashr", "udiv", "urem", "sdiv",
                  "srem", "and", "or", "xor"):
            rest = re.sub(r"^(?:(?:nuw|nsw|exact|disjoint) )+", "", rest)
            kind, rest = m.parse_type(rest)
            a, b = [self.operand(kind, p) for p in m.split_top(rest)]
            if isinstance(kind, tuple):
                return [integer_op(op, m.bits_of(kind[2]), x, y) for x, y in zip(a, b)]
            return integer_op(op, m.bits_of(kind), a, b)
        if op == "fneg":
            kind, rest = m.parse_type(rest)
            value = self.operand(kind, rest)
            return None if value is None else -value
        if op in ("icmp", "fcmp"):
            rest = re.sub(r"^samesign ", "", rest)
            predicate, _, rest = rest.partition(" ")
            kind, rest = m.parse_type(rest)
            a, b = [self.operand(kind, p) for p in m.split_top(rest)]
            return int(compare(predicate, a, b, kind))
        if op == "select":
            parts = m.split_top(rest)
            _, condition = self.typed(parts[0])
            return self.typed(parts[1 if condition else 2])[1]
        if op in ("zext", "sext", "trunc", "fpext", "fptrunc", "bitcast", "sitofp",
                  "uitofp", "fptosi", "fptoui", "addrspacecast", "ptrtoint", "inttoptr"):
            rest = re.sub(r"^(?:(?:nneg|nuw|nsw) )+", "", rest)
            source, target = rest.rsplit(" to ", 1)
            kind, value = self.typed(source)
            return self.cast(op, kind, value, m.parse_type(target)[0])
        if op == "getelementptr":
            return self.address(rest)
        if op == "freeze":
            return self.typed(rest)[1]
        if op == "load":
            parts = m.split_top(rest)
            kind = m.parse_type(parts[0])[0]
            pointer = self.typed(parts[1])[1]
            return m.from_bits(kind, self.block.load(pointer, m.bits_of(kind) // 8))
        if op == "store":
            parts = m.split_top(rest)
            kind, value = self.typed(parts[0])
            self.block.store(self.typed(parts[1])[1], m.bits_of(kind) // 8,
                             m.as_bits(kind, value))
            return None
        if op in ("extractelement", "extractvalue"):
            parts = m.split_top(rest)
            _, value = self.typed(parts[0])
            return value[int(parts[1].split()[-1])]
        if op in ("insertelement", "insertvalue"):
            parts = m.split_top(rest)
            kind, value = self.typed(parts[0])
            if value is None:
                value = [None] * len(kind[1])
            made = list(value)
            made[int(parts[2].split()[-1])] = self.typed(parts[1])[1]
            return made
        if op == "shufflevector":
            parts = m.split_top(rest)
            both = self.typed(parts[0])[1] + self.typed(parts[1])[1]
            kind, mask = m.parse_type(parts[2])
            if mask == "zeroinitializer":
                return [both[0]] * kind[1]
            return [None if p.split()[-1] in ("poison", "undef") else both[int(p.split()[-1])]
                    for p in m.split_top(mask[1:-1])]
        if op == "call":
            return self.call(rest)
        raise m.Unknown("instruction " + op)

    def cast(self, op, kind, value, target):
        if op in ("addrspacecast",):
            return value
        if op in ("ptrtoint", "inttoptr"):
            raise m.Unknown(op)
        if isinstance(kind, tuple) and op != "bitcast":
            return [self.cast(op, kind[2], each, target[2]) for each in value]
        if value is None and not isinstance(kind, tuple):
            return m.from_bits(target, None)
        if op == "bitcast":
            return m.from_bits(target, m.as_bits(kind, value))
        bits = m.bits_of(target)
        if op in ("zext", "trunc"):
            return value & ((1 << bits) - 1)
        if op == "sext":
            return signed(value, m.bits_of(kind)) & ((1 << bits) - 1)
        if op in ("fpext", "fptrunc"):
            return m.rounded(target, value)
        if op == "sitofp":
            return m.rounded(target, float(signed(value, m.bits_of(kind))))
        if op == "uitofp":
            return m.rounded(target, float(value))
        if value != value or abs(value) > 2 ** 62:
            return 0
        return int(value) & ((1 << bits) - 1)

    def call(self, rest):
        rest = re.sub(r"^(?:(?:noundef|range\(.*?\)|nonnull|zeroext|signext) )+", "", rest)
        kind, rest = m.parse_type(rest)
        if rest.startswith("asm"):
            found = re.match(r'asm (?:sideeffect )?"(.*?)", "(.*?)"\((.*)\)$', rest)
            return self.assembly(found[1], found[2], m.split_top(found[3]) if found[3] else [], kind)
        found = re.match(r"@([\w.]+)\((.*)\)$", rest)
        if not found:
            raise m.Unknown("call " + rest[:60])
        name, inner = found[1], found[2]
        special = re.match(r"llvm\.nvvm\.read\.ptx\.sreg\.(n?c?taid|n?tid|laneid)(?:\.([xyz]))?$", name)
        if special:
            return self.register(special[1], special[2])
        if name.startswith("llvm.experimental.noalias") or name.startswith("llvm.assume"):
            return None
        if name in ("llvm.nvvm.barrier0",) or name.startswith("llvm.nvvm.barrier.cta.sync"):
            return ("wait", ("barrier",))
        parts = [self.typed(p)[1] for p in m.split_top(inner)] if inner else []
        if name.startswith("llvm.nvvm.shfl.sync."):
            mode = name.split(".")[4]
            if parts[0] != 0xffffffff:
                raise m.Unknown("a shuffle of some lanes")
            return ("wait", ("shuffle", mode, parts[1], parts[2], parts[3]))
        bits = 0 if isinstance(kind, tuple) or kind in m.BITS else m.bits_of(kind)
        return function(name, kind, parts, bits)

    def register(self, name, axis):
        at = "xyz".index(axis or "x")
        if name == "tid":
            return self.ids[at]
        if name == "ctaid":
            return self.block.block[at]
        if name == "ntid":
            return self.block.threads[at]
        if name == "laneid":
            return self.number % 32
        raise m.Unknown("register " + name)

    def assembly(self, code, constraints, operands, kind):
        code = code.replace("\\0A", "\n").replace("\\09", " ")
        outputs = sum(c.strip().startswith("=") for c in constraints.split(","))
        given = [self.typed(p) for p in operands]
        kinds = list(kind[1]) if isinstance(kind, tuple) and kind[0] == "struct" else [kind]
        made = [None] * outputs

        def value(number):
            return given[number - outputs][1] if number >= outputs else made[number]

        for line in code.split(";"):
            line = line.strip()
            if not line:
                continue
            guard = re.match(r"@(!?)\$(\d+) (.*)", line)
            if guard:
                line = guard[3].strip()
                if bool(value(int(guard[2]))) == bool(guard[1]):
                    continue
            op, _, rest = line.partition(" ")
            moved = re.match(r"mov\.u32 \$0, %+(c?n?c?taid|tid|laneid)(?:\.([xyz]))?$", line)
            if moved:
                made[0] = self.register(moved[1], moved[2])
                continue
            zero = re.match(r"mov\.u\d+ \$(\d+), 0x0$", line)
            if zero:
                made[int(zero[1])] = 0
                continue
            if op in ("cvt.f32.bf16", "cvt.rn.bf16.f32", "cvt.f32.f16", "cvt.rn.f16.f32"):
                made[0] = m.rounded(kinds[0], given[0][1])
                continue
            memory = re.match(r"(ld|st)\.(global|shared)(?:\.v(\d))?\.b(\d+)$", op)
            if not memory:
                raise m.Unknown("assembly " + op)
            size = int(memory[4]) // 8
            pointer = re.search(r"\[ ?\$(\d+)(?: ?\+ ?(\d+))? ?\]", rest)
            registers = [int(n) for n in re.findall(r"\$(\d+)", rest[:pointer.start()] + rest[pointer.end():])]
            space, array, offset = value(int(pointer[1]))
            offset += int(pointer[2] or 0)
            for k, number in enumerate(registers):
                at = (space, array, offset + k * size)
                if memory[1] == "ld":
                    made[number] = m.from_bits(kinds[number], self.block.load(at, size))
                else:
                    own, what = given[number - outputs]
                    self.block.store(at, size, m.as_bits(own, what))
        if isinstance(kind, tuple) and kind[0] == "struct":
            return made
        return made[0] if outputs else None
