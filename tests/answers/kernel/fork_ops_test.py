#!/usr/bin/env python3
"""What `indexical kernel` says of ops of Triton's forks and of a later MLIR.

  fork_ops_test.py INDEXICAL RANDOM_KERNELS [FIRST_SEED]

Regions that run once for each part of a tile (`ttng.subtiled_region`): random
ones, in the forms in which they are printed. Each access has the elements that
arithmetic on the numbers gives, part by part, and a kernel in which the parts
are written out by hand has the same maps. Then the smallest kernel of each
cause: an op that nobody knows is named in a warning, its results are opaque,
and the rest is read.
"""

import json
import os
import random
import subprocess
import tempfile

from kernel_test_call import COUNT, SEED, TOOL, end, problem, problems
from map_elements import elements_of

GRID = 3
SIDE = 64  # of the descriptor's array
TILE = 8


def ask(path, text, *options):
    """The document about a text, and the messages."""
    with open(path, "w") as file:
        file.write(text)
    done = subprocess.run(
        [TOOL, "kernel", path, "--grid=%d" % GRID, "--num-warps=4",
         "--device=h100", "--format=json"] + list(options),
        capture_output=True, text=True)
    if done.returncode not in (0, 3, 4):
        problem("%s: status %d\n%s\n%s" % (path, done.returncode, done.stderr,
                                           text))
        return {}, done.stderr
    return json.loads(done.stdout), done.stderr


