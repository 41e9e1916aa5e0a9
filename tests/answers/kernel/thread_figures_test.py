#!/usr/bin/env python3
"""Figures of `indexical kernel` against a simulator of all threads.

  thread_figures_test.py INDEXICAL RANDOM_KERNELS [FIRST_SEED]

The interpreter says which element each coordinate of a tile is. The layout, as
its text has it, says by nested loops which registers of which thread hold the
coordinate. Every warp then takes its registers, a vector at a time, and bytes,
sectors and lines are counted one by one. So it is for random kernels, for the
texts of tritonparse's records, and for one program of each kernel of XLA. The
PTX of the records, run thread by thread, has the same figures.
"""

import csv
import glob
import json
import os
import re
import subprocess
import tempfile

import numpy as np

import ptx_threads
import random_kernels
import ttir_interpreter
from kernel_test_call import COUNT, CORPUS, SEED, TOOL, end, problem

KEYS = ("accesses", "active_lanes", "bytes_used", "sectors", "sectors_fewest",
        "lines")
LANES, SECTOR, LINE = 32, 32, 128


def digits(number, sizes, order):
    """The index whose first fastest dimension is order[0]."""
    index = [0] * len(sizes)
    for k in order:
        index[k] = number % sizes[k]
        number //= sizes[k]
    return index


