#!/usr/bin/env python3
"""Laws of what `indexical kernel` says.

  kernel_laws_test.py INDEXICAL RANDOM_KERNELS [FIRST_SEED]

A kernel has the same answer without its locations, without aliases, with other
names and in MLIR's generic form. A mask that holds an access in its buffer
proves that it is there; without the mask, the interpreter decides. Figures of a
launch are the sums over its programs. A kernel of XLA has the same answer before
equal values are merged.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import random_kernels
import ttir_interpreter
from kernel_test_call import COUNT, CORPUS, SEED, TOOL, end, problem, problems

# Laws hold of what is known.
random_kernels.Writer.bits_of_two = 0


def answers(folder, texts, words):
    """The documents of the texts, in order."""
    paths = []
    for number, text in enumerate(texts):
        paths.append(os.path.join(folder, "%d.ttir" % number))
        with open(paths[-1], "w") as file:
            file.write(text)
    done = subprocess.run([TOOL, "kernel"] + paths + words + ["--format=json"],
                          capture_output=True, text=True)
    documents = [json.loads(line) for line in done.stdout.split("\n") if line]
    if len(documents) != len(texts):
        problem("%d documents of %d texts\n%s" % (
            len(documents), len(texts), done.stderr))
    return documents


def facts(document):
    """The answer without names and places."""
    if "error" in document:
        return document["error"]
    kept = {key: document[key] for key in
            ("grid", "block", "moved_bytes", "wasted_bytes", "written_once")}
    for kind in ("reads", "writes"):
        kept[kind] = [{key: value for key, value in access.items()
                       if key not in ("column", "source", "stack")}
                      for access in document[kind]]
    for access in kept["reads"] + kept["writes"]:
        access.pop("line")
    witness = kept["written_once"].get("witness", {})
    witness.pop("lines", None)
    for writer in witness.get("writers", []):
        writer.pop("line", None)
    return kept


def renamed(text):
    """Every value but the arguments has another name."""
    return re.sub(r"%(\d+)", r"%value_\1", text)


RULES = [  # an op of Triton as it is printed, and its parts
    (r"tt\.get_program_id ([xyz]) : (.*)",
     lambda m: '"tt.get_program_id"() <{axis = %d : i32}> : () -> %s' % (
         "xyz".index(m[1]), m[2])),
    (r"tt\.make_range (\{.*\}) : (.*)",
     lambda m: '"tt.make_range"() <%s> : () -> %s' % (m[1], m[2])),
    (r"tt\.(splat|broadcast|reshape) (\S+) : (.*) -> (.*)",
     lambda m: '"tt.%s"(%s) : (%s) -> %s' % (m[1], m[2], m[3], m[4])),
    (r"tt\.(expand_dims|trans) (\S+) (\{.*\}) : (.*) -> (.*)",
     lambda m: '"tt.%s"(%s) <%s> : (%s) -> %s' % (
         m[1], m[2], m[3], m[4], m[5])),
    (r"tt\.addptr (\S+), (\S+) : (.*), (.*)",
     lambda m: '"tt.addptr"(%s, %s) : (%s, %s) -> %s' % (
         m[1], m[2], m[3], m[4], m[3])),
    (r"tt\.load (\S+), (\S+) : (tensor<.*)",
     lambda m: '"tt.load"(%s, %s) <{boundaryCheck = array<i32>, cache = 1 : '
     'i32, evict = 1 : i32, isVolatile = false, operandSegmentSizes = '
     'array<i32: 1, 1, 0>}> : (%s, %s) -> %s' % (
         m[1], m[2], m[3], m[3].replace("!tt.ptr<f32>", "i1"),
         m[3].replace("!tt.ptr<f32>", "f32"))),
    (r"tt\.load ([^, ]+) : (tensor<.*)",
     lambda m: '"tt.load"(%s) <{boundaryCheck = array<i32>, cache = 1 : i32, '
     'evict = 1 : i32, isVolatile = false, operandSegmentSizes = '
     'array<i32: 1, 0, 0>}> : (%s) -> %s' % (
         m[1], m[2], m[2].replace("!tt.ptr<f32>", "f32"))),
    (r"tt\.store (\S+), (\S+), (\S+) : (tensor<.*)",
     lambda m: '"tt.store"(%s, %s, %s) <{boundaryCheck = array<i32>, cache = '
     '1 : i32, evict = 1 : i32}> : (%s, %s, %s) -> ()' % (
         m[1], m[2], m[3], m[4], m[4].replace("!tt.ptr<f32>", "f32"),
         m[4].replace("!tt.ptr<f32>", "i1"))),
    (r"tt\.store (\S+), (\S+) : (tensor<.*)",
     lambda m: '"tt.store"(%s, %s) <{boundaryCheck = array<i32>, cache = 1 : '
     'i32, evict = 1 : i32}> : (%s, %s) -> ()' % (
         m[1], m[2], m[3], m[3].replace("!tt.ptr<f32>", "f32"))),
    (r"arith\.(addi|subi|muli|divsi|remsi|remui|minsi|maxsi|andi) (\S+), (\S+) "
     r": (.*)",
     lambda m: '"arith.%s"(%s, %s) : (%s, %s) -> %s' % (
         m[1], m[2], m[3], m[4], m[4], m[4])),
]


def generic(text):
    """The text with every op that RULES has in MLIR's generic form."""
    lines, changed = [], 0
    for line in text.split("\n"):
        start = re.match(r"(\s*(?:%\w+ = )?)(.*)", line)
        for pattern, form in RULES:
            whole = re.fullmatch(pattern, start[2])
            if whole:
                line = start[1] + form(whole)
                changed += 1
                break
        lines.append(line)
    if changed < 5:
        problem("nothing becomes generic in\n" + text)
    return "\n".join(lines)


