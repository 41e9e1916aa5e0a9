#!/usr/bin/env python3
"""Figures of kernels in LLVM IR whose elements are hashes of the thread.

  TEST INDEXICAL

A load of x[h(tid.x, ctaid.x)], where h is a chain of products, shifts by
numbers that are not constant, quotients, and intrinsics that count and move
bits. Some have maps, and the others are enumerated; a few have neither. The
oracle evaluates the chain for every thread, and counts what each warp touches:

    x[ctpop(t) * 4]   32 threads: elements 0, 4, ..., 20, 3 sectors of 32 bytes

Figures of an access that says no reason, and those of one that says that its
map is unknown, have to be the oracle's. The seed is printed; INDEXICAL_SEED
sets another one, INDEXICAL_COUNT how many kernels.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

BITS = 32
MASK = (1 << BITS) - 1
INTRINSICS = {
    "ctpop": lambda x, y: bin(x).count("1"),
    "bswap": lambda x, y: int.from_bytes(x.to_bytes(4, "little"), "big"),
    "bitreverse": lambda x, y: int(f"{x:032b}"[::-1], 2),
    "cttz": lambda x, y: (x & -x).bit_length() - 1 if x else BITS,
    "ctlz": lambda x, y: BITS - x.bit_length(),
    "fshl": lambda x, y: (x << y % BITS | x >> (BITS - y % BITS)) & MASK,
    "fshr": lambda x, y: (x >> y % BITS | x << (BITS - y % BITS)) & MASK,
    "uadd.sat": lambda x, y: min(x + y, MASK),
    "usub.sat": lambda x, y: max(x - y, 0),
    "sadd.sat": lambda x, y: max(-1 << 31, min(signed(x) + signed(y), MASK >> 1)) & MASK,
    "ssub.sat": lambda x, y: max(-1 << 31, min(signed(x) - signed(y), MASK >> 1)) & MASK,
}
OPERATIONS = {
    "add": lambda x, y: (x + y) & MASK,
    "sub": lambda x, y: (x - y) & MASK,
    "mul": lambda x, y: (x * y) & MASK,
    "xor": lambda x, y: x ^ y,
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "udiv": lambda x, y: x // y,
    "urem": lambda x, y: x % y,
    "shl": lambda x, y: (x << y) & MASK,
    "lshr": lambda x, y: x >> y,
}


def signed(x):
    return x - (1 << BITS) if x >> (BITS - 1) else x


class Kernel:
    """A chain of operations: lines of IR, and a function of t and b."""

    def __init__(self, draw):
        self.draw, self.lines, self.declared = draw, [], set()
        self.block = draw.choice([8, 32, 48, 64, 128])
        self.grid = draw.choice([1, 1, 2, 4])
        self.values = [(lambda t, b: t, "%t"), (lambda t, b: b, "%b")]
        for _ in range(draw.randint(1, 5)):
            self.values.append(self.operation())
        value, name = self.values[-1]
        modulus = draw.choice([61, 97, 256, 1000])
        self.element = lambda t, b: value(t, b) % modulus
        self.address = self.line(f"urem i32 {name}, {modulus}")

    def line(self, text):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def operand(self):
        if self.draw.random() < 0.4:
            number = self.draw.choice([1, 2, 3, 5, 7, 31, 40503, 65535, 0x9E3779B1])
            return lambda t, b: number, str(number)
        return self.draw.choice(self.values[-3:] + self.values[:1])

    def operation(self):
        (x, first), (y, second) = self.draw.choice(self.values[-2:]), self.operand()
        if self.draw.random() < 0.45:
            word = self.draw.choice(list(INTRINSICS))
            apply = INTRINSICS[word]
            words = {"cttz": ["i1 false"], "ctlz": ["i1 false"]}.get(word, [])
            types = ["i32"] + [each.split()[0] for each in words]
            arguments = [f"i32 {first}", *words]
            if word.startswith("fsh"):
                arguments, types = [f"i32 {first}", f"i32 {first}", f"i32 {second}"], ["i32"] * 3
            elif "sat" in word:
                arguments, types = [f"i32 {first}", f"i32 {second}"], ["i32"] * 2
            self.declared.add(f"declare i32 @llvm.{word}.i32({', '.join(types)})")
            return (lambda t, b: apply(x(t, b), y(t, b)),
                    self.line(f"call i32 @llvm.{word}.i32({', '.join(arguments)})"))
        word = self.draw.choice(list(OPERATIONS))
        apply = OPERATIONS[word]
        if word in ("shl", "lshr"):
            inner, second = y, self.line(f"and i32 {second}, 15")
            y = lambda t, b: inner(t, b) & 15
        elif word in ("udiv", "urem"):
            inner, second = y, self.line(f"or i32 {second}, 1")
            y = lambda t, b: inner(t, b) | 1
        return lambda t, b: apply(x(t, b), y(t, b)), self.line(f"{word} i32 {first}, {second}")

    def text(self):
        return "\n".join([
            'target triple = "nvptx64-nvidia-cuda"',
            "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
            "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
            *sorted(self.declared),
            "define ptx_kernel void @k(ptr %x, ptr %y) {",
            "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
            "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()", *self.lines,
            f"  %a = zext i32 {self.address} to i64",
            "  %p = getelementptr i32, ptr %x, i64 %a",
            "  %l = load i32, ptr %p",
            "  store i32 %l, ptr %y",
            "  ret void", "}", ""])

    def figures(self):
        sectors = used = 0
        for b in range(self.grid):
            for warp in range(0, self.block, 32):
                elements = {self.element(t, b) for t in range(warp, min(warp + 32, self.block))}
                sectors += len({element // 8 for element in elements})
                used += 4 * len(elements)
        return sectors, used


def main():
    tool = os.path.abspath(sys.argv[1])
    seed = int(os.environ.get("INDEXICAL_SEED", "20261130"))
    count = int(os.environ.get("INDEXICAL_COUNT", "120"))
    print("seed", seed)
    mapped = enumerated = unknown = 0
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.ll")
        for k in range(count):
            kernel = Kernel(random.Random(seed + k))
            with open(path, "w", encoding="utf-8") as file:
                file.write(kernel.text())
            ran = subprocess.run(
                [tool, "kernel", path, f"--block={kernel.block}", f"--grid={kernel.grid}", "--format=json"],
                capture_output=True, text=True, check=False)
            load = json.loads(ran.stdout)["reads"][0]
            if not isinstance(load.get("sectors"), int) or not load.get("exact", True):
                unknown += 1
                continue
            mapped += "map" in load
            enumerated += "map" not in load
            said, real = (load["sectors"], load["bytes_used"]), kernel.figures()
            if said != real:
                problems.append(f"seed {seed + k}: says {said}, is {real}\n{kernel.text()}"
                                f"block {kernel.block}, grid {kernel.grid}\n{load}")
    print(mapped, "have maps,", enumerated, "are enumerated,", unknown, "are not known,", len(problems), "wrong")
    print("\n".join(problems[:3]))
    return 1 if problems or unknown * 4 > count or enumerated * 20 < count else 0


if __name__ == "__main__":
    sys.exit(main())
