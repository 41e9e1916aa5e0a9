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
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