class Subtiles:
    """A region over parts, and the same parts written out.

    Each part loads at an offset, or stores a box of a descriptor, by numbers
    that it takes of the setup, of values around it, and of its own number.
    """

    def __init__(self, seed):
        self.rng = random.Random(seed)
        rng = self.rng
        self.names = 0
        self.inputs = [rng.randint(0, 9) for _ in range(rng.randint(0, 3))]
        self.made = rng.randint(1, 3)  # further values of the setup
        count = len(self.inputs) + self.made
        self.parts = rng.randint(1, 4)
        self.taken = rng.randint(1, 3)
        self.maps = [[rng.randrange(count) for _ in range(self.taken)]
                     for _ in range(self.parts)]
        self.takes_number = rng.random() < 0.6
        self.is_box = rng.random() < 0.4
        self.result = rng.random() < 0.4
        # A part's number and values have these factors.
        self.factors = [rng.randint(0, 5) for _ in range(self.taken)]
        self.by_number = rng.randint(1, 7) if self.takes_number else 0
        self.by_program = rng.randint(0, 4)
        self.scale = [rng.randint(1, 4) for _ in range(self.made)]
        self.in_loop = rng.random() < 0.3

    def name(self):
        self.names += 1
        return "%%v%d" % self.names

    def value_of_setup(self, k, program):
        if k < len(self.inputs):
            return self.inputs[k]
        return program * self.scale[k - len(self.inputs)] + 1

    def offset(self, part, program):
        values = [self.value_of_setup(k, program) for k in self.maps[part]]
        return (sum(f * v for f, v in zip(self.factors, values)) +
                self.by_number * part + self.by_program * program)

    def body(self, taken, number):
        """The lines of a part, and its last value."""
        lines = []

        def value(text):
            name = self.name()
            lines.append("%s = %s" % (name, text))
            return name

        total = value("arith.muli %%pid, %%f%d : i32" % self.by_program)
        terms = list(zip(taken, self.factors))
        if number:
            terms.append((number, self.by_number))
        for operand, factor in terms:
            scaled = value("arith.muli %s, %%f%d : i32" % (operand, factor))
            total = value("arith.addi %s, %s : i32" % (total, scaled))
        if self.is_box:
            lines.append("tt.descriptor_store %%d[%s], %%tile : "
                         "!tt.tensordesc<%dxf16>, tensor<%dxf16>" % (
                             total, TILE, TILE))
        else:
            at = value("tt.addptr %%p, %s : !tt.ptr<f16>, i32" % total)
            value("tt.load %s : !tt.ptr<f16>" % at)
        return lines

    def head(self):
        factors = sorted(set(self.factors + [self.by_number, self.by_program] +
                             self.scale + self.inputs + list(range(5)) + [1]))
        return (["tt.func public @k(%p: !tt.ptr<f16>, %d: "
                 "!tt.tensordesc<" + str(TILE) + "xf16>) {",
                 "%pid = tt.get_program_id x : i32",
                 "%%tile = arith.constant dense<0.0> : tensor<%dxf16>" % TILE] +
                ["%%f%d = arith.constant %d : i32" % (n, n) for n in factors])

    def setup_lines(self):
        lines, values = [], []
        for scale in self.scale:
            scaled, name = self.name(), self.name()
            lines += ["%s = arith.muli %%pid, %%f%d : i32" % (scaled, scale),
                      "%s = arith.addi %s, %%f1 : i32" % (name, scaled)]
            values.append(name)
        return lines, values

    def loop(self, lines):
        if not self.in_loop:
            return lines
        return (["scf.for %i = %f0 to %f2 step %f1 : i32 {"] + lines + ["}"])

    def region_text(self):
        """The kernel with the region, in one of its printed forms."""
        rng = self.rng
        number = "%part" if self.takes_number else None
        taken = ["%%t%d" % k for k in range(self.taken)]
        arguments = ["%s: i32" % t for t in taken + ([number] if number else [])]
        body = self.body(taken, number)
        lines, made = self.setup_lines()
        held = ["%%in%d" % k for k in range(len(self.inputs))]
        values = held + made
        words = []
        if self.inputs:
            words.append("inputs(%s : %s)" % (
                ", ".join("%%f%d" % n for n in self.inputs),
                ", ".join(["i32"] * len(self.inputs))))
        if rng.random() < 0.4:
            words.append("barriers(%f1, %f2 : i32, i32)")
            words.append("accum_cnts(%f1 : i32)")
        words.append("tile_mappings = [%s]" % ", ".join(
            "array<i32: %s>" % ", ".join(map(str, m)) for m in self.maps))
        if rng.random() < 0.7:
            words.append(rng.choice([
                "barrier_annotations = []",
                "barrier_annotations = [#ttng.barrier_annotation<barrierIdx = "
                "0, placement = before,\n  targetOpIdx = 0, barrierOpKind = "
                "\"wait_barrier\", count = 1>]"]))
        if rng.random() < 0.5:
            words.append("{async_task_id = array<i32: 1>}")
        label = ["^bb0(%s):" % ", ".join("%s: i32" % h for h in held)]
        in_region = rng.random() < 0.5
        separator = rng.choice([" ", "\n    "])
        result = "%last = " if self.result else ""
        text = ([result + "ttng.subtiled_region " + separator.join(words)] +
                ["setup {"] + (label if held else []) + lines +
                ["ttng.subtiled_region_yield %s : %s" % (
                    ", ".join(values), ", ".join(["i32"] * len(values))),
                 "} tile%s{" % ("" if in_region else
                                "(%s) " % ", ".join(arguments))] +
                (["^bb0(%s):" % ", ".join(arguments)] if in_region else []) +
                body + ["ttng.subtiled_region_yield", "} teardown {"])
        if self.result:
            text += ["%end = arith.addi %pid, %f2 : i32",
                     "ttng.subtiled_region_yield %end : i32",
                     "} -> (i32)"]
        else:
            text += ["ttng.subtiled_region_yield", "}"]
        return "\n".join(self.head() + self.loop(text + self.behind("%last")) +
                         ["tt.return", "}", ""])

    def behind(self, last):
        if not self.result:
            return []
        return ["%%q = tt.addptr %%p, %s : !tt.ptr<f16>, i32" % last,
                "%ql = tt.load %q : !tt.ptr<f16>"]

    def written_text(self):
        """The kernel with each part by hand."""
        lines, made = self.setup_lines()
        values = ["%%f%d" % n for n in self.inputs] + made
        for part, numbers in enumerate(self.maps):
            number = "%%f%d" % part if self.takes_number else None
            lines += self.body([values[k] for k in numbers], number)
        if self.result:
            lines.append("%last = arith.addi %pid, %f2 : i32")
        return "\n".join(self.head() + self.loop(lines + self.behind("%last")) +
                         ["tt.return", "}", ""])

    def expected(self):
        """The elements of each access, in order: of a program."""
        found = []
        for part in range(self.parts):
            def elements(program, part=part):
                first = self.offset(part, program)
                if not self.is_box:
                    return [first]
                return [e for e in range(first, first + TILE) if e < SIDE]
            found.append(("writes" if self.is_box else "reads", elements))
        if self.result:
            found.append(("reads", lambda program: [program + 2]))
        return found


