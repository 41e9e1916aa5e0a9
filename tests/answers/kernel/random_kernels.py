"""Random kernels in Triton's IR, as text: offsets made of random integer
arithmetic, masks, loops that carry offsets or pointers, block pointers, tiles of
one and two dimensions."""

import random


class Writer:
    # How often an operation on bits has two values, not a value and a constant.
    # Such an operation may have no map.
    bits_of_two = 0.3

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.count = [], 0

    def put(self, text, indent=4):
        name = "%%%d" % self.count
        self.count += 1
        self.lines.append(" " * indent + name + " = " + text)
        return name

    def scalar(self, number):
        return self.put("arith.constant %d : i32" % number)

    def wide(self, number):
        return self.put("arith.constant %d : i64" % number)

    def arithmetic(self, kind, values, steps):
        """Mixes values of that type a few times."""
        pool = list(values)
        for _ in range(steps):
            a, b = self.random.choice(pool), self.random.choice(pool)
            op = self.random.choice(
                ["addi", "subi", "muli", "divsi", "remsi", "minsi", "maxsi",
                 "remui", "andi", "ori", "xori", "select"])
            number = self.random.choice([1, 2, 3, 4, 5, 7, 8, 16])
            if op in ("muli", "divsi", "remsi", "remui"):
                b = self.constant(kind, number)
            if op in ("andi", "ori", "xori") and (
                    self.random.random() >= self.bits_of_two):
                b = self.constant(kind, self.random.choice(
                    [1, 3, 7, 15, 4, 5, 20, 41, -2, -5, -16]))
            if op == "select":
                truth = self.compare(kind, a, b)
                flag = kind.replace("i32", "i1")
                pool.append(self.put("arith.select %s, %s, %s : %s, %s" % (
                    truth, a, b, flag, kind) if kind != "i32" else
                    "arith.select %s, %s, %s : %s" % (truth, a, b, kind)))
            else:
                pool.append(self.put("arith.%s %s, %s : %s" % (op, a, b, kind)))
        return pool[-1]

    def constant(self, kind, number):
        if kind == "i32":
            return self.scalar(number)
        return self.put("arith.constant dense<%d> : %s" % (number, kind))

    def compare(self, kind, a, b):
        word = self.random.choice(["slt", "sle", "sgt", "sge", "eq", "ne"])
        return self.put("arith.cmpi %s, %s, %s : %s" % (word, a, b, kind))


def tile_of_offsets(w, shape, pid):
    """A tensor of random offsets, and its type."""
    text = "x".join(str(n) for n in shape)
    kind = "tensor<%sxi32>" % text
    parts = []
    for k, side in enumerate(shape):
        row = w.put("tt.make_range {end = %d : i32, start = 0 : i32} : "
                    "tensor<%dxi32>" % (side, side))
        if len(shape) == 2:
            thin = "tensor<%s>" % ("%dx1xi32" % side if k == 0
                                   else "1x%dxi32" % side)
            row = w.put("tt.expand_dims %s {axis = %d : i32} : tensor<%dxi32> "
                        "-> %s" % (row, 1 - k, side, thin))
            row = w.put("tt.broadcast %s : %s -> %s" % (row, thin, kind))
        parts.append(row)
    scalar = w.arithmetic("i32", pid, w.random.randint(0, 3))
    parts.append(w.put("tt.splat %s : i32 -> %s" % (scalar, kind)))
    offsets = w.arithmetic(kind, parts, w.random.randint(1, 4))
    if len(shape) == 2 and w.random.random() < 0.2:
        back = "tensor<%dx%dxi32>" % (shape[1], shape[0])
        turned = w.put("tt.trans %s {order = array<i32: 1, 0>} : %s -> %s" % (
            offsets, kind, back))
        offsets = w.put("tt.reshape %s : %s -> %s" % (turned, back, kind))
    return offsets, kind


