#!/usr/bin/env python3
"""Advice that fits, each as a claim: the change is made, and shown to be right.

    fitting_advice_test.py INDEXICAL [--seed=S]

gather  Parts of an array are gathered along a dimension, and transposed. What
        the advice says instead, the transposed parts one behind the other, is
        enumerated: it is advised exactly where both are the same elements in
        the same order in memory.
scan    Windows of all kinds are enumerated: a scan is advised exactly where each
        result is the sum of all elements up to it, or from it on.
split   A sum over few blocks is made of two kernels. They are predicted to be
        faster, and no advice makes it a part of another kernel. Where two take
        half of the time, the one has not too little work.
fill    Fills of all sizes are read by ops that only read them, and by scatters.
        The reader uses the value, or writes the whole; a scatter that adds more
        updates than the array has elements keeps its fill.
sectors The layout that is named is given to the parameter: less is wasted, and
        it takes less time.
"""

import argparse
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

PROBLEMS = []


def problem(*words):
    PROBLEMS.append(" ".join(map(str, words)))


class Reports:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.calls = tool, folder, 0

    def kernels(self, texts):
        """The kernels of each of the texts, by name: of one report of all."""
        self.calls += 1
        folder = os.path.join(self.folder, str(self.calls))
        os.mkdir(folder)
        for number, text in enumerate(texts):
            with open(os.path.join(folder, f"{number}.hlo"), "w",
                      encoding="utf-8") as file:
                file.write(text)
        # A folder of one file is no report of several.
        with open(os.path.join(folder, "other.hlo"), "w",
                  encoding="utf-8") as file:
            file.write(OTHER)
        done = subprocess.run(
            [self.tool, "report", folder, "--device=a100", "--format=json",
             "--top=all"],
            capture_output=True, text=True, check=False)
        if done.returncode:
            problem("status", done.returncode, done.stderr[:600])
            return [{} for _ in texts]
        found = {}
        for each in json.loads(done.stdout)["kernels"]:
            name = os.path.basename(each["file"])
            found.setdefault(name, {})[each["instruction"]] = each
        return [found.get(f"{number}.hlo", {}) for number in range(len(texts))]


OTHER = """HloModule other, is_scheduled=true
ENTRY e { p = f32[8]{0} parameter(0)
 ROOT n = f32[8]{0} negate(p) }
"""


def elements_in_memory(shape, order, value):
    """The elements in the order of their addresses: `order` lists dimensions
    from minor to major."""
    majors = list(reversed(order))
    found = []
    for at in itertools.product(*(range(shape[d]) for d in majors)):
        index = [0] * len(shape)
        for d, k in zip(majors, at):
            index[d] = k
        found.append(value(tuple(index)))
    return found


def is_in_order(parts, shape, gathered, permutation, order):
    """Whether the transposed parts, one behind the other, are the transposed
    whole. An element is named by its index in the whole."""
    result = [shape[d] for d in permutation]

    def source(index):
        whole = [0] * len(shape)
        for k, d in enumerate(permutation):
            whole[d] = index[k]
        return tuple(whole)

    whole = elements_in_memory(result, order, source)
    size = shape[gathered] // parts
    behind = []
    for part in range(parts):
        own = list(result)
        own[permutation.index(gathered)] = size

        def of_part(index, part=part):
            at = list(source(index))
            at[gathered] += part * size
            return tuple(at)

        behind += elements_in_memory(own, order, of_part)
    return whole == behind


