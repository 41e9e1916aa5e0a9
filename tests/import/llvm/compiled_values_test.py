#!/usr/bin/env python3
"""Does a compiled kernel store what its HLO says?  `kernel F.ll --of`

  compiled_values_test.py INDEXICAL [--mutants=N] [--seed=S] [--cuda=FOLDER]

Three parts. Every kernel of vllm/ beside INDEXICAL_CORPUS has the word that
this file lists. Mutants of them, of one number, operand, op, shuffle or barrier,
are run as they were before by block_machine.py, which shares no code: one that
stores other bytes is never said to be the same. And kernels of nearly_right.cu,
compiled by clang: those that are right are the same values, and no other is.
"""

import argparse
import collections
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import block_machine

HLO = ".sm_8.0_gpu_after_optimizations.txt"
SAME, TILES, OPEN = "same values", "same tiles", "undecided"
# The words of kernels that are not the same values: loads at loaded addresses,
# products on tensor cores, and a swizzle of shared memory that is not inverted.
OTHERS = {
    ("module_1235", "loop_gather_fusion"): TILES,
    ("module_1235", "gemm_fusion_dot_110_0"): OPEN,
    ("module_3943", "loop_gather_fusion"): TILES,
    ("module_3943", "gemm_fusion_dot_29_0"): TILES,
    ("module_3943", "triton_softmax_3_0"): TILES,
    ("module_3943", "input_concatenate_fusion"): TILES,
}


def ask(tool, path, of, *more):
    done = subprocess.run([tool, "kernel", path, "--of=" + of, "--format=json", *more],
                          capture_output=True, text=True, timeout=600)
    documents = [json.loads(line) for line in done.stdout.splitlines() if line]
    if done.returncode not in (0, 3, 4):
        raise RuntimeError("status %d: %s" % (done.returncode, done.stderr[-600:]))
    return documents, done.stderr


def word_of(document):
    return document["of"]["verdict"]


def alone(text, name):
    parts = re.split(r"^(define .*?^\}\n)", text, flags=re.M | re.S)
    for k in range(1, len(parts), 2):
        if re.match(r"define [^@]*@\"?([\w.$-]+)", parts[k])[1] != name:
            parts[k] = ""
    return "".join(parts)


def threads_of(text, name):
    """The threads of a block, by the attributes of the function."""
    group = re.search(r"^define [^@]*@\"?%s\"?\(.*#(\d+) " % re.escape(name), text, re.M)
    found = re.search(r"^attributes #%s = .*?reqntid\"=\"([\d,]+)\"" % group[1], text, re.M)
    sides = [int(n) for n in found[1].split(",")]
    return tuple(sides + [1] * (3 - len(sides)))


