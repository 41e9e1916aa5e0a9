#!/usr/bin/env python3
"""Inputs that were made to take without end.

  adversarial_test.py INDEXICAL [--large]

Each call below has to end with the status, and the output, that its line says,
within the memory that it says, on a main thread of the usual stack and on one
of 256 kB. Nothing here depends on time: what would take without end runs into
the end of the test. Without `--large`, wide inputs are eight times smaller.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile

USUAL_STACK, SMALL_STACK = 8 << 20, 256 << 10


def module(entry, *computations):
    return "HloModule m\n" + "".join(computations) + "ENTRY e {\n" + entry + "}\n"


def chain(count, opcode):
    """x0 to x<count>, one after another."""
    return "".join(" x%d = f32[64] %s(x%d)\n" % (i + 1, opcode, i)
                   for i in range(count))


def pairs(count, step):
    return "{%s}" % ",".join(
        "{%d,%d}" % (i, (i + step) % count) for i in range(count))


def doubling_calls(depth):
    """Each computation calls the one before twice."""
    return module(
        " x = f32[64] parameter(0)\n"
        " ROOT c = f32[64] call(x), to_apply=f%d\n" % depth,
        "f0 { p = f32[64] parameter(0)\n ROOT n = f32[64] negate(p) }\n",
        *("f%d { p = f32[64] parameter(0)\n"
          " c = f32[64] call(p), to_apply=f%d\n"
          " ROOT d = f32[64] call(c), to_apply=f%d }\n" % (i + 1, i, i)
          for i in range(depth)))


def nested_loops(depth):
    """Each body runs the loop before twice."""
    return module(
        " x = (s32[], f32[64]) parameter(0)\n"
        " ROOT w = (s32[], f32[64]) while(x), condition=c, body=f%d\n" % depth,
        "c { s = (s32[], f32[64]) parameter(0)\n"
        " ROOT t = pred[] constant(true) }\n",
        "f0 { s = (s32[], f32[64]) parameter(0)\n"
        " i = s32[] get-tuple-element(s), index=0\n"
        " x = f32[64] get-tuple-element(s), index=1\n"
        " y = f32[64] negate(x)\n"
        " ROOT r = (s32[], f32[64]) tuple(i, y) }\n",
        *("f%d { s = (s32[], f32[64]) parameter(0)\n"
          " a = (s32[], f32[64]) while(s), condition=c, body=f%d\n"
          " ROOT b = (s32[], f32[64]) while(a), condition=c, body=f%d }\n"
          % (i + 1, i, i) for i in range(depth)))


def update_slices(count):
    """Each at a start of its own: what is left of the first array has twice as
    many pieces after each."""
    return module(
        " p0 = f32[1024] parameter(0)\n u = f32[4] parameter(1)\n" +
        "".join(" i%d = s32[] parameter(%d)\n" % (k, k + 2)
                for k in range(count)) +
        "".join(" p%d = f32[1024] dynamic-update-slice(p%d, u, i%d)\n"
                % (k + 1, k, k) for k in range(count)) +
        " ROOT r = f32[1024] negate(p%d)\n" % count)


def permutes(count, devices):
    return module(
        " p0 = f32[1024] parameter(0)\n" +
        "".join(" p%d = f32[1024] collective-permute(p%d), "
                "source_target_pairs=%s\n" % (k + 1, k, pairs(devices, k + 1))
                for k in range(count)) +
        " ROOT r = f32[1024] negate(p%d)\n" % count)


def arrays(count):
    return "(%s)" % ", ".join(["f32[4]"] * count)


def nested_pairs(depth):
    """An operand of 2^depth leaves, in pairs of pairs."""
    shape = "f32[4]"
    for _ in range(depth):
        shape = "(%s, %s)" % (shape, shape)
    return module(" p = %s parameter(0)\n q = f32[4] parameter(1)\n"
                  " n = f32[4] negate(q)\n"
                  " ROOT t = (%s, f32[4]) tuple(p, n)\n" % (shape, shape))


def called_tuple(count):
    """Each leaf is read by one, behind a call."""
    shape = arrays(count)
    return module(" p = %s parameter(0)\n"
                  " ROOT c = %s call(p), to_apply=f\n" % (shape, shape),
                  "f { p = %s parameter(0)\n ROOT c = %s copy(p) }\n"
                  % (shape, shape))


def loop_of_tuple(count):
    """All but the first are left as they are by the body."""
    shape = arrays(count)
    return module(
        " p = (s32[], %s) parameter(0)\n"
        " ROOT w = (s32[], %s) while(p), condition=c, body=b\n"
        % (shape, shape),
        "c { s = (s32[], %s) parameter(0)\n"
        " ROOT t = pred[] constant(true) }\n" % shape,
        "b { s = (s32[], %s) parameter(0)\n"
        " i = s32[] get-tuple-element(s), index=0\n"
        " x = %s get-tuple-element(s), index=1\n"
        " y = s32[] negate(i)\n"
        " ROOT r = (s32[], %s) tuple(y, x) }\n" % (shape, shape, shape))


def taken_apart(count):
    """A tuple's leaves, each taken out and put into another."""
    shape = arrays(count)
    return module(
        " p = %s parameter(0)\n" % shape +
        "".join(" g%d = f32[4] get-tuple-element(p), index=%d\n" % (i, i)
                for i in range(count)) +
        " ROOT t = %s tuple(%s)\n"
        % (shape, ", ".join("g%d" % i for i in range(count))))