def check_gathers(reports, r, count):
    texts, wanted = [], []
    for _ in range(count):
        rank, parts = r.choice([2, 2, 3]), r.choice([2, 4])
        shape = [r.choice([1, 2, 4, 8]) for _ in range(rank)]
        gathered = r.randrange(rank)
        shape[gathered] = parts * r.choice([1, 2, 3])
        permutation = r.sample(range(rank), rank)
        order = r.sample(range(rank), rank)
        own = list(shape)
        own[gathered] //= parts
        scale = 64  # so that it takes time; dimensions stay in proportion
        big = lambda dims: [d * scale if d > 1 else d for d in dims]
        text_of = lambda dims: ",".join(map(str, big(dims)))
        row_major = ",".join(map(str, reversed(range(rank))))
        whole = f"f32[{text_of(shape)}]{{{row_major}}}"
        # A dimension of size 1 of a part has to be multiplied, too.
        if own[gathered] == 1:
            own[gathered] = scale
            part_text = ",".join(map(str, [
                own[d] if d == gathered else big(shape)[d]
                for d in range(rank)]))
        else:
            part_text = text_of(own)
        turned = [shape[d] for d in permutation]
        result = f"f32[{text_of(turned)}]{{{','.join(map(str, order))}}}"
        groups = ",".join(map(str, range(parts)))
        text = (f"HloModule m, is_scheduled=true, num_partitions={parts}\n"
                f"ENTRY e {{\n p = f32[{part_text}]{{{row_major}}} parameter(0)\n"
                f" g = {whole} all-gather(p), dimensions={{{gathered}}}, "
                f"channel_id=1, use_global_device_ids=true, "
                f"replica_groups={{{{{groups}}}}}\n"
                f" ROOT t = {result} transpose(g), dimensions="
                f"{{{','.join(map(str, permutation))}}}\n}}\n")
        texts.append(text)
        wanted.append(is_in_order(parts, shape, gathered, permutation, order))
    advised = 0
    for text, is_wanted, kernels in zip(texts, wanted, reports.kernels(texts)):
        if "t" not in kernels or kernels["t"].get("avoid_by") == "view":
            continue
        is_advised = kernels["t"].get("avoid_by") == "gather"
        advised += is_advised
        if is_advised != is_wanted:
            problem("gather is", "" if is_advised else "not", "advised, and it is",
                    is_wanted, "that parts lie one behind the other:\n" + text)
    if advised == 0:
        problem("no gather is advised")
    return advised


def window_reads(size, stride, low, high, n):
    """The elements that each window reads."""
    places = (n + low + high - size) // stride + 1
    return [[k for k in range(w * stride - low, w * stride - low + size)
             if 0 <= k < n] for w in range(max(places, 0))]


