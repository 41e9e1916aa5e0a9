"""Random kernels in C for random_compiled_test, and the launches that they are run with.

A kernel reads and writes arrays at indices of all kinds: wraps, divisions, bits
of thread numbers, loops, loaded integers. What C leaves undefined does not occur
(signed numbers wrap under -fwrapv), and every loop ends.
"""

HEADER = """
#define G __attribute__((global))
#define D __attribute__((device))
#define S __attribute__((shared))
#define CONSTANT __attribute__((constant))
#define NOINLINE __attribute__((noinline))
#define tx ((int)__nvvm_read_ptx_sreg_tid_x())
#define ty ((int)__nvvm_read_ptx_sreg_tid_y())
#define tz ((int)__nvvm_read_ptx_sreg_tid_z())
#define bx ((int)__nvvm_read_ptx_sreg_ctaid_x())
#define by ((int)__nvvm_read_ptx_sreg_ctaid_y())
#define bz ((int)__nvvm_read_ptx_sreg_ctaid_z())
#define dx ((int)__nvvm_read_ptx_sreg_ntid_x())
#define dy ((int)__nvvm_read_ptx_sreg_ntid_y())
#define dz ((int)__nvvm_read_ptx_sreg_ntid_z())
#define gx ((int)__nvvm_read_ptx_sreg_nctaid_x())
#define gy ((int)__nvvm_read_ptx_sreg_nctaid_y())
#define lane ((int)__nvvm_read_ptx_sreg_laneid())
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ABS(a) ((a) < 0 ? -(a) : (a))
typedef long long ll;
typedef unsigned long long ull;
typedef unsigned int u;
typedef unsigned short us;
typedef unsigned char uc;
typedef signed char sc;
typedef float float4v __attribute__((vector_size(16)));
typedef float float2v __attribute__((vector_size(8)));
typedef int int2v __attribute__((vector_size(8)));
typedef int int4v __attribute__((vector_size(16)));
typedef double double2v __attribute__((vector_size(16)));
typedef short short4v __attribute__((vector_size(8)));
struct Pair { int first, second; };
struct Three { short a; int b; uc c; };
struct Given { int n; u m; short k[4]; ll w; };
"""

# Bits, whether signed.
INTS = {"int": (32, 1), "u": (32, 0), "ll": (64, 1), "ull": (64, 0), "short": (16, 1),
        "us": (16, 0), "sc": (8, 1), "uc": (8, 0)}
VECTORS = {"float4v": ("float", 4), "float2v": ("float", 2), "int2v": ("int", 2), "int4v": ("int", 4),
           "double2v": ("double", 2), "short4v": ("short", 4)}
DIVISORS = [2, 3, 4, 5, 7, 8, 10, 16, 31, 32, 33, 48, 64, 100, 1000, 65536]
EDGES = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 1000, 32767, 32768,
         65535, 65536, 2147483647, 2147483646, -2147483647, -1, -2, -5, -128, 715827883, 1073741824, 40000]


def wrapped(value, kind):
    """The value that a variable of an integer type has after `value` went into it."""
    bits, signed = INTS[kind]
    value %= 1 << bits
    return value - (1 << bits) if signed and value >> (bits - 1) else value