def sort(count):
    """Each of its results reads all operands."""
    return module(
        "".join(" p%d = f32[64] parameter(%d)\n" % (i, i)
                for i in range(count)) +
        " ROOT t = (%s) sort(%s), dimensions={0}, to_apply=c\n"
        % (", ".join(["f32[64]"] * count),
           ", ".join("p%d" % i for i in range(count))),
        "c {" +
        "".join(" a%d = f32[] parameter(%d)\n b%d = f32[] parameter(%d)\n"
                % (i, 2 * i, i, 2 * i + 1) for i in range(count)) +
        " ROOT r = pred[] compare(a0, b0), direction=LT }\n")


def pad(rank):
    def shape(size):
        return "f32[%s]" % ",".join([str(size)] * rank)
    return module(
        " p = %s parameter(0)\n z = f32[] constant(0)\n"
        " ROOT r = %s pad(p, z), padding=%s\n"
        % (shape(2), shape(4), "x".join(["1_1"] * rank)))


def dimensions(count, result):
    names = ["d%d" % i for i in range(count)]
    return "(%s) -> (%s), domain: %s\n" % (
        ", ".join(names), result(names),
        ", ".join("%s in [0, %d]" % (name, i % 5 + 1)
                  for i, name in enumerate(names)))


def terms(count):
    return "(d0) -> (%s), domain: d0 in [0, 3]\n" % " + ".join(
        "(d0 * %d) floordiv %d" % (i + 3, i + 2) for i in range(count))


def nested_text(levels, seed):
    text = "d0"
    for k in range(levels):
        text = "((%s) * 7 + %d) mod %d" % (
            text, k % 7 + 1, 1000003 + (k + seed) % 3)
    return "(d0) -> (%s), domain: d0 in [0, 1000000]\n" % text


def aliases(depth):
    return ("!t0 = tensor<4xf32>\n" + "".join(
        "!t%d = tuple<!t%d, !t%d>\n" % (i + 1, i, i) for i in range(depth)) +
            "func.func @f(%%x: !t%d) { return }\n" % depth)


def nested_regions(depth):
    return ("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n" +
            " func.func private @g() {\n" * depth + " return\n" + "}\n" * depth +
            " return %x : tensor<4xf32>\n}\n")


def nested_tuples(depth):
    return module(" p = %sf32[4]%s parameter(0)\n ROOT t = f32[] constant(0)\n"
                  % ("(" * depth, ")" * depth))


def deep_calls(depth):
    return module(
        " x = f32[64] parameter(0)\n"
        " ROOT c = f32[64] call(x), to_apply=f%d\n" % depth,
        "f0 { ROOT p = f32[64] parameter(0) }\n",
        *("f%d { p = f32[64] parameter(0)\n"
          " ROOT c = f32[64] call(p), to_apply=f%d }\n" % (i + 1, i)
          for i in range(depth)))


