"""Random kernels that hold values in memory, the fusions that they compute, and
changes of one thing.

A kernel of one program takes two arrays of ROWS x COLUMNS. Its values go through
shared memory: stored once or twice, into one of two copies, looked at by views,
copied there, carried through a loop; or through the result, which it loads after
a barrier.
"""

import re

import numpy as np

from pair_writer import BOTH, F, KERNEL, OPS, Writer

ROWS, COLUMNS = 2, 4


def tile(shape, kind="f32"):
    return "tensor<%s%s>" % ("".join("%dx" % n for n in shape), kind)


def memory(shape):
    return "!ttg.memdesc<%sf32, #shared, #smem, mutable>" % "".join(
        "%dx" % n for n in shape)


class Held(Writer):
    """The texts, and a function of numpy that computes the result."""

    def __init__(self, rng):
        super().__init__(rng)
        self.kind = rng.choice(["shared", "shared", "again", "loop"])
        # A value: the kernel's name, the fusion's, numpy's function, its shape.
        self.held = [self.loaded(k) for k in range(2)]
        for _ in range(rng.randint(1, 3)):
            self.mix()
            if self.kind == "shared":
                self.through_memory()
        if self.kind == "loop":
            self.through_loop()
        value = self.held[-1]
        if self.kind == "again":
            value = self.through_result(value)
        if value[3] != (ROWS, COLUMNS):
            value = self.turned(value)
        # The result is an op of the fusion.
        self.store_tile(self.pointers_of("y"), value[0])
        self.result = self.say("%s copy(%s)" % (self.hlo_shape(value[3]),
                                                value[1]))
        self.compute = value[2]

    def hlo_shape(self, shape):
        return "f32[%d,%d]" % shape

    def pointers_of(self, array):
        shape = (ROWS, COLUMNS)
        numbers = tile(shape, "i32")
        parts = []
        for axis, size in enumerate(shape):
            lane = self.put("tt.make_range {end = %d : i32, start = 0 : i32} : "
                            "tensor<%dxi32>" % (size, size))
            thin = tile((size, 1) if axis == 0 else (1, size), "i32")
            lane = self.put("tt.expand_dims %s {axis = %d : i32} : "
                            "tensor<%dxi32> -> %s" % (lane, 1 - axis, size,
                                                      thin))
            parts.append(self.put("tt.broadcast %s : %s -> %s" % (
                lane, thin, numbers)))
        start = self.put("arith.muli %s, %s : %s" % (
            parts[0], self.whole(COLUMNS, numbers), numbers))
        at = self.put("arith.addi %s, %s : %s" % (start, parts[1], numbers))
        pointers = tile(shape, "!tt.ptr<f32>")
        base = self.put("tt.splat %%%s : !tt.ptr<f32> -> %s" % (array, pointers))
        return self.put("tt.addptr %s, %s : %s, %s" % (
            base, at, pointers, numbers))

    def line(self, text):
        self.lines.append(" " * self.indent + text)

    def store_tile(self, pointers, value):
        self.line("tt.store %s, %s : %s" % (
            pointers, value, tile((ROWS, COLUMNS), "!tt.ptr<f32>")))

    def load_tile(self, pointers):
        return self.put("tt.load %s : %s" % (
            pointers, tile((ROWS, COLUMNS), "!tt.ptr<f32>")))

    def loaded(self, k):
        value = self.load_tile(self.pointers_of("ab"[k]))
        return value, "ab"[k], lambda x: x[k], (ROWS, COLUMNS)

    def turned(self, value):
        name, hlo, compute, shape = value
        back = shape[::-1]
        return (self.put("tt.trans %s {order = array<i32: 1, 0>} : %s -> %s" % (
                    name, tile(shape), tile(back))),
                self.say("%s transpose(%s), dimensions={1,0}" % (
                    self.hlo_shape(back), hlo)),
                lambda x: compute(x).T, back)

    def mix(self):
        """One more value, of two before it."""
        a, b = self.rng.choice(self.held), self.held[-1]
        if a[3] != b[3]:
            a = self.turned(a)
        name = self.rng.choice(sorted(BOTH))
        self.held.append((
            self.put("%s %s, %s : %s" % (KERNEL[name], a[0], b[0], tile(a[3]))),
            self.say("%s %s(%s, %s)" % (self.hlo_shape(a[3]), name, a[1], b[1])),
            lambda x: BOTH[name](a[2](x), b[2](x)), a[3]))

    def alloc(self, shape, init=None):
        if init:
            return self.put("ttg.local_alloc %s : (%s) -> %s" % (
                init, tile(shape), memory(shape)))
        return self.put("ttg.local_alloc : () -> %s" % memory(shape))

    def fill(self, value, into):
        self.line("ttg.local_store %s, %s : %s -> %s" % (
            value[0], into, tile(value[3]), memory(value[3])))

    def copy_of(self, array, into):
        self.line("%%t%d = ttg.async_copy_global_to_local %s, %s : %s -> %s" % (
            self.count, self.pointers_of(array), into,
            tile((ROWS, COLUMNS), "!tt.ptr<f32>"), memory((ROWS, COLUMNS))))
        self.count += 1
        self.line("%%t%d = ttg.async_commit_group" % self.count)
        self.count += 1
        self.line("%%t%d = ttg.async_wait {num = 0 : i32}" % self.count)
        self.count += 1

    def through_memory(self):
        """The last value, stored and loaded."""
        rng, value = self.rng, self.held[-1]
        others = [v for v in self.held if v[3] == value[3]]
        shape = value[3]
        if rng.random() < 0.4:  # one of two copies
            whole = self.alloc((2,) + shape)
            at = [self.put("arith.constant %d : i32" % k) for k in (0, 1)]
            rng.shuffle(at)
            views = [self.put("ttg.memdesc_index %s[%s] : %s -> %s" % (
                whole, k, memory((2,) + shape), memory(shape))) for k in at]
            self.fill(value, views[0])
            self.fill(rng.choice(others), views[1])
            into = views[0]
            if rng.random() < 0.3:
                into = self.put("ttg.memdesc_index %s[%s] : %s -> %s" % (
                    whole, at[0], memory((2,) + shape), memory(shape)))
        elif rng.random() < 0.3:
            into = self.alloc(shape, value[0])
        elif rng.random() < 0.3 and shape == (ROWS, COLUMNS):
            into = self.alloc(shape)
            k = rng.randrange(2)
            self.copy_of("ab"[k], into)
            value = (None, "ab"[k], lambda x: x[k], shape)
        else:
            into = self.alloc(shape, rng.choice([None, rng.choice(others)[0]]))
            for _ in range(rng.randrange(2)):
                self.fill(rng.choice(others), into)
            self.fill(value, into)
        if rng.random() < 0.5:
            back = shape[::-1]
            view = self.put("ttg.memdesc_trans %s {order = array<i32: 1, 0>} : "
                            "%s -> %s" % (into, memory(shape), memory(back)))
            name = self.put("ttg.local_load %s : %s -> %s" % (
                view, memory(back), tile(back)))
            hlo = self.say("%s transpose(%s), dimensions={1,0}" % (
                self.hlo_shape(back), value[1]))
            self.held.append((name, hlo, lambda x: value[2](x).T, back))
        else:
            name = self.put("ttg.local_load %s : %s -> %s" % (
                into, memory(shape), tile(shape)))
            self.held.append((name,) + value[1:])

    def through_loop(self):
        """What a loop carries goes through memory in each iteration, or what the
        iteration before has left there is taken."""
        rng, value = self.rng, self.held[-1]
        shape, turns = value[3], rng.randint(1, 3)
        a = rng.choice([v for v in self.held if v[3] == shape])
        name = rng.choice(sorted(BOTH))
        into = self.alloc(shape)
        is_late = rng.random() < 0.4
        if is_late:
            self.fill(value, into)
        zero, end, one = (self.number(n) for n in (0, turns, 1))
        self.count += 1
        result = "%%v%d" % self.count
        self.line("%s = scf.for %%i = %s to %s step %s iter_args(%%acc = %s) -> "
                  "(%s)  : i32 {" % (result, zero, end, one, value[0],
                                     tile(shape)))
        self.indent += 2
        if not is_late:
            self.fill(("%acc",) + value[1:], into)
        held = self.put("ttg.local_load %s : %s -> %s" % (
            into, memory(shape), tile(shape)))
        new = self.put("%s %s, %s : %s" % (KERNEL[name], held, a[0],
                                           tile(shape)))
        if is_late:
            self.fill((new,) + value[1:], into)
        self.line("scf.yield %s : %s" % (new, tile(shape)))
        self.indent -= 2
        self.line("}")
        hlo = value[1]
        for _ in range(turns):
            hlo = self.say("%s %s(%s, %s)" % (self.hlo_shape(shape), name, hlo,
                                              a[1]))

        def compute(x):
            found = value[2](x)
            for _ in range(turns):
                found = BOTH[name](found, a[2](x))
            return found
        self.isOpen = is_late
        self.held.append((result, hlo, compute, shape))

    def through_result(self, value):
        """What the kernel has stored into its result, and loads again."""
        if value[3] != (ROWS, COLUMNS):
            value = self.turned(value)
        pointers = self.pointers_of("y")
        if self.rng.random() < 0.3:
            self.store_tile(pointers, self.held[0][0])
            self.line("gpu.barrier")
        self.store_tile(pointers, value[0])
        self.line("gpu.barrier")
        if self.rng.random() < 0.5:
            pointers = self.pointers_of("y")
        again = self.load_tile(pointers)
        self.line("gpu.barrier")
        self.held.append((again,) + value[1:])
        self.mix()
        value = self.held[-1]
        return self.turned(value) if value[3] != (ROWS, COLUMNS) else value

    def hlo_text(self):
        shape = self.hlo_shape((ROWS, COLUMNS))
        lines = list(self.hlo)
        number = int(self.result[1:])
        lines[number] = lines[number].replace("  h", "  ROOT h", 1)
        return ("HloModule m\nENTRY main {\n  a = %s parameter(0)\n"
                "  b = %s parameter(1)\n%s\n}\n" % (shape, shape,
                                                    "\n".join(lines)))

    def text(self):
        return ("#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, "
                "maxPhase = 1, order = [1, 0]}>\n#smem = #ttg.shared_memory\n" +
                super().text())


