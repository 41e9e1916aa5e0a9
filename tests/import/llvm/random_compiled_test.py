#!/usr/bin/env python3
"""Random kernels, compiled by clang to LLVM IR: what each thread accesses, exactly.

Usage: random_compiled_test.py TOOL [--kernels=N] [--seed=S] [--threads=T] [--limit=SECONDS] [--keep=FOLDER]

compiled_source.py writes kernels in C, clang makes IR of them at -O0 to -O3, and
compiled_machine.py runs that IR on this machine. For some threads of each
kernel, `TOOL kernel --at=... --loads=hash8` has to list the same accesses: kind,
array, offset and bytes, as a multiset. A part of the modules is changed after
clang wrote them (another constant, another operation), which gives IR that no
compiler writes; the oracle runs the changed text too.

Another order, and other widths of the same bytes, are counted by themselves.
An entry with a reason is undecided; it is counted, and never taken for right.
Beside it the entries that say an offset must all occur.

Example: for `b[threadIdx.x ^ 1] = 0` and thread 2 of block 0, the oracle records
a store of 4 bytes at offset 12 of arg0. An entry of offset 8 is wrong.
"""

import argparse
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compiled_machine  # pylint: disable=wrong-import-position
import compiled_source  # pylint: disable=wrong-import-position

FLAGS = ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib", "-S",
         "-emit-llvm", "-fwrapv", "-w", "-fno-strict-aliasing"]
A_FILE = 6  # kernels of a file of C
MOST_ARGUMENTS = 64  # which the oracle tells by their addresses


def plain_flags(text):
    """`text` without the words that make a changed result poison, as nsw and range."""
    text = re.sub(r"\b(nsw|nuw|inbounds|nneg|disjoint|exact|nusw|samesign|tail|musttail) ", "", text)
    text = re.sub(r"\brange\([^()]*\) ", "", text)
    text = re.sub(r", !(range|noundef|nonnull|llvm\.loop|tbaa|tbaa\.struct) ![0-9]+", "", text)
    return text


def changed(text, rng):
    """The module with a few constants or operations of its functions changed, but not
    of those that hold what the compiler took for impossible; None if there are none."""
    lines = plain_flags(text).split("\n")
    starts = [k for k, line in enumerate(lines) if line.startswith("define")] + [len(lines)]
    arithmetic = []
    for start, stop in zip(starts, starts[1:]):
        if not re.search("unreachable|llvm.assume", "\n".join(lines[start:stop])):
            arithmetic += range(start, stop)
    arithmetic = [k for k in arithmetic if re.match(
        r"\s+%\S+ = (add|sub|mul|and|or|xor|icmp|shl|lshr|ashr|select|getelementptr|sext|zext|[us]div|[us]rem) ",
        lines[k]) and not re.search(r"getelementptr .*, i32 \d", lines[k])]  # a member of a struct
    if not arithmetic:
        return None
    for _ in range(rng.randint(1, 12)):
        k = rng.choice(arithmetic)
        line = lines[k]
        r = rng.random()
        binary = re.match(r"(\s+%\S+ = )(add|sub|mul|and|or|xor)( .*)$", line)
        compare = re.match(r"(\s+%\S+ = icmp )(eq|ne|ult|ule|ugt|uge|slt|sle|sgt|sge)( .*)$", line)
        extend = re.match(r"(\s+%\S+ = )(sext|zext)( .*)$", line)
        divide = re.match(r"(\s+%\S+ = )(udiv|sdiv|urem|srem)( i\d+ \S+, )(\d+)$", line)
        shift = re.match(r"(\s+%\S+ = )(shl|lshr|ashr)( .*)$", line)
        if binary and r < 0.4:
            lines[k] = binary[1] + rng.choice(["add", "sub", "mul", "and", "or", "xor"]) + binary[3]
        elif compare and r < 0.7 and "ptr" not in line:
            lines[k] = compare[1] + rng.choice("eq ne ult ule ugt uge slt sle sgt sge".split()) + compare[3]
        elif extend:
            lines[k] = extend[1] + rng.choice(["sext", "zext"]) + extend[3]
        elif divide and divide[4] != "0":
            lines[k] = divide[1] + rng.choice(["udiv", "sdiv", "urem", "srem"]) + divide[3] + str(rng.randint(1, 100))
        elif shift:
            lines[k] = shift[1] + rng.choice(["shl", "lshr", "ashr"]) + shift[3]
        elif not shift and not divide and not re.search(r"\{|\bi1\b.*, (true|false)", line):
            at = [m for m in re.finditer(r"(?<=, )-?\d+$|(?<=i32 )-?\d+$|(?<=i64 )-?\d+$", line)]
            if at:
                bits = re.search(r"\bi(\d+) ", line)
                value = rng.choice([0, 1, 2, 3, 5, 7, 16, 33, 100, -1, -3, 127])
                if bits and int(bits[1]) >= 32:
                    value = rng.choice([value, 2147483647, -2147483648, 65535, rng.randint(-70, 300)])
                found = at[0]
                lines[k] = line[:found.start()] + str(value) + line[found.end():]
    return "\n".join(lines)