def access(w, shape, pid, number, argument):
    offsets, kind = tile_of_offsets(w, shape, pid)
    pointers = kind.replace("i32", "!tt.ptr<f32>")
    base = w.put("tt.splat %%arg%d : !tt.ptr<f32> -> %s" % (argument, pointers))
    at = w.put("tt.addptr %s, %s : %s, %s" % (base, offsets, pointers, kind))
    mask = ""
    if w.random.random() < 0.6:
        bound = w.constant(kind, w.random.randint(0, 200))
        mask = w.put("arith.cmpi slt, %s, %s : %s" % (offsets, bound, kind))
        if w.random.random() < 0.5:
            low = w.constant(kind, w.random.randint(-9, 9))
            other = w.put("arith.cmpi sge, %s, %s : %s" % (offsets, low, kind))
            mask = w.put("arith.andi %s, %s : %s" % (
                mask, other, kind.replace("i32", "i1")))
        mask = ", " + mask
    value = kind.replace("i32", "f32")
    if number == 0:
        w.put("tt.load %s%s : %s" % (at, mask, pointers))
    else:
        zero = w.put("arith.constant dense<0.000000e+00> : %s" % value)
        w.lines.append("    tt.store %s, %s%s : %s" % (at, zero, mask, pointers))


def looped(w, pid):
    """A loop that carries a block pointer and a scalar offset."""
    low, step = w.scalar(w.random.randint(0, 3)), w.scalar(w.random.randint(1, 3))
    high = w.scalar(w.random.randint(3, 9))
    zero, by = w.scalar(0), w.scalar(w.random.randint(-4, 8))
    start = w.arithmetic("i32", pid, w.random.randint(0, 2))
    rows, columns = w.wide(w.random.randint(1, 40)), w.wide(w.random.randint(1, 9))
    ahead, one = w.wide(w.random.randint(1, 50)), w.wide(1)
    block = w.put(
        "tt.make_tensor_ptr %%arg0, [%s, %s], [%s, %s], [%s, %s] {order = "
        "array<i32: 1, 0>} : <tensor<2x4xf32>>" % (
            rows, columns, ahead, one, start, zero))
    check = w.random.choice(
        ["", " {boundaryCheck = array<i32: 0>}",
         " {boundaryCheck = array<i32: 0, 1>}"])
    result = "%%%d" % w.count
    w.count += 1
    w.lines.append(
        "    %s:2 = scf.for %%i = %s to %s step %s iter_args(%%p = %s, %%q = %s) "
        "-> (!tt.ptr<tensor<2x4xf32>>, i32)  : i32 {" % (
            result, low, high, step, block, start))
    w.put("tt.load %%p%s : !tt.ptr<tensor<2x4xf32>>" % check, 6)
    near = w.put("tt.addptr %arg1, %q : !tt.ptr<f32>, i32", 6)
    w.put("tt.load %s : !tt.ptr<f32>" % near, 6)
    far = w.put("tt.addptr %s, %%i : !tt.ptr<f32>, i32" % near, 6)
    w.put("tt.load %s : !tt.ptr<f32>" % far, 6)
    next_p = w.put("tt.advance %%p, [%s, %s] : <tensor<2x4xf32>>" % (by, zero), 6)
    next_q = w.put("arith.addi %%q, %s : i32" % by, 6)
    w.lines.append("      scf.yield %s, %s : !tt.ptr<tensor<2x4xf32>>, i32" % (
        next_p, next_q))
    w.lines.append("    }")
    after = w.put("tt.addptr %%arg1, %s#1 : !tt.ptr<f32>, i32" % result)
    w.put("tt.load %s : !tt.ptr<f32>" % after)


def kernel(seed):
    w = Writer(seed)
    x = w.put("tt.get_program_id x : i32")
    y = w.put("tt.get_program_id y : i32")
    if w.random.random() < 0.4:
        looped(w, [x, y])
    shape = w.random.choice([[8], [16], [4, 8], [2, 4]])
    for argument in range(2):
        access(w, shape, [x, y], argument, argument)
    return "\n".join(
        ["module {",
         "  tt.func public @kernel(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : "
         "i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {"] +
        w.lines + ["    tt.return", "  }", "}"]) + "\n"
