#!/usr/bin/env python3
"""Every command ends soon after its deadline, whatever it is asked.

    deadline_test.py INDEXICAL [NAME...]

Inputs that keep a command busy for long are made here, by kinds: pads in all
dimensions, minima within minima, long chains of ops, shifts that add up,
constants of many elements, loops of many trips, kernels, layouts, groups of
devices. Each command that takes such an input is asked with --deadline=1.

What counts is the time of the processor: it does not depend on what else the
machine does. A command that looks at its deadline uses a second, and a little
beside it. One with a loop that does not look uses all that it is given here,
and is ended by the system.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

TOOL, ONLY = sys.argv[1], sys.argv[2:]
# Seconds of the processor: what a call may take, and when the system ends it.
# A loop of one step of some tenths of a second is not what is looked for here.
ALLOWED, ENDED = 4, 12
problems = []


#===-- Inputs -------------------------------------------------------------===#


def pads(rows, columns, depth):
    """A pad in all dimensions, with padding between elements in the middle."""
    return """f { p = f32[%d,%d,%d] parameter(0)
 z = f32[] constant(0)
 ROOT q = f32[%d,%d,%d] pad(p, z), padding=1_1_0x1_1_1x0_0_0 }
""" % (rows, columns, depth, rows + 2, 2 * columns + 1, depth)


def pads_everywhere(size):
    """Padding between the elements of each of four dimensions."""
    wide = 3 * size + 1
    return """f { p = f32[%d,%d,%d,%d] parameter(0)
 z = f32[] constant(0)
 ROOT q = f32[%d,%d,%d,%d] pad(p, z), padding=1_2_2x2_1_2x1_2_2x2_1_2 }
