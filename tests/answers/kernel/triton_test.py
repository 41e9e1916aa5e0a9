#!/usr/bin/env python3
"""What `indexical kernel` says of Triton kernels, against an interpreter.

  triton_test.py INDEXICAL RANDOM_KERNELS [FIRST_SEED]

Random kernels, then (where INDEXICAL_CORPUS names the folder) those that XLA
emitted: every element of every access, program and loop; those of XLA have
the tiles of their fusions, and changes of them that the interpreter sees are
seen.
"""

import csv
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

import random_kernels
import ttir_interpreter
from kernel_test_call import COUNT, CORPUS, SEED, TOOL, end, problem, problems


def call(arguments, statuses=(0, 3, 4)):
    done = subprocess.run([TOOL, "kernel"] + arguments + ["--format=json"],
                          capture_output=True, text=True)
    if done.returncode not in statuses:
        problem("%s: status %d\n%s" % (arguments, done.returncode, done.stderr))
        return []
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def elements_of(text, program, loops):
    """Evaluates the maps of a text at a program and a value of the loops."""
    found = []
    for piece in text.split("; "):
        head, rest = piece.split(" -> ", 1)
        result, domain = rest.split(", domain: ")
        names = re.findall(r"\w+", head.split(")")[1])
        result = result[1:-1].replace("floordiv", "//").replace("mod", "%")
        parts = re.findall(r"(.*?) in \[(-?\w+), (-?\w+)\](?:, |$)", domain)
        bounds = {name: (low, high) for name, low, high in parts}
        values = dict(zip(("bl_x", "bl_y", "bl_z"), program))
        fixed = [n for n in names if n.startswith("loop")]
        values.update(zip(fixed, loops))
        free = [n for n in names if n not in values]
        sides = [range(int(bounds[n][0]), int(bounds[n][1]) + 1) for n in free]
        grids = np.meshgrid(*[np.array(side) for side in sides], indexing="ij")
        values.update(zip(free, grids))
        shape = tuple(len(side) for side in sides)
        on = np.ones(shape, dtype=bool)
        for expression, low, high in parts:
            at = eval(expression.replace("floordiv", "//").replace("mod", "%"),
                      {}, values)
            if low != "-inf":
                on = on & (at >= int(low))
            if high != "inf":
                on = on & (at <= int(high))
        at = np.broadcast_to(eval(result, {}, values), shape)
        found += np.ravel(at)[np.ravel(np.broadcast_to(on, shape))].tolist()
    return sorted(found)


def compare(name, text, document, programs, arguments=None):
    """How many accesses were compared."""
    said = {(a["line"], kind): a for kind, key in
            (("load", "reads"), ("store", "writes")) for a in document[key]}
    compared = 0
    for program in programs:
        for line, kind, loops, pairs in ttir_interpreter.accesses(
                text, program, arguments):
            access = said.get((line, kind))
            if access is None:
                problem("%s: line %d is not there" % (name, line))
                continue
            if "map" not in access and not pairs:
                compared += 1
                continue
            if "argument" not in access:
                continue
            compared += 1
            got = elements_of(access["map"], program, loops)
            want = [e for _, e in pairs]
            if got != want or {a for a, _ in pairs} - {access["argument"]}:
                problem("%s: line %d, program %s, loops %s: %s\nis not %s\n%s" % (
                    name, line, program, loops, got[:20], want[:20],
                    access["map"]))
                return compared
    return compared


