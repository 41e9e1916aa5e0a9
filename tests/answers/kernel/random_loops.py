"""Random kernels with loops, scans, calls, products and rows, the fusions that
they compute, and changes of one thing."""

import re

import numpy as np

from pair_writer import BOTH, F, KERNEL, OPS, ROWS, Writer


class Pair(Writer):
    """A kernel with a program a row, its fusion, and a function of numpy that
    computes the result of arrays `a` and `b` of rows and columns."""

    def __init__(self, rng):
        super().__init__(rng)
        self.kind = rng.choice(["total", "chain", "running", "scan", "call",
                                "dot", "softmax", "mean", "argmax", "turns",
                                "branch", "spelled", "argmax_loop"])
        if self.kind == "running":
            self.columns = max(2, self.columns)
        if self.kind == "scan":
            self.columns = rng.choice([1, 2, 4, 8])
        getattr(self, self.kind)()

    def loop(self, first, last, step, start, kind):
        """The head of a loop that carries `%acc`, and what it gives."""
        self.count += 1
        result = "%%v%d" % self.count
        self.lines.append(
            "    %s = scf.for %%i = %s to %s step %s iter_args(%%acc = %s) -> "
            "(%s)  : i32 {" % (result, first, last, step, start, kind))
        self.indent = 6
        return result

    # Kinds of kernels.

    def total(self):
        """A loop over tiles of a row, whose lanes are reduced at the end or in
        each iteration."""
        name = self.rng.choice(sorted(OPS))
        op, compute, neutral, _ = OPS[name]
        expression = self.by_element(self.rng.randint(0, 1))
        tile = self.rng.choice([1, 2, 4])
        inside = self.rng.random() < 0.4
        kind = "tensor<%dxf32>" % tile
        carried = "f32" if inside else kind
        self.begin()
        start = (self.number(neutral, "f32") if inside
                 else self.whole(neutral, kind))
        zero, end_, step = map(self.number, (0, self.columns, tile))
        result = self.loop(zero, end_, step, start, carried)
        lane, _ = self.lanes(tile, "%i")
        values = [self.load(array, lane, tile, "0.0") for array in "ab"]
        value = expression[0](values, kind)
        value = self.put("arith.select %s, %s, %s : tensor<%dxi1>, %s" % (
            self.mask(lane, tile, self.columns), value,
            self.whole(neutral, kind), tile, kind))
        if inside:
            value = self.fold(name, value, kind)
        value = self.put("%s %%acc, %s : %s" % (op, value, carried))
        self.lines.append("      scf.yield %s : %s" % (value, carried))
        self.indent = 4
        self.lines.append("    }")
        if not inside:
            result = self.fold(name, result, kind)
        self.store_scalar(result, self.row)
        self.result = self.reduced(name, expression[2], "f32[%d]" % ROWS)
        self.compute = lambda x: compute.reduce(expression[1](x), axis=1)

    def chain(self):
        """A loop that carries no reduction, turn by turn."""
        first, second = (self.rng.choice(sorted(BOTH)) for _ in "ab")
        self.begin()
        before = self.number("2.0", "f32")
        zero, end_, step = map(self.number, (0, self.columns, 1))
        result = self.loop(zero, end_, step, before, "f32")
        at = self.put("arith.addi %s, %%i : i32" % self.start)
        mixed = self.put("%s %%acc, %s : f32" % (
            KERNEL[first], self.scalar("a", at)))
        mixed = self.put("%s %s, %s : f32" % (
            KERNEL[second], mixed, self.scalar("b", at)))
        self.lines.append("      scf.yield %s : f32" % mixed)
        self.indent = 4
        self.lines.append("    }")
        self.store_scalar(result, self.row)
        column = "f32[%d]" % ROWS
        acc = self.say("%s broadcast(%s), dimensions={}" % (
            column, self.say("f32[] constant(2)")))
        for k in range(self.columns):
            for name, array in ((first, "a"), (second, "b")):
                part = self.say("f32[%d,1] slice(%s), slice={[0:%d], [%d:%d]}" % (
                    ROWS, array, ROWS, k, k + 1))
                part = self.say("%s reshape(%s)" % (column, part))
                acc = self.say("%s %s(%s, %s)" % (column, name, acc, part))
        self.result = acc

        def compute(x):
            found = np.full(ROWS, 2, dtype=F)
            for k in range(self.columns):
                found = BOTH[second](BOTH[first](found, x[0][:, k]), x[1][:, k])
            return found
        self.compute = compute

    def turns(self):
        """A loop that runs oftener in later programs, with or without a sum."""
        self.columns = max(ROWS, self.columns)
        first, second = (self.rng.choice(sorted(BOTH)) for _ in "ab")
        # A loop of another op is a reduction, and these have no order.
        plain = first == "subtract"
        self.begin()
        before = self.number("2.0", "f32")
        zero, one = map(self.number, (0, 1))
        end_ = self.put("arith.addi %s, %s : i32" % (self.row, one))
        result = self.loop(zero, end_, one, before, "f32")
        at = self.put("arith.addi %s, %%i : i32" % self.start)
        value = self.put("%s %%acc, %s : f32" % (
            KERNEL[first], self.scalar("a", at)))
        if not plain:
            value = self.put("%s %s, %s : f32" % (
                KERNEL[second], value, self.scalar("b", at)))
        self.lines.append("      scf.yield %s : f32" % value)
        self.indent = 4
        self.lines.append("    }")
        self.store_scalar(result, self.row)
        column = "f32[%d]" % ROWS
        acc = self.say("%s broadcast(%s), dimensions={}" % (
            column, self.say("f32[] constant(2)")))
        rows = self.say("s32[%d] iota(), iota_dimension=0" % ROWS)
        for k in range(ROWS):
            new = acc
            for name, array in ((first, "a"), (second, "b"))[:2 - plain]:
                part = self.say("f32[%d,1] slice(%s), slice={[0:%d], [%d:%d]}" % (
                    ROWS, array, ROWS, k, k + 1))
                part = self.say("%s reshape(%s)" % (column, part))
                new = self.say("%s %s(%s, %s)" % (column, name, new, part))
            bound = self.say("s32[%d] broadcast(%s), dimensions={}" % (
                ROWS, self.say("s32[] constant(%d)" % k)))
            runs = self.say("pred[%d] compare(%s, %s), direction=GE" % (
                ROWS, rows, bound))
            acc = self.say("%s select(%s, %s, %s)" % (column, runs, new, acc))
        self.result = acc

        def compute(x):
            found = np.full(ROWS, 2, dtype=F)
            for row in range(ROWS):
                for k in range(row + 1):
                    found[row] = BOTH[first](found[row], x[0][row, k])
                    if not plain:
                        found[row] = BOTH[second](found[row], x[1][row, k])
            return found
        self.compute = compute

    def spelled(self):
        """A reduction of a loop, which the fusion spells out in its order."""
        name = self.rng.choice(sorted(OPS))
        op, compute, _, _ = OPS[name]
        first = self.rng.choice(sorted(BOTH))
        self.columns = min(self.columns, 6)
        self.begin()
        before = self.number("2.0", "f32")
        zero, end_, step = map(self.number, (0, self.columns, 1))
        result = self.loop(zero, end_, step, before, "f32")
        at = self.put("arith.addi %s, %%i : i32" % self.start)
        value = self.put("%s %s, %s : f32" % (
            KERNEL[first], self.scalar("a", at), self.scalar("b", at)))
        value = self.put("%s %%acc, %s : f32" % (op, value))
        self.lines.append("      scf.yield %s : f32" % value)
        self.indent = 4
        self.lines.append("    }")
        self.store_scalar(result, self.row)
        column = "f32[%d]" % ROWS
        acc = self.say("%s broadcast(%s), dimensions={}" % (
            column, self.say("f32[] constant(2)")))
        for k in range(self.columns):
            parts = []
            for array in "ab":
                part = self.say("f32[%d,1] slice(%s), slice={[0:%d], [%d:%d]}" % (
                    ROWS, array, ROWS, k, k + 1))
                parts.append(self.say("%s reshape(%s)" % (column, part)))
            part = self.say("%s %s(%s)" % (column, first, ", ".join(parts)))
            acc = self.say("%s %s(%s, %s)" % (column, name, acc, part))
        self.result = acc

        def of(x):
            found = np.full(ROWS, 2, dtype=F)
            for k in range(self.columns):
                found = compute(found, BOTH[first](x[0][:, k], x[1][:, k]))
            return found
        self.compute = of

    def branch(self):
        """A choice by the program, around ops on a tile or on a scalar."""
        tile = 1 << (self.columns - 1).bit_length()
        kind = "tensor<%dxf32>" % tile
        first, second = (self.by_element(self.rng.randint(0, 1)) for _ in "ab")
        at = self.rng.randint(0, ROWS)
        self.begin()
        lane, _ = self.lanes(tile)
        values = [self.load(array, lane, tile, "0.0") for array in "ab"]
        is_low = self.put("arith.cmpi slt, %s, %s : i32" % (
            self.row, self.number(at)))
        sides = [each[0](values, kind) for each in (first, second)]
        mixed = self.put("arith.select %s, %s, %s : %s" % (
            is_low, sides[0], sides[1], kind))
        self.store(mixed, lane, tile, self.columns, self.start)
        shape = self.matrix()
        rows = self.say("s32[%d,%d] iota(), iota_dimension=0" % (
            ROWS, self.columns))
        bound = self.say("s32[%d,%d] broadcast(%s), dimensions={}" % (
            ROWS, self.columns, self.say("s32[] constant(%d)" % at)))
        is_low = self.say("pred[%d,%d] compare(%s, %s), direction=LT" % (
            ROWS, self.columns, rows, bound))
        self.result = self.say("%s select(%s, %s, %s)" % (
            shape, is_low, first[2], second[2]))
        rows = np.arange(ROWS)[:, None]
        self.compute = lambda x: np.where(rows < at, first[1](x), second[1](x))

    def window(self, name, value, backward, skip):
        """The reduction of all columns up to each one, or from it on."""
        self.called.add(name)
        start = self.say("f32[] constant(%s)" % OPS[name][3])
        pad = self.columns - 1 + skip
        size = self.columns + skip
        pads = "0_%d" % pad if backward else "%d_0" % pad
        if skip:
            pads = "%d_-1" % self.columns
            size = self.columns
        return self.say(
            "%s reduce-window(%s, %s), window={size=1x%d pad=0_0x%s}, "
            "to_apply=%s_of" % (self.matrix(), value, start, size, pads, name))

    def running(self):
        """What a loop carries is stored in each iteration, before or after."""
        name = self.rng.choice(["add", "maximum", "minimum"])
        op, compute, neutral, _ = OPS[name]
        isBefore = self.rng.random() < 0.4
        self.begin()
        before = self.number(neutral, "f32")
        zero, end_, step = map(self.number, (0, self.columns, 1))
        self.count += 1
        self.lines.append(
            "    %%v%d = scf.for %%i = %s to %s step %s iter_args(%%acc = %s) -> "
            "(f32)  : i32 {" % (self.count, zero, end_, step, before))
        self.indent = 6
        at = self.put("arith.addi %s, %%i : i32" % self.start)
        value = self.put("%s %%acc, %s : f32" % (op, self.scalar("a", at)))
        self.store_scalar("%acc" if isBefore else value, at)
        self.lines.append("      scf.yield %s : f32" % value)
        self.indent = 4
        self.lines.append("    }")
        self.result = self.window(name, "a", False, int(isBefore))

        def of(x):
            found = compute.accumulate(x[0], axis=1)
            if not isBefore:
                return found
            low = np.full((ROWS, 1), F(OPS[name][3]))
            return np.concatenate([low, found[:, :-1]], axis=1)
        self.compute = of

    def scan(self):
        name = self.rng.choice(["add", "multiply", "maximum", "minimum"])
        compute = OPS[name][1]
        backward = self.rng.random() < 0.5
        expression = self.by_element(self.rng.randint(0, 1))
        self.begin()
        kind = "tensor<%dxf32>" % self.columns
        lane, _ = self.lanes(self.columns)
        values = [self.load(array, lane, self.columns, "0.0") for array in "ab"]
        value = self.fold(name, expression[0](values, kind), kind, "scan",
                          ", reverse = %s" % str(backward).lower())
        self.store(value, lane, self.columns, self.columns, self.start)
        self.result = self.window(name, expression[2], backward, 0)

        def of(x):
            each = expression[1](x)
            if backward:
                return compute.accumulate(each[:, ::-1], axis=1)[:, ::-1]
            return compute.accumulate(each, axis=1)
        self.compute = of

    def call(self):
        """A function that is called twice."""
        tile = 1 << (self.columns - 1).bit_length()
        kind = "tensor<%dxf32>" % tile
        expression = self.by_element(self.rng.randint(1, 2))
        self.lines, outer, count = [], self.lines, self.count
        value = expression[0](["%p", "%q"], kind)
        self.functions = (["  tt.func private @inner(%%p: %s, %%q: %s) -> %s {"
                           % (kind, kind, kind)] + self.lines +
                          ["    tt.return %s : %s" % (value, kind), "  }"])
        self.lines = outer
        self.begin()
        lane, _ = self.lanes(tile)
        a, b = (self.load(array, lane, tile, "0.0") for array in "ab")
        types = "(%s, %s) -> %s" % (kind, kind, kind)
        once = self.put("tt.call @inner(%s, %s) : %s" % (a, b, types))
        twice = self.put("tt.call @inner(%s, %s) : %s" % (b, once, types))
        self.store(twice, lane, tile, self.columns, self.start)
        # The fusion calls it, too.
        lines, self.hlo = self.hlo, []
        shape = self.matrix()
        self.outside = ["inner {", "  a = %s parameter(0)" % shape,
                        "  b = %s parameter(1)" % shape] + lines
        self.outside += ["  ROOT root = %s copy(%s)" % (shape, expression[2]),
                         "}"]
        first = self.say("%s call(a, b), to_apply=inner" % shape)
        self.result = self.say("%s call(b, %s), to_apply=inner" % (shape, first))
        self.compute = lambda x: expression[1](
            [x[1], expression[1]([x[0], x[1]])])

    def dot(self):
        """Rows of a times the transpose of b, in tiles of its columns."""
        tile, size = self.rng.choice([1, 2, 4]), 4
        kind = "tensor<%dx%dxf32>" % (size, size)
        self.lines.append("    %one = arith.constant 1 : i64")
        wide = {n: self.put("arith.constant %d : i64" % n)
                for n in (ROWS, self.columns)}
        zero, end_, step = map(self.number, (0, self.columns, tile))
        zeros = self.whole("0.0", kind)
        result = self.loop(zero, end_, step, zeros, kind)
        parts = []
        for array in "ab":
            block = "tensor<%dx%dxf32>" % (size, tile)
            rows, _ = self.lanes(size)
            lanes, _ = self.lanes(tile, "%i")
            at = self.grid_of(rows, lanes, size, tile, self.columns)
            pointers = "tensor<%dx%dx!tt.ptr<f32>>" % (size, tile)
            base = self.put("tt.splat %%%s : !tt.ptr<f32> -> %s" % (
                array, pointers))
            pointer = self.put("tt.addptr %s, %s : %s, tensor<%dx%dxi32>" % (
                base, at[0], pointers, size, tile))
            parts.append(self.put("tt.load %s, %s, %s : %s" % (
                pointer, at[1], self.whole("0.0", block), pointers)))
        back = "tensor<%dx%dxf32>" % (tile, size)
        right = self.put("tt.trans %s {order = array<i32: 1, 0>} : "
                         "tensor<%dx%dxf32> -> %s" % (parts[1], size, tile, back))
        total = self.put(
            "tt.dot %s, %s, %%acc, inputPrecision = ieee : tensor<%dx%dxf32> * "
            "%s -> %s" % (parts[0], right, size, tile, back, kind))
        self.lines.append("      scf.yield %s : %s" % (total, kind))
        self.indent = 4
        self.lines.append("    }")
        rows, _ = self.lanes(size)
        columns, _ = self.lanes(size)
        at = self.grid_of(rows, columns, size, size, ROWS)
        pointers = "tensor<%dx%dx!tt.ptr<f32>>" % (size, size)
        base = self.put("tt.splat %%y : !tt.ptr<f32> -> %s" % pointers)
        pointer = self.put("tt.addptr %s, %s : %s, tensor<%dx%dxi32>" % (
            base, at[0], pointers, size, size))
        self.lines.append("    tt.store %s, %s, %s : %s" % (
            pointer, result, at[1], pointers))
        self.result = self.say(
            "f32[%d,%d] dot(a, b), lhs_contracting_dims={1}, "
            "rhs_contracting_dims={1}" % (ROWS, ROWS))
        self.compute = lambda x: x[0] @ x[1].T

    def grid_of(self, rows, lanes, size, tile, width):
        """The elements of a tile of rows, and the mask of those in the array."""
        kind = "tensor<%dx%dxi32>" % (size, tile)
        both = []
        for lane, axis, count, thin, bound in (
                (rows, 1, size, "tensor<%dx1xi32>" % size, ROWS),
                (lanes, 0, tile, "tensor<1x%dxi32>" % tile, width)):
            each = self.put("tt.expand_dims %s {axis = %d : i32} : "
                            "tensor<%dxi32> -> %s" % (lane, axis, count, thin))
            each = self.put("tt.broadcast %s : %s -> %s" % (each, thin, kind))
            both.append((each, self.put("arith.cmpi slt, %s, %s : %s" % (
                each, self.whole(bound, kind), kind))))
        start = self.put("arith.muli %s, %s : %s" % (
            both[0][0], self.whole(width, kind), kind))
        at = self.put("arith.addi %s, %s : %s" % (start, both[1][0], kind))
        return at, self.put("arith.andi %s, %s : tensor<%dx%dxi1>" % (
            both[0][1], both[1][1], size, tile))

    def softmax(self):
        """Of a row, with lanes beside it."""
        tile = 2 << (self.columns - 1).bit_length()
        kind = "tensor<%dxf32>" % tile
        self.begin()
        lane, _ = self.lanes(tile)
        value = self.load("a", lane, tile, "0xFF800000")
        most = self.put("tt.splat %s : f32 -> %s" % (
            self.fold("maximum", value, kind), kind))
        minus = self.put("arith.subf %s, %s : %s" % (value, most, kind))
        power = self.put("math.exp %s : %s" % (minus, kind))
        total = self.put("tt.splat %s : f32 -> %s" % (
            self.fold("add", power, kind), kind))
        self.store(self.put("arith.divf %s, %s : %s" % (power, total, kind)),
                   lane, tile, self.columns, self.start)
        shape, column = self.matrix(), "f32[%d]" % ROWS
        spread = "%s broadcast(%%s), dimensions={0}" % shape
        most = self.say(spread % self.reduced("maximum", "a", column))
        power = self.say("%s exponential(%s)" % (
            shape, self.say("%s subtract(a, %s)" % (shape, most))))
        total = self.say(spread % self.reduced("add", power, column))
        self.result = self.say("%s divide(%s, %s)" % (shape, power, total))

        def of(x):
            power = np.exp(x[0] - x[0].max(axis=1, keepdims=True))
            return power / power.sum(axis=1, keepdims=True)
        self.compute = of

    def mean(self):
        """What is left of a row without its mean, of squares or plain."""
        tile = 2 << (self.columns - 1).bit_length()
        kind = "tensor<%dxf32>" % tile
        self.begin()
        lane, _ = self.lanes(tile)
        value = self.load("a", lane, tile, "0.0")
        squares = self.rng.random() < 0.5
        term = self.put("arith.mulf %s, %s : %s" % (
            value, value, kind)) if squares else value
        total = self.fold("add", term, kind)
        mean = self.put("arith.divf %s, %s : f32" % (
            total, self.number("%d.0" % self.columns, "f32")))
        means = self.put("tt.splat %s : f32 -> %s" % (mean, kind))
        self.store(self.put("arith.subf %s, %s : %s" % (value, means, kind)),
                   lane, tile, self.columns, self.start)
        shape, column = self.matrix(), "f32[%d]" % ROWS
        term = self.say("%s multiply(a, a)" % shape) if squares else "a"
        total = self.reduced("add", term, column)
        count = self.say("%s broadcast(%s), dimensions={}" % (
            column, self.say("f32[] constant(%d)" % self.columns)))
        mean = self.say("%s divide(%s, %s)" % (column, total, count))
        mean = self.say("%s broadcast(%s), dimensions={0}" % (shape, mean))
        self.result = self.say("%s subtract(a, %s)" % (shape, mean))

        def of(x):
            each = x[0] * x[0] if squares else x[0]
            return x[0] - each.sum(axis=1, keepdims=True) / F(self.columns)
        self.compute = of

    def pick(self, value, lane, kind, numbers, largest):
        """The largest number of the lanes and its index, or the smallest; a NaN
        comes before all numbers."""
        self.count += 1
        n = self.count
        self.lines += [
            '    %%v%d:2 = "tt.reduce"(%s, %s) <{axis = 0 : i32}> ({' % (
                n, value, lane),
            "    ^bb0(%pa: f32, %pi: i32, %pb: f32, %pj: i32):",
            "      %%pm = arith.cmpf %s, %%pa, %%pb : f32" % (
                "ogt" if largest else "olt"),
            "      %pn = arith.cmpf une, %pa, %pa : f32",
            "      %po = arith.ori %pm, %pn : i1",
            "      %pe = arith.cmpf oeq, %pa, %pb : f32",
            "      %pl = arith.cmpi slt, %pi, %pj : i32",
            "      %pt = arith.andi %pe, %pl : i1",
            "      %pp = arith.ori %po, %pt : i1",
            "      %pv = arith.select %po, %pa, %pb : f32",
            "      %pk = arith.select %pp, %pi, %pj : i32",
            "      tt.reduce.return %pv, %pk : f32, i32",
            "    }) : (%s, %s) -> (f32, i32)" % (kind, numbers)]
        return "%%v%d#0" % n, "%%v%d#1" % n

    def argmax(self):
        """The index of the largest number of a row, or of the smallest."""
        largest = self.rng.random() < 0.5
        tile = self.rng.choice([1, 2]) << (self.columns - 1).bit_length()
        kind, numbers = "tensor<%dxf32>" % tile, "tensor<%dxi32>" % tile
        self.begin()
        lane, _ = self.lanes(tile)
        value = self.load("a", lane, tile,
                          "0xFF800000" if largest else "0x7F800000")
        _, index = self.pick(value, lane, kind, numbers, largest)
        self.picked(index, largest)

    def argmax_loop(self):
        """The same over the tiles of a row: of each tile's, or lane by lane."""
        largest, by_lane = (self.rng.random() < 0.5 for _ in "ab")
        tile = self.rng.choice([1, 2, 4])
        kind, numbers = "tensor<%dxf32>" % tile, "tensor<%dxi32>" % tile
        low = "0xFF800000" if largest else "0x7F800000"
        own = (kind, numbers) if by_lane else ("f32", "i32")
        truth = "tensor<%dxi1>" % tile if by_lane else "i1"
        self.begin()
        start = ((self.whole(low, kind), self.whole(0, numbers)) if by_lane
                 else (self.number(low, "f32"), self.number(0)))
        zero, end_, step = map(self.number, (0, self.columns, tile))
        self.count += 1
        result = "%%v%d" % self.count
        self.lines.append(
            "    %s:2 = scf.for %%i = %s to %s step %s iter_args(%%m = %s, "
            "%%k = %s) -> (%s, %s)  : i32 {" % ((result, zero, end_, step) +
                                                start + own))
        self.indent = 6
        lane, _ = self.lanes(tile, "%i")
        value = self.load("a", lane, tile, low)
        if not by_lane:
            is_late = self.rng.random() < 0.5
            if is_late:
                lane, _ = self.lanes(tile)
            value, lane = self.pick(value, lane, kind, numbers, largest)
            if is_late:
                lane = self.put("arith.addi %s, %%i : i32" % lane)
        keeps = [self.put("arith.cmpf %s, %%m, %s : %s" % (
                     "ogt" if largest else "olt", value, own[0])),
                 self.put("arith.cmpf une, %%m, %%m : %s" % own[0])]
        equal = self.put("arith.cmpf oeq, %%m, %s : %s" % (value, own[0]))
        if self.rng.random() < 0.5:  # the index tells equal ones apart
            less = self.put("arith.cmpi slt, %%k, %s : %s" % (lane, own[1]))
            equal = self.put("arith.andi %s, %s : %s" % (equal, less, truth))
        keep = self.put("arith.ori %s, %s : %s" % (keeps[0], keeps[1], truth))
        keep = self.put("arith.ori %s, %s : %s" % (keep, equal, truth))
        scalar = "i1" if not by_lane else truth
        kept = [self.put("arith.select %s, %s, %s : %s%s" % (
                    keep, old, new, scalar + ", " if by_lane else "", each))
                for old, new, each in (("%m", value, own[0]),
                                       ("%k", lane, own[1]))]
        self.lines.append("      scf.yield %s, %s : %s, %s" % (
            tuple(kept) + own))
        self.indent = 4
        self.lines.append("    }")
        index = result + "#1"
        if by_lane:
            _, index = self.pick(result + "#0", index, kind, numbers, largest)
        self.picked(index, largest)

    def picked(self, index, largest):
        """Stores the index, and says the fusion."""
        at = self.put("arith.sitofp %s : i32 to f32" % index)
        self.store_scalar(at, self.row)
        self.picks = largest
        low = "-inf" if largest else "inf"
        shape = "s32[%d,%d]" % (ROWS, self.columns)
        lane = self.say("%s iota(), iota_dimension=1" % shape)
        low = self.say("f32[] constant(%s)" % low)
        zero = self.say("s32[] constant(0)")
        both = self.say("(f32[%d], s32[%d]) reduce(a, %s, %s, %s), "
                        "dimensions={1}, to_apply=pick" % (
                            ROWS, ROWS, lane, low, zero))
        index = self.say("s32[%d] get-tuple-element(%s), index=1" % (ROWS, both))
        self.result = self.say("f32[%d] convert(%s)" % (ROWS, index))
        self.outside = [
            "pick {", "  a = f32[] parameter(0)", "  i = s32[] parameter(1)",
            "  b = f32[] parameter(2)", "  j = s32[] parameter(3)",
            "  m = pred[] compare(a, b), direction=%s" % (
                "GT" if largest else "LT"),
            "  n = pred[] compare(a, a), direction=NE",
            "  o = pred[] or(m, n)", "  v = f32[] select(o, a, b)",
            "  e = pred[] compare(a, b), direction=EQ",
            "  l = pred[] compare(i, j), direction=LT",
            "  t = pred[] and(e, l)", "  p = pred[] or(o, t)",
            "  k = s32[] select(p, i, j)",
            "  ROOT r = (f32[], s32[]) tuple(v, k)", "}"]
        self.compute = lambda x: F(
            (np.argmax if largest else np.argmin)(x[0], axis=1))