""" % ((size,) * 4 + (wide,) * 4)


def minima(levels, first="max", shift=0):
    """min(max(min(...))) of two dimensions, `levels` deep."""
    text, names = "d0", ("max", "min") if first == "max" else ("min", "max")
    for k in range(levels):
        other = "d%d %s %d" % ((k + 1) % 2, "-+"[k // 2 % 2], k // 2 + shift)
        text = "%s(%s, %s)" % (names[k % 2], text, other)
    return ("(d0, d1) -> (%s), domain: d0 in [-1000, 99999], "
            "d1 in [-1000, 99999]\n" % text)


def stairs(levels):
    """Minima of a product and a quotient of what is below: it doubles."""
    text = "d0"
    for k in range(levels):
        text = "min(%s * %d + d1, (%s) floordiv %d + %d)" % (
            text, k % 5 + 2, text, k % 3 + 2, k)
    return ("(d0, d1) -> (%s), domain: d0 in [0, 99999], d1 in [0, 9999]\n" %
            text)


def floors(levels):
    """Divisions by different primes, one in the other."""
    primes, text = [7919, 6101, 4001, 3571, 2203, 1009, 757, 499], "d0"
    for k in range(levels):
        text = "(%s + %d * d1) floordiv %d" % (text, 31 + k,
                                               primes[k % len(primes)])
    return ("(d0, d1) -> (%s, d1 mod 7919), domain: d0 in [0, 999999999], "
            "d1 in [0, 999999999]\n" % text)


def subset_sum(count):
    """Variables of two values each, whose weighted sum is one number."""
    terms = ["%d * d%d" % (2 ** 20 + (7919 * k * k + 13) % 65536, k)
             for k in range(count)]
    names = ", ".join("d%d" % k for k in range(count))
    bounds = ", ".join("d%d in [0, 1]" % k for k in range(count))
    return "(%s) -> (%s), domain: %s, %s in [%d, %d]\n" % (
        names, names, bounds, " + ".join(terms), 2 ** 24, 2 ** 24 + 3)


def chain(count):
    """Ops on one matrix, some of which move its elements."""
    lines = ["ENTRY e {", "  p = f32[512,512] parameter(0)",
             "  q = f32[512,512] parameter(1)"]
    last = "p"
    for k in range(count):
        name = "v%d" % k
        op = ("add(%s, q)" % last, "transpose(%s), dimensions={1,0}" % last,
              "exponential(%s)" % last, "reverse(%s), dimensions={0}" % last,
              "multiply(%s, %s)" % (last, last))[k % 5]
        lines.append("  %s = f32[512,512] %s" % (name, op))
        last = name
    return "HloModule m, is_scheduled=true\n\n%s\n  ROOT r = f32[512,512] " \
        "negate(%s)\n}\n" % ("\n".join(lines), last)


def shifts(count, size=1 << 20):
    """x + (x moved by one), again and again: what is read grows."""
    lines = ["ENTRY e {", "  x0 = f32[%d] parameter(0)" % size,
             "  z = f32[] constant(0)"]
    for k in range(count):
        lines += [
            "  s%d = f32[%d] slice(x%d), slice={[%d:%d]}" %
            (k, size - k - 1, k, k + 1, size),
            "  q%d = f32[%d] pad(s%d, z), padding=%d_%d" %
            (k, size, k, k % 2 * (k + 1), (k + 1) % 2 * (k + 1)),
            "  x%d = f32[%d] add(x%d, q%d)" % (k + 1, size, k, k)]
    return "%s\n  ROOT r = f32[%d] negate(x%d)\n}\n" % ("\n".join(lines), size,
                                                        count)


def table(count):
    """Elements of an array, in an order that a constant gives."""
    numbers = ", ".join("{%d}" % ((k * 7919 + k * k) % count)
                        for k in range(count))
    return """ENTRY e {
  p = f32[%d,4] parameter(0)
  i = s32[%d,1] constant({%s})
  ROOT r = f32[%d,4] gather(p, i), offset_dims={1}, collapsed_slice_dims={0},
    start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}
}
""" % (count, count, numbers, count)


def loops(trips, arrays):
    """A loop that moves each of its arrays, and hands them around."""
    shape = "(s32[], %s)" % ", ".join(["f32[64]"] * arrays)
    body = ["body {", "  t = %s parameter(0)" % shape,
            "  i = s32[] get-tuple-element(t), index=0",
            "  one = s32[] constant(1)", "  j = s32[] add(i, one)"]
    for k in range(arrays):
        body += ["  g%d = f32[64] get-tuple-element(t), index=%d" % (k, k + 1),
                 "  n%d = f32[64] reverse(g%d), dimensions={0}" % (k, k),
                 "  a%d = f32[64] add(n%d, g%d)" % (k, k, k)]
    moved = ", ".join("a%d" % ((k + 1) % arrays) for k in range(arrays))
    return "HloModule m\n" + "\n".join(body) + """
  ROOT r = %s tuple(j, %s)
}
condition {
  t = %s parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant(%d)
  ROOT l = pred[] compare(i, n), direction=LT
}
ENTRY e {
  zero = s32[] constant(0)
%s
  t = %s tuple(zero, %s)
  ROOT w = %s while(t), condition=condition, body=body
}
""" % (shape, moved, shape, trips, "\n".join(
        "  p%d = f32[64] parameter(%d)" % (k, k) for k in range(arrays)), shape,
       ", ".join("p%d" % k for k in range(arrays)), shape)


def reshapes(count):
    """Reshapes between sizes without common factors, with reversals between."""
    total = 7919 * 7920
    shapes = [(7919, 7920), (7920, 7919), (99, total // 99), (total // 80, 80)]
    lines = ["ENTRY e {", "  v0 = f32[%d,%d] parameter(0)" % shapes[0]]
    for k in range(count):
        a, b = shapes[k % len(shapes)], shapes[(k + 1) % len(shapes)]
        lines += ["  w%d = f32[%d,%d] reverse(v%d), dimensions={1}" %
                  ((k,) + a + (k,)),
                  "  v%d = f32[%d,%d] reshape(w%d)" % ((k + 1,) + b + (k,))]
    last = shapes[count % len(shapes)]
    return "%s\n  ROOT r = f32[%d,%d] negate(v%d)\n}\n" % (
        ("\n".join(lines),) + last + (count,))


def window(size):
    """A window of a large array over all of it."""
    return """HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1)
  ROOT c = f32[] add(a, b) }
ENTRY e {
  p = f32[%d,%d] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[%d,%d] reduce-window(p, z), window={size=1023x511 stride=1x1 pad=511_511x255_255}, to_apply=add
}
""" % ((size,) * 4)


def groups(devices):
    """An all-gather between many devices, in an order of their own."""
    numbers = ",".join(str((k * 7919) % devices) for k in range(devices))
    return """HloModule m, replica_count=%d