def check_forms(folder):
    texts = [random_kernels.kernel(seed)
             for seed in range(SEED, SEED + COUNT)]
    words = ["--grid=3,2", "--num-warps=1", "--budget=1000"]
    plain = answers(folder, texts, words)
    accesses = 0
    for name, form in (("with other names", renamed), ("generic", generic)):
        other = answers(folder, [form(text) for text in texts], words)
        for text, one, two in zip(texts, plain, other):
            if facts(one) != facts(two):
                problem("%s, another answer:\n%s\n%s\n%s" % (
                    name, form(text), facts(one), facts(two)))
                return
            accesses += len(one["reads"]) + len(one["writes"])
    print("%d random kernels from seed %d in other forms, %d accesses" % (
        COUNT, SEED, accesses))


def without_locations(text):
    text = re.sub(r"(?m)^#loc.*$", "", text)
    while True:  # locations hold parentheses
        shorter = re.sub(r" loc\((?:[^()]|\([^()]*\))*\)", "", text)
        if shorter == text:
            return text
        text = shorter


def without_aliases(text):
    for name, value in re.findall(r"(?m)^(#\w+) = (#ttg\.\w+<.*>)$", text):
        if name.startswith("#loc"):
            continue
        text = text.replace("%s = %s\n" % (name, value), "\n")
        text = re.sub(re.escape(name) + r"\b", value, text)
    return text


def check_records(folder):
    texts = []
    for path in sorted(glob.glob(os.path.join(CORPUS, "../triton/*.ndjson"))):
        for line in open(path):
            files = json.loads(line).get("payload", {}).get("file_content", {})
            texts += [text for name, text in sorted(files.items())
                      if name.endswith((".ttir", ".ttgir"))]
    words = ["--grid=9", "--num-warps=4"]
    plain = answers(folder, texts, words)
    for name, form in (("without locations", without_locations),
                       ("without aliases", without_aliases)):
        other = answers(folder, [form(text) for text in texts], words)
        for one, two in zip(plain, other):
            if facts(one) != facts(two):
                problem("%s, another answer:\n%s\n%s" % (
                    name, facts(one), facts(two)))
    print("%d texts of records without locations, without aliases" %
          len(texts))
    if not any("source" in access for document in plain
               for access in document["reads"]):
        problem("no text of a record has locations")