def accesses(document):
    """The accesses of a document, each kind in order."""
    return {key: [a for a in document.get(key, [])]
            for key in ("reads", "writes", "atomics")}


def check_subtiles(path, seed):
    case = Subtiles(seed)
    shape = "--shape=d=f16[%d]" % SIDE
    text = case.region_text()
    document, messages = ask(path, text, shape)
    if not document.get("complete", bool(document)):
        problem("seed %d: %s\n%s" % (seed, document["reason"], text))
        return 0
    said, count = accesses(document), 0
    for key in said:
        want = [elements for kind, elements in case.expected() if kind == key]
        if len(want) != len(said[key]):
            problem("seed %d: %d %s, not %d\n%s" % (
                seed, len(said[key]), key, len(want), text))
            return count
        for access, elements in zip(said[key], want):
            if not access.get("line"):
                problem("seed %d: an access has no place\n%s" % (seed, text))
            for program in range(GRID):
                loops = [0] if case.in_loop else []
                got = elements_of(access["map"], (program, 0, 0),
                                  loops) if access.get("map") else []
                count += 1
                if got != elements(program):
                    problem("seed %d, program %d: %s is not %s\n%s" % (
                        seed, program, got, elements(program), text))
                    return count
    by_hand, _ = ask(path, case.written_text(), shape)
    for key, own in accesses(by_hand).items():
        maps = [a.get("map") for a in own]
        if maps != [a.get("map") for a in said[key]]:
            problem("seed %d: by hand the maps are %s\n%s\n%s" % (
                seed, maps, text, case.written_text()))
        figures = [a.get("moved_bytes") for a in own]
        if figures != [a.get("moved_bytes") for a in said[key]]:
            problem("seed %d: by hand %s bytes are moved\n%s" % (
                seed, figures, text))
    return count


# The smallest kernels of each cause. What they say: whether the kernel is
# complete, the elements of its accesses in program 1, and words of warnings.

HEAD = ("tt.func @k(%p: !tt.ptr<f32>, %n: i32, "
        "%im: !ttng.tensordesc_im2col<64x64xf16, #ttg.shared>, "
        "%old: !ttng.tensordesc_im2col<tensor<64x64xf16, #ttg.shared>>, "
        "%d: !tt.tensordesc<8xf16>, "
        "%m: !ttg.memdesc<64x64xf16, #ttg.shared, #ttg.smem, mutable>, "
        "%m1: !ttg.memdesc<8xf16, #ttg.shared, #ttg.smem, mutable>, "
        "%b: !ttg.memdesc<1xi64, #ttg.shared, #ttg.smem, mutable>, "
        "%on: i1, %o: i16) {\n"
        "  %pid = tt.get_program_id x : i32\n"
        "  %c8 = arith.constant 8 : i32\n")
LOAD = ("  %%at = tt.addptr %%p, %s : !tt.ptr<f32>, %s\n"
        "  %%v = tt.load %%at : !tt.ptr<f32>\n")
MEMORY = "!ttg.memdesc<64x64xf16, #ttg.shared, #ttg.smem, mutable>"
ROW = "!ttg.memdesc<8xf16, #ttg.shared, #ttg.smem, mutable>"
BARRIER = "!ttg.memdesc<1xi64, #ttg.shared, #ttg.smem, mutable>"
PIXELS = "which pixels an im2col descriptor names is not in the text"


class Small:
    def __init__(self, name, body, elements, complete=True, warnings=(),
                 reason=None):
        self.name, self.body, self.elements = name, body, elements
        self.complete, self.warnings, self.reason = complete, warnings, reason