def changed(text, rng):
    """The text with one number, op or operand changed."""
    kind = rng.choice(["number", "op", "op", "operands", "float", "order",
                       "reverse", "compare"])
    if kind == "number":
        place = rng.choice(list(re.finditer(
            r"dense<(\d+)> :|constant (\d+) : i32", text)))
        group = 1 if place[1] else 2
        other = max(0, int(place[group]) + rng.choice([-1, 1]))
        return text[:place.start(group)] + str(other) + text[place.end(group):]
    patterns = {
        "op": (r"arith\.(addf|subf|mulf|maximumf|minimumf)(?= )",
               ["arith.%sf" % x for x in ("add", "sub", "mul", "maximum",
                                          "minimum")]),
        "float": (r"0\.0(?=[> ])|0xFF800000|1\.0(?= )", ["0.0", "1.0", "2.5"]),
        "order": (r"cmpi slt", ["cmpi sle", "cmpi sgt"]),
        "compare": (r"cmpf (ogt|olt|oeq|une)",
                    ["cmpf " + x for x in ("ogt", "olt", "oge", "oeq", "une")]),
        "reverse": (r"reverse = \w+", ["reverse = true", "reverse = false"])}
    if kind == "operands":
        places = list(re.finditer(r"(arith\.\wubf|arith\.divf) (%\w+), (%\w+)",
                                  text))
        if not places:
            return None
        place = rng.choice(places)
        return "%s%s %s, %s%s" % (text[:place.start()], place[1], place[3],
                                  place[2], text[place.end():])
    pattern, words = patterns[kind]
    places = list(re.finditer(pattern, text))
    if not places:
        return None
    place = rng.choice(places)
    other = rng.choice([w for w in words if w != place[0]] or words)
    return text[:place.start()] + other + text[place.end():]
