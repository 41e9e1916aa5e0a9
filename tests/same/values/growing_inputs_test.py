#!/usr/bin/env python3
"""How much work inputs take that were slow, and how it grows with them.

  TEST INDEXICAL

Work is counted by what the answer is made of. An index through twice as many
layers may be three times as long; it was many times longer where each layer's
division stayed inside the next one's.
"""

import subprocess
import sys
import tempfile


def network(layers):
    """Convolutions with reshapes and pooling between them."""
    lines = ["func.func @main(%x: tensor<2x4x64x64xf32>, "
             "%w: tensor<4x4x3x3xf32>, %z: tensor<f32>) -> OUT {"]
    size, name = 64, "%x"
    for k in range(layers):
        shape = f"tensor<2x4x{size}x{size}xf32>"
        flat = f"tensor<2x{4 * size * size}xf32>"
        lines.append(
            f"  %c{k} = stablehlo.convolution({name}, %w) dim_numbers = "
            "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = "
            "[1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, "
            f"feature_group_count = 1 : i64}} : ({shape}, "
            f"tensor<4x4x3x3xf32>) -> {shape}")
        lines.append(f"  %f{k} = stablehlo.reshape %c{k} : ({shape}) -> {flat}")
        lines.append(f"  %a{k} = stablehlo.abs %f{k} : {flat}")
        lines.append(f"  %r{k} = stablehlo.reshape %a{k} : ({flat}) -> {shape}")
        name = f"%r{k}"
        if k % 2 == 1 and size > 4:
            half = f"tensor<2x4x{size // 2}x{size // 2}xf32>"
            lines.append(
                f'  %p{k} = "stablehlo.reduce_window"(%r{k}, %z) ({{\n'
                "    ^bb0(%pa: tensor<f32>, %pb: tensor<f32>):\n"
                "      %pm = stablehlo.maximum %pa, %pb : tensor<f32>\n"
                "      stablehlo.return %pm : tensor<f32>\n"
                "  }) {window_dimensions = array<i64: 1, 1, 2, 2>, "
                "window_strides = array<i64: 1, 1, 2, 2>} : "
                f"({shape}, tensor<f32>) -> {half}")
            size, name = size // 2, f"%p{k}"
    shape = f"tensor<2x4x{size}x{size}xf32>"
    lines.append(f"  return {name} : {shape}\n}}\n")
    return "\n".join(lines).replace("OUT", shape)


def sums(order, op, dtype):
    """The parameters combined one by one, in this order."""
    count = max(order) + 1
    lines = ["HloModule m", "ENTRY e {"]
    lines += [f" p{i} = {dtype}[8] parameter({i})" for i in range(count)]
    value = f"p{order[0]}"
    for k, i in enumerate(order[1:]):
        lines.append(f" a{k} = {dtype}[8] {op}({value}, p{i})")
        value = f"a{k}"
    return "\n".join(lines + [f" ROOT r = {dtype}[8] copy({value})", "}"])


def products(levels, isTurned, wrong=-1):
    """x w0 w1 …, or the transpose of … w1' w0' x'. The product of level `wrong`
    is one with the transpose of its matrix."""
    lines = ["HloModule m", "ENTRY e {", " x0 = f32[8,8] parameter(0)"]
    lines += [f" w{i} = f32[8,8] parameter({i + 1})" for i in range(levels)]
    sides = "lhs_contracting_dims={%d}, rhs_contracting_dims={%d}"
    if isTurned:
        lines.append(" y0 = f32[8,8] transpose(x0), dimensions={1,0}")
    for i in range(levels):
        by = 1 if i == wrong else 0
        lines.append(
            f" y{i + 1} = f32[8,8] dot(w{i}, y{i}), {sides % (by, 0)}"
            if isTurned else
            f" x{i + 1} = f32[8,8] dot(x{i}, w{i}), {sides % (1, by)}")
    lines.append(f" ROOT r = f32[8,8] transpose(y{levels}), dimensions={{1,0}}"
                 if isTurned else f" ROOT r = f32[8,8] copy(x{levels})")
    return "\n".join(lines + ["}"])


def calls(depth, op="exponential"):
    """Calls in calls, the innermost of which applies the op."""
    lines = ["HloModule m", "f0 { p = f32[8] parameter(0)",
             f" ROOT n = f32[8] {op}(p) }}"]
    for i in range(depth):
        lines += [f"f{i + 1} {{ p = f32[8] parameter(0)",
                  f" c = f32[8] call(p), to_apply=f{i}",
                  " ROOT d = f32[8] sine(c) }"]
    return "\n".join(lines + ["ENTRY e {", " p = f32[8] parameter(0)",
                              f" ROOT c = f32[8] call(p), to_apply=f{depth}",
                              "}"])


