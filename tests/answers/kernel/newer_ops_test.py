#!/usr/bin/env python3
"""What `indexical kernel` says of the ops of accelerators, against arithmetic.

  newer_ops_test.py INDEXICAL RANDOM_KERNELS [FIRST_SEED]

Random kernels of copies by descriptors (TMA and TDM), AMD's ops on buffers and
tiles, warps that work apart, and loops that end by a condition. Each op comes
with the elements that it touches in each program, computed here from its
numbers. The maps have these elements, and of a loop that ends by a condition at
least these. In bounds is proved or violated as the elements say.
"""

import json
import os
import random
import re
import subprocess
import tempfile

from kernel_test_call import COUNT, SEED, TOOL, end, problem, problems
from map_elements import elements_of, indices

GRID = 3


class Array:
    """An array of an argument, with sides in the memory's order `minor`."""

    def __init__(self, rng, name, rank):
        self.name = name
        self.sides = [rng.choice([5, 8, 17, 33]) for _ in range(rank)]
        self.minor = list(range(rank))[::-1]
        if rng.random() < 0.3:
            rng.shuffle(self.minor)
        self.strides, step = [0] * rank, 1
        for k in self.minor:
            self.strides[k] = step
            step *= self.sides[k]
        self.count = step

    def shape(self):
        return "--shape=%s=f16[%s]{%s}" % (
            self.name, ",".join(map(str, self.sides)),
            ",".join(map(str, self.minor)))

    def box(self, first, tile, bounds=None, base=0):
        """The elements of a box that are in the array, in order."""
        found = []
        for index in indices(tile):
            at = [f + i for f, i in zip(first, index)]
            if all(0 <= a < n for a, n in zip(at, bounds or self.sides)):
                found.append(base + sum(a * s for a, s in zip(at,
                                                              self.strides)))
        return sorted(found)


