#!/usr/bin/env python3
"""What `indexical kernel` says of kernels with values that are not known, against
executions that draw these values.

  unknown_values_test.py INDEXICAL RANDOM_KERNELS [FIRST_SEED]

Each random kernel (random_programs.py) runs several times (ttir_runs.py), each
time with other values and with its programs in another order. What is said of
the kernel has to be true of every execution: what is proved, what is violated
(the witness has to do it each time), what is never made, and every map: an
element that is touched is one of the map's for some values of its variables,
and all of them are touched where nothing is unknown. Before that, small kernels
of which each has what must be said, and what must not (small_kernels.py).
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

import random_programs
import small_kernels
import ttir_runs
from kernel_test_call import COUNT, SEED, TOOL, end, problem, problems

GRID, SIZE, BATCH, DRAWS = 4, 64, 50, 3
counts = {}


def count(word):
    counts[word] = counts.get(word, 0) + 1


class Map:
    """A map as it is printed: `(d0)[s0]{v} -> (e), domain: e in [a, b], …`, in
    pieces."""

    def __init__(self, text):
        self.pieces = []
        for piece in text.split("; "):
            head, rest = piece.split(" -> ", 1)
            result, domain = rest.split(", domain: ")
            groups = re.findall(r"[(\[{]([^)\]}]*)[)\]}]", head)
            names = [re.findall(r"\w+", group) for group in groups]
            index = names[0] + (names[1] if "[" in head else [])
            runtime = names[-1] if "{" in head else []
            parts = re.findall(r"(.*?) in \[(-?\w+), (-?\w+)\](?:, |$)", domain)
            conditions = [
                (compile(self.python(form), "map", "eval"),
                 None if low == "-inf" else int(low),
                 None if high == "inf" else int(high))
                for form, low, high in parts]
            bounds = {form: (low, high) for form, low, high in parts}
            self.pieces.append((
                index, runtime, bounds, conditions,
                compile(self.python(result[1:-1]), "map", "eval")))

    @staticmethod
    def python(form):
        return form.replace("floordiv", "//").replace("mod", "%").strip()

    def unknown(self, known):
        """The runtime variables that `known` does not have."""
        return {name for _, runtime, *_ in self.pieces for name in runtime
                if name not in known}

    def at(self, piece, values):
        """The element of a piece at these values, or None."""
        _, _, _, conditions, result = piece
        for form, low, high in conditions:
            value = eval(form, {}, values)
            if (low is not None and value < low) or (
                    high is not None and value > high):
                return None
        return eval(result, {}, values)

    def has(self, point, element, known, pool):
        """Whether the map has the element at the point, for some values of the
        pool. True if there are too many variables to try."""
        for piece in self.pieces:
            index, runtime, *_ = piece
            values = dict(zip(index, point))
            values.update(known)
            free = [name for name in runtime if name not in known]
            if len(free) > 2 or len(pool)**len(free) > 3000:
                return True
            for first in pool if free else [0]:
                if free:
                    values[free[0]] = first
                for second in pool if len(free) > 1 else [0]:
                    if len(free) > 1:
                        values[free[1]] = second
                    if self.at(piece, values) == element:
                        return True
        return False

    def points(self, rank):
        """All points of the index of the first piece, if they are few. The
        bounds of another piece may be others."""
        sides = []
        for k in range(rank):
            lows, highs = [], []
            for index, _, bounds, *_ in self.pieces:
                low, high = bounds[index[k]]
                lows.append(int(low))
                highs.append(int(high))
            sides.append(range(min(lows), max(highs) + 1))
        total = 1
        for side in sides:
            total *= len(side)
        if total > 500:
            return []
        points = [()]
        for side in sides:
            points = [point + (k,) for point in points for k in side]
        return points


def draws(rng):
    def draw(bits):
        if bits == 1:
            return rng.getrandbits(1)
        if rng.random() < 0.92 or bits == 64:
            return rng.randint(-3, 4)
        return rng.choice([7, 8, 63, 64, 1000, -1000, 2**31 - 1, -2**31])
    return draw


def races(kernel, launch):
    """Whether an element is stored twice without an order."""
    stores, atomics = {}, {}
    for touch in launch.touched:
        kind = kernel.accesses[touch.access][1]
        key = (touch.argument, touch.element)
        if kind == "writes":
            stores.setdefault(key, set()).add(
                (touch.program, touch.access, touch.tile))
        elif kind == "atomics":
            atomics.setdefault(key, set()).add(touch.program)
    return stores, atomics, any(
        len(by) > 1 or (atomics.get(key, set()) - {next(iter(by))[0]})
        for key, by in stores.items())


def check_once(check, kernel, launch):
    stores, atomics, isTwice = races(kernel, launch)
    if check["answer"] == "proved" and isTwice:
        return "an element is written twice"
    witness = check.get("witness")
    if not witness:
        return None
    key = witness["argument"], witness["element"]
    one, two = (tuple(program) for program in witness["programs"])
    by = stores.get(key, set())
    if witness["race"] == "atomic":
        isSo = one in {p for p, *_ in by} and two in atomics.get(key, set())
        isSo &= one != two
    else:
        places = [(tuple(program), writer["line"], tuple(writer["tile"]))
                  for program, writer in zip(witness["programs"],
                                             witness["writers"])]
        seen = {(p, kernel.accesses[a][0], tile) for p, a, tile in by}
        isSo = set(places) <= seen and (one != two) == (
            witness["race"] == "programs")
    return None if isSo else "what is written twice is not"


def check_access(access, number, kernel, launch, known):
    """What is wrong with what is said of the access."""
    touched = [t for t in launch.touched if t.access == number]
    check = access["in_bounds"]
    if check["answer"] == "proved" and any(
            not 0 <= t.element < SIZE for t in touched):
        return "an element is outside"
    if "witness" in check:
        w = check["witness"]
        if not any(list(t.program) == w["program"] and
                   list(t.loops) == w["loops"] and list(t.tile) == w["tile"] and
                   t.element == w["element"] for t in touched):
            return "the witness is none"
    most = access.get("accesses", len(touched))
    launched = {(t.program, t.loops) for t in touched}  # a warp each, or more
    if len(launched) > (most[-1] if isinstance(most, list) else most):
        return "%d warps and more make it, elements outside count" % len(launched)
    if "map" not in access:
        if touched and "reason" not in access and check["answer"] == "proved":
            return "it is made"
        count("without a map" if "reason" in access else "never")
        return None
    made = Map(access["map"])
    if any(t.argument != access.get("argument", t.argument) for t in touched):
        return "another argument"
    free = made.unknown(known)
    points = {}
    for t in touched:
        points.setdefault(t.program + t.loops + t.tile, set()).add(t.element)
    for t in touched[:12]:
        pool = launch.seen[t.program] if free else ()
        if not made.has(t.program + t.loops + t.tile, t.element, known, pool):
            return "%s has another element than %d" % (
                t.program + t.loops + t.tile, t.element)
    if free or access["mask"] == "cover":
        count("map with unknowns" if free else "cover")
        return None
    count("exact map")
    for point in made.points(len(made.pieces[0][0])):
        values = [made.at(piece, dict(zip(piece[0], point), **known))
                  for piece in made.pieces]
        values = [value for value in values if value is not None]
        if len(values) > 1:
            return "%s has several elements: %s" % (point, values)
        if set(values) != points.get(point, set()):
            return "%s has %s and not %s" % (point, values, points.get(point))
    return None


def check_kernel(text, document, arguments, seed):
    kernel = ttir_runs.Kernel(text)
    said = {kind: list(document[kind]) for kind in
            ("reads", "writes", "atomics")}
    accesses = []
    for line, kind, _ in kernel.accesses:
        if not said[kind] or said[kind][0]["line"] != line:
            return "line %d has no access" % line
        accesses.append(said[kind].pop(0))
    if any(said.values()):
        return "there are more accesses"
    count("once " + document["written_once"]["answer"])
    for access in accesses:
        count("bounds " + access["in_bounds"]["answer"])
    rng = random.Random(seed)
    programs = [(x, 0, 0) for x in range(GRID)]
    for _ in range(DRAWS):
        rng.shuffle(programs)
        draw = draws(rng)
        values = {3: draw(32), 4: draw(64), 5: draw(1)}
        values.update(arguments)
        known = {"n": values[3], "m": values[4], "b": values[5]}
        try:
            launch = kernel.launch(programs, (GRID, 1, 1), values, draw,
                                   4 not in arguments)
        except ttir_runs.NoRun:
            count("no run")
            continue
        count("runs")
        wrong = check_once(document["written_once"], kernel, launch)
        for number, access in enumerate(accesses):
            wrong = wrong or check_access(access, number, kernel, launch, known)
            if wrong:
                return "line %d: %s\n%s\nvalues %s" % (
                    access["line"], wrong, json.dumps(access), known)
        if wrong:
            return "%s\n%s" % (wrong, json.dumps(document["written_once"]))
    return None


def call(paths, words):
    done = subprocess.run([TOOL, "kernel"] + paths + words +
                          ["--format=jsonl"], capture_output=True, text=True)
    try:
        documents = [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError:  # it ended in the middle of a line
        return None
    return documents if len(documents) == len(paths) else None


def check_batch(folder, first, size):
    rng = random.Random(first)
    arguments, words = {}, ["--grid=%d" % GRID, "--num-warps=1", "--function=k",
                            "--budget=3000", "--shape=y=s32[%d]" % SIZE,
                            "--shape=q=s32[%d]" % SIZE,
                            "--shape=w=s64[%d]" % SIZE]
    for number, (name, kind) in ((3, ("n", "i32")), (4, ("m", "i64")),
                                 (5, ("b", "i1"))):
        if rng.random() < 0.5:
            arguments[number] = rng.choice(
                random_programs.EDGES[kind] + [3, 8])
            if kind == "i1":
                arguments[number] &= 1
            words.append("--arg=%s=%d" % (name, arguments[number]))
    texts, paths = [], []
    for seed in range(first, first + size):
        texts.append(random_programs.kernel(seed))
        paths.append(os.path.join(folder, "%d.ttir" % seed))
        with open(paths[-1], "w") as file:
            file.write(texts[-1])
    documents = call(paths, words)
    if documents is None:
        documents = [(call([path], words) or [None])[0] for path in paths]
    for seed, text, path, document in zip(
            range(first, first + size), texts, paths, documents):
        if document is None or "error" in document:
            wrong = "no answer: %s" % (document and document["error"])
        else:
            wrong = check_kernel(text, document, arguments, seed)
        if wrong:
            problem("seed %d, %s: %s\n%s" % (seed, " ".join(words), wrong, text))
        os.remove(path)


def check_named(folder):
    path = os.path.join(folder, "named.ttir")
    for title, text, words, says, denies in small_kernels.KERNELS:
        with open(path, "w") as file:
            file.write(text)
        done = subprocess.run([TOOL, "kernel", path] + words,
                              capture_output=True, text=True)
        said = done.stdout
        if done.stderr or not re.search(says, said) or re.search(denies, said):
            problem("%s: says no `%s`, or `%s`\n%s%s%s" % (
                title, says, denies, text, said, done.stderr))
    print("%d kernels by name" % len(small_kernels.KERNELS))


with tempfile.TemporaryDirectory() as folder:
    check_named(folder)
    done = 0
    while done < COUNT and len(problems) < 4:
        size = min(BATCH, COUNT - done)
        check_batch(folder, SEED + done, size)
        done += size
    print("%d random kernels from seed %d: %s" % (
        done, SEED, ", ".join("%s %d" % pair for pair in sorted(counts.items()))))
    if counts.get("once proved", 0) < done // 50 or counts.get(
            "bounds proved", 0) < done or counts.get("exact map", 0) < done // 10:
        problem("too few of one answer")
end()