SMALL = [
    # Promises about operands, which a later MLIR writes.
    Small("a widening that promises no sign",
          "  %w = arith.extui %pid nneg : i32 to i64\n" + LOAD % ("%w", "i64"),
          [1]),
    Small("promises of several ops",
          "  %w = arith.extui %pid nneg {tt.x = 1 : i32} : i32 to i64\n"
          "  %x = arith.extui %c8 nneg : i32 to i64\n"
          "  %y = arith.addi %w, %x overflow<nsw> : i64\n"
          "  %t = arith.trunci %y overflow<nsw, nuw> : i64 to i32\n"
          "  %z = arith.ori %t, %pid disjoint : i32\n"
          "  %i = arith.index_castui %t nneg : i32 to index\n"
          "  %j = arith.index_cast %i : index to i32\n" + LOAD % ("%j", "i32"),
          [9]),
    Small("a promise in generic form",
          "  %w = \"arith.extui\"(%pid) <{nonNeg}> : (i32) -> i64\n" +
          LOAD % ("%w", "i64"), [1]),
    # An op that MLIR's dialects do not have yet.
    Small("an op of a later arith",
          "  %w = arith.newer %pid, %c8 : i32\n"
          "  %x = math.newer %w {a = 1} : i32\n" + LOAD % ("%pid", "i32"),
          [1], complete=False,
          warnings=["the op `arith.newer` is not known: 1 op is passed over",
                    "the op `math.newer` is not known: 1 op is passed over"]),
    # Copies of pixels.
    Small("im2col",
          "  ttng.async_tma_copy_global_to_local %%im[%%pid, %%c8, %%c8, %%c8] "
          "offsets = [%%o, %%o] %%m, %%b, %%on : "
          "!ttng.tensordesc_im2col<64x64xf16, #ttg.shared>, %s -> %s\n" % (
              BARRIER, MEMORY), None, reason=PIXELS),
    Small("im2col with the tensor's name",
          "  ttng.async_tma_copy_global_to_local %%old[%%pid, %%c8, %%c8] "
          "offsets = [%%o] %%m, %%b, %%on {multicast} : "
          "!ttng.tensordesc_im2col<tensor<64x64xf16, #ttg.shared>>, %s -> %s\n"
          % (BARRIER, MEMORY), None, reason=PIXELS),
    Small("im2col in generic form",
          "  \"ttng.async_tma_copy_global_to_local\"(%%im, %%pid, %%c8, %%c8, "
          "%%c8, %%o, %%o, %%b, %%m, %%on) <{operandSegmentSizes = array<i32: "
          "1, 4, 2, 1, 1, 1>}> : (!ttng.tensordesc_im2col<64x64xf16, "
          "#ttg.shared>, i32, i32, i32, i32, i16, i16, %s, %s, i1) -> ()\n" % (
              BARRIER, MEMORY), None, reason=PIXELS),
    Small("a copy to several blocks",
          "  %%w = arith.muli %%pid, %%c8 : i32\n  %%yes = arith.constant true\n"
          "  ttng.async_tma_copy_global_to_local %%d[%%w] %%m1, %%b, %%yes, %%n "
          ": !tt.tensordesc<8xf16>, %s -> %s\n" % (BARRIER, ROW),
          list(range(8, 16))),
    # Ops of forks.
    Small("a layout that is chosen later",
          "  %r = tt.make_range {end = 4 : i32, start = 0 : i32} : "
          "tensor<4xi32, #gluon.auto_encoding>\n"
          "  %w = gluon.set_auto_layout %r : tensor<4xi32, "
          "#gluon.auto_encoding> -> tensor<4xi32>\n"
          "  %x = tlx.require_layout %w : tensor<4xi32> -> tensor<4xi32>\n"
          "  %s = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>\n"
          "  %at = tt.addptr %s, %x : tensor<4x!tt.ptr<f32>>, tensor<4xi32>\n"
          "  %v = tt.load %at : tensor<4x!tt.ptr<f32>>\n", [0, 1, 2, 3]),
    Small("ops that nobody knows",
          "  %a = zork.do %pid, %n : i32, i32 -> i32\n"
          "  %e = zork.do %pid, %a : i32, i32 -> i32\n"
          "  zork.bare\n"
          "  %s = tlx.storage_alias_spec storage = smem, size = 64 : "
          "!tlx.storage_alias_spec<smem, 64>\n"
          "  %t = tlx.storage_alias_local_alloc %s : "
          "!tlx.storage_alias_spec<smem, 64> -> " + MEMORY + "\n"
          "  %g = \"nvg.gen\"(%a) ({\n  ^bb0(%z: f32):\n    nvg.yield %z : f32\n"
          "  }) : (i32) -> i32\n" + LOAD % ("%pid", "i32"), [1],
          complete=False,
          warnings=["4:8: warning: the op `zork.do` is not known: 2 ops are "
                    "passed over, and their results are opaque",
                    "`zork.bare` is not known: 1 op is",
                    "`tlx.storage_alias_spec` is not known",
                    "`tlx.storage_alias_local_alloc` is not known",
                    "`nvg.gen` is not known"]),
    Small("a kernel that asks who it is",
          "  %x = nvvm.read.ptx.sreg.tid.x : i32\n  nvvm.barrier0\n"
          "  %y = gpu.thread_id x\n"
          "  %z = ttng.vote_ballot_sync %n, %on : i1 -> i32\n"
          "  %c = builtin.unrealized_conversion_cast %n : i32 to i64\n"
          "  %k = proton_gpu.read_counter : i32\n" + LOAD % ("%pid", "i32"),
          [1]),
    # Regions over parts that do not fit: nothing else is lost.
    Small("a part that takes a value that is not there",
          "  ttng.subtiled_region tile_mappings = [array<i32: 5>] setup {\n"
          "    ttng.subtiled_region_yield %pid : i32\n  } tile(%t: i32) {\n"
          "    ttng.subtiled_region_yield\n  } teardown {\n"
          "    ttng.subtiled_region_yield\n  }\n" + LOAD % ("%pid", "i32"),
          [1], complete=False,
          warnings=["`ttng.subtiled_region` is not"]),
    Small("a region in another form",
          "  ttng.subtiled_region %pid setup {\n"
          "    ttng.subtiled_region_yield\n  } tile {\n"
          "    ttng.subtiled_region_yield\n  }\n" + LOAD % ("%pid", "i32"),
          [1], complete=False,
          warnings=["`ttng.subtiled_region` is not known"]),
]