class Case:
    """A module and its launches: what is asked of the tool and of the oracle."""

    def __init__(self, text, level, kernels, threads):
        self.text, self.level = text, level
        self.kernels = kernels
        self.threads = [[(at, thread) for at, thread in kernel.threads(threads)] for kernel in kernels]


class Counts:
    def __init__(self):
        self.n = collections.Counter()
        self.reasons = collections.Counter()
        self.left_out = collections.Counter()
        self.slow = []


def command_of(tool, path, kernel, at, thread):
    grid, block, _, words = kernel.launches[0]
    numbers = lambda v: ",".join(map(str, v))
    return [tool, "kernel", path, f"--function={kernel.name}", f"--grid={numbers(grid)}", f"--block={numbers(block)}",
            *words, f"--at={numbers(at)}:{numbers(thread)}", "--loads=hash8", "--format=json"]


def in_bytes(accesses):
    """Each access as accesses of a byte."""
    return collections.Counter(
        (kind, array, offset + k) for kind, array, offset, size in accesses for k in range(size))


def placed(access):
    """An access of an argument by its address, which is the same for all that lie so far
    from an argument that they lie nearer to another."""
    kind, array, offset, size = access
    if array.startswith("arg"):
        offset += (int(array[3:]) + 1) << 40
    return (kind, array, offset, size) if array.startswith("shared") else (kind, "global", offset % (1 << 64), size)


def judged(oracle, other, entries):
    """What the entries of the tool are against the oracle: (word, text).

    `oracle` and `other` are the accesses under two seeds of shared memory."""
    told, reasons = [], []
    for entry in entries:
        if "is a variable of the module" in entry.get("reason", ""):
            continue  # which the oracle does not record
        if "reason" in entry:
            reasons.append(entry)
        else:
            told.append((entry["kind"], entry["array"], entry["offset_bytes"], entry["bytes"]))
    kinds = {"L": "load", "S": "store", "A": "atomic", "l": "load", "s": "store"}
    moved = any(a[0] in "ls" for a in oracle)  # memcpy and memset say no width
    right = [(kinds[a[0]], a[1], a[2], a[3]) for a in oracle]
    told, right = [[placed(a) for a in side] for side in (told, right)]
    if sorted(oracle) != sorted(other):
        return ("undecided", "") if reasons else ("wrong", "depends on what other threads store in shared memory")
    if moved:
        mine, theirs = in_bytes(told), in_bytes(right)
    else:
        mine, theirs = collections.Counter(told), collections.Counter(right)
    extra, missing = mine - theirs, theirs - mine
    if (extra or missing) and not reasons and in_bytes(told) == in_bytes(right):
        return "of other widths", ""
    if extra and reasons and not in_bytes(told) - in_bytes(right):
        return "undecided", ""
    if extra:
        return "wrong", f"told but not so: {some(extra)}; so but not told: {some(missing)}" + (
            " (with reasons)" if reasons else "")
    if reasons:
        # What is not told has an entry of its kind that says why.
        why = {(entry["kind"], entry["array"]) for entry in reasons}
        beyond = {entry["kind"] for entry in reasons if "leaves 64 bits" in entry["reason"]}
        for key in missing:
            kind, array, offset = key[:3]
            if array == "global":
                # An address that wraps lies near no argument, or near any, and one
                # that is made of loaded values may lie where no argument is.
                number = (offset + (1 << 39)) >> 40
                if kind in beyond or (number > MOST_ARGUMENTS and kind in {entry["kind"] for entry in reasons}):
                    continue
                array = f"arg{number - 1}"
            if (kind, array) not in why and (kind, "unknown") not in why:
                return "wrong", f"so but not told, and no reason of that kind: {some(missing)}"
        return "undecided", ""
    if not missing:
        return ("right" if moved or told == right else "out of order"), ""
    return "wrong", f"so but not told: {some(missing)}"