def check_random(folder):
    files, texts = [], {}
    for seed in range(SEED, SEED + COUNT):
        path = os.path.join(folder, "%d.ttir" % seed)
        texts[path] = random_kernels.kernel(seed)
        with open(path, "w") as file:
            file.write(texts[path])
        files.append(path)
    compared = total = 0
    for start in range(0, len(files), 500):
        for document in call(files[start:start + 500] +
                             ["--grid=3,2", "--num-warps=1", "--budget=1000"]):
            path = document.get("file", files[start])
            if "error" in document:
                problem("%s: %s\n%s" % (path, document["error"], texts[path]))
                continue
            programs = [(x, y, 0) for x in range(3) for y in range(2)]
            now = compare(path, texts[path], document, programs)
            compared += now
            total += sum(len(document[k]) for k in ("reads", "writes"))
            check_bounds(path, texts[path], document)
            if len(problems) > 3:
                return
    print("%d random kernels from seed %d: %d accesses, %d compared" % (
        len(files), SEED, total, compared))
    if compared < 5 * COUNT:
        problem("too few accesses have a map")


def check_bounds(path, text, document):
    """Elements below 0 are outside whatever the buffer; a witness is one."""
    for access in document["reads"] + document["writes"]:
        witness = access["in_bounds"].get("witness")
        if not witness:
            continue
        program = tuple(witness["program"])
        seen = [e for line, _, loops, pairs in
                ttir_interpreter.accesses(text, program)
                if line == access["line"] and list(loops) == witness["loops"]
                for _, e in pairs]
        if witness["element"] not in seen:
            problem("%s: the witness %s is none" % (path, witness))


def pairs_of_corpus():
    with open(os.path.join(CORPUS, "ORACLE_TTIR.tsv")) as file:
        for row in csv.DictReader(file, delimiter="\t"):
            yield (os.path.join(CORPUS, row["ttir_file"]),
                   os.path.join(CORPUS, row["hlo_computation_file"]),
                   row["computation"], row["output_tile_sizes"])


def against(kernel, fusion, name, tiles):
    words = [kernel, "--of=%s#%s" % (fusion, name)]
    if tiles:
        words.append("--tiles=" + tiles)
    return words