def guarded(seed, size, masked):
    """A kernel with random offsets; `masked`: within [0, size)."""
    w = random_kernels.Writer(seed)
    pid = [w.put("tt.get_program_id x : i32"),
           w.put("tt.get_program_id y : i32")]
    shape = w.random.choice([[8], [16], [4, 8], [2, 4]])
    offsets, kind = random_kernels.tile_of_offsets(w, shape, pid)
    pointers = kind.replace("i32", "!tt.ptr<f32>")
    truth = kind.replace("i32", "i1")
    base = w.put("tt.splat %%arg0 : !tt.ptr<f32> -> %s" % pointers)
    at = w.put("tt.addptr %s, %s : %s, %s" % (base, offsets, pointers, kind))
    mask = ""
    if masked:
        low, high = w.constant(kind, 0), w.constant(kind, size)
        one = w.put("arith.cmpi sge, %s, %s : %s" % (offsets, low, kind))
        two = w.put("arith.cmpi slt, %s, %s : %s" % (offsets, high, kind))
        mask = ", " + w.put("arith.andi %s, %s : %s" % (one, two, truth))
    w.put("tt.load %s%s : %s" % (at, mask, pointers))
    return "\n".join(["tt.func public @kernel(%arg0: !tt.ptr<f32>) {"] +
                     w.lines + ["    tt.return", "}"]) + "\n"


def check_bounds(folder):
    counts = {"proved": 0, "violated": 0, "undecided": 0}
    for masked, size in ((True, 9), (True, 64), (False, 9), (False, 20)):
        seeds = range(SEED, SEED + COUNT)
        texts = [guarded(seed, size, masked) for seed in seeds]
        found = answers(folder, texts, ["--grid=3,2", "--num-warps=1",
                                        "--shape=arg0=f32[%d]" % size])
        for text, document in zip(texts, found):
            check = document["reads"][0]["in_bounds"]
            touched = {(x, y, 0): [e for _, _, _, pairs in
                                   ttir_interpreter.accesses(text, (x, y, 0))
                                   for _, e in pairs]
                       for x in range(3) for y in range(2)}
            outside = any(not 0 <= e < size for all_of in touched.values()
                          for e in all_of)
            counts[check["answer"]] += not masked
            if masked and check["answer"] != "proved":
                problem("masked, and %s:\n%s" % (check, text))
            if check["answer"] == ("proved" if outside else "violated"):
                problem("size %d, %s:\n%s" % (size, check, text))
            witness = check.get("witness")
            if witness and (witness["element"] not in
                            touched[tuple(witness["program"])] or
                            0 <= witness["element"] < size):
                problem("size %d, no witness: %s\n%s" % (size, check, text))
            if len(problems) > 3:
                return
    print("bounds without a mask: %s" % counts)
    if min(counts["proved"], counts["violated"]) < COUNT // 10:
        problem("too few of one answer")


