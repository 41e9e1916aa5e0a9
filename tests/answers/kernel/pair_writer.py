"""The texts of a kernel and of the fusion that it computes, op by op."""

import numpy as np

F = np.float32
ROWS = 3
OPS = {"add": ("arith.addf", np.add, "0.0", "0"),
       "multiply": ("arith.mulf", np.multiply, "1.0", "1"),
       "maximum": ("arith.maximumf", np.maximum, "0xFF800000", "-inf"),
       "minimum": ("arith.minimumf", np.minimum, "0x7F800000", "inf")}
BOTH = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply,
        "maximum": np.maximum, "minimum": np.minimum}
KERNEL = {"add": "arith.addf", "subtract": "arith.subf",
          "multiply": "arith.mulf", "maximum": "arith.maximumf",
          "minimum": "arith.minimumf"}


class Writer:
    """A kernel with a program a row, and its fusion, of arrays `a` and `b`."""

    def __init__(self, rng):
        self.rng, self.count = rng, 0
        self.lines, self.functions, self.hlo = [], [], []
        self.called, self.result = set(), None
        self.indent = 4
        self.columns = rng.randint(1, 9)

    # The kernel's text.

    def put(self, text):
        self.count += 1
        name = "%%v%d" % self.count
        self.lines.append(" " * self.indent + "%s = %s" % (name, text))
        return name

    def number(self, value, kind="i32"):
        return self.put("arith.constant %s : %s" % (value, kind))

    def whole(self, value, kind):
        return self.put("arith.constant dense<%s> : %s" % (value, kind))

    def lanes(self, tile, at=None):
        """The numbers of a tile's lanes behind `at`, and their type."""
        kind = "tensor<%dxi32>" % tile
        lane = self.put("tt.make_range {end = %d : i32, start = 0 : i32} : %s"
                        % (tile, kind))
        if at:
            from_ = self.put("tt.splat %s : i32 -> %s" % (at, kind))
            lane = self.put("arith.addi %s, %s : %s" % (from_, lane, kind))
        return lane, kind

    def pointers(self, array, lane, tile, start):
        kind = "tensor<%dxi32>" % tile
        at = self.put("tt.splat %s : i32 -> %s" % (start, kind))
        at = self.put("arith.addi %s, %s : %s" % (at, lane, kind))
        pointers = "tensor<%dx!tt.ptr<f32>>" % tile
        base = self.put("tt.splat %%%s : !tt.ptr<f32> -> %s" % (array, pointers))
        return self.put("tt.addptr %s, %s : %s, %s" % (
            base, at, pointers, kind)), pointers

    def mask(self, lane, tile, size):
        kind = "tensor<%dxi32>" % tile
        return self.put("arith.cmpi slt, %s, %s : %s" % (
            lane, self.whole(size, kind), kind))

    def load(self, array, lane, tile, other):
        pointer, kind = self.pointers(array, lane, tile, self.start)
        words = pointer
        if tile != self.columns or self.rng.random() < 0.3:
            words += ", %s, %s" % (
                self.mask(lane, tile, self.columns),
                self.whole(other, "tensor<%dxf32>" % tile))
        return self.put("tt.load %s : %s" % (words, kind))

    def store(self, value, lane, tile, size, start):
        pointer, kind = self.pointers("y", lane, tile, start)
        self.lines.append(" " * self.indent + "tt.store %s, %s, %s : %s" % (
            pointer, value, self.mask(lane, tile, size), kind))

    def scalar(self, array, at):
        where = self.put("tt.addptr %%%s, %s : !tt.ptr<f32>, i32" % (array, at))
        return self.put("tt.load %s : !tt.ptr<f32>" % where)

    def store_scalar(self, value, at):
        where = self.put("tt.addptr %%y, %s : !tt.ptr<f32>, i32" % at)
        self.lines.append(" " * self.indent +
                          "tt.store %s, %s : !tt.ptr<f32>" % (where, value))

    def begin(self):
        self.row = self.put("tt.get_program_id x : i32")
        self.start = self.put("arith.muli %s, %s : i32" % (
            self.row, self.number(self.columns)))

    def fold(self, name, value, kind, of="reduce", more=""):
        """A reduction or a scan of the only dimension."""
        op, result = OPS[name][0], kind if of == "scan" else "f32"
        self.count += 1
        n = self.count
        self.lines += [
            '%s%%v%d = "tt.%s"(%s) <{axis = 0 : i32%s}> ({' % (
                " " * self.indent, n, of, value, more),
            "    ^bb0(%%l%d: f32, %%r%d: f32):" % (n, n),
            "      %%o%d = %s %%l%d, %%r%d : f32" % (n, op, n, n),
            "      tt.%s.return %%o%d : f32" % (of, n),
            "    }) : (%s) -> %s" % (kind, result)]
        return "%%v%d" % n

    # The fusion's text.

    def say(self, text):
        self.hlo.append("  h%d = %s" % (len(self.hlo), text))
        return "h%d" % (len(self.hlo) - 1)

    def reduced(self, name, value, shape):
        self.called.add(name)
        start = self.say("f32[] constant(%s)" % OPS[name][3])
        return self.say("%s reduce(%s, %s), dimensions={1}, to_apply=%s_of" % (
            shape, value, start, name))

    def matrix(self):
        return "f32[%d,%d]" % (ROWS, self.columns)

    def by_element(self, depth):
        """An expression of a and b by element: how the kernel makes it of its
        two values, and what numpy and HLO do."""
        if depth == 0:
            which = self.rng.randrange(2)
            return (lambda x, kind: x[which], lambda x: x[which], "ab"[which])
        left, right = self.by_element(depth - 1), self.by_element(
            self.rng.randrange(depth))
        name = self.rng.choice(sorted(BOTH))
        return (lambda x, kind: self.put("%s %s, %s : %s" % (
                    KERNEL[name], left[0](x, kind), right[0](x, kind), kind)),
                lambda x: BOTH[name](left[1](x), right[1](x)),
                self.say("%s %s(%s, %s)" % (self.matrix(), name, left[2],
                                            right[2])))

    def hlo_text(self):
        text = "HloModule m\n"
        for name in sorted(self.called):
            text += ("%s_of {\n  x = f32[] parameter(0)\n"
                     "  y = f32[] parameter(1)\n  ROOT o = f32[] %s(x, y)\n}\n"
                     % (name, name))
        text += "".join(line + "\n" for line in getattr(self, "outside", []))
        shape = self.matrix()
        text += "ENTRY main {\n  a = %s parameter(0)\n  b = %s parameter(1)\n" % (
            shape, shape)
        lines = list(self.hlo)
        number = int(self.result[1:])
        lines[number] = lines[number].replace("  h", "  ROOT h", 1)
        return text + "\n".join(lines) + "\n}\n"

    def text(self):
        return "\n".join(
            ["module {", "  tt.func public @k(%a: !tt.ptr<f32>, "
             "%b: !tt.ptr<f32>, %y: !tt.ptr<f32>) {"] + self.lines +
            ["    tt.return", "  }"] + self.functions + ["}"]) + "\n"