def check_corpus():
    equal = compared = 0
    for kernel, fusion, name, tiles in pairs_of_corpus():
        documents = call(against(kernel, fusion, name, tiles) +
                         ["--level=tiles"], (0,))
        if not documents:
            continue
        document = documents[0]
        both = (document["of"]["answer"], document["of"]["verdict"])
        same = (both[0] == "equal" and
                both[1] in ("same tiles", "same elements", "same values"))
        equal += same
        if not same:
            problem("%s: %s" % (kernel, json.dumps(document["of"])))
        last = document["grid"][0] - 1
        compared += compare(kernel, open(kernel).read(), document,
                            [(p, 0, 0) for p in sorted({0, last // 2, last})])
    print("%d of XLA's kernels have their fusions' tiles, %d accesses compared" % (
        equal, compared))


def mutant(text, rng):
    """The kernel with one constant, factor, addend or divisor changed, or with
    the order of a block turned around, which changes nothing that is touched.
    """
    places = [m for m in re.finditer(
        r"arith\.constant (-?\d+) : i(?:32|64)|tid_0 \* (\d+)|\+ (\d+)\)|"
        r"(?:floordiv|mod) (\d+)|order = array<i32: ([^>]*, [^>]*)>", text)]
    place = rng.choice(places)
    group = next(g for g in range(1, 6) if place[g] is not None)
    if group == 5:
        other = ", ".join(reversed(place[group].split(", ")))
    else:
        number = int(place[group])
        least = 1 if group == 4 else 0
        other = rng.choice([number + 1, number * 2 + 1,
                            max(least, number - 1)])
    return text[:place.start(group)] + str(other) + text[place.end(group):]


def touched(text, programs):
    """Loads and stores of the programs, by place; None if it does not run."""
    try:
        return [ttir_interpreter.touched(text, (p, 0, 0))
                for p in range(programs)]
    except Exception:  # a change that makes no kernel
        return None


def stored(text, programs):
    """All that the programs store: arguments and elements."""
    return {pair for p in range(programs) for _, op, _, pairs in
            ttir_interpreter.accesses(text, (p, 0, 0)) if op == "store"
            for pair in pairs}


def check_mutants(folder, count):
    rng = random.Random(SEED)
    pairs = [p for p in pairs_of_corpus() if "gemm" not in p[0]]
    seen = changed = 0
    unchanged = {}  # by kernel: its text, its grid and what it touches
    inert = {"equal": 0, "undecided": 0}
    told = {}
    for number in range(count):
        kernel, fusion, name, tiles = rng.choice(pairs)
        if kernel not in unchanged:
            text = open(kernel).read()
            grid = call(against(kernel, fusion, name, tiles))[0]["grid"][0]
            unchanged[kernel] = (text, grid,
                                 touched(text, grid) if grid <= 64 else None)
        text, grid, before = unchanged[kernel]
        if grid > 64:
            continue
        changed_text = mutant(text, rng)
        path = os.path.join(folder, "mutant%d.ttir" % number)
        with open(path, "w") as file:
            file.write(changed_text)
        after = touched(changed_text, grid)
        if after is None:
            continue
        documents = call(against(path, fusion, name, tiles) +
                         ["--grid=%d" % grid])
        if not documents:
            continue
        answer = documents[0]["of"]["answer"]
        verdict = documents[0]["of"]["verdict"]
        hasNumbers = "kernel_value" in documents[0]["of"].get("witness", {})
        told[verdict] = told.get(verdict, 0) + 1
        apart = stored(text, grid) != stored(changed_text, grid)
        if (verdict == "same tiles" and before != after) or (
                verdict == "same values" and apart) or (
                verdict == "different" and not apart and
                (before == after or not hasNumbers)):
            problem("mutant of %s is %s:\n%s" % (kernel, verdict,
                                                  changed_text))
        if before != after:
            changed += 1
            seen += answer not in ("equal", "undecided")
            if answer in ("equal", "undecided"):
                problem("mutant of %s is %s:\n%s" % (kernel, answer,
                                                      changed_text))
        elif answer not in ("equal", "undecided"):
            problem("%s changes nothing, and is %s" % (path, answer))
        else:
            inert[answer] += 1
    print("%d mutants from seed %d, %d that change what is touched, %d seen; of "
          "those that change nothing: %s" % (
              count, SEED, changed, seen, inert))
    print("verdicts: %s" % told)
    if changed < count // 4:
        problem("too few mutants change anything")


def check_records(folder):
    """TTIR and TTGIR of one kernel have the same elements and vectors."""
    number = 0
    for path in glob.glob(os.path.join(CORPUS, "../triton/*.ndjson")):
        for line in open(path):
            files = json.loads(line).get("payload", {}).get("file_content", {})
            texts = {k.rsplit(".", 1)[1]: v for k, v in files.items()
                     if k.endswith(("ttir", "ttgir"))}
            if len(texts) != 2:
                continue
            number += 1
            both = []
            for form, text in texts.items():
                name = os.path.join(folder, "record%d.%s" % (number, form))
                with open(name, "w") as file:
                    file.write(text)
                words = [name, "--grid=97", "--num-warps=4"]
                if "%arg3: i32" in text:
                    words.append("--arg=arg3=98432")
                both += call(words)
                compare(name, text, both[-1], [(0, 0, 0), (96, 0, 0)],
                        {3: 98432})
            keys = ("map", "vector", "sectors", "accesses", "active_lanes")
            facts = [[{k: a.get(k) for k in keys} for a in d["reads"] +
                      d["writes"]] for d in both]
            if facts[0] != facts[1]:
                problem("record %d: %s" % (number, facts))
    print("%d kernels of records, TTIR and TTGIR alike" % number)


with tempfile.TemporaryDirectory() as folder:
    check_random(folder)
    if CORPUS and os.path.exists(os.path.join(CORPUS, "ORACLE_TTIR.tsv")):
        check_corpus()
        check_mutants(folder, min(209, max(20, COUNT // 5)))
        check_records(folder)
    else:
        print("SKIPPED: INDEXICAL_CORPUS names no folder with XLA's kernels")
end()
