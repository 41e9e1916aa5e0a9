#!/usr/bin/env python3
"""Kernels in LLVM IR by hand, each of one trap, against the same IR run on this machine.

Usage: enemies_test.py TOOL ENEMIES.ll [NAME...]

The words before each kernel say its launch, and whether the tool has to know what
each thread accesses (`is right`) or to say that it does not (`is undecided`).
compiled_machine.py runs the kernels; nothing of it is read by Indexical. Some
threads of the first and the last block are compared.
"""

import collections
import os
import random
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compiled_machine  # pylint: disable=wrong-import-position
import random_compiled_test as random_test  # pylint: disable=wrong-import-position

MOST = 8  # threads of a kernel that are compared
HEAD = re.compile(r"^; run (\S+) (\S+) (\S+)\n; is (\w+)\ndefine ptx_kernel void @(\w+)\(", re.M)


def three(text):
    return tuple(([int(n) for n in text.split(",")] + [1, 1])[:3])


class Kernel:
    """A kernel of the file: its name, its launch, and the word that the answer has to be."""

    def __init__(self, grid, block, arguments, word, name):
        self.name, self.word = name, word
        values, words = [], []
        for n, text in enumerate(arguments.split(",")):
            if text == "p":
                values.append("pointer")
            elif text.startswith("="):
                values.append(bytes.fromhex(text[1:]))
            else:
                values.append(int(text))
                words.append(f"--arg={n}={text}")
        self.launches = [(three(grid), three(block), values, words)]

    def threads(self, _):
        """The first, the last and some more threads of the first block and the last one."""
        grid, block, _, _ = self.launches[0]
        all_of_them = [(at, (x, y, z)) for at in sorted({(0, 0, 0), tuple(g - 1 for g in grid)})
                       for z in range(block[2]) for y in range(block[1]) for x in range(block[0])]
        if len(all_of_them) <= MOST:
            return all_of_them
        return [all_of_them[0], all_of_them[-1]] + random.Random(self.name).sample(all_of_them[1:-1], MOST - 2)


def alone(text, name):
    """The text with the bodies of this kernel and of functions that are none."""
    parts = re.split(r"(?m)^(?=; run |define )", text)
    kept, skips = [], False
    for part in parts:
        if part.startswith("; run"):
            skips = False
            continue
        found = re.match(r"define ptx_kernel void @(\w+)\(", part)
        if found and found[1] != name:
            continue
        kept.append(part)
    return "".join(kept)


class Options:
    def __init__(self, tool):
        self.tool, self.keep, self.limit = tool, "", 30


def main():
    tool, path, *wanted = sys.argv[1:]
    clang = shutil.which("clang-22")
    if not clang:
        print("SKIPPED: there is no clang-22 here, which runs the kernels")
        return 0
    with open(path, encoding="utf-8") as f:
        text = f.read()
    kernels = [Kernel(*found.groups()) for found in HEAD.finditer(text)]
    count, wrong = 0, 0
    words = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        machine = compiled_machine.Machine(clang, folder)
        for kernel in kernels:
            if wanted and kernel.name not in wanted:
                continue
            counts = random_test.Counts()
            case = random_test.Case(alone(text, kernel.name), "-O2", [kernel], 1)
            random_test.check(Options(tool), machine, case, counts, folder, kernel.name)
            count += 1
            said = [word for word in ("right", "out of order", "of other widths", "undecided", "wrong", "refused",
                                      "crashes") if counts.n[word]]
            words.update(said)
            # Elements of an array have the least width of all its accesses. Some threads of an
            # undecided kernel may be known.
            said = sorted({"right" if word == "of other widths" else word for word in said})
            allowed = {"right": ["right"], "undecided": ["undecided", "right"]}[kernel.word]
            is_good = (bool(said) and set(said) <= set(allowed) and kernel.word in said and
                       not counts.left_out)
            if not is_good:
                wrong += 1
                print(f"{kernel.name}: {', '.join(said) or 'nothing'} in place of {kernel.word}; "
                      f"{dict(counts.reasons)} {dict(counts.left_out)}")
            elif wanted:
                print(kernel.name, said, dict(counts.reasons))
    print(f"{count} kernels, {wrong} not as they have to be: {dict(words)}")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
