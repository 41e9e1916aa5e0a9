"""Random kernels in Triton's language, with their arguments and arrays.

A value is of any type; most kernels obey the rules of types, and some do not.
"""

from scalars import fit, is_float

KINDS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "f16", "bf16", "f32",
         "f64"]
TRITON = {"f16": "fp16", "f32": "fp32", "f64": "fp64"}
NAMES = {"i1": "int1", "f16": "float16", "bf16": "bfloat16", "f32": "float32",
         "f64": "float64"}


def name_of(kind):
    return NAMES.get(kind) or ("uint" if kind[0] == "u" else "int") + kind[1:]


class Source:
    def __init__(self, rng):
        self.rng = rng
        self.block = rng.choice([2, 4, 8])
        self.n = rng.randrange(1, 4 * self.block)
        self.grid = (-(-self.n // self.block), 1, 1)
        self.types = {"n": "i32"}
        self.arguments = {"n": ("i32", self.n), "B": self.block}
        self.memory, self.lines, self.count = {}, [], 0
        self.scalars, self.blocks = ["n"], []
        self.make()
        names = list(self.types) + ["B: tl.constexpr"]
        self.text = ("import triton\nimport triton.language as tl\n\n\n"
                     "@triton.jit\ndef k(%s):\n%s" %
                     (", ".join(names),
                      "".join("    %s\n" % line for line in self.lines)))

    def fresh(self):
        self.count += 1
        return "v%d" % self.count

    def number(self, kind):
        if is_float(kind):
            return fit(kind, self.rng.choice([0.0, 1.0, -2.5, 0.1, 3.75, 7.0,
                                              -0.5, 100.0]))
        low = 0 if kind[0] == "u" else -9
        return fit(kind, self.rng.randrange(low, 10))

    def array(self, name, kind, size):
        self.types[name] = "*" + kind
        self.arguments[name] = ("*" + kind, None)
        self.memory[name] = [self.number(kind) for _ in range(size)]

    def make(self):
        rng = self.rng
        self.lines += ["o = tl.program_id(0) * B + tl.arange(0, B)",
                       "m = o < n"]
        for k in range(rng.randrange(1, 4)):
            self.array("x%d" % k, rng.choice(KINDS), 4 * self.block)
            other = rng.choice(["", ", other=0", ", other=1.5"])
            name = self.fresh()
            self.lines.append("%s = tl.load(x%d + o, mask=m%s)" %
                              (name, k, other))
            self.blocks.append(name)
        if rng.randrange(2):
            kind = rng.choice(["i32", "i64", "f32"])
            self.types["s"] = kind
            self.arguments["s"] = (kind, self.number(kind) or fit(kind, 2))
            if self.arguments["s"][1] == 1:
                self.arguments["s"] = (kind, fit(kind, 3))
            self.scalars.append("s")
        for _ in range(rng.randrange(2, 7)):
            self.step()
        for k in range(rng.randrange(1, 3)):
            kind = rng.choice(KINDS)
            self.array("y%d" % k, kind, 4 * self.block)
            value = rng.choice(self.blocks)
            if not is_float(kind):
                value = self.small(value)
                if kind[0] == "u":
                    value = "tl.abs(%s.to(tl.int32))" % value
            self.lines.append("tl.store(y%d + o, %s, mask=m)" % (k, value))

    def small(self, value):
        """A float that is too large has no integer."""
        return "tl.where(tl.abs(%s.to(tl.float32)) < 100, %s, 3)" % (value,
                                                                     value)

    def leaf(self):
        rng = self.rng
        kind = rng.randrange(6)
        if kind < 3:
            return rng.choice(self.blocks)
        if kind == 3:
            return rng.choice(self.scalars)
        if kind == 4:
            return rng.choice(["2", "-1", "3", "0.5", "2.0", "True", "7"])
        return rng.choice(["B", "tl.program_id(0)", "o"])

    def expression(self, depth=0):
        rng = self.rng
        if depth > 2 or rng.randrange(4) == 0:
            return self.leaf()
        kind = rng.randrange(14)
        a, b = self.expression(depth + 1), self.expression(depth + 1)
        if kind < 6:
            return "(%s %s %s)" % (a, rng.choice("+-*"), b)
        if kind == 6:
            return "(%s %s %s)" % (a, rng.choice(["//", "%", "/"]),
                                   rng.choice(["3", "2", "4"]))
        if kind == 7:
            return "tl.where(%s %s %s, %s, %s)" % (
                a, rng.choice(["<", "<=", ">", ">=", "==", "!="]), b,
                self.leaf(), self.leaf())
        if kind == 8:
            return "tl.%s(%s, %s)" % (rng.choice(["minimum", "maximum"]), a, b)
        if kind == 9:
            return "%s.to(tl.%s)" % (rng.choice(self.blocks),
                                     name_of(rng.choice(KINDS[7:])))
        if kind == 10:
            return "(-%s)" % a
        if kind == 11:
            if rng.randrange(4):  # of integers, as is right
                a, b = self.small(rng.choice(self.blocks)) + ".to(tl.int16)", "o"
            return "(%s %s %s)" % (a, rng.choice(["&", "|", "^"]), b)
        if kind == 12:
            return "((%s < %s) %s (%s > 1))" % (
                a, b, rng.choice(["&", "|", "and", "or"]), self.leaf())
        return "tl.abs(%s)" % a

    def step(self):
        rng = self.rng
        kind = rng.randrange(10)
        name = self.fresh()
        if kind < 4:
            self.lines.append("%s = %s + tl.zeros([B], tl.int8)" %
                              (name, self.expression()))
            self.blocks.append(name)
        elif kind == 4:
            self.lines += ["if %s > %d:" % (rng.choice(self.scalars),
                                            rng.randrange(0, 9)),
                           "    %s = %s + o" % (name, self.expression()),
                           "else:", "    %s = %s * o" % (name, self.leaf())]
            self.blocks.append(name)
        elif kind == 5:
            what = rng.choice(["sum", "max", "min"])
            self.lines.append("%s = tl.%s(%s, axis=0)" %
                              (name, what, rng.choice(self.blocks)))
            self.scalars.append(name)
        elif kind == 6:
            low, step = rng.choice([("0", ""), ("0", ", 2"), ("n", ", -1")])
            high = "n" if low == "0" else "0"
            kind = name_of(rng.choice(["i32", "i64", "f32", "u32"]))
            self.lines += ["%s = %s.to(tl.int32).to(tl.%s)" %
                           (name, self.small(rng.choice(self.blocks)), kind),
                           "for i in range(%s, %s%s):" % (low, high, step),
                           "    %s = (%s %s i)%s" % (
                               name, name, rng.choice("+-*"),
                               rng.choice(["", ".to(tl.%s)" % kind,
                                           ".to(tl.%s)" % kind]))]
            self.blocks.append(name)
        elif kind == 7:
            self.lines.append("%s = tl.cumsum(%s, axis=0)" %
                              (name, rng.choice(self.blocks)))
            self.blocks.append(name)
        elif kind == 8:
            other = self.fresh()
            self.lines += [
                "%s = %s[:, None] %s o[None, :]" % (
                    other, rng.choice(self.blocks), rng.choice("+*-")),
                "%s = tl.%s(%s, axis=%d)" % (
                    name, rng.choice(["sum", "max", "argmax"]), other,
                    rng.randrange(2))]
            self.blocks.append(name)
        else:
            self.lines += ["%s = %s + o" % (name, rng.choice(self.blocks)),
                           "for i in tl.static_range(%d):" % rng.randrange(3),
                           "    %s += i" % name]
            self.blocks.append(name)

    def options(self):
        words = ["--const=B=%d" % self.block]
        for name, kind in self.types.items():
            element = kind.lstrip("*")
            words.append("--type=%s=%s%s" % (
                name, "*" if kind[0] == "*" else "",
                TRITON.get(element, element)))
        return words