def registers(layout, shape):
    """For each thread, the coordinates of its registers in their order, without
    those that are the same; None if the layout is no blocked one."""
    match = re.match(r"#ttg\.blocked<\{(.*)\}>$", layout)
    if not match:
        return None
    each, lanes, warps, order = (
        [int(n) for n in re.search(key + r" = \[([\d, ]+)\]",
                                   match[1])[1].split(",")]
        for key in ("sizePerThread", "threadsPerWarp", "warpsPerCTA", "order"))
    whole = [a * b * c for a, b, c in zip(each, lanes, warps)]
    times = [max(1, size // all_of) for size, all_of in zip(shape, whole)]
    threads = []
    for warp in range(np.prod(warps)):
        for lane in range(np.prod(lanes)):
            l, w = digits(lane, lanes, order), digits(warp, warps, order)
            own = []
            for again in range(np.prod(times)):
                t = digits(again, times, order)
                for register in range(np.prod(each)):
                    r = digits(register, each, order)
                    at = tuple(
                        (((t[k] * warps[k] + w[k]) * lanes[k] + l[k]) *
                         each[k] + r[k]) % shape[k] for k in range(len(shape)))
                    if at not in own:
                        own.append(at)
            threads.append(own)
    return threads


class Counter:
    """Counts accesses of warps."""

    def __init__(self, size):
        self.size, self.figures = size, dict.fromkeys(KEYS, 0)

    def access(self, lanes):
        """`lanes`: the elements of each lane that takes part."""
        if not lanes:
            return
        used = {e * self.size + b for elements in lanes for e in elements
                for b in range(self.size)}
        self.figures["accesses"] += 1
        self.figures["active_lanes"] += len(lanes)
        self.figures["bytes_used"] += len(used)
        self.figures["sectors"] += len({b // SECTOR for b in used})
        self.figures["sectors_fewest"] += -(-len(used) // SECTOR)
        self.figures["lines"] += len({b // LINE for b in used})


def simulate(access, kind, tiles, warps, size):
    """The figures of an access whose tiles these are; None if its layout is not
    simulated, or a vector is none."""
    counter = Counter(size)
    for elements, mask in tiles:
        shape = np.shape(elements)
        if not shape:
            lanes = [[int(elements)]] if int(mask) else []
            for _ in range(1 if kind == "store" else warps):
                counter.access(lanes * (1 if kind == "store" else LANES))
            continue
        threads = registers(access["layout"], shape)
        if threads is None:
            return None
        taken = set()
        for warp in range(warps):
            own = threads[warp * LANES:(warp + 1) * LANES]
            for start in range(0, len(own[0]), access["vector"]):
                lanes = []
                for coordinates in own:
                    group = coordinates[start:start + access["vector"]]
                    if kind == "store":  # once, by the first who holds it
                        if group[0] in taken:
                            continue
                        taken.update(group)
                    on = {bool(mask[at]) for at in group}
                    if len(on) != 1:
                        problem("a vector that is masked in part: %s" % access)
                        return None
                    if not on.pop():
                        continue
                    row = [int(elements[at]) for at in group]
                    if row != list(range(row[0], row[0] + len(row))) or (
                            row[0] % len(row)):
                        problem("no vector: %s of %s" % (row, access))
                        return None
                    lanes.append(row)
                counter.access(lanes)
    return counter.figures


def element_size(text, line):
    kind = re.findall(r"!tt\.ptr<(?:tensor<(?:\d+x)*)?(\w+)|tensor<(?:\d+x)*(\w+)>>",
                      text.split("\n")[line - 1])[-1]
    bits = int(re.search(r"\d+", kind[0] or kind[1])[0])
    return max(1, bits // 8)


def check(name, text, document, programs, arguments=None):
    """How many accesses have the figures of the simulator."""
    tiles, compared = {}, 0
    for program in programs:
        for line, kind, _, elements, mask in ttir_interpreter.tiles(
                text, program, arguments):
            tiles.setdefault((line, kind), []).append((elements, mask))
    warps = document["block"][0] // LANES
    for kind, key in (("load", "reads"), ("store", "writes")):
        for access in document[key]:
            if "accesses" not in access or any(
                    isinstance(access[k], list) for k in KEYS):
                continue
            own = tiles.get((access["line"], kind), [])
            figures = simulate(access, kind, own, warps,
                               element_size(text, access["line"]))
            if figures is None:
                continue
            compared += 1
            said = {k: access[k] for k in KEYS}
            if said != figures:
                problem("%s: line %d: %s\nof all threads: %s\n%s" % (
                    name, access["line"], said, figures, text))
                return compared
    return compared


def answers(paths, words):
    done = subprocess.run([TOOL, "kernel"] + paths + words + ["--format=json"],
                          capture_output=True, text=True)
    documents = [json.loads(line) for line in done.stdout.split("\n") if line]
    return [each for each in documents if "error" not in each]


def written(folder, texts):
    paths = []
    for number, text in enumerate(texts):
        paths.append(os.path.join(folder, "%d.ttir" % number))
        with open(paths[-1], "w") as file:
            file.write(text)
    return paths


def check_random(folder):
    texts = [random_kernels.kernel(seed)
             for seed in range(SEED, SEED + COUNT)]
    paths, compared = written(folder, texts), 0
    programs = [(x, y, 0) for x in range(2) for y in range(2)]
    for warps in (1, 2):
        words = ["--grid=2,2", "--num-warps=%d" % warps, "--budget=100000"]
        documents = answers(paths, words)
        for seed, (text, document) in enumerate(zip(texts, documents), SEED):
            if "error" not in document:
                compared += check("seed %d" % seed, text, document, programs)
    print("%d random kernels from seed %d: %d accesses have the figures of all "
          "threads" % (COUNT, SEED, compared))
    if compared < 2 * COUNT:
        problem("too few accesses are compared")


def compilations():
    """The kernels of the records: their texts, by form, and warps."""
    for path in sorted(glob.glob(os.path.join(CORPUS, "../triton/*.ndjson"))):
        for line in open(path):
            payload = json.loads(line).get("payload", {})
            files = {name.rsplit(".", 1)[1]: text for name, text in
                     payload.get("file_content", {}).items()}
            if "ttgir" in files:
                yield files, payload["metadata"]["num_warps"]


def of_arguments(document):
    """The sums over the accesses of each argument."""
    sums = {}
    for kind, key in (("load", "reads"), ("store", "writes")):
        for access in document[key]:
            if not access.get("accesses"):
                continue
            own = sums.setdefault((access["argument"], kind),
                                  dict.fromkeys(KEYS, 0))
            for figure in KEYS:
                own[figure] += access[figure]
    return sums


def check_records(folder):
    compared = compiled = 0
    for number, (files, warps) in enumerate(compilations()):
        for form in ("ttir", "ttgir"):
            path = os.path.join(folder, "record%d.%s" % (number, form))
            text = files[form]
            with open(path, "w") as file:
                file.write(text)
            arguments = [None, None, None]
            words = ["--grid=97", "--num-warps=%d" % warps]
            if "%arg3: i32" in text or "%n_elements: i32" in text:
                words.append("--arg=3=98320")
                arguments.append(98320)
            for block in (0, 5, 96):
                for document in answers([path], words + [
                        "--program=%d" % block]):
                    own = check(path, text, document, [(block, 0, 0)],
                                {3: 98320})
                    if not own:
                        problem("%s: no access is compared" % path)
                    compared += own
                    ptx = ptx_threads.figures(files["ptx"], block, arguments)
                    compiled += len(ptx)
                    if of_arguments(document) != ptx:
                        problem("%s, block %d: %s\nof the PTX: %s" % (
                            path, block, of_arguments(document), ptx))
    print("%d accesses of records, %d sums over those of an argument in one "
          "block of the PTX" % (compared, compiled))
    if compared < 60 or compiled < 100:
        problem("too few accesses of records are compared")


def check_xla():
    compared = kernels = 0
    with open(os.path.join(CORPUS, "ORACLE_TTIR.tsv")) as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for row in rows[::5]:
        path = os.path.join(CORPUS, row["ttir_file"])
        text = open(path).read()
        for document in answers([path], ["--num-warps=2", "--program=1",
                                         "--budget=100000"]):
            kernels += 1
            compared += check(path, text, document, [(1, 0, 0)])
    print("%d accesses of %d of XLA's kernels" % (compared, kernels))
    if compared < kernels:
        problem("too few accesses of XLA's kernels are compared")


with tempfile.TemporaryDirectory() as folder:
    check_random(folder)
    if CORPUS and os.path.exists(os.path.join(CORPUS, "ORACLE_TTIR.tsv")):
        check_records(folder)
        check_xla()
    else:
        print("SKIPPED: INDEXICAL_CORPUS names no folder with kernels")
end()