def check_small(path, case):
    text = HEAD + case.body + "  tt.return\n}\n"
    document, messages = ask(path, text, "--shape=d=f16[%d]" % SIDE)
    if not document:
        return
    if document.get("complete", True) != case.complete:
        problem("%s: %s\n%s" % (case.name, document.get("reason"), text))
    for words in case.warnings:
        if words not in messages:
            problem("%s: no `%s` in\n%s" % (case.name, words, messages))
    if not case.warnings and "passed over" in messages:
        problem("%s: %s" % (case.name, messages))
    reads = document["reads"]
    if len(reads) != 1:
        return problem("%s: %d reads\n%s" % (case.name, len(reads), text))
    if case.reason:
        if reads[0].get("reason") != case.reason:
            problem("%s: %s" % (case.name, reads[0]))
        return
    if "map" not in reads[0]:
        return problem("%s: %s\n%s" % (case.name, reads[0], text))
    got = elements_of(reads[0]["map"], (1, 0, 0), [])
    if got != case.elements:
        problem("%s: %s is not %s" % (case.name, got, case.elements))


with tempfile.TemporaryDirectory() as folder:
    place = os.path.join(folder, "k.ttgir")
    for case in SMALL:
        check_small(place, case)
    total = 0
    for seed in range(SEED, SEED + COUNT):
        total += check_subtiles(place, seed)
        if len(problems) > 3:
            break
    print("%d kernels, %d random ones from seed %d, %d accesses of programs" % (
        len(SMALL), COUNT, SEED, total))
    if total < 3 * COUNT:
        problem("too few accesses were compared")
end()