def some(counter):
    items = sorted(counter.items())
    return ", ".join(f"{key} x{n}" for key, n in items[:4]) + (" ..." if len(items) > 4 else "")


def check(options, machine, case, counts, folder, tag):
    """Runs the threads of a module through tool and oracle; counts and prints."""
    keep, limit = options.keep, options.limit
    path = os.path.join(folder, "kernel.ll")
    with open(path, "w", encoding="utf-8") as f:
        f.write(case.text)
    launches = [(kernel.name, kernel.launches[0][2]) for kernel in case.kernels]
    asked = []
    for k, kernel in enumerate(case.kernels):
        grid, block, _, _ = kernel.launches[0]
        for at, thread in case.threads[k]:
            for seed in (0, 0x5bd1e995abcdef):
                asked.append((k, seed, grid, block, at, thread))
    try:
        answers = machine.run(case.text, launches, asked)
    except compiled_machine.Unknown as unknown:
        counts.left_out[str(unknown)[:100]] += len(case.kernels)
        return
    for k, kernel in enumerate(case.kernels):
        counts.n["kernels"] += 1
        for j, (at, thread) in enumerate(case.threads[k]):
            place = 2 * (k * len(case.threads[k]) + j)  # each kernel has as many threads
            (end, oracle), (end2, other) = answers[place], answers[place + 1]
            if end != "end" or end2 != "end":
                counts.left_out["the oracle's thread: " + end] += 1
                if end == "fault":
                    continue
            command = command_of(options.tool, path, kernel, at, thread)
            start = time.time()
            try:
                ran = subprocess.run(command, capture_output=True, text=True, timeout=limit)
                code, output, errors = ran.returncode, ran.stdout, ran.stderr
            except subprocess.TimeoutExpired:
                code, output, errors = f"over {limit} s", "", ""
            took = time.time() - start
            shown = " ".join(command).replace(path, f"{tag}.ll")
            if took > 2:
                counts.slow.append((round(took, 1), shown))
                save(keep, tag, case.text)
            if code not in (0, 3, 4):
                if code == 1 and "error" in errors:
                    counts.reasons["refused: " + re.sub(r"\d+", "N", errors.strip().split("error")[-1])[:90]] += 1
                    counts.n["refused"] += 1
                    save(keep, "refused", case.text)
                    break
                counts.n["crashes"] += 1
                print(f"CRASH {code}: {shown}\n  {errors.strip()[-300:]}")
                save(keep, tag, case.text)
                break
            if end != "end" or end2 != "end":
                continue
            document = json.loads(output)
            entries = document.get("thread_accesses")
            if entries is None:
                counts.reasons["no thread_accesses"] += 1
                counts.n["undecided"] += 1
                continue
            if not document.get("complete", True):
                entries += [{"kind": kind, "array": "unknown", "reason": document["reason"]}
                            for kind in ("load", "store", "atomic")]
            counts.n["threads"] += 1
            counts.n["accesses"] += len(oracle)
            word, text = judged(oracle, other, entries)
            counts.n[word] += 1
            for reason in {e["reason"] for e in entries if "reason" in e}:
                counts.reasons[re.sub(r"`[^`]*`|\d+", "..", reason)] += 1
            if word in ("out of order", "of other widths") and counts.n[word] == 1:
                print(f"the same bytes, {word} ({case.level}): {shown}")
                save(keep, tag, case.text)
            if word == "wrong":
                print(f"WRONG ({case.level}): {shown}\n  {text}")
                save(keep, tag, case.text)
                break