def fusion(count, opcode):
    return module(
        " x = f32[64] parameter(0)\n"
        " ROOT g = f32[64] fusion(x), kind=kLoop, calls=f\n",
        "f { x0 = f32[64] parameter(0)\n%s ROOT r = f32[64] abs(x%d) }\n"
        % (chain(count, opcode), count))


def calls(scale):
    """Name, text, the call, status, what its output or messages have, megabytes.
    Wide inputs are `scale` times smaller than the largest; deep ones are not,
    for depth is what a small stack is about."""
    leaves, few = (1 << 16) // scale, (1 << 14) // scale
    last = leaves - 1
    depth = leaves.bit_length() - 1
    sums, terms_, long = 3000 // scale, 100000 // scale, 100000 // scale
    sorted_ = 1024 // scale
    shared = 1700 if scale == 1 else 800
    return [
        ("doubling.hlo", doubling_calls(60), "report", 1,
         r"error: up to here more than 1000000 kernels run", 500),
        ("doubling.hlo", doubling_calls(60), "dump", 0, r"ROOT|negate", 200),
        ("loops.hlo", nested_loops(40), "report", 1,
         r"error: up to here more than 1000000 kernels run", 500),
        ("loops.hlo", nested_loops(40), "dump", 0, r"while", 200),
        ("deep.hlo", deep_calls(20000), "report", 0, r"no kernels|kernel",
         400),
        ("deep.hlo", deep_calls(20000), "dump", 0, r"computation e", 400),
        ("updates.hlo", update_slices(200), "report", 0,
         r"200 +dynamic-update-slice", 200),
        ("updates.hlo", update_slices(200), "dump", 0,
         r"operand 0, p0: cover", 300),
        ("permutes.hlo", permutes(20, 64), "dump", 0, r"collective-permute",
         300),
        ("permute.hlo", permutes(1, long), "dump", 0, r"collective-permute",
         1500),
        ("pad.hlo", pad(1000), "dump", 0, r"pad", 800),
        ("pad.hlo", pad(1000), "utilization", 0,
         r"nothing is read|elements read", 800),
        ("sum.maps", dimensions(sums, " + ".join), "count", 0,
         r"image %d, pairs \d{%d,1715} " % (3 * sums + 1, sums // 2), 200),
        ("dimensions.maps", dimensions(sums, ", ".join), "count", 0, r"domain",
         200),
        ("terms.maps", terms(terms_), "simplify", 0, r"floordiv", 500),
        ("terms.maps", terms(terms_), "count", 0, r"domain", 500),
        ("aliases.mlir", aliases(24), "dump", 1, r"more than 65536 leaves",
         200),
        ("regions.mlir", nested_regions(200), "dump", 1, r"error", 200),
        ("regions.mlir", nested_regions(100000), "dump", 1, r"nested deeper",
         400),
        ("tuples.hlo", nested_tuples(200), "dump", 0, r"t = f32", 200),
        ("tuples.hlo", nested_tuples(100000), "dump", 1, r"nested", 200),
        ("pairs.hlo", nested_pairs(depth), "dump", 0,
         r"operand %d, n" % leaves, 800),
        ("pairs.hlo", nested_pairs(depth), "utilization", 0,
         r"operand %d, n" % leaves, 500),
        ("pairs.hlo", nested_pairs(depth), "coalescing", 0, r"t", 800),
        ("call.hlo", called_tuple(leaves), "dump --format=jsonl", 0,
         r'"result":%d,"operand":%d' % (last, last), 900),
        ("call.hlo", called_tuple(leaves), "utilization", 0,
         r"operand %d, p" % last, 900),
        ("call.hlo", called_tuple(leaves), "report", 0, r"kernel", 900),
        ("loop.hlo", loop_of_tuple(leaves), "dump --format=jsonl", 0,
         r'"result":%d,"operand":%d' % (leaves, leaves), 1500),
        ("loop.hlo", loop_of_tuple(leaves), "utilization", 0,
         r"operand %d, p" % leaves, 1500),
        ("loop.hlo", loop_of_tuple(leaves), "coalescing", 0, r"w", 1500),
        ("leaves.hlo", taken_apart(few), "equal leaves.hlo", 0,
         r"equal in reads \(terms", 500),
        ("leaves.hlo", taken_apart(few), "tile", 0,
         r"p leaf %d, through" % (few - 1), 500),
        ("call.hlo", called_tuple(few), "equal call.hlo", 0,
         r"equal in reads \(terms", 500),
        ("call.hlo", called_tuple(few), "tile", 0,
         r"p leaf %d: exact" % (few - 1), 500),
        ("loop.hlo", loop_of_tuple(few), "equal loop.hlo", 0,
         r"equal in reads \(terms", 500),
        ("loop.hlo", loop_of_tuple(few), "tile", 0, r"exact", 500),
        ("sort.hlo", sort(sorted_), "dump", 0,
         r"operand {0}, p{0}, result {0}".format(sorted_ - 1), 1500),
        ("sort.hlo", sort(sorted_), "utilization", 0,
         r"operand {0}, p{0}".format(sorted_ - 1), 300),
        ("sort.hlo", sort(sorted_), "tile", 0,
         r"p%d: exact" % (sorted_ - 1), 300),
        ("sort.hlo", sort(sorted_), "report", 0, r"1 kernel|sort", 300),
        ("sort.hlo", sort(sorted_), "coalescing", 0,
         r"p%d" % (sorted_ - 1), 300),
        ("sort.hlo", sort(sorted_), "equal sort.hlo", 0,
         r"equal in reads \(terms", shared),
        ("products4.maps", "".join(nested_text(240, i) for i in range(4)),
         "compose", 0, r"mod", 1000),
        ("nested.maps", nested_text(240, 0), "simplify --budget=1000", 0,
         r"mod", 400),
        ("products.maps", "".join(nested_text(240, i) for i in range(12)),
         "compose --budget=1000", 0, r"mod", 1000),
        ("products.maps", "".join(nested_text(240, i) for i in range(14)),
         "compose --budget=1000", 1, r"nested more than 3000 levels", 1000),
        ("nested.maps", nested_text(100000, 0), "simplify", 1,
         r"nested more than", 400),
        ("chain.hlo", module(" x0 = f32[64] parameter(0)\n" +
                             chain(100000, "negate") +
                             " ROOT r = f32[64] abs(x100000)\n"),
         "dump --computation=e --format=jsonl", 0, r'"name":"r"', 1500),
        ("fusion.hlo", fusion(100000, "negate"), "report", 0, r"fusion", 800),
        ("fusion.hlo", fusion(long, "negate"), "report --launch=xla", 0,
         r"fusion", 800),
        ("fusion.hlo", fusion(long, "copy"), "utilization", 0, r"read", 800),
    ]


class Test:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        self.problems = []

    def run(self, call, stack, megabytes):
        def limit():
            resource.setrlimit(resource.RLIMIT_STACK, (stack, stack))
            resource.setrlimit(resource.RLIMIT_DATA,
                               (megabytes << 20, megabytes << 20))
        return subprocess.run(
            [self.tool] + call, cwd=self.folder, capture_output=True,
            check=False, encoding="utf-8", errors="replace", preexec_fn=limit,
            env={"PATH": os.environ["PATH"]})

    def check(self, name, text, words, status, wanted, megabytes):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)
        command, *options = words.split()
        call = [command, name] + options
        outputs = []
        for stack in (USUAL_STACK, SMALL_STACK):
            print("indexical", *call, "on a stack of", stack, flush=True)
            done = self.run(call, stack, megabytes)
            outputs.append(done.stdout)
            where = "indexical %s, on a stack of %d" % (" ".join(call), stack)
            if done.returncode != status:
                self.problems.append("%s: status %d, not %d: %s" % (
                    where, done.returncode, status, done.stderr[-500:]))
            elif not re.search(wanted, done.stdout + done.stderr):
                self.problems.append("%s: no `%s` in %s" % (
                    where, wanted, (done.stdout + done.stderr)[-500:]))
        if outputs[0] != outputs[1]:
            self.problems.append(
                "indexical %s: the small stack changes the output" %
                " ".join(call))


def main():
    with tempfile.TemporaryDirectory() as folder:
        test = Test(os.path.abspath(sys.argv[1]), folder)
        for call in calls(1 if "--large" in sys.argv[2:] else 8):
            test.check(*call)
    for problem in test.problems:
        print("FAILED", problem)
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
