"""Random kernels whose integers are often not known: loads, atomics, foreign
code, floats made integers, quotients by 0. They call functions twice, branch,
carry values through loops and swap them, store before they load, count in
unsigned and in 64 bits near the ends of these, and do arithmetic of one bit.

    text = kernel(seed)     arguments: y, q, w (arrays), n: i32, m: i64, b: i1
"""

import random

ARGUMENTS = (("%y", "!tt.ptr<i32>"), ("%q", "!tt.ptr<i32>"),
             ("%w", "!tt.ptr<i64>"), ("%n", "i32"), ("%m", "i64"),
             ("%b", "i1"))
EDGES = {
    "i1": [0, 1],
    "i32": [-2**31, 2**31 - 1, 2**30, -1, 0, 1000],
    "i64": [-2**63, 2**63 - 1, -2**62, 2**62, 2**31, -2**31, 2**32 - 1, -1, 0,
            1000],
}
LANES = 4
TRIPS = {"i32": 3, "i64": 3}


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.count, self.depth = [], 0, 2
        self.budget = self.random.randint(4, 16)

    # Text.

    def name(self):
        self.count += 1
        return "%%v%d" % self.count

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def put(self, text):
        name = self.name()
        self.line("%s = %s" % (name, text))
        return name

    def chance(self, part):
        return self.random.random() < part

    def pick(self, values):
        return self.random.choice(values)

    # Values. A scope has the names of each type.

    def constant(self, kind, number=None):
        if number is None:
            number = (self.pick(EDGES[kind]) if self.chance(0.25)
                      else self.random.randint(-2, 8))
        if kind == "i1":
            return self.put("arith.constant %s" % ("true" if number % 2
                                                   else "false"))
        return self.put("arith.constant %d : %s" % (number, kind))

    def any_of(self, scope, kind):
        if not scope[kind] or self.chance(0.1):
            scope[kind].append(self.constant(kind))
        # The later a value came, the more went into it.
        at = max(self.random.randrange(len(scope[kind])) for _ in range(2))
        return scope[kind][at]

    def arithmetic(self, scope, kind):
        a, b = self.any_of(scope, kind), self.any_of(scope, kind)
        op = self.pick(["addi", "subi", "muli", "andi", "ori", "xori", "minsi",
                        "maxsi", "minui", "maxui", "divsi", "remsi", "divui",
                        "remui", "shli", "shrsi", "shrui"])
        if kind == "i1" and op[:2] in ("di", "re", "sh"):
            op = "addi"
        if op[:2] in ("di", "re", "sh") and self.chance(0.7):
            b = self.constant(kind, self.random.randint(-1, 5))
        if op in ("andi", "muli") and kind != "i1" and self.chance(0.7):
            b = self.constant(kind, self.pick([-8, 1, 3, 4, 7, 15, 2**30]))
        return self.put("arith.%s %s, %s : %s" % (op, a, b, kind))

    def compare(self, scope):
        kind = self.pick(["i32", "i32", "i64", "i1"])
        word = self.pick(["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule",
                          "ugt", "uge"])
        return self.put("arith.cmpi %s, %s, %s : %s" % (
            word, self.any_of(scope, kind), self.any_of(scope, kind), kind))

    def cast(self, scope, kind):
        bits = {"i1": 1, "i32": 32, "i64": 64}
        source = self.pick([k for k in bits if k != kind])
        wider = bits[kind] > bits[source]
        op = self.pick(["extsi", "extui"]) if wider else "trunci"
        return self.put("arith.%s %s : %s to %s" % (
            op, self.any_of(scope, source), source, kind))

    def select(self, scope, kind):
        return self.put("arith.select %s, %s, %s : %s" % (
            self.any_of(scope, "i1"), self.any_of(scope, kind),
            self.any_of(scope, kind), kind))

    def unknown(self, scope, kind):
        """A value that no term says."""
        a = self.any_of(scope, kind)
        ways = ["asm", "extern", "float"]
        if kind != "i1":
            ways += ["absi", "reduce"]
        if kind == "i32":
            ways += ["mulhiui", "load", "load", "load", "atomic", "volatile",
                     "masked", "masked"]
        if kind == "i64":
            ways += ["load"]
        way = self.pick(ways)
        if way == "asm":
            return self.put(
                'tt.elementwise_inline_asm "mov $0, $1;" {constraints = "=r,r", '
                "packed_element = 1 : i32, pure = true} %s : %s -> %s" % (
                    a, kind, kind))
        if way == "extern":
            return self.put(
                'tt.extern_elementwise %s {libname = "", libpath = "", pure = '
                'true, symbol = "f"} : (%s) -> %s' % (a, kind, kind))
        if way == "float":
            up = self.put("arith.sitofp %s : %s to f32" % (a, kind))
            return self.put("arith.fptosi %s : f32 to %s" % (up, kind))
        if way == "absi":
            return self.put("math.absi %s : %s" % (a, kind))
        if way == "mulhiui":
            return self.put("tt.mulhiui %s, %s : i32" % (
                a, self.any_of(scope, kind)))
        if way == "reduce":
            tensor = "tensor<%dx%s>" % (LANES, kind)
            wide = self.put("tt.splat %s : %s -> %s" % (a, kind, tensor))
            name, x, y, z = (self.name() for _ in range(4))
            self.line('%s = "tt.reduce"(%s) <{axis = 0 : i32}> ({' % (name, wide))
            self.line("^bb0(%s: %s, %s: %s):" % (x, kind, y, kind))
            self.line("  %s = arith.maxsi %s, %s : %s" % (z, x, y, kind))
            self.line("  tt.reduce.return %s : %s" % (z, kind))
            self.line("}) : (%s) -> %s" % (tensor, kind))
            return name
        if way == "atomic":
            return self.atomic(scope)
        return self.load(scope, kind, way)

    # Memory.

    def small(self, scope, kind="i32"):
        """A value that is often in a small array, and often another one in
        another program."""
        a = self.any_of(scope, kind)
        if self.chance(0.5):
            a = self.put("arith.%s %s, %s : %s" % (
                self.pick(["addi", "subi", "addi", "xori"]), a,
                self.any_of(scope, kind), kind))
        if self.chance(0.4):
            op, number = self.pick([("andi", 7), ("andi", 3), ("remui", 6),
                                    ("remsi", 5)])
            a = self.put("arith.%s %s, %s : %s" % (
                op, a, self.constant(kind, number), kind))
        if self.chance(0.5):
            times = self.put("arith.muli %s, %s : %s" % (
                scope["program"][kind],
                self.constant(kind, self.pick([1, 4, 8])), kind))
            a = self.put("arith.addi %s, %s : %s" % (a, times, kind))
        return a

    def pointer(self, scope, kind):
        base = self.pick(scope[kind])
        if self.chance(0.15):
            return base
        by = self.pick(["i32", "i32", "i64"])
        return self.put("tt.addptr %s, %s : %s, %s" % (
            base, self.small(scope, by), kind, by))

    def load(self, scope, kind, way):
        pointers = "!tt.ptr<%s>" % kind
        at = self.pointer(scope, pointers)
        if way == "masked":
            at += ", " + self.any_of(scope, "i1")
            if self.chance(0.3):
                at += ", " + self.any_of(scope, kind)
        if way == "volatile":
            at += " {isVolatile = true}"
        return self.put("tt.load %s : %s" % (at, pointers))

    def atomic(self, scope):
        return self.put(
            "tt.atomic_rmw add, acq_rel, gpu, %s, %s, %s : (!tt.ptr<i32>, i32, "
            "i1) -> i32" % (self.pointer(scope, "!tt.ptr<i32>"),
                            self.any_of(scope, "i32"), self.any_of(scope, "i1")))

    def store(self, scope):
        kind = "i32" if self.chance(0.9) else "i64"
        mask = ", " + self.any_of(scope, "i1") if self.chance(0.4) else ""
        pointers = "!tt.ptr<%s>" % kind
        self.line("tt.store %s, %s%s : %s" % (
            self.pointer(scope, pointers), self.any_of(scope, kind), mask,
            pointers))

    def tile(self, scope):
        """Loads or stores of tensors, perhaps at what a tensor holds."""
        kind, truth = "tensor<%dxi32>" % LANES, "tensor<%dxi1>" % LANES
        pointers = "tensor<%dx!tt.ptr<i32>>" % LANES
        lanes = self.put("tt.make_range {end = %d : i32, start = 0 : i32} : %s" %
                         (LANES, kind))
        if self.chance(0.2):
            two = self.put("arith.constant dense<2> : " + kind)
            lanes = self.put("arith.%s %s, %s : %s" % (
                self.pick(["muli", "divsi", "subi"]), lanes, two, kind))
        wide = self.put("tt.splat %s : i32 -> %s" % (self.small(scope), kind))
        at = self.put("arith.addi %s, %s : %s" % (wide, lanes, kind))
        for last in range(self.random.randint(1, 3)):
            base = self.put("tt.splat %s : !tt.ptr<i32> -> %s" % (
                self.pick(scope["!tt.ptr<i32>"]), pointers))
            to = self.put("tt.addptr %s, %s : %s, %s" % (base, at, pointers, kind))
            mask = ""
            if self.chance(0.4):
                limit = self.put("tt.splat %s : i32 -> %s" % (
                    self.any_of(scope, "i32"), kind))
                mask = ", " + self.put("arith.cmpi %s, %s, %s : %s" % (
                    self.pick(["slt", "sge", "ult", "ne"]), lanes, limit, kind))
            if self.chance(0.5):
                self.line("tt.store %s, %s%s : %s" % (to, at, mask, pointers))
                continue
            held = self.put("tt.load %s%s : %s" % (to, mask, pointers))
            op = self.pick(["addi", "subi", "andi", "remui"])
            by = self.put("arith.constant dense<%d> : %s" % (
                self.pick([3, 7, 1000]), kind))
            at = self.put("arith.%s %s, %s : %s" % (
                op, held, self.pick([at, by, by]), kind))

    def blocks(self, scope):
        """A block pointer that is advanced, by large numbers, too."""
        size, stride = self.constant("i64", self.pick([8, 64])), self.constant(
            "i64", self.pick([1, 2]))
        kind = "<tensor<%dxi32>>" % LANES
        at = self.put(
            "tt.make_tensor_ptr %s, [%s], [%s], [%s] {order = array<i32: 0>} : "
            "%s" % (self.pick(scope["!tt.ptr<i32>"]), size, stride,
                    self.small(scope), kind))
        for _ in range(self.random.randint(0, 3)):
            at = self.put("tt.advance %s, [%s] : %s" % (
                at, self.any_of(scope, "i32"), kind))
        check = (" {boundaryCheck = array<i32: 0>}" if self.chance(0.6) else "")
        self.put("tt.load %s%s : !tt.ptr<tensor<%dxi32>>" % (at, check, LANES))

    # Control.

    def inner(self, scope):
        return {key: dict(value) if isinstance(value, dict) else list(value)
                for key, value in scope.items()}

    def loop(self, scope):
        kind = self.pick(["i32", "i32", "i64"])
        word = "unsigned " if self.chance(0.2) else ""
        low = self.constant(kind, self.pick(
            [0, 0, 0, 1, -2] + (EDGES[kind][:4] if self.chance(0.3) else [])))
        high = (self.any_of(scope, kind) if self.chance(0.25) else
                self.constant(kind, self.pick(
                    [TRIPS[kind]] * 4 + (EDGES[kind] if self.chance(0.3)
                                         else []))))
        step = self.constant(kind, self.pick([1, 1, 2, 2**30 if kind == "i32"
                                              else 2**62]))
        kinds = [self.pick(["i32", "i32", "i64", "i1", "!tt.ptr<i32>"])
                 for _ in range(self.random.randint(0, 3))]
        starts = [self.pick(scope[k]) if "ptr" in k else self.any_of(scope, k)
                  for k in kinds]
        counter, carried = self.name(), [self.name() for _ in kinds]
        result = self.name()
        # A result's name is written only if there is one.
        head = "%s%s" % (result, ":%d" % len(kinds) if len(kinds) > 1 else "")
        text = "scf.for %s%s = %s to %s step %s" % (
            word, counter, low, high, step)
        if kinds:
            text = "%s = %s iter_args(%s) -> (%s)" % (
                head, text, ", ".join("%s = %s" % pair
                                      for pair in zip(carried, starts)),
                ", ".join(kinds))
        self.line("%s : %s {" % (text, kind))
        self.depth += 1
        inside = self.inner(scope)
        inside[kind].append(counter)
        for k, name in zip(kinds, carried):
            inside[k].append(name)
        self.body(inside, self.random.randint(1, 3))
        yields = []
        for k, name in zip(kinds, carried):
            same = [c for t, c in zip(kinds, carried) if t == k]
            if "ptr" in k:
                yields.append(self.put("tt.addptr %s, %s : %s, i32" % (
                    self.pick(same), self.pick(inside["i32"]), k))
                    if self.chance(0.6) else self.pick(same))
            elif self.chance(0.4):
                yields.append(self.put("arith.addi %s, %s : %s" % (
                    name, self.any_of(inside, k), k)))
            else:
                yields.append(self.pick(same) if self.chance(0.5)
                              else self.any_of(inside, k))
        if kinds:
            self.line("scf.yield %s : %s" % (", ".join(yields),
                                             ", ".join(kinds)))
        self.depth -= 1
        self.line("}")
        for number, k in enumerate(kinds):
            scope[k].append(result if len(kinds) == 1
                            else "%s#%d" % (result, number))

    def branch(self, scope):
        kinds = [self.pick(["i32", "i64", "!tt.ptr<i32>"])
                 for _ in range(self.random.randint(0, 2))]
        result, on = self.name(), self.any_of(scope, "i1")
        if kinds:
            self.line("%s%s = scf.if %s -> (%s) {" % (
                result, ":%d" % len(kinds) if len(kinds) > 1 else "", on,
                ", ".join(kinds)))
        else:
            self.line("scf.if %s {" % on)
        for side in range(2 if kinds or self.chance(0.3) else 1):
            if side:
                self.line("} else {")
            self.depth += 1
            inside = self.inner(scope)
            self.body(inside, self.random.randint(1, 2))
            if kinds:
                self.line("scf.yield %s : %s" % (
                    ", ".join(self.pick(inside[k]) if "ptr" in k
                              else self.any_of(inside, k) for k in kinds),
                    ", ".join(kinds)))
            self.depth -= 1
        self.line("}")
        for number, k in enumerate(kinds):
            scope[k].append(result if len(kinds) == 1
                            else "%s#%d" % (result, number))

    def call(self, scope):
        if not self.callees:
            return
        callee = self.pick(self.callees)
        for _ in range(self.random.randint(1, 2)):
            pointer = self.pick(scope["!tt.ptr<i32>"])
            if self.chance(0.15):
                number = self.any_of(scope, "i64")
                pointer = self.put("tt.int_to_ptr %s : i64 -> !tt.ptr<i32>" %
                                   number)
            scope["i32"].append(self.put(
                "tt.call @%s(%s, %s, %s) : (!tt.ptr<i32>, !tt.ptr<i64>, i32) -> "
                "i32" % (callee, pointer, self.pick(scope["!tt.ptr<i64>"]),
                         self.any_of(scope, "i32"))))

    def foreign(self, scope):
        scope["i32"].append(self.put(
            'tt.elementwise_inline_asm "st.global.b32 [$1], 7;" {constraints = '
            '"=r,r", packed_element = 1 : i32, pure = false} %s : i32 -> i32' %
            self.any_of(scope, "i32")))

    def body(self, scope, steps):
        for _ in range(steps):
            if self.budget <= 0:
                break
            self.budget -= 1
            kind = self.pick(["i32", "i32", "i32", "i64", "i1"])
            step = self.pick(
                ["arithmetic"] * 4 + ["compare", "cast", "select"] +
                ["unknown"] * 3 + ["store"] * 4 +
                ["loop", "branch", "call", "tile", "tile", "blocks"])
            if step == "compare":
                scope["i1"].append(self.compare(scope))
            elif step in ("arithmetic", "cast", "select", "unknown"):
                scope[kind].append(getattr(self, step)(scope, kind))
            elif step in ("loop", "branch") and self.depth > 4:
                self.store(scope)
            else:
                getattr(self, step)(scope)
        if self.chance(0.01):
            self.foreign(scope)

    def program(self, scope):
        x = self.put("tt.get_program_id x : i32")
        wide = self.put("arith.extsi %s : i32 to i64" % x)
        scope["program"] = {"i32": x, "i64": wide}
        scope["i32"].append(x)
        scope["i64"].append(wide)

    def function(self, name):
        self.line("tt.func private @%s(%%p: !tt.ptr<i32>, %%r: !tt.ptr<i64>, "
                  "%%o: i32) -> i32 {" % name)
        self.depth += 1
        scope = {"i1": [], "i32": ["%o"], "i64": [], "!tt.ptr<i32>": ["%p"],
                 "!tt.ptr<i64>": ["%r"]}
        self.program(scope)
        self.body(scope, self.random.randint(1, 3))
        self.line("tt.return %s : i32" % self.any_of(scope, "i32"))
        self.depth -= 1
        self.line("}")


def kernel(seed):
    w = Writer(seed)
    w.lines, w.depth, w.callees = ["module {"], 1, []
    for number in range(w.pick([0, 0, 1, 2])):
        outer, w.budget = w.budget, 4
        w.function("f%d" % number)
        w.callees.append("f%d" % number)
        w.budget = outer
    w.line("tt.func public @k(%s) {" % ", ".join(
        "%s: %s" % pair for pair in ARGUMENTS))
    w.depth = 2
    scope = {"i1": [], "i32": [], "i64": [], "!tt.ptr<i32>": [],
             "!tt.ptr<i64>": []}
    for name, kind in ARGUMENTS:
        scope[kind].append(name)
    w.program(scope)
    w.body(scope, w.budget)
    w.store(scope)
    w.line("tt.return")
    w.lines += ["  }", "}"]
    return "\n".join(w.lines) + "\n"