def check_windows(reports, r, count):
    texts, all_reads = [], []
    for k in range(count):
        n = r.choice([16, 64, 256])
        size = n if k % 3 else r.choice([2, n // 2])
        low, high = r.choice([(n - 1, 0), (0, n - 1), (n // 2, n // 2 - 1),
                              (0, 0), (size - 1, 0)])
        stride = r.choice([1, 1, 1, 2])
        reads = window_reads(size, stride, low, high, n)
        if not reads:
            continue
        rows = 4096
        texts.append(
            "HloModule m, is_scheduled=true\n" + ADD +
            f"ENTRY e {{ p = f32[{rows},{n}]{{1,0}} parameter(0)\n"
            " z = f32[] constant(0)\n"
            f" ROOT w = f32[{rows},{len(reads)}]{{1,0}} reduce-window(p, z), "
            f"window={{size=1x{size} stride=1x{stride} pad=0_0x{low}_{high}}},"
            " to_apply=add\n}\n")
        all_reads.append((n, reads))
    advised = 0
    for text, (n, reads), kernels in zip(texts, all_reads,
                                         reports.kernels(texts)):
        if "w" not in kernels:
            continue
        is_scan = reads in ([list(range(k + 1)) for k in range(n)],
                            [list(range(k, n)) for k in range(n)])
        by = kernels["w"].get("avoid_by")
        advised += by == "scan"
        if by == "scan" and not is_scan:
            problem("a scan is advised for", text)
        # A kernel of which nothing is avoidable needs no advice.
        if is_scan and by not in ("scan", None):
            problem(by, "is advised where a scan would do:", text)
    if advised == 0:
        problem("no scan is advised")
    return advised


ADD = """add { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT s = f32[] add(a, b) }
"""


def narrow_sum(n, w):
    """A sum of columns, in one kernel."""
    return ("HloModule m, is_scheduled=true\n" + ADD +
            f"f {{ x = f32[{n},{w}]{{1,0}} parameter(0)\n"
            f" q = f32[{n},{w}]{{1,0}} multiply(x, x)\n z = f32[] constant(0)\n"
            f" ROOT r = f32[{w}]{{0}} reduce(q, z), dimensions={{0}}, to_apply=add }}\n"
            f"ENTRY e {{ x = f32[{n},{w}]{{1,0}} parameter(0)\n"
            f" ROOT r = f32[{w}]{{0}} fusion(x), kind=kInput, calls=f }}\n")


def split_sum(n, w, parts):
    """The same in two: of so many parts, then of their sums."""
    rows = n // parts
    return ("HloModule m, is_scheduled=true\n" + ADD +
            f"f {{ x = f32[{n},{w}]{{1,0}} parameter(0)\n"
            f" b = f32[{parts},{rows},{w}]{{2,1,0}} bitcast(x)\n"
            f" q = f32[{parts},{rows},{w}]{{2,1,0}} multiply(b, b)\n"
            " z = f32[] constant(0)\n"
            f" ROOT s = f32[{parts},{w}]{{1,0}} reduce(q, z), dimensions={{1}}, "
            "to_apply=add }\n"
            f"g {{ x = f32[{parts},{w}]{{1,0}} parameter(0)\n"
            " z = f32[] constant(0)\n"
            f" ROOT r = f32[{w}]{{0}} reduce(x, z), dimensions={{0}}, to_apply=add }}\n"
            f"ENTRY e {{ x = f32[{n},{w}]{{1,0}} parameter(0)\n"
            f" s = f32[{parts},{w}]{{1,0}} fusion(x), kind=kInput, calls=f\n"
            f" ROOT r = f32[{w}]{{0}} fusion(s), kind=kInput, calls=g }}\n")


def check_split(reports):
    """Sums of columns over few blocks, and each in two. (The elements are summed
    once each: rows of a part, then parts.)"""
    sizes = [(2048, 64), (2048, 256), (4096, 128), (1024, 256), (4096, 32),
             (8192, 512), (8192, 1024), (16384, 2048), (8192, 4096)]
    ones = reports.kernels([narrow_sum(*size) for size in sizes])
    twos = reports.kernels([split_sum(*size, 32) for size in sizes])
    advised = 0
    for one, two in zip(ones, twos):
        own = one.get("r", {})
        together = sum(each["predicted_us"] for each in two.values())
        if own.get("avoid_by") == "waits" and \
                together < own["predicted_us"] / 2:
            problem("too little work is said of", own["grid"], "blocks, and two "
                    "kernels take", together, "of", own["predicted_us"])
        if own.get("avoid_by") != "split":
            continue
        advised += 1
        blocks = own["grid"][0] * own["grid"][1] * own["grid"][2]
        if f"runs on {blocks} block" not in own["advice"]:
            problem(blocks, "blocks:", own["advice"])
        if len(two) != 2 or together >= own["predicted_us"]:
            problem("split, it takes", together, "and took",
                    own["predicted_us"])
    return advised


def fill_and(kind, rows, width, updates):
    """A fill of rows x width, and the kernel that reads it."""
    whole, part = f"f32[{rows},{width}]{{1,0}}", f"f32[{updates},{width}]{{1,0}}"
    combine = "add" if kind == "adds" else "replace"
    reader = (
        f" ROOT r = {whole} multiply(x, o)\n" if kind == "reads" else
        f" ROOT r = {whole} scatter(o, i, u), update_window_dims={{1}}, "
        "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
        f"index_vector_dim=1, to_apply={combine}\n")
    return ("HloModule m, is_scheduled=true\n" + ADD +
            "replace { a = f32[] parameter(0)\n ROOT b = f32[] parameter(1) }\n"
            f"ENTRY e {{ x = {whole} parameter(0)\n"
            f" i = s32[{updates},1]{{1,0}} parameter(1)\n u = {part} parameter(2)\n"
            " z = f32[] constant(0)\n"
            f" o = {whole} broadcast(z), dimensions={{}}\n" + reader + "}\n")


def check_fills(reports, r, count):
    asked = []
    for _ in range(count):
        rows, width = r.choice([1, 16, 1024]), r.choice([1, 8, 256])
        if rows * width == 1:  # a copy of the value
            width = 2
        updates = r.choice([1, rows, max(1, rows - 1), rows + 1, 4 * rows])
        asked.append((r.choice(["reads", "sets", "adds"]), rows, width, updates))
    advised = 0
    for each, kernels in zip(asked, reports.kernels(
            [fill_and(*each) for each in asked])):
        kind, rows, _, updates = each
        wanted = {"reads": "use the value", "sets": "write all of it",
                  "adds": "write all of it"}[kind]
        own = kernels.get("o", {})
        is_advised = own.get("avoid_by") == "fill"
        advised += is_advised
        if is_advised != (kind != "adds" or updates <= rows):
            problem("a fill is", "" if is_advised else "not", "advised:", each,
                    own.get("advice"))
        elif is_advised and wanted not in own["advice"]:
            problem(each, "is advised:", own["advice"])
        elif not is_advised and "`r`" in own.get("advice", ""):
            problem(each, "is to be one kernel with the scatter:",
                    own["advice"])
    return advised


def check_tiny(reports):
    """No kernel is advised to be a part of another one for its size."""
    texts = [f"HloModule m, is_scheduled=true\n"
             f"ENTRY e {{ p = f32[{n}]{{0}} parameter(0)\n"
             f" ROOT t = f32[{n}]{{0}} tanh(p) }}\n"
             for n in (1, 4, 33, 256, 1000)]
    for kernels in reports.kernels(texts):
        for each in kernels.values():
            if "part of another kernel" in each.get("advice", ""):
                problem(each["advice"])


def check_layouts(reports, r, count):
    """The named layout is given to the parameter."""
    questions = []
    for _ in range(count):
        a, b = r.choice([512, 1024, 2048]), r.choice([512, 1024, 4096])
        order, other = r.choice([("0,1", "1,0"), ("1,0", "0,1")])
        questions.append((other, "HloModule m, is_scheduled=true\n"
                          f"ENTRY e {{ p = f32[{a},{b}]{{{other}}} parameter(0)\n"
                          f" y = f32[{a},{b}]{{{order}}} parameter(1)\n"
                          f" ROOT k = f32[{a},{b}]{{{order}}} add(p, y) }}\n"))
    changes = []
    for (other, text), found in zip(
            questions, reports.kernels([text for _, text in questions])):
        before = found.get("k", {})
        if before.get("avoid_by") != "sectors":
            continue
        named = re.search(r"most by its read of `(\w+)`; recommendation: .*?\{(\d,\d)\} of `(\w+)`",
                          before["advice"])
        if not named or named.group(1) != "p" or named.group(3) != "p":
            problem("no layout is named:", before["advice"], text)
            continue
        changes.append((before, text.replace(
            "{%s} parameter(0)" % other,
            "{%s} parameter(0)" % named.group(2))))
    for (before, text), found in zip(
            changes, reports.kernels([text for _, text in changes])):
        after = found.get("k", {})
        if not after or after["wasted_bytes"] >= before["wasted_bytes"] or \
                after["predicted_us"] >= before["predicted_us"]:
            problem("with the layout it wastes", after.get("wasted_bytes"),
                    "and did", before["wasted_bytes"], text)
    return len(changes)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, default=88)
    parser.add_argument("--count", type=int, default=40)
    options = parser.parse_args()
    r = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        reports = Reports(options.tool, folder)
        counts = {
            "gather": check_gathers(reports, r, options.count),
            "scan": check_windows(reports, r, options.count),
            "split": check_split(reports),
            "fill": check_fills(reports, r, options.count),
            "layouts": check_layouts(reports, r, options.count // 4),
        }
        check_tiny(reports)
    print(", ".join(f"{number} {name}" for name, number in counts.items()),
          f"(seed {options.seed})")
    for each in PROBLEMS[:8]:
        print(each)
    return 1 if PROBLEMS or not all(counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