def is_kernel(text):
    """Whether each value is defined in front of its uses."""
    known = set()
    for line in text.split("\n"):
        defined, _, rest = line.rpartition(" = ")
        if line.lstrip().startswith("tt.func"):
            known.update(re.findall(r"(%\w+):", line))
            continue
        if "iter_args" in line:
            known.update(["%acc", "%i"])
            defined, rest = line.split(" = ", 1)
        if any(name not in known for name in re.findall(r"%\w+", rest)):
            return False
        known.update(re.findall(r"%\w+", defined))
    return True


def changed(text, rng):
    """The text with one op, operand, number, view or line changed; nothing where
    that is no kernel."""
    other = changed_text(text, rng)
    return other if other and is_kernel(other) else None


def changed_text(text, rng):
    kind = rng.choice(["op", "operands", "line", "line", "order", "stored",
                       "read", "number"])
    if kind == "line":
        lines = text.split("\n")
        places = [k for k, line in enumerate(lines)
                  if re.match(r"\s*(ttg\.local_store|gpu\.barrier|tt\.store|"
                              r"%t\d+ = )", line)]
        if not places:
            return None
        k = rng.choice(places)
        if rng.random() < 0.5:
            return "\n".join(lines[:k] + lines[k + 1:])
        other = k + rng.choice([-2, -1, 1, 2])
        if "=" in lines[k] and other < k or not 4 < other < len(lines) - 4:
            return None
        lines.insert(other, lines.pop(k))
        return "\n".join(lines)
    patterns = {
        "op": (r"arith\.(addf|subf|mulf|maximumf|minimumf)(?= )",
               ["arith.%sf" % x for x in ("add", "sub", "mul", "maximum",
                                          "minimum")]),
        "order": (r"i32: (1, 0|0, 1)", ["i32: 1, 0"]),
        "number": (r"constant [01] : i32", ["constant 0 : i32",
                                            "constant 1 : i32"])}
    if kind == "operands":
        places = list(re.finditer(r"(arith\.\w+f) (%\w+), (%\w+)", text))
        if not places:
            return None
        place = rng.choice(places)
        return "%s%s %s, %s%s" % (text[:place.start()], place[1], place[3],
                                  place[2], text[place.end():])
    if kind in ("stored", "read"):
        pattern = (r"local_store (%\w+)()" if kind == "stored"
                   else r"local_(?:load|store) (?:%\w+, )?(%\w+)()")
        places = list(re.finditer(pattern, text))
        if len(places) < 2:
            return None
        one, two = rng.sample(places, 2)
        return text[:one.start(1)] + two[1] + text[one.end(1):]
    pattern, words = patterns[kind]
    places = list(re.finditer(pattern, text))
    if not places:
        return None
    place = rng.choice(places)
    other = rng.choice([w for w in words if w != place[0]] or words)
    return text[:place.start()] + other + text[place.end():]
