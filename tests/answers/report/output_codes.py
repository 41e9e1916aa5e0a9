"""Files as Inductor writes them, in the forms of 2023 to 2026, each with a table
of what it launches.

    file = OutputCode(2025, seed)
    file.text          the file
    file.options       options of a report that make its grids known
    file.steps         a Step for each launch and each call of a library

The texts are made here, from a random chain of ops; the table is made with
them, from sizes and strides alone.
"""

import random

from output_code_texts import (WIDTH, R, Step, Tensor, Texts, X, Y, dense,
                               tuple_text)


class OutputCode(Texts):
    def __init__(self, year, seed):
        self.year, self.random = year, random.Random(1000 * year + seed)
        self.kernels, self.body, self.steps, self.inputs = [], [], [], []
        self.buffers = 0
        self.nodes = 0
        self.kind = self.random.choice(["f32", "f32", "f16", "bf16"])
        if year == 2023:
            self.kind = "f32"
        self.isDynamic = year >= 2024 and seed % 5 == 4
        self.options = ["--const=XBLOCK=%d" % X, "--const=YBLOCK=%d" % Y,
                        "--const=%s=%d" % (self.r("BLOCK"), R)]
        rows = self.random.choice([24, 64, 96, 130])
        columns = self.random.choice([32, 100, 256, 513])
        self.rows = rows
        at = self.input([rows, columns])
        made = [self.unary, self.inplace, self.total, self.product,
                self.turned, self.biased, self.halves, self.view]
        if year >= 2024 and not self.isDynamic:
            made.append(self.attention)
        if not self.isDynamic:
            made.append(self.convolution)
        self.random.shuffle(made)
        for op in made[:self.random.randint(4, len(made))]:
            at = op(at)
        self.result = at
        self.text = self.write()

    #===-- Ops ------------------------------------------------------------===#

    def line(self):
        return ["xoffset = tl.program_id(0) * XBLOCK",
                "xindex = xoffset + tl.arange(0, XBLOCK)[:]",
                "xmask = xindex < xnumel", "x0 = xindex"]

    def unary(self, at):
        n = at.count()
        node = self.node("relu")
        name = self.kernel(
            "pointwise", "relu", [("in_ptr0", at.kind), ("out_ptr0", at.kind)],
            [("xnumel", n)],
            self.line() + [
                "tmp0 = tl.load(in_ptr0 + (x0), xmask).to(tl.float32)",
                "tmp1 = tl.full([1], 0, tl.int32)",
                "tmp2 = triton_helpers.maximum(tmp1, tmp0)",
                "tl.store(out_ptr0 + (x0), tmp2, xmask)"], [n], node)
        out = self.allocate(at.sizes, at.strides)
        self.launch(name, [at, out], [("xnumel", n)], node, [out.shape()],
                    [n * WIDTH[at.kind]] * 2, [at.bytes(), out.bytes()])
        return out

    def inplace(self, at):
        if at.name.startswith("arg"):
            return self.unary(at)
        n = at.count()
        node = self.node("mul")
        name = self.kernel(
            "pointwise", "mul", [("in_out_ptr0", at.kind)], [("xnumel", n)],
            self.line() + [
                "tmp0 = tl.load(in_out_ptr0 + (x0), xmask).to(tl.float32)",
                "tmp1 = 0.5", "tmp2 = tmp0 * tmp1",
                "tl.store(in_out_ptr0 + (x0), tmp2, xmask)"], [n], node)
        again = Tensor(self.buffer(), at.sizes, at.strides, at.kind)
        self.add("%s = %s; del %s  # reuse" % (again.name, at.name, at.name))
        self.launch(name, [again], [("xnumel", n)], node, [at.shape()],
                    [n * WIDTH[at.kind]] * 2, [at.bytes()] * 2)
        again.whole = getattr(at, "whole", at)
        return again

    def total(self, at):
        """Each row less its mean: a reduction, in one or several turns."""
        rows, columns = at.count() // at.sizes[-1], at.sizes[-1]
        if at.strides != dense(at.sizes):
            return self.unary(at)
        node = self.node("sub")
        numels = [("xnumel", rows), (self.rnumel(), columns)]
        isLong = self.random.random() < 0.5
        mask = "rmask & xmask"
        load = ("tl.load(in_ptr0 + (r1 + %d*x0), %s, other=0.0)"
                ".to(tl.float32)" % (columns, mask))
        head = ["xoffset = tl.program_id(0) * XBLOCK",
                "xindex = xoffset + tl.arange(0, XBLOCK)[:, None]",
                "xmask = xindex < xnumel", "x0 = xindex"]
        block = self.r("BLOCK")
        power = 1
        while power < columns:
            power *= 2
        if isLong:
            turn = ["    rindex = roffset + rbase",
                    "    rmask = rindex < %s" % self.rnumel(),
                    "    r1 = rindex"]
            loop = "for roffset in range(0, %s, %s):" % (self.rnumel(), block)
            body = head + [
                "rbase = tl.arange(0, %s)[None, :]" % block,
                "_tmp1 = tl.full([XBLOCK, %s], 0, tl.float32)" % block,
                loop] + turn + [
                "    tmp0 = " + load, "    tmp2 = _tmp1 + tmp0",
                "    _tmp1 = tl.where(%s, tmp2, _tmp1)" % mask,
                "tmp1 = tl.sum(_tmp1, 1)[:, None]", loop] + turn + [
                "    tmp3 = " + load, "    tmp4 = %d.0" % columns,
                "    tmp5 = tmp1 / tmp4", "    tmp6 = tmp3 - tmp5",
                "    tl.store(out_ptr1 + (r1 + %d*x0), tmp6, %s)"
                % (columns, mask)]
        else:
            body = head + [
                "%s: tl.constexpr = %d" % (block, power),
                "rindex = tl.arange(0, %s)[None, :]" % block,
                "rmask = rindex < %s" % self.rnumel(), "r1 = rindex",
                "tmp0 = " + load,
                "tmp1 = tl.sum(tmp0, 1)[:, None]", "tmp2 = %d.0" % columns,
                "tmp3 = tmp1 / tmp2", "tmp4 = tmp0 - tmp3",
                "tl.store(out_ptr1 + (r1 + %d*x0), tmp4, %s)"
                % (columns, mask)]
        name = self.kernel(
            "reduction" if isLong else "persistent_reduction", "sub",
            [("in_ptr0", at.kind), ("out_ptr1", at.kind)], numels, body,
            [rows, power], node)
        out = self.allocate(at.sizes)
        times = 3 if isLong else 2
        self.launch(name, [at, out], numels, node, [out.shape()],
                    [at.count() * WIDTH[at.kind]] * times,
                    [at.bytes()] * (times - 1) + [out.bytes()])
        return out

    def matrix(self, at):
        """The array as rows and columns, and the text of that view."""
        sizes = [at.count() // at.sizes[-1], at.sizes[-1]]
        if sizes == at.sizes:
            return sizes, at.name
        return sizes, self.viewed(at, sizes, dense(sizes))

    def product(self, at):
        if at.strides != dense(at.sizes):
            return self.unary(at)
        (rows, inner), text = self.matrix(at)
        columns = self.random.choice([16, 48])
        weight = self.input([columns, inner])
        node = self.node("mm")
        out = self.allocate([rows, columns])
        op_name = self.comment(node)
        turned = self.viewed(weight, [inner, columns], [1, inner])
        self.library("extern_kernels.mm", "extern_kernels.mm(%s, %s, out=%s)" %
                     (text, turned, out.name), op_name, [out.shape()],
                     [at.bytes(), weight.bytes(), out.bytes()],
                     2 * rows * columns * inner)
        return out

    def biased(self, at):
        if at.strides != dense(at.sizes):
            return self.unary(at)
        (rows, inner), text = self.matrix(at)
        columns = self.random.choice([16, 48])
        weight, bias = self.input([columns, inner]), self.input([columns])
        node = self.node("addmm")
        out = self.allocate([rows, columns])
        op_name = self.comment(node)
        turned = self.viewed(weight, [inner, columns], [1, inner])
        self.library(
            "extern_kernels.addmm",
            "extern_kernels.addmm(%s, %s, %s, alpha=1, beta=1, out=%s)" %
            (bias.name, text, turned, out.name), op_name, [out.shape()],
            [at.bytes(), weight.bytes(), bias.bytes(), out.bytes()],
            2 * rows * columns * inner)
        return out

    def library(self, name, text, op_name, shapes, arrays, operations):
        self.steps.append(Step(name, len(self.body), op_name, shapes,
                               arrays=arrays, operations=operations))
        self.add(text)

    def turned(self, at):
        """A transposition, with blocks along two axes."""
        if len(at.sizes) != 2 or at.strides != dense(at.sizes):
            return self.unary(at)
        rows, columns = at.sizes
        node = self.node("clone")
        numels = [("ynumel", columns), ("xnumel", rows)]
        name = self.kernel(
            "pointwise", "clone", [("in_ptr0", at.kind), ("out_ptr0", at.kind)],
            numels,
            ["yoffset = tl.program_id(1) * YBLOCK",
             "yindex = yoffset + tl.arange(0, YBLOCK)[None, :]",
             "ymask = yindex < ynumel",
             "xoffset = tl.program_id(0) * XBLOCK",
             "xindex = xoffset + tl.arange(0, XBLOCK)[:, None]",
             "xmask = xindex < xnumel", "x1 = xindex", "y0 = yindex",
             "tmp0 = tl.load(in_ptr0 + (y0 + %d*x1), xmask & ymask, "
             "eviction_policy='evict_last')" % columns,
             "tl.store(out_ptr0 + (x1 + %s*y0), tmp0, xmask & ymask)" %
             ("xnumel" if self.isDynamic else rows)],
            [columns, rows], node)
        out = self.allocate([columns, rows])
        self.launch(name, [at, out], numels, node, [out.shape()],
                    [at.count() * WIDTH[at.kind]] * 2,
                    [at.bytes(), out.bytes()])
        return out

    def halves(self, at):
        """Two kernels write a half each of one array."""
        if at.strides != dense(at.sizes):
            return self.unary(at)
        n = at.count()
        width = WIDTH[at.kind]
        node = self.node("cat")
        whole = self.allocate([2] + at.sizes)
        for half in range(2):
            part = Tensor(self.buffer(), at.sizes, at.strides, at.kind)
            text = self.viewed(whole, at.sizes, at.strides, 0)
            if half:
                offset = self.number(n)
                text = "reinterpret_tensor(%s, %s, %s, %s)" % (
                    whole.name, self.sizes(at.sizes), self.sizes(at.strides),
                    offset)
            self.add("%s = %s  # alias" % (part.name, text))
            name = self.kernel(
                "pointwise", "cat", [("in_ptr0", at.kind),
                                     ("out_ptr0", at.kind)], [("xnumel", n)],
                self.line() + [
                    "tmp0 = tl.load(in_ptr0 + (x0), xmask).to(tl.float32)",
                    "tmp1 = tmp0 + %d.0" % half,
                    "tl.store(out_ptr0 + (x0), tmp1, xmask)"], [n], node)
            self.launch(name, [at, part], [("xnumel", n)], node,
                        [whole.shape()], [n * width] * 2,
                        [at.bytes(), at.bytes()])
        return whole

    def view(self, at):
        """Another shape of the same memory."""
        if at.strides != dense(at.sizes) or at.name.startswith("arg"):
            return self.unary(at)
        sizes = [at.count() // at.sizes[-1], 1, at.sizes[-1]]
        again = Tensor(self.buffer(), sizes, dense(sizes), at.kind)
        again.strides[1] = at.sizes[-1]
        self.add("%s = %s; del %s  # reuse" % (
            again.name, self.viewed(at, sizes, again.strides), at.name))
        again.whole = getattr(at, "whole", at)
        out = self.unary(again)
        return out

    def attention(self, at):
        """A library that returns several arrays."""
        if at.strides != dense(at.sizes):
            return self.unary(at)
        node = self.node("_scaled_dot_product")
        n = at.count()
        op_name = self.comment(node)
        first, second = self.buffer(), self.buffer()
        sizes = [1, 1, n // at.sizes[-1], at.sizes[-1]]
        query = self.viewed(at, sizes, dense(sizes))
        name = "torch.ops.aten._scaled_dot_product_flash_attention.default"
        out = Tensor(second, sizes, dense(sizes), at.kind)
        self.library(name, "%s = %s(%s, %s, %s, 0.0, False)" %
                     (first, name, query, query, query), op_name,
                     [out.shape()], [at.bytes()] * 3 + [out.bytes()], None)
        self.add("%s = %s[0]" % (second, first))
        asserted = "assert_size_stride(%s, %s, %s" % (
            second, tuple_text(sizes), tuple_text(out.strides))
        self.add(asserted + (", '%s')" % name if self.year >= 2026 else ")"))
        if self.year >= 2026:
            self.add("assert_alignment(%s, 16, '%s')" % (second, name))
        self.add("del %s" % first)
        return self.unary(out)

    def convolution(self, at):
        if at.strides != dense(at.sizes) or at.sizes[-1] < 8:
            return self.unary(at)
        n = at.count()
        width = at.sizes[-1]
        sizes = [1, 2, n // width // 2, width] if n // width % 2 == 0 else \
            [1, 1, n // width, width]
        features, side = 4, 3
        weight = self.input([features, sizes[1], side, side])
        node = self.node("convolution")
        strided = self.random.choice([1, 2])
        to = [1, features] + [(k + 2 - side) // strided + 1 for k in sizes[2:]]
        out = Tensor(self.buffer(), to, dense(to), at.kind)
        op_name = self.comment(node)
        x = self.viewed(at, sizes, dense(sizes))
        operations = 2 * out.count() * sizes[1] * side * side
        arrays = [at.bytes(), weight.bytes(), out.bytes()]
        if self.year == 2023 and self.random.random() < 0.5:
            text = ("%s = aten.convolution(%s, %s, None, (%d, %d), (1, 1), "
                    "(1, 1), False, (0, 0), 1)" % (out.name, x, weight.name,
                                                   strided, strided))
            name = "aten.convolution"
        else:
            text = ("%s = extern_kernels.convolution(%s, %s, stride=(%d, %d), "
                    "padding=(1, 1), dilation=(1, 1), transposed=False, "
                    "output_padding=(0, 0), groups=1, bias=None)" % (
                        out.name, x, weight.name, strided, strided))
            name = "extern_kernels.convolution"
        self.library(name, text, op_name, [out.shape()], arrays, operations)
        self.add("assert_size_stride(%s, %s, %s)" % (
            out.name, tuple_text(to), tuple_text(out.strides)))
        return self.unary(out)