class Kernel:
    """A text that grows, and what its accesses touch."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.arguments, self.options, self.lines = [], [], []
        self.expected = {}  # the access's place: its kind, its elements
        self.names = 0
        self.pointers = {}
        self.indent = "  "

    def name(self):
        self.names += 1
        return "%%v%d" % self.names

    def line(self, text):
        self.lines.append(self.indent + text)
        return len(self.lines)

    def value(self, text):
        name = self.name()
        self.line("%s = %s" % (name, text))
        return name

    def constant(self, number, kind="i32"):
        return self.value("arith.constant %d : %s" % (number, kind))

    def number(self):
        """An integer that depends on the program: its name, its function."""
        a, b = self.rng.randint(-4, 12), self.rng.randint(-3, 9)
        pid = self.value("tt.get_program_id x : i32")
        scaled = self.value("arith.muli %s, %s : i32" % (pid,
                                                         self.constant(a)))
        total = self.value("arith.addi %s, %s : i32" % (scaled,
                                                        self.constant(b)))
        return total, lambda p: a * p + b

    def expect(self, kind, elements, at_least=False, count=None):
        """`count`: the elements of the array, if the call gives its shape."""
        self.expected[len(self.lines)] = (kind, elements, at_least,
                                          count or float("inf"))

    # Copies by descriptors.

    def descriptor(self, tile, box=None):
        array = Array(self.rng, "d%d" % len(self.arguments), len(box or tile))
        self.kind = "!tt.tensordesc<%sxf16>" % "x".join(map(str, box or tile))
        self.arguments.append("%%%s: %s" % (array.name, self.kind))
        self.options.append(array.shape())
        return array

    def memory(self, tile):
        kind = "!ttg.memdesc<%sxf16, #shared, #smem, mutable>" % "x".join(
            map(str, tile))
        return self.value("ttg.local_alloc : () -> %s" % kind), kind

    def tile_value(self, tile):
        kind = "tensor<%sxf16>" % "x".join(map(str, tile))
        return self.value("arith.constant dense<0.0> : %s" % kind), kind

    def box_op(self):
        rng = self.rng
        tile = [rng.choice([2, 4, 8]) for _ in range(rng.randint(1, 3))]
        form = rng.choice(["load", "store", "reduce", "tma_load", "tma_store",
                           "tma_reduce", "token"])
        extra = rng.randint(0, 2) if form in ("load", "store") else 0
        box = [1] * extra + tile
        array = self.descriptor(tile, box)
        at = [self.number() for _ in box]
        place = "%%%s[%s]" % (array.name, ", ".join(n for n, _ in at))
        kind = self.kind
        on = lambda p: True
        if form == "load":
            self.line("%s = tt.descriptor_load %s : %s -> tensor<%sxf16>" % (
                self.name(), place, kind, "x".join(map(str, tile))))
        elif form in ("store", "reduce"):
            value, tensor = self.tile_value(tile)
            self.line("tt.descriptor_%s %s%s, %s : %s, %s" % (
                form, "add, " if form == "reduce" else "", place, value, kind,
                tensor))
        elif form == "tma_load":
            memory, held = self.memory(tile)
            barrier = self.value("ttg.local_alloc : () -> !ttg.memdesc<1xi64, "
                                 "#shared, #smem, mutable>")
            most = rng.randint(0, GRID)
            pid = self.value("tt.get_program_id x : i32")
            on = lambda p: p < most
            mask = self.value("arith.cmpi slt, %s, %s : i32" % (
                pid, self.constant(most)))
            self.line("ttng.async_tma_copy_global_to_local %s %s, %s, %s : %s, "
                      "!ttg.memdesc<1xi64, #shared, #smem, mutable> -> %s" % (
                          place, memory, barrier, mask, kind, held))
        else:
            memory, held = self.memory(tile)
            result, tail = "", ""
            if form == "token":
                result = self.name() + " = "
                tail = " -> !ttg.async.token"
            op = ("async_tma_reduce add," if form == "tma_reduce" else
                  "async_tma_copy_local_to_global")
            self.line("%sttng.%s %s %s : %s, %s%s" % (
                result, op, place, memory, kind, held, tail))
        self.expect(
            {"load": "reads", "tma_load": "reads", "reduce": "atomics",
             "tma_reduce": "atomics"}.get(form, "writes"),
            lambda p: array.box([f(p) for _, f in at], box) if on(p) else [])

    def rows_op(self):
        rng = self.rng
        rows, columns = rng.choice([2, 4, 8]), rng.choice([2, 4, 8])
        array = self.descriptor([rows, columns], [1, columns])
        step, first = rng.randint(-2, 3), rng.randint(-2, 20)
        numbers = self.value("tt.make_range {end = %d : i32, start = 0 : i32} "
                             ": tensor<%dxi32>" % (rows, rows))
        kind = "tensor<%dxi32>" % rows
        for op, by in (("muli", step), ("addi", first)):
            many = self.value("arith.constant dense<%d> : %s" % (by, kind))
            numbers = self.value("arith.%s %s, %s : %s" % (op, numbers, many,
                                                           kind))
        column, at = self.number()
        place = "%%%s[%s, %s]" % (array.name, numbers, column)
        tensor = "tensor<%dx%dxf16>" % (rows, columns)
        form = rng.choice(["gather", "scatter", "tma_scatter"])
        if form == "gather":
            self.line("%s = tt.descriptor_gather %s : (%s, %s, i32) -> %s" % (
                self.name(), place, self.kind, kind, tensor))
        elif form == "scatter":
            described = self.kind
            value, _ = self.tile_value([rows, columns])
            self.line("tt.descriptor_scatter %s, %s : %s, %s, i32, %s" % (
                place, value, described, kind, tensor))
        else:
            described = self.kind
            memory, held = self.memory([rows, columns])
            self.line("ttng.async_tma_scatter %s %s : %s, %s, i32, %s" % (
                place, memory, described, kind, held))
        self.expect("reads" if form == "gather" else "writes",
                    lambda p: sorted(sum((array.box(
                        [first + step * r, at(p)], [1, columns])
                        for r in range(rows)), [])))

    def tdm_op(self):
        """A TDM copy does not begin in front of its array here."""
        rng = self.rng
        tile = [rng.choice([2, 4, 8]) for _ in range(rng.randint(1, 2))]
        array = self.descriptor(tile)
        rank, described = len(tile), self.kind
        descriptor = "%" + array.name
        bounds, base = list(array.sides), 0
        if rng.random() < 0.6:
            words = []
            if rng.random() < 0.7:
                by = [rng.randint(0, 5) for _ in tile]
                base = sum(b * s for b, s in zip(by, array.strides))
                words.append("add_offsets = [%s]" % ", ".join(
                    self.constant(b) for b in by))
            if rng.random() < 0.7:
                bounds = [rng.randint(0, n) for n in array.sides]
                words.append("set_bounds = [%s]" % ", ".join(
                    self.constant(b) for b in bounds))
            rng.shuffle(words)
            descriptor = self.value("amdg.update_tensor_descriptor %s %s : %s" %
                                    (descriptor, " ".join(words), described))
        scale = [rng.randint(0, 3) for _ in tile]
        pid = self.value("tt.get_program_id x : i32")
        at = ", ".join(self.value("arith.muli %s, %s : i32" % (
            pid, self.constant(s))) for s in scale)
        memory, held = self.memory(tile)
        if rng.random() < 0.5:
            most = rng.randint(0, GRID)
            bit = self.value("arith.cmpi slt, %s, %s : i32" % (
                pid, self.constant(most)))
            word = self.value("arith.extui %s : i1 to i32" % bit)
            self.line("%s = amdg.async_tdm_copy_global_to_local %s[%s] into "
                      "%s, pred = %s : %s -> %s" % (
                          self.name(), descriptor, at, memory, word, described,
                          held))
            kind = "reads"
        else:
            most, kind = GRID, "writes"
            self.line("amdg.async_tdm_copy_local_to_global %s[%s] from %s : %s "
                      "-> %s" % (descriptor, at, memory, held, described))
        self.expect(kind, lambda p: array.box(
            [s * p for s in scale], tile, bounds, base) if p < most else [],
                    count=array.count)

    # Pointers.

    def pointer(self, kind="f16"):
        name = "p%d" % len(self.arguments)
        self.arguments.append("%%%s: !tt.ptr<%s>" % (name, kind))
        return "%" + name

    def offsets(self, count):
        """Offsets of a tensor of 32-bit integers: their name, a function."""
        kind = "tensor<%dxi32>" % count
        step = self.rng.randint(0, 3)
        first, at = self.number()
        numbers = self.value("tt.make_range {end = %d : i32, start = 0 : i32} "
                             ": %s" % (count, kind))
        many = self.value("arith.constant dense<%d> : %s" % (step, kind))
        numbers = self.value("arith.muli %s, %s : %s" % (numbers, many, kind))
        spread = self.value("tt.splat %s : i32 -> %s" % (first, kind))
        numbers = self.value("arith.addi %s, %s : %s" % (numbers, spread, kind))
        return numbers, lambda p: [at(p) + step * k for k in range(count)]

    def buffer_op(self):
        rng = self.rng
        count = rng.choice([4, 8, 16])
        pointer = self.pointer()
        offsets, at = self.offsets(count)
        most = rng.randint(0, 12)
        many = self.value("arith.constant dense<%d> : tensor<%dxi32>" % (
            most, count))
        mask = self.value("arith.cmpi slt, %s, %s : tensor<%dxi32>" % (
            offsets, many, count))
        isMasked = rng.random() < 0.6
        form = rng.choice(["load", "store", "rmw", "cas", "local"])
        isMasked &= form != "cas"
        stride = " stride = %s" % self.constant(64) if rng.random() < 0.4 else ""
        tensor = "tensor<%dxf16>" % count
        value, _ = self.tile_value([count])
        place = "%s[%s]" % (pointer, offsets)
        comma = ", " + mask if isMasked else ""
        if form == "load":
            other = ", " + value if isMasked and rng.random() < 0.5 else ""
            self.line("%s = amdg.buffer_load %s%s%s cacheModifier = ca%s "
                      "{contiguity = 2 : i32} : %s" % (
                          self.name(), place, comma, other, stride, tensor))
        elif form == "store":
            self.line("amdg.buffer_store %s, %s%s%s : %s" % (
                value, place, comma, stride, tensor))
        elif form == "rmw":
            self.line("%s = amdg.buffer_atomic_rmw fadd, relaxed, gpu, %s, %s%s"
                      "%s : %s" % (self.name(), value, place, comma, stride,
                                   tensor))
        elif form == "cas":
            self.line("%s = amdg.buffer_atomic_cas acq_rel, gpu, %s, %s, %s%s "
                      ": %s" % (self.name(), value, value, place, stride,
                                tensor))
        else:
            memory, held = self.memory([count])
            named = " mask = " + mask if isMasked else ""
            other = " tensor<%dxf16>" % count if isMasked else ""
            if isMasked:
                named += " other = " + value
            self.line("%s = amdg.buffer_load_to_local %s%s%s into %s : <f16>["
                      "tensor<%dxi32>]%s -> %s" % (
                          self.name(), place, named, stride, memory, count,
                          other, held[len("!ttg.memdesc"):]))
        self.expect({"store": "writes", "rmw": "atomics",
                     "cas": "atomics"}.get(form, "reads"),
                    lambda p: sorted(e for e in at(p)
                                     if not isMasked or e < most))

    def tiles_op(self):
        """A load at offsets that were joined from tiles, or cut out."""
        rng = self.rng
        tile = [rng.choice([1, 2, 4]), rng.choice([2, 4])]
        grid = [rng.choice([1, 2]), rng.choice([1, 2, 3])]
        whole = [t * g for t, g in zip(tile, grid)]
        kind = "tensor<%dx%dxi32>" % tuple(tile)
        firsts = [rng.randint(0, 90) for _ in range(grid[0] * grid[1])]
        row = self.value("tt.make_range {end = %d : i32, start = 0 : i32} : "
                         "tensor<%dxi32>" % (tile[1], tile[1]))
        row = self.value("tt.expand_dims %s {axis = 0 : i32} : tensor<%dxi32> "
                         "-> tensor<1x%dxi32>" % (row, tile[1], tile[1]))
        row = self.value("tt.broadcast %s : tensor<1x%dxi32> -> %s" % (
            row, tile[1], kind))
        parts = []
        for first in firsts:
            many = self.value("arith.constant dense<%d> : %s" % (first, kind))
            parts.append(self.value("arith.addi %s, %s : %s" % (row, many,
                                                                kind)))
        values = [[firsts[y // tile[0] * grid[1] + x // tile[1]] + x % tile[1]
                   for x in range(whole[1])] for y in range(whole[0])]
        all_kind = "tensor<%dx%dxi32>" % tuple(whole)
        at = self.value("amdg.concat %s : %s -> %s" % (
            ", ".join(parts), ", ".join([kind] * len(parts)), all_kind))
        if rng.random() < 0.6:
            sides = [rng.randint(1, n) for n in whole]
            first = [rng.randint(0, n - s) for n, s in zip(whole, sides)]
            cut = "tensor<%dx%dxi32>" % tuple(sides)
            at = self.value("amdg.extract_slice %s [%d, %d] : %s to %s" % (
                at, first[0], first[1], all_kind, cut))
            values = [row[first[1]:first[1] + sides[1]]
                      for row in values[first[0]:first[0] + sides[0]]]
            all_kind = cut
        pointers = all_kind.replace("i32", "!tt.ptr<f16>")
        spread = self.value("tt.splat %s : !tt.ptr<f16> -> %s" % (
            self.pointer(), pointers))
        there = self.value("tt.addptr %s, %s : %s, %s" % (spread, at, pointers,
                                                          all_kind))
        self.line("%s = tt.load %s : %s" % (self.name(), there, pointers))
        found = sorted(sum(values, []))
        self.expect("reads", lambda p: found)

    def scalar_op(self):
        pointer = self.pointer()
        at, of = self.number()
        there = self.value("tt.addptr %s, %s : !tt.ptr<f16>, i32" % (pointer,
                                                                     at))
        self.line("%s = tt.load %s : !tt.ptr<f16>" % (self.name(), there))
        self.expect("reads", lambda p: [of(p)])

    # What is around ops.

    def any_op(self):
        self.rng.choice([self.box_op, self.rows_op, self.tdm_op, self.buffer_op,
                         self.tiles_op, self.scalar_op])()

    def apart(self):
        outer = self.indent
        self.line("ttg.warp_specialize()")
        for number in range(-1, self.rng.randint(1, 2)):
            self.line("default {" if number < 0 else
                      "partition%d() num_warps(2) {" % number)
            self.indent = outer + "  "
            self.any_op()
            self.line("ttg.warp_yield" if number < 0 else "ttg.warp_return")
            self.indent = outer
            self.line("}")
        self.lines[-1] += " : () -> ()"

    def loop(self):
        """A loop whose counter comes to a bound; what it loads in both of its
        blocks, and behind it. It is known how often one runs that counts up."""
        rng = self.rng
        down = rng.random() < 0.3
        start, step, bound = (rng.randint(0, 4), rng.randint(1, 3),
                              rng.randint(0, 12))
        if down:
            start, bound, step = bound, start, -step
        predicate = rng.choice(["slt", "sle"])
        holds = {"slt": lambda a, b: a < b, "sle": lambda a, b: a <= b}[predicate]
        factor = rng.randint(1, 5)
        trips, end = [], start
        while holds(bound, end) if down else holds(end, bound):
            trips.append(end)
            end += step
        turned = down != (rng.random() < 0.3)
        if turned != down:  # %bound > %at
            predicate = predicate.replace("l", "g")
        pointer, before = self.pointer(), self.pointer()
        names = [self.constant(n) for n in (start, step, bound, factor)]
        at, result, moved, there = (self.name() for _ in range(4))
        others = [self.name() for _ in range(4)]
        sides = (names[2], "%at") if turned else ("%at", names[2])
        self.line("%s = scf.while (%%at = %s) : (i32) -> i32 {" % (result,
                                                                   names[0]))
        if rng.random() < 0.4:
            self.line("  %s = tt.addptr %s, %%at : !tt.ptr<f16>, i32" % (
                others[0], before))
            self.line("  %s = tt.load %s : !tt.ptr<f16>" % (others[1],
                                                            others[0]))
            self.expect("reads", lambda p: sorted(trips + [end]), down)
        self.line("  %%on = arith.cmpi %s, %s, %s : i32" % ((predicate,) + sides))
        self.line("  scf.condition(%on) %at : i32")
        self.line("} do {")
        self.line("^bb0(%now: i32):")
        self.line("  %s = arith.muli %%now, %s : i32" % (moved, names[3]))
        self.line("  %s = tt.addptr %s, %s : !tt.ptr<f16>, i32" % (
            there, pointer, moved))
        self.line("  %s = tt.load %s : !tt.ptr<f16>" % (at, there))
        self.expect("reads", lambda p: sorted(n * factor for n in trips), down)
        self.line("  %%next = arith.addi %%now, %s : i32" % names[1])
        self.line("  scf.yield %next : i32")
        self.line("}")
        if rng.random() < 0.4 and not down:
            self.line("%s = tt.addptr %s, %s : !tt.ptr<f16>, i32" % (
                others[2], pointer, result))
            self.line("%s = tt.load %s : !tt.ptr<f16>" % (others[3], others[2]))
            self.expect("reads", lambda p: [end])

    def masked(self):
        """Ops that happen where a predicate holds."""
        pointer = self.pointer()
        pid, bound, at = (self.name() for _ in range(3))
        k, on = self.rng.randint(0, 3), self.name()
        self.line("%s = tt.get_program_id x : i32" % pid)
        bound = self.constant(k)
        self.line("%s = arith.cmpi slt, %s, %s : i32" % (on, pid, bound))
        result = self.name()
        self.line("%s = ttg.mask %s {" % (result, on))
        self.line("  %s = tt.addptr %s, %s : !tt.ptr<f16>, i32" % (
            at, pointer, pid))
        held = self.name()
        self.line("  %s = tt.load %s : !tt.ptr<f16>" % (held, at))
        self.expect("reads", lambda p: [p] if p < k else [])
        self.line("  ttg.mask.return %s : f16" % held)
        self.line("} : f16")

    def text(self):
        head = ("tt.func public @k(%s) {" % ", ".join(self.arguments))
        return "\n".join(
            ["#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase "
             "= 1, order = [0]}>", "#smem = #ttg.shared_memory", head] +
            self.lines + ["  tt.return", "}", ""])


HEAD = 3  # lines in front of a kernel's first op


def make(seed):
    kernel = Kernel(seed)
    for _ in range(kernel.rng.randint(1, 3)):
        kernel.any_op()
    if kernel.rng.random() < 0.3:
        kernel.apart()
    if kernel.rng.random() < 0.4:
        kernel.loop()
    if kernel.rng.random() < 0.2:
        kernel.masked()
    return kernel


def loops_of(access):
    """The values of a loop to look at: as many as a kernel here runs."""
    return [[k] for k in range(14)] if "loop" in access["map"] else [[]]


def check(path, kernel):
    text = kernel.text()
    with open(path, "w") as file:
        file.write(text)
    done = subprocess.run(
        [TOOL, "kernel", path, "--grid=%d" % GRID, "--num-warps=4",
         "--format=json"] + kernel.options, capture_output=True, text=True)
    if done.returncode not in (0, 3, 4):
        problem("%s: %s\n%s" % (path, done.stderr, text))
        return 0
    document = json.loads(done.stdout)
    if not document.get("complete", True):
        problem("%s: %s\n%s" % (path, document["reason"], text))
        return 0
    said = {(a["line"] - HEAD, key): a for key in ("reads", "writes", "atomics")
            for a in document[key]}
    if len(said) != len(kernel.expected):
        problem("%s: %d accesses\n%s" % (path, len(said), text))
    compared = 0
    for line, (kind, elements, at_least, count) in kernel.expected.items():
        access = said.get((line, kind))
        if access is None:
            problem("%s: no access in line %d\n%s" % (path, line + HEAD, text))
            continue
        for p in range(GRID):
            want, got = elements(p), []
            if "map" in access and access["map"]:
                if at_least:  # the values that are not known do not matter
                    got = reached(access["map"], p)
                    want = sorted(set(want) - got)
                    got = []
                else:
                    got = elements_of(access["map"], (p, 0, 0), [])
            compared += 1
            if got != want:
                problem("%s: line %d, program %d: %s is not %s\n%s\n%s" % (
                    path, line + HEAD, p, got[:20], want[:20],
                    access.get("map"), text))
                return compared
        outside = any(e < 0 or e >= count
                      for p in range(GRID) for e in elements(p))
        answer = access["in_bounds"]["answer"]
        if (answer == "violated") != outside and not at_least:
            problem("%s: line %d: %s\n%s" % (path, line + HEAD, answer, text))
    return compared


def reached(text, program):
    """What a map with a loop and values that are not known may take, in the
    first iterations."""
    found = set()
    for piece in text.split("; "):
        plain = re.sub(r"\{[^}]*\}", "", piece)
        plain = re.sub(r", value\d+ in \[[^\]]*\]", "", plain)
        for k in range(14):
            try:
                found.update(elements_of(plain, (program, 0, 0), [k]))
            except NameError:
                return set(range(-100, 200))
    return found


with tempfile.TemporaryDirectory() as folder:
    total = 0
    for seed in range(SEED, SEED + COUNT):
        total += check(os.path.join(folder, "k.ttir"), make(seed))
        if len(problems) > 3:
            break
    print("%d random kernels from seed %d, %d accesses of programs" % (
        COUNT, SEED, total))
    if total < 3 * COUNT:
        problem("too few accesses were compared")
end()