ENTRY e {
  p = f32[16,8] parameter(0)
  a = f32[%d,8] all-gather(p), replica_groups={{%s}}, dimensions={0}
  ROOT r = f32[%d,8] reverse(a), dimensions={0}
}
""" % (devices, 16 * devices, numbers, 16 * devices)


def layers(count, devices=8):
    """Layers with residuals: the whole, and what each device computes."""
    reducer = """add {
  p0 = f32[] parameter(0)
  p1 = f32[] parameter(1)
  ROOT r = f32[] add(p0, p1)
}
"""
    texts = []
    for parts in (1, devices):
        wide = 32 // parts
        lines = ["ENTRY e {", "  x0 = f32[8,8] parameter(0)"]
        for k in range(count):
            for number, (name, shape, cut) in enumerate(
                    (("a", "[8,%d]" % wide, "[1,%d]"), ("b", "[%d,8]" % wide,
                                                        "[%d,1]"))):
                lines.append("  %s%d = f32%s parameter(%d)%s" % (
                    name, k, shape, 2 * k + number + 1,
                    "" if parts > 1 else ", sharding={devices=%s<=[%d]}" %
                    (cut % devices, devices)))
        for k in range(count):
            contract = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"
            lines += [
                "  h%d = f32[8,%d] dot(x%d, a%d), %s" % (k, wide, k, k, contract),
                "  t%d = f32[8,%d] tanh(h%d)" % (k, wide, k),
                "  d%d = f32[8,8] dot(t%d, b%d), %s" % (k, k, k, contract)]
            if parts > 1:
                lines.append(
                    "  s%d = f32[8,8] all-reduce(d%d), channel_id=%d, "
                    "replica_groups=[1,%d]<=[%d], use_global_device_ids=true, "
                    "to_apply=add" % (k, k, k + 1, devices, devices))
            lines.append("  x%d = f32[8,8] add(%s%d, x%d)" %
                         (k + 1, "s" if parts > 1 else "d", k, k))
        texts.append("HloModule m%s\n%s%s\n  ROOT r = f32[8,8] copy(x%d)\n}\n" %
                     (", num_partitions=%d" % parts if parts > 1 else "",
                      reducer, "\n".join(lines), count))
    return texts


def dots(count):
    """Products of matrices, one after the other."""
    lines = ["ENTRY e {", "  v0 = f32[4096,4096] parameter(0)",
             "  w = f32[4096,4096] parameter(1)"]
    for k in range(count):
        lines += ["  c%d = f32[4096,8192] concatenate(v%d, w), dimensions={1}" %
                  (k, k),
                  "  d%d = f32[8192,4096] concatenate(w, v%d), dimensions={0}" %
                  (k, k),
                  "  v%d = f32[4096,4096] dot(c%d, d%d), "
                  "lhs_contracting_dims={1}, rhs_contracting_dims={0}" %
                  (k + 1, k, k)]
    return "%s\n  ROOT r = f32[4096,4096] negate(v%d)\n}\n" % ("\n".join(lines),
                                                             count)


def kernel(steps):
    """A kernel with a loop of many steps, and addresses that divide."""
    return """module {
  tt.func public @k(%%a: !tt.ptr<f32>, %%b: !tt.ptr<f32>) {
    %%c0 = arith.constant 0 : i32
    %%c1 = arith.constant 1 : i32
    %%n = arith.constant %d : i32
    %%seven = arith.constant dense<7919> : tensor<1024xi32>
    %%size = arith.constant 1024 : i32
    %%pid = tt.get_program_id x : i32
    %%base = arith.muli %%pid, %%size : i32
    %%range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %%splat = tt.splat %%base : i32 -> tensor<1024xi32>
    %%at = arith.addi %%splat, %%range : tensor<1024xi32>
    %%pa = tt.splat %%a : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %%pb = tt.splat %%b : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    scf.for %%i = %%c0 to %%n step %%c1  : i32 {
      %%is = tt.splat %%i : i32 -> tensor<1024xi32>
      %%product = arith.muli %%is, %%at : tensor<1024xi32>
      %%rest = arith.remsi %%product, %%seven : tensor<1024xi32>
      %%from = tt.addptr %%pa, %%rest : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
      %%x = tt.load %%from : tensor<1024x!tt.ptr<f32>>
      %%to = tt.addptr %%pb, %%rest : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
      tt.store %%to, %%x : tensor<1024x!tt.ptr<f32>>
    }
    tt.return
  }
}
""" % steps


# Each kind of input: its file, and the calls that it is given to.
CASES = [
    ("pad", "pad.hlo", pads(3, 1 << 20, 1 << 16),
     ["report --launch=xla", "report --launch=linear", "coalescing",
      "utilization", "dump", "tile --search", "sparsity"]),
    ("smallpad", "smallpad.hlo", pads(3, 1 << 16, 1 << 14),
     ["report --launch=linear", "report --launch=xla",
      "report --launch=linear --budget=1000000000000"]),
    ("pads", "pads.hlo", pads_everywhere(257),
     ["report", "coalescing", "utilization", "tile --search", "sparsity",
      "equal --values {file}"]),
    ("minima", "minima.maps", minima(17),
     ["count", "simplify", "inverse", "equal {other}", "compose {file}",
      "count --budget=1000000000000"]),
    ("deepminima", "deepminima.maps", minima(61),
     ["count", "simplify", "inverse", "equal {other}", "compose {file}"]),
    ("stairs", "stairs.maps", stairs(7),
     ["count", "simplify", "inverse", "equal {other}", "compose {file}"]),
    ("deepstairs", "deepstairs.maps", stairs(12),
     ["count", "simplify", "inverse", "equal {other}", "compose {file}"]),
    ("floors", "floors.maps", floors(8),
     ["count", "simplify", "inverse", "equal {other}", "compose {file}",
      "count --budget=1000000000000"]),
    ("deepfloors", "deepfloors.maps", floors(120),
     ["count", "simplify", "inverse", "equal {other}", "compose {file}"]),
    ("subset", "subset.maps", subset_sum(40),
     ["count --budget=1000000000000", "inverse --budget=1000000000000",
      "equal --budget=1000000000000 {other}"]),
    ("chain", "chain.hlo", chain(20000),
     ["report", "dump", "equal --values {other}", "sparsity", "tile",
      "utilization", "coalescing", "sharding"]),
    ("shifts", "shifts.hlo", shifts(24),
     ["report", "dump", "equal --values {other}", "sparsity", "tile --search",
      "utilization", "coalescing"]),
    ("table", "table.hlo", table(200000),
     ["report", "dump", "equal --values {other}", "sparsity", "tile --search",
      "utilization", "coalescing"]),
    ("loops", "loops.hlo", loops(1000000000, 40),
     ["report", "dump", "equal --values {other}", "sparsity", "tile",
      "utilization"]),
    ("reshapes", "reshapes.hlo", reshapes(12),
     ["report", "dump", "equal --values {other}", "sparsity", "tile --search",
      "utilization", "coalescing"]),
    ("window", "window.hlo", window(16384),
     ["report", "dump", "utilization", "coalescing", "tile --search",
      "sparsity"]),
    ("groups", "groups.hlo", groups(4096),
     ["report", "dump", "sharding", "utilization", "equal --values {other}"]),
    ("layers", "layers.hlo", layers(16)[0],
     ["equal --partitioned {local}",
      "equal --partitioned --budget=1000000000000 {local}"]),
    ("dots", "dots.hlo", dots(3),
     ["report", "tile --search", "tile --search --budget=1000000000000",
      "utilization", "equal --values {other}"]),
    ("kernel", "kernel.ttir", kernel(100000),
     ["kernel --grid=65536 --num-warps=4",
      "kernel --grid=65536 --num-warps=4 --budget=1000000000000"]),
]

#===-- Calls --------------------------------------------------------------===#


def call(name, words, folder):
    """Runs the command, and checks how long the processor worked for it."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (ENDED, ENDED + 2))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(os.path.join(folder, "output"), "w") as output:
        begun = time.monotonic()
        child = subprocess.Popen([TOOL] + words, stdout=output, stderr=output,
                                 preexec_fn=limit)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = status
    seconds = used.ru_utime + used.ru_stime
    print("%-10s %6.2f s  %6.2f s of wall clock  status %d  %s" %
          (name, seconds, time.monotonic() - begun,
           os.waitstatus_to_exitcode(status), " ".join(words)))
    sys.stdout.flush()
    if seconds > ALLOWED:
        problems.append("%s: %.1f s" % (" ".join(words), seconds))
    elif os.waitstatus_to_exitcode(status) not in (0, 1, 3, 4):
        with open(os.path.join(folder, "output")) as output:
            problems.append("%s: status %d\n%s" %
                            (" ".join(words), os.waitstatus_to_exitcode(status),
                             output.read()[:500]))


def other_of(text):
    """An input that differs a little, far down."""
    for old, new in ((" exponential(", " cosine("), ("{0}\n", "{1}\n"),
                     ("add(x0, q0)", "subtract(x0, q0)"), ("{1}", "{2}"),
                     ("floordiv 7919", "floordiv 7920"), ("d1 + 1)", "d1 + 2)"),
                     ("negate(", "abs(")):
        if old in text:
            return text.replace(old, new, 1)
    return text


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, file, text, calls in CASES:
            if ONLY and name not in ONLY:
                continue
            path = os.path.join(folder, file)
            other = os.path.join(folder, "other_" + file)
            local = os.path.join(folder, "local_" + file)
            texts = ((path, text), (other, other_of(text)),
                     (local, layers(16)[1]))
            for where, what in texts:
                with open(where, "w") as out:
                    out.write(what)
            for words in calls:
                words = words.split()
                named = [w.format(file=path, other=other, local=local)
                         for w in words[1:]]
                call(name, [words[0], path] + named + ["--deadline=1"], folder)
    for text in problems:
        print("PROBLEM", text)
    sys.exit(1 if problems else 0)


main()
