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
        faster, and no advice makes it a part of another kernel.
sectors The layout that is named is given to the parameter: less is wasted, and
        it takes less time.
"""

import argparse
import itertools
import json
import math
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
        self.tool, self.path = tool, os.path.join(folder, "m.hlo")

    def kernels(self, text):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run(
            [self.tool, "report", self.path, "--device=a100", "--format=json"],
            capture_output=True, text=True, check=False)
        if done.returncode:
            problem("status", done.returncode, done.stderr[:300], "\n" + text)
            return {}
        return {each["instruction"]: each
                for each in json.loads(done.stdout)["kernels"]}


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
    advised = 0
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
        kernels = reports.kernels(text)
        if "t" not in kernels or kernels["t"].get("avoid_by") == "view":
            continue
        is_advised = kernels["t"].get("avoid_by") == "gather"
        wanted = is_in_order(parts, shape, gathered, permutation, order)
        advised += is_advised
        if is_advised != wanted:
            problem("gather is", "" if is_advised else "not", "advised, and it is",
                    wanted, "that parts lie one behind the other:\n" + text)
    if advised == 0:
        problem("no gather is advised")
    return advised


def window_reads(size, stride, low, high, n):
    """The elements that each window reads."""
    places = (n + low + high - size) // stride + 1
    return [[k for k in range(w * stride - low, w * stride - low + size)
             if 0 <= k < n] for w in range(max(places, 0))]


def check_windows(reports, r, count):
    advised = 0
    for k in range(count):
        n = r.choice([16, 64, 4096])
        size = n if k % 3 else r.choice([2, n // 2])
        low, high = r.choice([(n - 1, 0), (0, n - 1), (n // 2, n // 2 - 1),
                              (0, 0), (size - 1, 0)])
        stride = r.choice([1, 1, 1, 2])
        reads = window_reads(size, stride, low, high, n)
        if not reads:
            continue
        rows = 256
        text = ("HloModule m, is_scheduled=true\nadd { a = f32[] parameter(0)\n"
                " b = f32[] parameter(1)\n ROOT s = f32[] add(a, b) }\n"
                f"ENTRY e {{ p = f32[{rows},{n}]{{1,0}} parameter(0)\n"
                " z = f32[] constant(0)\n"
                f" ROOT w = f32[{rows},{len(reads)}]{{1,0}} reduce-window(p, z), "
                f"window={{size=1x{size} stride=1x{stride} pad=0_0x{low}_{high}}},"
                " to_apply=add\n}\n")
        kernels = reports.kernels(text)
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


SPLIT = """HloModule m, is_scheduled=true
add {{ a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT s = f32[] add(a, b) }}
ENTRY e {{ p = f32[{n}]{{0}} parameter(0)
 z = f32[] constant(0)
 {body} }}
"""


def check_split(reports):
    """A sum of one row: one block. And in two: rows first."""
    advised = 0
    for n in (1 << 18, 1 << 20, 1 << 22):
        one = reports.kernels(SPLIT.format(
            n=n, body="ROOT r = f32[] reduce(p, z), dimensions={0}, "
            "to_apply=add"))
        side = 1 << (int(math.log2(n)) // 2)
        two = reports.kernels(SPLIT.format(
            n=n, body=f"b = f32[{side},{n // side}]{{1,0}} bitcast(p)\n "
            f"s = f32[{side}]{{0}} reduce(b, z), dimensions={{1}}, to_apply=add\n"
            " ROOT r = f32[] reduce(s, z), dimensions={0}, to_apply=add"))
        if not one or not two:
            continue
        own = one["r"]
        if own.get("avoid_by") != "split":
            problem("a sum of", n, "elements is", own.get("avoid_by"),
                    own.get("advice"))
            continue
        advised += 1
        if "blocks" not in own["advice"] and "block" not in own["advice"]:
            problem(own["advice"])
        together = sum(each["predicted_us"] for each in two.values())
        if together >= own["predicted_us"]:
            problem("split, it takes", together, "and took",
                    own["predicted_us"])
    return advised


def check_tiny(reports, r, count):
    """No kernel is advised to be a part of another one for its size."""
    for _ in range(count):
        n = r.choice([1, 4, 33, 256, 1000])
        text = ("HloModule m, is_scheduled=true\n"
                f"ENTRY e {{ p = f32[{n}]{{0}} parameter(0)\n"
                f" ROOT t = f32[{n}]{{0}} tanh(p) }}\n")
        for each in reports.kernels(text).values():
            if "part of another kernel" in each.get("advice", ""):
                problem(each["advice"])


def check_layouts(reports, r, count):
    """The named layout is given to the parameter."""
    tried = 0
    for _ in range(count):
        a, b = r.choice([512, 1024, 2048]), r.choice([512, 1024, 4096])
        head = "HloModule m, is_scheduled=true\n"
        text = (head + "f { q = f32[%d,%d]{1,0} parameter(0)\n"
                " v = f32[%d,%d]{1,0} parameter(1)\n"
                " t = f32[%d,%d]{1,0} transpose(q), dimensions={1,0}\n"
                " w = f32[%d,%d]{1,0} tanh(t)\n"
                " ROOT m = f32[%d,%d]{1,0} add(w, v) }\n"
                "ENTRY e { p = f32[%d,%d]{1,0} parameter(0)\n"
                " y = f32[%d,%d]{1,0} parameter(1)\n"
                " ROOT k = f32[%d,%d]{1,0} fusion(p, y), kind=kLoop, calls=f }\n")
        text %= (b, a, a, b, a, b, a, b, a, b, b, a, a, b, a, b)
        before = reports.kernels(text).get("k", {})
        named = re.search(r"\{(\d,\d)\} of `(\w+)`", before.get("advice", ""))
        if before.get("avoid_by") != "sectors" or not named:
            continue
        order, array = named.groups()
        if array != "p":
            problem("the layout of", array, "is named:", before["advice"])
            continue
        shape = f"f32[{b},{a}]"
        changed = text.replace(shape + "{1,0} parameter(0)",
                               shape + "{%s} parameter(0)" % order)
        after = reports.kernels(changed).get("k", {})
        tried += 1
        if not after or after["wasted_bytes"] >= before["wasted_bytes"] or \
                after["predicted_us"] >= before["predicted_us"]:
            problem("with the layout it wastes", after.get("wasted_bytes"),
                    "and did", before["wasted_bytes"], text)
    return tried


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
            "layouts": check_layouts(reports, r, options.count // 4),
        }
        check_tiny(reports, r, 8)
    print(", ".join(f"{number} {name}" for name, number in counts.items()),
          f"(seed {options.seed})")
    for each in PROBLEMS[:8]:
        print(each)
    return 1 if PROBLEMS or not all(counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