class Kernel:
    """A random kernel: `text`, and `launches`: (grid, block, values, words for --arg)."""

    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.depth = self.count = 0
        self.work = 1  # how often what is written now runs, at most
        self.before, self.lines = [], []
        self.names, self.fixed, self.loops = [], [], []
        self.straight = rng.random() < 0.3  # numbers of all widths and no loop
        self.may_leave = rng.random() < 0.5
        self.shared_decides = rng.random() < 0.06
        self.plain = rng.random() < 0.6  # without the forms that are often undecided
        self._arguments()
        self._tables()
        self._device_functions()
        self._body()
        self._launches()

    def pick(self, *options):
        return self.rng.choice(options)

    def chance(self, p):
        return self.rng.random() < p

    def new(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def emit(self, line):
        self.lines.append("  " * (self.depth + 1) + line)

    def _arguments(self):
        rng = self.rng
        self.arguments, self.arrays = [], []
        kinds = ["int", "u", "short", "us", "uc", "sc", "ll", "ull", "float", "double", "Pair", "Three", *VECTORS]
        if self.plain:
            kinds = [kind for kind in kinds if kind != "Three"]
        for _ in range(rng.randint(2, 5)):
            kind = rng.choice(kinds) if self.chance(0.6) else self.pick("int", "u", "float")
            self.arguments.append(["array", kind, f"p{len(self.arguments)}"])
        for _ in range(rng.randint(0, 3)):
            self.arguments.append(["number", rng.choice(list(INTS)) if self.chance(0.4) else "int",
                                   f"n{len(self.arguments)}"])
        if self.chance(0.12) and not self.plain:
            self.arguments.append(["struct", "Given", "given"])
        rng.shuffle(self.arguments)
        self.arguments.append(["array", "u", "sink"])
        self.arguments.append(["array", "double", "fsink"])
        for what, kind, name in self.arguments:
            if what == "array" and "sink" not in name:
                self.arrays.append((kind, name))
            if what == "number":
                self.fixed.append(name)
        if any(what == "struct" for what, _, _ in self.arguments):
            self.fixed += ["given.n", "given.m", "given.k[1]", "given.w"]

    def _tables(self):
        self.tables = []
        if self.chance(0.2) and not self.plain:
            name = f"table_{self.name}"
            values = ", ".join(str(self.rng.randint(0, 50)) for _ in range(8))
            self.before.append(f"{self.pick('CONSTANT const', 'D static const')} int {name}[8] = {{{values}}};")
            self.tables.append(name)

    def _device_functions(self):
        self.functions = []
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            name = f"f{len(self.functions)}_{self.name}"
            form = self.rng.randint(0, 4)
            head = self.pick("D static", "D static NOINLINE", "D NOINLINE")
            held, self.names = self.names, [("int", "a"), ("int", "b")]
            hidden, self.fixed = self.fixed, []
            tables, self.tables = self.tables, []
            arrays, self.arrays = self.arrays, []
            e = self.expression(2)
            if form == 0:
                self.before.append(f"{head} int {name}(int a, int b) {{ return {e}; }}")
            elif form == 1:
                self.before.append(f"{head} int {name}(int a, int b) {{ int s = b; for (int i = 0; i < (a & 7); ++i) "
                                   f"s += i * {e}; return s; }}")
            elif form == 2:
                self.before.append(f"{head} int {name}(int a, int b) {{ if ({self.condition(1)}) return {e}; "
                                   f"b ^= a; return b - {self.expression(1)}; }}")
            elif form == 3:
                self.before.append(f"{head} int {name}(int a, int b) {{ if ((a & 7) == 0) return b; "
                                   f"return {name}((a & 7) - 1, b + 3) + a; }}")
            else:
                self.before.append(f"{head} int {name}(int a, int b) {{ switch (a & 3) {{ case 0: b += 5; case 1: "
                                   f"return b; case 2: b = {e}; break; default: b -= a; }} return b * 3; }}")
            self.names, self.fixed, self.tables, self.arrays = held, hidden, tables, arrays
            self.functions.append(name)

    # Expressions, each of an integer type.

    def leaf(self):
        r = self.rng.random()
        if self.names and r < 0.5:
            return self.rng.choice(self.names[-8:])[1]
        if self.fixed and r < 0.62:
            return self.rng.choice(self.fixed)
        if r < 0.85:
            return self.rng.choice(["tx", "tx", "tx", "bx", "bx", "ty", "tz", "by", "bz", "dx", "dy", "gx", "gy",
                                    "lane",
                                    "(tx + bx * dx)", "(ty + by * dy)", "(tx + ty * dx)"])
        return self.constant()

    def constant(self):
        value = self.rng.choice(EDGES) if self.chance(0.5) else self.rng.randint(0, 70)
        tail = self.pick("", "", "", "u", "ll") if value >= 0 else self.pick("", "", "ll")
        return f"({value}{tail})"

    def condition(self, depth):
        r = self.rng.random()
        if self.plain:
            r, depth = max(r, 0.3), min(depth, 1)
        if r < 0.2 and depth > 0:
            return f"({self.condition(depth - 1)} {self.pick('&&', '||')} {self.condition(depth - 1)})"
        if r < 0.25:
            return f"!({self.condition(0)})"
        if r < 0.4:
            return f"({self.expression(depth)} & {self.pick(1, 2, 3, 4, 8, 16)})"
        if r < 0.5:
            return f"({self.expression(depth)} % {self.rng.randint(2, 9)} == {self.rng.randint(0, 3)})"
        return f"({self.expression(depth)} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.expression(depth)})"

    def expression(self, depth):
        if depth <= 0 or self.chance(0.12):
            return self.leaf()
        a, r = self.expression(depth - 1), self.rng.random()
        if self.plain and 0.28 < r < 0.30 or self.plain and 0.37 < r < 0.40 or self.plain and 0.54 < r < 0.56:
            r = 0.9
        if r < 0.03 and self.functions:
            return f"{self.rng.choice(self.functions)}((int)({a}), (int)({self.expression(depth - 1)}))"
        if r < 0.06 and self.tables:
            return f"{self.rng.choice(self.tables)}[({a}) & 7]"
        if r < 0.12:
            return f"({self.rng.choice(list(INTS))})({a})"
        if r < 0.17:
            return f"({self.pick('~', '-')}({a}))"
        if r < 0.24:
            return f"({a} {self.pick('/', '%')} {self.rng.choice(DIVISORS)}{self.pick('', '', 'u')})"
        if r < 0.28:
            return (f"({a} {self.pick('/', '%')} "
                    f"(({self.expression(depth - 1)} & {self.pick(3, 7, 31)}) + {self.pick(1, 2, 5)}))")
        if r < 0.30:
            return f"({a} {self.pick('/', '%')} {self.pick('dx', 'gx', 'dy', '(dx * dy)')})"
        if r < 0.37:
            return f"({a} {self.pick('<<', '>>')} {self.rng.randint(0, 9 if self.chance(0.8) else 31)})"
        if r < 0.40:
            return f"({a} {self.pick('<<', '>>')} ({self.expression(depth - 1)} & {self.pick(3, 7, 15)}))"
        if r < 0.46:
            return f"({self.condition(0)} ? {a} : {self.expression(depth - 1)})"
        if r < 0.52:
            return f"{self.pick('MIN', 'MAX')}({a}, {self.expression(0)})"
        if r < 0.54:
            return f"ABS({a})"
        if r < 0.56:
            return self.pick(f"__builtin_popcount({a})", f"(int)__builtin_bswap32({a})", f"__builtin_clz(({a}) | 1)",
                             f"(({a} << 7) | ((u)({a}) >> 25))", f"__builtin_ctz(({a}) | 64)")
        if r < 0.66:
            return f"({a} {self.pick('+', '-', '*', '&', '|', '^')} {self.constant()})"
        return f"({a} {self.pick('+', '+', '-', '*', '&', '|', '^', '^')} {self.expression(depth - 1)})"

    def index(self, depth=2):
        """An index of an array: mostly small, at times any number of 32 bits."""
        r = self.rng.random()
        if r < 0.25:
            return self.rng.choice(["tx", "(tx + bx * dx)", "((bx * dx + tx) * 4)", "(tx * gx + bx)",
                                    "(tx ^ (bx & 7))",
                                    "(ty * dx + tx)", "((by * dy + ty) * (gx * dx) + bx * dx + tx)"] +
                                   [n for _, n in self.names[-6:]])
        e = self.expression(depth)
        if r < 0.55:
            return f"({e} & {self.pick(7, 15, 31, 63, 127, 255, 1023)})"
        if r < 0.65:
            return f"((u)({e}) % {self.rng.randint(2, 3000)})"
        if r < 0.75:
            return f"((int)({e}) % {self.rng.randint(2, 3000)})"
        if r < 0.85:
            return f"((int)({e}))"
        return f"({self.pick('u', 'short', 'us', 'int')})({e})"

    # Statements.

    def sink_of(self, kind, place):
        """A statement that uses what lies at `place`."""
        if kind in INTS:
            return f"acc {self.pick('+=', '^=')} (u)({place});"
        if kind in ("float", "double"):
            return f"facc += {place};"
        if kind == "Pair":
            return f"acc += ({place}).{self.pick('first', 'second')};"
        if kind == "Three":
            return f"acc += (u)({place}).{self.pick('a', 'b', 'c')};"
        held = self.new("v")
        element, lanes = VECTORS[kind]
        use = f"facc += {held}[0] + {held}[{lanes - 1}];" if element in ("float", "double") else \
            f"acc += (u)({held}[0] ^ {held}[{lanes - 1}]);"
        return f"{{ {kind} {held} = {place}; {use} }}"

    def value_for(self, kind):
        if kind in INTS:
            return f"({kind})({self.expression(1)})"
        if kind in ("float", "double"):
            return f"({kind})({self.leaf()})"
        if kind == "Pair":
            return f"Pair{{(int)({self.leaf()}), {self.rng.randint(0, 9)}}}"
        if kind == "Three":
            return f"Three{{(short)({self.leaf()}), {self.rng.randint(0, 9)}, 3}}"
        element, lanes = VECTORS[kind]
        return f"({kind}){{{', '.join([f'({element})({self.leaf()})'] * lanes)}}}"

    def statement(self):
        r = self.rng.random()
        if self.straight:
            r = self.pick(0.1, 0.2, 0.2, 0.4, 0.4, 0.5)
        if self.plain and 0.91 < r < 0.96:
            r = 0.1
        if self.plain and self.work > 1 and r >= 0.96:
            r = 0.2
        kind, array = self.rng.choice(self.arrays)
        place = f"{array}[{self.index()}]"
        if r < 0.17:
            self.emit(self.sink_of(kind, place))
        elif r < 0.32:
            self.emit(f"{place} = {self.value_for(kind)};")
        elif r < 0.47:
            name, of = self.new("x"), self.rng.choice(list(INTS)) if self.chance(0.4) else "int"
            integers = [a for k, a in self.arrays if k in INTS]
            if self.straight:
                of = self.rng.choice(list(INTS))
            if integers and self.chance(0.3):
                self.emit(f"{of} {name} = {self.rng.choice(integers)}[{self.index(1)}];")
            else:
                self.emit(f"{of} {name} = {self.expression(3)};")
            self.names.append((of, name))
        elif r < 0.53 and [n for _, n in self.names if n[0] == "x"]:
            target = self.rng.choice([n for _, n in self.names if n[0] == "x"])
            self.emit(f"{target} {self.pick('=', '+=', '-=', '^=', '*=')} {self.expression(2)};")
        elif r < 0.64:
            self.branch()
        elif r < 0.80:
            self.loop()
        elif r < 0.83:
            self.switch()
        elif r < 0.88:
            self.shared()
        elif r < 0.91:
            kinds = [(k, a) for k, a in self.arrays if k in ("int", "u", "ull")]
            if kinds:
                k, a = self.rng.choice(kinds)
                call = (f"__atomic_fetch_{self.pick('add', 'or', 'and', 'xor')}"
                        f"(&{a}[{self.index()}], ({k})({self.leaf()}), __ATOMIC_RELAXED)")
                self.emit(self.pick(f"{call};", f"acc += (u){call};"))
        elif r < 0.93:
            self.local()
        elif r < 0.96:
            self.pointers()
        elif r < 0.98:
            self.bytes()
        elif self.loops and self.chance(0.8):
            self.emit(f"if ({self.condition(0)}) {self.pick('break', 'continue') if self.loops[-1] else 'break'};")
        elif self.may_leave and self.chance(0.6):
            self.emit(f"if ({self.condition(0)}) return;")
        else:
            self.emit("__syncthreads();")

    def block(self, count):
        """Statements in braces that are open already; names within end with it."""
        held = len(self.names)
        self.depth += 1
        for _ in range(count):
            self.statement()
        self.depth -= 1
        del self.names[held:]

    def branch(self):
        if self.depth > 3:
            return
        self.emit(f"if ({self.condition(1)}) {{")
        self.block(self.rng.randint(1, 3))
        if self.chance(0.4):
            self.emit("} else {")
            self.block(self.rng.randint(1, 2))
        self.emit("}")

    def switch(self):
        if self.depth > 3:
            return
        self.emit(f"switch ({self.expression(1)} & {self.pick(3, 7)}) {{")
        self.loops.append(False)
        for k in self.rng.sample(range(8), self.rng.randint(2, 4)):
            self.emit(f"case {k}: {{")
            self.block(1)
            self.emit("} " + ("break;" if self.chance(0.7) else ""))
        if self.chance(0.5):
            self.emit("default: {")
            self.block(1)
            self.emit("}")
        self.loops.pop()
        self.emit("}")

    def loop(self):
        if self.depth > 2 or self.work > 60:
            return
        form = self.pick(0, 1, 2, 3, 5, 7) if self.plain and self.chance(0.8) else self.rng.randint(0, 9)
        most = self.pick(2, 3, 4, 5, 8, 13)
        if self.work > 8:
            most = min(most, 4)
        i = self.new("i")
        of = self.rng.choice(["int", "int", "u", "ll", "short", "uc"])
        self.work *= most
        bound = f"({self.expression(1)} & {self.pick(1, 3, most | 3)})" if self.chance(0.5) else \
            self.rng.choice([str(most), str(most)] + [f"MIN((int)({n}), {most})" for n in self.fixed])
        carried = self.carried()
        # Whether a `continue` may not skip the step of a while loop.
        step = ""
        counter = (of, i)
        if form <= 2:
            self.emit(f"for ({of} {i} = 0; {i} < ({of})({bound}); ++{i}) {{")
        elif form == 3:
            self.emit(f"for (int {i} = {self.pick('tx', '(tx + bx * dx)', 'ty', 'lane')}; "
                      f"{i} < {self.pick(64, 100, 256)}; "
                      f"{i} += MAX({self.pick('dx', 'dx * gx', '32')}, 8)) {{")
            counter = ("int", i)
        elif form == 4:
            self.emit(f"for (int {i} = (int)({bound}); {i} {self.pick('> 0', '>= 0', '!= -1')}; --{i}) {{"
                      if "MIN" not in bound else f"for (int {i} = {most}; {i} > 0; {i} -= 2) {{")
            counter = ("int", i)
        elif form == 5:
            self.emit(f"for ({of} {i} = {self.pick(0, 1, 2)}; {i} < {most}; {i} += {self.pick(2, 3)}) {{")
        elif form == 6:
            self.emit(f"int {i} = {most};")
            self.emit(f"while ({i} > 0 && {self.condition(0)}) {{")
            counter, step = ("int", i), f"{i} -= {self.pick(1, 2)};"
        elif form == 7:
            self.emit(f"int {i} = 0;")
            self.emit("do {")
            counter, step = ("int", i), ""
        elif form == 8:
            self.emit(f"for (int {i} = {self.pick(1, 64, 128)}; {i} > 0; {i} >>= {self.pick(1, 2)}) {{")
            counter = ("int", i)
        else:
            self.emit(f"for (int {i} = 1; {i} < {self.pick(20, 64, 'dx')}; {i} <<= 1) {{")
            counter = ("int", i)
        held = len(self.names)
        self.names.append(counter)
        if step:
            self.emit("  " + step)
        self.loops.append(form != 7)
        for line in carried:
            if self.chance(0.5):
                self.emit("  " + line)
        self.block(self.rng.randint(1, 3))
        for line in carried:
            self.emit("  " + line)
        self.loops.pop()
        del self.names[held:]
        self.emit("}" if form != 7 else f"}} while (++{i} < (int)({bound}));")
        self.work //= most

    def carried(self):
        """Variables declared before a loop; the lines that change them in each turn."""
        lines = []
        while self.chance(0.45):
            name = self.new("c")
            form = self.rng.choice([0, 1, 2, 4]) if self.plain else self.rng.randint(0, 5)
            self.emit(f"{self.pick('int', 'int', 'u', 'short')} {name} = "
                      f"{self.pick('0', '1', 'tx', 'bx & 1', self.expression(1))};")
            n = self.rng.randint(2, 5)
            lines.append([f"{name} = {name} + 1 == {n} ? 0 : {name} + 1;", f"{name} ^= {self.pick(1, 3, 'tx')};",
                          f"{name} += {self.pick(1, 3, 32, 'dx')};", f"{name} = {self.expression(2)};",
                          f"{name} = ({name} + {self.rng.randint(1, 4)}) % {n};",
                          f"{name} = {name} * {self.pick(2, 3, 5)} + 1;"][form])
            self.names.append(("int", name))
        if len(lines) > 1 and self.chance(0.3):
            a, b = self.names[-1][1], self.names[-2][1]
            lines.append(f"{{ int t = {a}; {a} = {b}; {b} = t; }}")
        return lines

    def shared(self):
        name = self.new("sh")
        kind = self.pick("int", "float", "float", "double", "uc", "short")
        two = self.chance(0.4)
        self.emit(f"S {kind} {name}[{'16][33' if two else '128'}];")
        for _ in range(self.rng.randint(1, 3)):
            at = f"{name}[{self.index(1)} & 15][{self.index(1)} & 31]" if two else f"{name}[({self.index()}) & 127]"
            if self.chance(0.5):
                self.emit(f"{at} = {self.value_for(kind)};")
                if self.chance(0.5):
                    self.emit("__syncthreads();")
            elif self.shared_decides and kind in INTS:
                x = self.new("x")
                self.emit(f"int {x} = {at};")
                self.names.append(("int", x))
            else:
                self.emit(self.sink_of(kind, at))

    def local(self):
        name, i = self.new("l"), self.new("i")
        self.emit(f"int {name}[8];")
        self.emit(f"for (int {i} = 0; {i} < 8; ++{i}) {name}[{i}] = {i} * {self.expression(1)};")
        x = self.new("x")
        self.emit(f"{name}[{self.expression(1)} & 7] = {self.expression(1)};")
        self.emit(f"int {x} = {name}[{self.expression(1)} & 7];")
        self.names.append(("int", x))

    def pointers(self):
        kind, array = self.rng.choice(self.arrays)
        same = [a for k, a in self.arrays if k == kind]
        p, q = self.new("q"), self.new("q")
        form = self.rng.randint(0, 3)
        self.emit(f"{kind} *{p} = {array} + {self.index(1)};")
        if form == 0:
            self.emit(self.sink_of(kind, f"{p}[{self.index(1)}]"))
        elif form == 1:
            self.emit(f"{kind} *{q} = {self.condition(1)} ? {p} : {self.rng.choice(same)};")
            self.emit(f"{q}[{self.index(1)}] = {self.value_for(kind)};")
            self.emit(self.sink_of(kind, f"{q}[{self.leaf()} & 15]"))
        elif form == 2 and self.work < 10:
            i = self.new("i")
            self.emit(f"{kind} *{q} = {self.rng.choice(same)};")
            self.emit(f"for (int {i} = 0; {i} < {self.pick('4', '7', f'({self.expression(1)} & 7)')}; ++{i}) {{")
            self.emit("  " + self.sink_of(kind, f"{p}[{i}]"))
            self.emit(f"  {q}[{i} + tx] = {self.value_for(kind)};")
            self.emit(f"  {{ {kind} *t = {p}; {p} = {q}; {q} = t; }}")
            if self.chance(0.5):
                self.emit(f"  {p} += {self.pick('1', 'dx', '3', '-2')};")
            self.emit("}")
        elif self.work < 10:
            e = self.new("e")
            self.emit(f"for ({kind} *{e} = {p} + {self.rng.randint(1, 9)}; {p} != {e}; ++{p})")
            self.emit("  " + self.sink_of(kind, f"*{p}"))

    def bytes(self):
        kind, array = self.rng.choice(self.arrays)
        size = self.pick(1, 2, 3, 4, 6, 8, 12, 16)
        form = self.rng.randint(0, 2)
        if form == 0:
            h = self.new("h")
            self.emit(f"uc {h}[16] = {{0}}; __builtin_memcpy({h}, &{array}[{self.index(1)}], {size}); "
                      f"acc += {h}[0] + {h}[{size - 1}];")
        elif form == 1:
            other = self.rng.choice(self.arrays)[1]
            self.emit(f"__builtin_memcpy(&{array}[{self.index(1)}], &{other}[{self.index(1)}], {size});")
        else:
            self.emit(f"__builtin_memset(&{array}[{self.index(1)}], {self.pick(0, 1, 255)}, {size});")

    def _body(self):
        held = self.lines
        self.lines = []
        if self.chance(0.3):
            self.emit(f"if ({self.rng.choice(self.fixed + ['(tx ^ 3)', 'lane'])} <= "
                      f"{self.pick('tx', 'tx + bx * dx', 'ty', '2')}) return;")
        for _ in range(self.rng.randint(2, 7)):
            self.statement()
        params = ", ".join(f"{kind} *{name}" if what == "array" else f"{kind} {name}"
                           for what, kind, name in self.arguments)
        at = "tx + bx * dx + (ty + by * dy) * 100" if self.chance(0.5) else "tx"
        head = [f'extern "C" G void {self.name}({params}) {{', "  u acc = 0; double facc = 0;"]
        self.text = "\n".join(self.before + head + self.lines + [f"  sink[{at}] = acc; fsink[{at}] = facc;", "}"])
        self.lines = held

    def _launches(self):
        rng = self.rng
        self.launches = []
        block = rng.choice([(32, 1, 1), (48, 1, 1), (33, 1, 1), (6, 5, 1), (64, 1, 1), (128, 1, 1), (8, 8, 1),
                            (16, 4, 1), (3, 4, 5), (32, 4, 1), (1, 1, 1), (7, 1, 1), (256, 1, 1)])
        grid = rng.choice([(1, 1, 1), (4, 1, 1), (3, 2, 1), (5, 1, 1), (2, 2, 2), (100, 1, 1), (65536, 1, 1)])
        values, words = [], []
        for n, (what, kind, _) in enumerate(self.arguments):
            if what == "array":
                values.append("pointer")
            elif what == "number":
                value = rng.choice([0, 1, 2, 3, 5, 8, 10, 32, 50, 100, 7])
                if self.chance(0.15):
                    value = rng.choice(EDGES)
                value = wrapped(value, kind)
                values.append(value)
                bits = INTS[kind][0]
                words.append(f"--arg=arg{n}={value - (1 << bits) if value >> (bits - 1) > 0 else value}")
            else:
                values.append(bytes(rng.randint(0, 9) if k % 4 == 0 else 0 for k in range(24)))
        self.launches.append((grid, block, values, words))

    def threads(self, count):
        """Blocks' and threads' indices of the launch, corners among them."""
        rng = self.rng
        grid, block, _, _ = self.launches[0]
        chosen = []
        for k in range(count):
            if k == 0 and self.chance(0.3):
                chosen.append(((0, 0, 0), (0, 0, 0)))
            elif k == 1 and self.chance(0.5):
                chosen.append((tuple(g - 1 for g in grid), tuple(b - 1 for b in block)))
            else:
                chosen.append((tuple(rng.randrange(g) for g in grid), tuple(rng.randrange(b) for b in block)))
        return chosen