# How a line of the function is changed: what is found, and what takes its place.
def numbers(rng, text):
    value = int(text)
    return str(rng.choice([value + 1, value - 1, value * 2, value ^ 1, value + 8, value // 2]))


def reals(rng, text):
    bits = int(text, 16)
    return "0x%016X" % (bits ^ (1 << rng.choice([29, 40, 51, 52, 53, 62, 63])))


PREDICATES = ["eq", "ne", "ult", "ule", "ugt", "uge"]
MUTATIONS = [
    (re.compile(r"(?<=, )-?\d+(?=(?:,|$| *!))"), numbers),
    (re.compile(r"(?<=i64 )\d+(?=(?:,|$))"), numbers),
    (re.compile(r"(?<=i32 )\d+(?=(?:,|$|\)))"), numbers),
    (re.compile(r"0x[0-9A-F]{16}"), reals),
    (re.compile(r"(?<=[, ])\d\.\d+e[+-]\d+"), lambda rng, _: rng.choice(["2.000000e+00", "0.000000e+00"])),
    (re.compile(r"(?<=icmp )(?:samesign )?(?:eq|ne|ult|ule|ugt|uge)"), lambda rng, _: rng.choice(PREDICATES)),
    (re.compile(r"\bfadd\b"), lambda *_: "fsub"),
    (re.compile(r"\bfmul\b"), lambda *_: "fadd"),
    (re.compile(r"\bfsub\b"), lambda *_: "fadd"),
    (re.compile(r"\bzext\b"), lambda *_: "sext"),
    (re.compile(r"\[ \$\d \+ 0 \]"), lambda rng, text: text.replace("+ 0", "+ %d" % rng.choice([4, 16]))),
    (re.compile(r"@\$"), lambda *_: "@!$"),
    (re.compile(r"(?<=bfly\.i32\(i32 )-1"), lambda *_: "65535"),
    (re.compile(r"(?<=float )%\d+(?=, %)"), None),
    (re.compile(r"(?<=i1 )%\d+"), None),
]
DROPPED = re.compile(r"^\s*(?:tail call void @llvm\.nvvm\.barrier0|store |tail call void asm sideeffect .*st\.)")


def mutate(rng, text, name):
    """The text with one change in the function, and what that is; or nothing."""
    begin = re.search(r"^define [^@]*@\"?%s\"?\(.*\{\n" % re.escape(name), text, re.M).end()
    end = text.index("\n}", begin)
    lines = text[begin:end].split("\n")
    for _ in range(60):
        at = rng.randrange(len(lines))
        line = lines[at]
        if rng.random() < 0.05:
            if not DROPPED.match(line):
                continue
            made = ""
        else:
            pattern, change = rng.choice(MUTATIONS)
            spots = list(pattern.finditer(line))
            if not spots:
                continue
            spot = rng.choice(spots)
            if change is None:
                # Another value of the same type, that is there already.
                kind = "float" if "float" in pattern.pattern else "i1"
                known = [m[1] for each in lines[:at]
                         for m in [re.match(r"\s*(%%\d+) = (?:tail call )?(?:f(?:add|mul|sub|div) %s|icmp)" % kind, each)]
                         if m and (kind == "i1") == ("icmp" in each)]
                if not known:
                    continue
                new = rng.choice(known)
            else:
                new = change(rng, spot[0])
            made = line[:spot.start()] + new + line[spot.end():]
        if made == line:
            continue
        lines[at] = made
        return text[:begin] + "\n".join(lines) + text[end:], "%s  ->  %s" % (line.strip(), made.strip())
    return None


class Runs:
    """What kernels store, by block and seed."""

    def __init__(self):
        self.known = {}

    def of(self, key, text, name, block, threads):
        if key is not None and (key, block) in self.known:
            return self.known[key, block]
        try:
            made = block_machine.run(block_machine.kernel_of(text, name), block, threads)
        except block_machine.Wrong as wrong:
            made = {"wrong": str(wrong)}
        if key is not None:
            self.known[key, block] = made
        return made


def blocks_of(rng, grid):
    last = tuple(side - 1 for side in grid)
    drawn = tuple(rng.randrange(side) for side in grid)
    return sorted({(0, 0, 0), (min(1, last[0]), 0, 0), last, drawn})


class Test:
    def __init__(self, options):
        self.options = options
        self.rng = random.Random(options.seed)
        self.failures = 0
        self.kernels = []  # (path, text, name, word, grid)

    def fail(self, text):
        self.failures += 1
        print("WRONG: " + text, flush=True)

    def words(self, folder):
        counts = collections.Counter()
        for path in sorted(glob.glob(os.path.join(folder, "*.ir-with-opt.ll"))):
            text = open(path).read()
            of = path.replace(".ir-with-opt.ll", HLO)
            documents, errors = ask(self.options.tool, path, of)
            names = re.findall(r"^define [^@]*ptx_kernel [^@]*@\"?([\w.$-]+)", text, re.M)
            if len(documents) != len(names):
                self.fail("%s: %d of %d kernels are compared\n%s" % (
                    path, len(documents), len(names), errors[-1000:]))
            module = os.path.basename(path).split(".")[0]
            for document in documents:
                name, word = document["function"], word_of(document)
                counts[word] += 1
                wanted = OTHERS.get((module, name), SAME)
                if word != wanted:
                    self.fail("%s %s: %s, and not %s: %s" % (
                        module, name, word, wanted, json.dumps(document["of"])[:600]))
                self.kernels.append((path, text, name, word, tuple(document["grid"])))
        print("kernels: " + ", ".join("%d %s" % (n, w) for w, n in counts.most_common()))

    def mutants(self):
        counts = collections.Counter()
        runs, singles = Runs(), {}
        usable = [each for each in self.kernels if each[3] == SAME]
        with tempfile.TemporaryDirectory() as folder:
            for number in range(self.options.mutants):
                path, text, name, _, grid = self.rng.choice(usable)
                key = (path, name)
                if key not in singles:
                    singles[key] = alone(text, name)
                made = mutate(self.rng, singles[key], name)
                if not made:
                    continue
                mutant, what = made
                file = os.path.join(folder, os.path.basename(path))
                with open(file, "w") as out:
                    out.write(mutant)
                try:
                    documents, _ = ask(self.options.tool, file, path.replace(".ir-with-opt.ll", HLO))
                    word = word_of(documents[0])
                except (RuntimeError, IndexError) as error:
                    if "status 1" not in str(error) and not isinstance(error, IndexError):
                        self.fail("mutant %d of %s: %s: %s" % (number, name, what, error))
                    counts["no valid IR, or another kernel"] += 1
                    continue
                counts[word] += 1
                if word != SAME:
                    continue
                differs, error = False, None
                try:
                    threads = threads_of(mutant, name)
                    for block in blocks_of(self.rng, grid):
                        differs |= (runs.of(key, singles[key], name, block, threads) !=
                                    runs.of(None, mutant, name, block, threads))
                except block_machine.Unknown as unknown:
                    error = str(unknown)
                if error:
                    counts["same, and not run: " + error] += 1
                elif differs:
                    self.fail("mutant %d of %s (seed %d) is said to be the same values: %s" % (
                        number, name, self.options.seed, what))
                else:
                    counts["same, by the run, too"] += 1
        print("mutants: " + ", ".join("%d %s" % (n, w) for w, n in counts.most_common()))

    def nearly_right(self):
        clang = next((each for each in ("clang-22", "/usr/lib/llvm-22/bin/clang")
                      if subprocess.run(["which", each], capture_output=True).returncode == 0), None)
        if not clang:
            print("SKIPPED: clang-22 is not there")
            return
        here = os.path.dirname(os.path.abspath(__file__))
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "nearly_right.ll")
            subprocess.run([clang, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
                            "--cuda-gpu-arch=sm_80", "-S", "-emit-llvm", "-O2", "-ffp-contract=off",
                            "-Wno-unknown-cuda-version", "-Wno-everything", "-I", self.options.cuda,
                            os.path.join(here, "nearly_right.cu"), "-o", file], check=True)
            text = open(file).read()
            for name in re.findall(r"@_Z\d+(\w+?)(?:PK|PV|P)", "\n".join(
                    re.findall(r"^define .*$", text, re.M))):
                self.nearly(folder, file, text, name)

    def nearly(self, folder, file, text, name):
        family = name.split("_")[0]
        hlo, block, grid = SPECIFICATIONS[family]
        of = os.path.join(folder, family + ".hlo")
        with open(of, "w") as out:
            out.write(hlo)
        symbol = re.search(r"@(_Z\d+%sP\w*)" % name, text)[1]
        try:
            documents, _ = ask(self.options.tool, file, of + "#main", "--function=" + symbol,
                               "--block=%d,%d,%d" % block, "--grid=%d,%d,%d" % grid)
        except RuntimeError as error:
            self.fail("%s: %s" % (name, error))
            return
        word = word_of(documents[0])
        print("  %s: %s" % (name, word))
        if (word == SAME) != name.endswith("_right"):
            self.fail("%s: %s: %s" % (name, word, json.dumps(documents[0]["of"])[:800]))


ADD = "add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT r = f32[] add(x, y) }\n"
SUM = "HloModule m\n" + ADD + """ENTRY main { x = f32[8,64] parameter(0)
  zero = f32[] constant(0)
  ROOT s = f32[8] reduce(x, zero), dimensions={1}, to_apply=add }
"""
SPECIFICATIONS = {
    "fused": ("""HloModule m
ENTRY main { a = f32[256] parameter(0)  b = f32[256] parameter(1)
  p = f32[256] multiply(a, b)
  ROOT s = f32[256] add(p, a) }
""", (64, 1, 1), (4, 1, 1)),
    "larger": ("""HloModule m
ENTRY main { a = f32[256] parameter(0)  b = f32[256] parameter(1)
  ROOT s = f32[256] maximum(a, b) }
""", (64, 1, 1), (4, 1, 1)),
    "quotient": ("""HloModule m
ENTRY main { a = u32[256] parameter(0)
  c = u32[] constant(7)
  d = u32[256] broadcast(c), dimensions={}
  ROOT s = u32[256] divide(a, d) }
""", (64, 1, 1), (4, 1, 1)),
    "tiled": ("""HloModule m
ENTRY main { x = f32[64,64] parameter(0)
  ROOT t = f32[64,64] transpose(x), dimensions={1,0} }
""", (32, 8, 1), (2, 2, 1)),
    "lanes": (SUM, (32, 1, 1), (8, 1, 1)),
    "down": (SUM, (32, 1, 1), (8, 1, 1)),
    "loop": (SUM, (8, 1, 1), (1, 1, 1)),
    "block": (SUM, (64, 1, 1), (8, 1, 1)),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--mutants", type=int, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(10 ** 6))
    parser.add_argument("--cuda", default="examples/cuda")
    options = parser.parse_args()
    print("seed %d" % options.seed)
    test = Test(options)
    corpus = os.environ.get("INDEXICAL_CORPUS", "")
    folder = os.path.join(os.path.dirname(corpus.rstrip("/")), "vllm") if corpus else ""
    if os.path.isdir(folder):
        test.words(folder)
        test.mutants()
    else:
        print("SKIPPED: there is no vllm/ beside INDEXICAL_CORPUS")
    test.nearly_right()
    sys.exit(1 if test.failures else 0)


if __name__ == "__main__":
    main()
