#!/usr/bin/env python3
"""Bank conflicts of random kernels in LLVM IR, against all blocks of a launch.

  TEST INDEXICAL

A store to shared memory at an index that names the thread, the block and their
remainders, under guards that name them too, takes the most wavefronts in some
block. That one is not always the first:

    s[(32 * ctaid.x + tid.x) % 33], 4 threads: in block 1 words 32, 0, 1 and 2,
    of which the first two lie in one bank

The oracle goes through every block, warp and lane, and counts the words of each
bank. The seed is printed; INDEXICAL_SEED sets another one, INDEXICAL_COUNT how
many kernels.
"""

import collections
import json
import os
import random
import subprocess
import sys
import tempfile

HEAD = """target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global [65536 x i32] undef
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
define ptx_kernel void @k() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
"""


class Kernel:
    """Lines of IR, and what they compute as functions of t, b and c."""

    def __init__(self, draw):
        self.draw, self.lines, self.count = draw, [], 0
        self.grid = (draw.choice([1, 2, 3, 5, 40, 200]), draw.choice([1, 1, 2, 3]))
        self.block = draw.choice([1, 4, 24, 32, 40, 64])
        self.guards = [self.guard() for _ in range(draw.randrange(3))]
        self.index, self.address = self.sum()
        if draw.random() < 0.5:
            modulus = draw.choice([7, 33, 64, 100])
            inner = self.index
            self.index = lambda t, b, c: inner(t, b, c) % modulus
            self.address = self.line(f"urem i32 {self.address}, {modulus}")

    def line(self, text):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def sum(self):
        factors = [self.draw.choice([0, 1, 1, 2, 3, 8, 31, 32, 33]) for _ in "tbc"]
        constant = self.draw.randrange(40)
        name = str(constant)
        for factor, variable in zip(factors, "tbc"):
            term = self.line(f"mul i32 %{variable}, {factor}")
            name = self.line(f"add i32 {name}, {term}")
        return (lambda t, b, c: factors[0] * t + factors[1] * b + factors[2] * c + constant), name

    def guard(self):
        value, name = self.sum()
        bound = self.draw.randrange(value(self.block, *self.grid) + 2)
        word = self.draw.choice(["ult", "uge"])
        condition = self.line(f"icmp {word} i32 {name}, {bound}")
        return (lambda t, b, c: (value(t, b, c) < bound) == (word == "ult")), condition

    def text(self):
        lines, condition = list(self.lines), "true"
        for number, (_, name) in enumerate(self.guards):
            lines.append(f"  %g{number} = and i1 {condition}, {name}")
            condition = f"%g{number}"
        return HEAD + "\n".join(lines) + f"""
  br i1 {condition}, label %then, label %end
then:
  %a = zext i32 {self.address} to i64
  %p = getelementptr i32, ptr addrspace(3) @s, i64 %a
  store i32 1, ptr addrspace(3) %p
  br label %end
end:
  ret void
}}
"""

    def worst(self):
        """The worst conflict, and the most wavefronts of a block; None: no lane stores."""
        conflicts = waves = 0
        for c in range(self.grid[1]):
            for b in range(self.grid[0]):
                own = 0
                for warp in range(0, self.block, 32):
                    words = {self.index(t, b, c) for t in range(warp, min(warp + 32, self.block))
                             if all(holds(t, b, c) for holds, _ in self.guards)}
                    banks = collections.Counter(word % 32 for word in words)
                    if banks:
                        own += max(banks.values())
                        conflicts = max(conflicts, max(banks.values()))
                waves = max(waves, own)
        return (conflicts, waves) if waves else None


def found(tool, path, kernel):
    """What the command says of the one access of shared memory."""
    ran = subprocess.run(
        [tool, "kernel", path, f"--block={kernel.block}", f"--grid={kernel.grid[0]},{kernel.grid[1]},1",
         "--format=json"], capture_output=True, text=True, check=False)
    shared = json.loads(ran.stdout)["shared"]
    return (shared[0].get("conflicts"), shared[0].get("wavefronts")) if shared else (None, None)


def main():
    tool = os.path.abspath(sys.argv[1])
    seed = int(os.environ.get("INDEXICAL_SEED", "20261130"))
    count = int(os.environ.get("INDEXICAL_COUNT", "60"))
    print("seed", seed)
    right = others = 0
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.ll")
        for k in range(count):
            kernel = Kernel(random.Random(seed + k))
            with open(path, "w", encoding="utf-8") as file:
                file.write(kernel.text())
            worst, said = kernel.worst(), found(tool, path, kernel)
            if said == (None, None):
                others += worst is not None
                right += worst is None
            elif said == worst:
                right += 1
            else:
                problems.append(f"seed {seed + k}: says {said}, is {worst}\n{kernel.text()}"
                                f"block {kernel.block}, grid {kernel.grid}")
    print(right, "are right,", others, "have no figures")
    print("\n".join(problems[:3]))
    return 1 if problems or right * 4 < count * 3 else 0


if __name__ == "__main__":
    sys.exit(main())