def check_sums(folder):
    """The figures of a launch are the sums over its programs, each as a launch
    of its own with the same vectors."""
    texts = [re.sub(r"tt\.get_program_id y : i32", "arith.constant 1 : i32",
                    random_kernels.kernel(seed))
             for seed in range(SEED, SEED + COUNT)]
    keys = ("accesses", "active_lanes", "bytes_used", "sectors", "lines")
    words = ["--num-warps=1", "--budget=100000"]
    whole = answers(folder, texts, words + ["--grid=4"])
    sums = [None] * len(texts)
    for program in range(4):
        # The program's number, instead of its id, in a launch of one.
        alone = [re.sub(r"tt\.get_program_id x : i32",
                        "arith.constant %d : i32" % program, text)
                 for text in texts]
        for number, document in enumerate(
                answers(folder, alone, words + ["--grid=1"])):
            figures = [[access.get(key, 0) for key in keys] for access in
                       document["reads"] + document["writes"]]
            vectors = [access.get("vector", 1) for access in
                       document["reads"] + document["writes"]]
            if any(isinstance(f, list) for row in figures for f in row):
                sums[number] = "open"
            if sums[number] == "open":
                continue
            if sums[number] is None:
                sums[number] = (figures, vectors)
                continue
            before, first = sums[number]
            if first != vectors:
                sums[number] = "open"  # alone it takes longer vectors
                continue
            sums[number] = ([[a + b for a, b in zip(one, two)]
                             for one, two in zip(before, figures)], first)
    compared = 0
    for text, document, parts in zip(texts, whole, sums):
        accesses = document["reads"] + document["writes"]
        if parts == "open" or parts is None:
            continue
        figures = [[access.get(key, 0) for key in keys] for access in accesses]
        if [access.get("vector", 1) for access in accesses] != parts[1]:
            continue
        compared += 1
        if figures != parts[0]:
            problem("the launch: %s\nits programs: %s\n%s" % (
                figures, parts[0], text))
            return
    print("%d launches are the sums of their programs" % compared)
    if compared < COUNT // 4:
        problem("too few launches could be compared")


MERGED = re.compile(r"\s*(%\w+) = (?:arith\.(?:constant|extsi|subi|muli|addi|"
                    r"index_castui)|xla\.apply_indexing|tt\.get_program_id) ")


def before_merging(text):
    """The twin of a kernel before equal values are merged: each use of an
    integer has a copy of the op that makes it, in front of it."""
    made, lines, copies = {}, [], 0
    for line in text.split("\n"):
        own = MERGED.match(line)
        for name in dict.fromkeys(re.findall(r"%\w+", line)):
            if name not in made or (own and name == own[1]):
                continue
            copies += 1
            copy = "%%twin_%d" % copies
            lines.append(re.sub(re.escape(name) + r"\b", copy, made[name]))
            line = re.sub(re.escape(name) + r"\b", copy, line)
        if own:
            made[own[1]] = line
        lines.append(line)
    return "\n".join(lines), copies


def check_twins(folder):
    """XLA also dumps its kernels before they are validated and simplified. The
    corpus has no such dump, so the twin is made of the kernel."""
    with open(os.path.join(CORPUS, "ORACLE_TTIR.tsv")) as file:
        paths = [os.path.join(CORPUS, line.split("\t")[1])
                 for line in file.read().split("\n")[1:] if line]
    texts = [open(path).read() for path in paths]
    twins = [before_merging(text) for text in texts]
    words = ["--grid=8", "--num-warps=4"]
    for path, one, two in zip(paths, answers(folder, texts, words),
                              answers(folder, [t for t, _ in twins], words)):
        if "error" in one or facts(one) != facts(two):
            problem("%s and its twin:\n%s\n%s" % (
                path, facts(one), facts(two)))
            return
    print("%d of XLA's kernels have the answers of their twins, with %d copies"
          % (len(texts), sum(copies for _, copies in twins)))
    if len(texts) != 73 or any(copies < 5 for _, copies in twins):
        problem("too few twins, or too few copies")


with tempfile.TemporaryDirectory() as folder:
    check_forms(folder)
    check_bounds(folder)
    check_sums(folder)
    if CORPUS and os.path.exists(os.path.join(CORPUS, "../triton")):
        check_records(folder)
    else:
        print("SKIPPED: INDEXICAL_CORPUS has no records of tritonparse")
    if CORPUS and os.path.exists(os.path.join(CORPUS, "ORACLE_TTIR.tsv")):
        check_twins(folder)
    else:
        print("SKIPPED: INDEXICAL_CORPUS has no kernels of XLA")
end()