def cache(rows, wrong=-1):
    """Rows written one by one; row `wrong` takes the place of the one before."""
    lines = ["HloModule m", "ENTRY e {", f" c0 = f32[{rows},4] parameter(0)",
             " z = s32[] constant(0)"]
    for i in range(rows):
        lines += [f" p{i} = f32[1,4] parameter({i + 1})",
                  f" k{i} = s32[] constant({i - 1 if i == wrong else i})",
                  f" c{i + 1} = f32[{rows},4] dynamic-update-slice(c{i}, p{i}, "
                  f"k{i}, z)"]
    return "\n".join(lines + [f" ROOT r = f32[{rows},4] copy(c{rows})", "}"])


def joined(rows):
    """The same rows as one concatenation."""
    lines = ["HloModule m", "ENTRY e {", f" c0 = f32[{rows},4] parameter(0)"]
    lines += [f" p{i} = f32[1,4] parameter({i + 1})" for i in range(rows)]
    names = ", ".join(f"p{i}" for i in range(rows))
    return "\n".join(lines + [f" ROOT r = f32[{rows},4] concatenate({names}), "
                              "dimensions={0}", "}"])


def pairs():
    """Two modules, the options, and whether they are equal."""
    there = list(range(200))
    back, twice = there[::-1], there[::-1][:-1] + [7]
    laws = "--float-laws=reassociate,zero-sign"
    for op, dtype in (("add", "f32"), ("multiply", "f32"), ("add", "s32"),
                      ("maximum", "f32"), ("and", "s32"), ("xor", "u32")):
        first = sums(there, op, dtype)
        yield first, sums(back, op, dtype), [laws], True
        if op in ("add", "xor"):
            yield first, sums(twice, op, dtype), [laws], False
    # Without the law sums of floats keep their order.
    yield sums(there, "add", "f32"), sums(back, "add", "f32"), [], False
    for levels in (4, 12):
        first = products(levels, isTurned=False)
        yield first, products(levels, isTurned=True), [], True
        yield first, products(levels, isTurned=True, wrong=1), [], False
    yield cache(400), joined(400), [], True
    yield cache(100, wrong=50), joined(100), [], False
    yield calls(800), calls(800), [], True
    yield calls(800), calls(800, "negate"), [], False


def main():
    tool, wrong = sys.argv[1], []
    with tempfile.TemporaryDirectory() as folder:
        def write(name, text):
            path = f"{folder}/{name}"
            with open(path, "w") as file:
                file.write(text)
            return path

        # A division by the rows of each layer would stay in the next one.
        longest = {}
        for layers in (4, 8):
            path = write(f"{layers}.mlir", network(layers))
            done = subprocess.run([tool, "dump", path], capture_output=True,
                                  text=True, timeout=100)
            reads = done.stdout.split("operand 0, x: exact")[1].split("\n")[1]
            longest[layers] = len(reads)
            if "floordiv" in reads or "mod" in reads:
                wrong.append(f"{layers} layers: {reads}")
        if longest[8] > 3 * longest[4]:
            wrong.append(f"an index of {longest} characters")

        print(f"characters of an index: {longest}")

        # What was undecided when it was longer or deeper.
        for number, (first, second, options, isEqual) in enumerate(pairs()):
            paths = [write(f"{number}{side}.hlo", text)
                     for side, text in (("a", first), ("b", second))]
            done = subprocess.run([tool, "equal", "--values", *options, *paths],
                                  capture_output=True, text=True, timeout=100)
            if done.stdout.startswith("equal in values") != isEqual:
                wrong.append(f"pair {number}: {done.stdout}{done.stderr}")

        # What a tuple does not read takes one line.
        sizes = {}
        for count in (200, 400):
            shape = "(%s)" % ", ".join(["f32[4]"] * count)
            path = write("leaves.hlo", "HloModule m\nENTRY e {\n"
                         f" p = {shape} parameter(0)\n" + "".join(
                             f" g{i} = f32[4] get-tuple-element(p), index={i}\n"
                             for i in range(count)) +
                         f" ROOT t = {shape} tuple(" + ", ".join(
                             f"g{i}" for i in range(count)) + ")\n}\n")
            done = subprocess.run([tool, "dump", path], capture_output=True,
                                  text=True, timeout=100)
            sizes[count] = len(done.stdout)
        if sizes[400] > 2.3 * sizes[200]:
            wrong.append(f"{sizes} characters for a tuple's leaves")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