def save(keep, tag, text):
    if keep:
        os.makedirs(keep, exist_ok=True)
        with open(os.path.join(keep, tag + ".ll"), "w", encoding="utf-8") as f:
            f.write(text)


def modules(clang, rng, folder, kernels, counts):
    """A module of random kernels as clang writes it, with its level."""
    made = [compiled_source.Kernel(rng, f"k{k}") for k in range(kernels)]
    level = rng.choice(["-O0", "-O1", "-O1", "-O2", "-O2", "-O2", "-O3"])
    path = os.path.join(folder, "kernels.cu")
    with open(path, "w", encoding="utf-8") as f:
        f.write(compiled_source.HEADER + "\n".join(kernel.text for kernel in made) + "\n")
    ran = subprocess.run([clang, *FLAGS, level, path, "-o", "-"], capture_output=True, text=True)
    if ran.returncode != 0:
        counts.left_out["clang refuses the C: " + ran.stderr.strip()[:300]] += kernels
        return None, level, made
    return ran.stdout, level, made


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tool")
    parser.add_argument("--kernels", type=int, default=60)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--threads", type=int, default=3)
    parser.add_argument("--keep", default="", help="a folder for the modules that are wrong, crash or are slow")
    parser.add_argument("--limit", type=int, default=10, help="seconds for a call; more counts as a crash")
    options = parser.parse_args()
    clang = shutil.which("clang-22")
    if not clang:
        print("SKIPPED: there is no clang-22 here, which compiles the kernels")
        return 0
    seed = options.seed if options.seed is not None else random.randrange(1 << 31)
    print(f"seed {seed}")
    counts = Counts()
    with tempfile.TemporaryDirectory() as folder:
        machine = compiled_machine.Machine(clang, folder)
        number = 0
        while counts.n["asked"] < options.kernels:
            number += 1
            rng = random.Random(f"{seed} {number}")
            wanted = min(A_FILE, options.kernels - counts.n["asked"])
            text, level, kernels = modules(clang, rng, folder, wanted, counts)
            counts.n["asked"] += len(kernels)
            if text is None:
                continue
            tag = f"m{seed}_{number}"
            check(options, machine, Case(text, level, kernels, options.threads), counts, folder, tag)
            if rng.random() < 0.5:
                other = changed(text, rng)
                if other is not None:
                    counts.n["changed modules"] += 1
                    check(options, machine, Case(other, level, kernels, 2), counts, folder, tag + "c")
    print(", ".join(f"{counts.n[word]} {word}" for word in (
        "kernels", "changed modules", "threads", "accesses", "right", "out of order", "of other widths",
        "undecided", "refused", "wrong", "crashes")))
    for reason, n in counts.reasons.most_common():
        print(f"  undecided {n}: {reason}")
    for reason, n in counts.left_out.most_common():
        print(f"  left out {n}: {reason}")
    for took, shown in sorted(counts.slow, reverse=True)[:10]:
        print(f"  slow {took} s: {shown}")
    if counts.n["right"] == 0:
        print("nothing was compared")
        return 1
    return 1 if counts.n["wrong"] or counts.n["crashes"] else 0


if __name__ == "__main__":
    sys.exit(main())
