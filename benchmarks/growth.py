#!/usr/bin/env python3
"""Measures how time and memory of a command grow with a module.

    growth.py [--indexical=COMMAND] [--sizes=10000,100000,1000000]
              [--forms=chain,wide,fusions,different,…]
              [--calls='dump --format=jsonl,report']
              [--repetitions=3] [--folder=FOLDER]

Makes HLO text of so many instructions, about 290 bytes each, and prints a row
for each call: seconds of CPU in user mode, the least of the repetitions; that
in microseconds for each instruction; the largest resident size in bytes for
each instruction, and that without the text. What the command needs of itself
is measured with a module of two instructions and taken off. GNU's `time` must
be there.

    chain     each instruction reads the one before it
    wide      a half reads one parameter, the other half adds pairs, as a tree
    fusions   fusions of 20 instructions, one after the other
    different  a chain of reshapes, transposes and ops element by element, no
              two of which are alike
    kernels   negates, transposes, pads and slices of parameters of their own,
              of odd sizes, all different: no two kernels do the same
    parameters  fusions, each with two parameters of the module, which has
              thousands
    long      fusions of 1,000 ops element by element, of different sizes
    loops     loops in loops
"""

import argparse
import os
import subprocess
import sys
import tempfile


def metadata(n):
    return (f', metadata={{op_name="jit(step)/jit(main)/model/layer_{n % 48}/'
            f'attention/dense_{n % 6}/op_{n % 100}" source_file='
            f'"workspaces/project/model/layers/attention.py" '
            f'source_line={n % 700 + 1} source_end_line={n % 700 + 3} '
            f'source_column=12 source_end_column=48}}')


# The steps of a chain from f32[64,32,16]: the new shape, and the op as text
# behind `= `.
STEPS = [
    lambda a: f"f32[64,32,16]{{2,1,0}} negate({a})",
    lambda a: f"f32[64,16,32]{{2,1,0}} transpose({a}), dimensions={{0,2,1}}",
    lambda a: f"f32[1024,32]{{1,0}} reshape({a})",
    lambda a: f"f32[1024,32]{{1,0}} exponential({a})",
    lambda a: f"f32[16,64,32]{{2,1,0}} reshape({a})",
    lambda a: f"f32[16,64,32]{{2,1,0}} reverse({a}), dimensions={{1}}",
    lambda a: f"f32[64,32,16]{{2,1,0}} transpose({a}), dimensions={{1,2,0}}",
    lambda a: f"f32[64,32,16]{{2,1,0}} multiply({a}, {a})",
]


def chain_steps(write, count, first, begin, suffix=""):
    """Writes `count` steps, which begin with the value `first`."""
    value = first
    for n in range(count):
        root = "ROOT " if suffix and n == count - 1 else ""
        name = f"%step.{begin + n}"
        # The steps of an incomplete round keep the shape.
        isLeft = n >= count - count % len(STEPS)
        step = STEPS[0] if isLeft else STEPS[n % len(STEPS)]
        write(f"  {root}{name} = {step(value)}{metadata(n)}\n")
        value = name
    return value


def chain(write, size):
    write("HloModule chain\n\nENTRY %main {\n"
          "  %p = f32[64,32,16]{2,1,0} parameter(0)\n")
    chain_steps(write, size - 1, "%p", 1, "root")
    write("}\n")


def wide(write, size):
    shape = "f32[128,1024]{1,0}"
    write(f"HloModule wide\n\nENTRY %main {{\n  %p = {shape} parameter(0)\n")
    row = []
    for n in range(max(size // 2, 1)):
        write(f"  %leaf.{n} = {shape} sine(%p){metadata(n)}\n")
        row.append(f"%leaf.{n}")
    n = 0
    while len(row) > 1:
        above = []
        for left, right in zip(row[::2], row[1::2]):
            write(f"  %sum.{n} = {shape} add({left}, {right}){metadata(n)}\n")
            above.append(f"%sum.{n}")
            n += 1
        row = above + row[len(above) * 2:]
    write(f"  ROOT %end = {shape} copy({row[0]})\n}}\n")


def fusions(write, size):
    write("HloModule fusions\n\n")
    count = max(size // 20, 1)
    for n in range(count):
        write(f"%fused.{n} {{\n"
              f"  %param.{n} = f32[64,32,16]{{2,1,0}} parameter(0)\n")
        chain_steps(write, 18, f"%param.{n}", 18 * n, "root")
        write("}\n\n")
    write("ENTRY %main {\n  %p = f32[64,32,16]{2,1,0} parameter(0)\n")
    value = "%p"
    for n in range(count):
        root = "ROOT " if n == count - 1 else ""
        write(f"  {root}%fusion.{n} = f32[64,32,16]{{2,1,0}} fusion({value}), "
              f"kind=kLoop, calls=%fused.{n}{metadata(n)}\n")
        value = f"%fusion.{n}"
    write("}\n")


def different(write, size):
    """A chain in which no two instructions are alike."""
    write("HloModule different  // all different\n\nENTRY %main {\n"
          "  %p = f32[16,24,8]{2,1,0} parameter(0)\n"
          "  %z = f32[]{} constant(0)\n")
    value, n, rows = "%p", 0, 16
    while n < size - 2:
        before, rows = rows, rows + 1
        for text in (
                f"f32[{24 * before},8]{{1,0}} reshape(%)",
                f"f32[8,{24 * before}]{{1,0}} transpose(%), dimensions={{1,0}}",
                f"f32[8,{24 * before}]{{1,0}} exponential(%)",
                f"f32[8,24,{before}]{{2,1,0}} reshape(%)",
                f"f32[{before},24,8]{{2,1,0}} transpose(%), dimensions={{2,1,0}}",
                f"f32[{rows},24,8]{{2,1,0}} pad(%, %z), padding=0_1x0_0x0_0",
                f"f32[{rows},24,8]{{2,1,0}} negate(%)"):
            root = "ROOT " if n == size - 3 else ""
            name = f"%step.{n + 1}"
            write(f"  {root}{name} = "
                  f"{text.replace('%', value, 1)}{metadata(n)}\n")
            value = name
            n += 1
            if n == size - 2:
                break
    write("}\n")


def odd(n):
    """Sizes of the array n, which no other one has."""
    return 37 + 2 * (n % 997), 101 + 2 * (n * 7 % 991)


def tuple_of(write, shapes, names):
    write(f"  ROOT %all = ({', '.join(shapes)}) "
          f"tuple({', '.join(names)})\n}}\n")


def kernels(write, size):
    write("HloModule kernels  // all different\n\nENTRY %main {\n"
          "  %z = f32[]{} constant(0)\n")
    shapes, names = [], []
    for n in range(max(size // 2 - 1, 1)):
        a, b = odd(n)
        shape, op = (
            (f"f32[{a},{b}]", "negate(%)"),
            (f"f32[{b},{a}]", "transpose(%), dimensions={1,0}"),
            (f"f32[{a + 3},{b + 5}]", "pad(%, %z), padding=1_2x3_2"),
            (f"f32[{a - 5},{b - 7}]",
             f"slice(%), slice={{[2:{a - 3}], [3:{b - 4}]}}"))[n % 4]
        write(f"  %p.{n} = f32[{a},{b}]{{1,0}} parameter({n})\n"
              f"  %k.{n} = {shape}{{1,0}} {op.replace('%', f'%p.{n}', 1)}"
              f"{metadata(n)}\n")
        shapes.append(shape + "{1,0}")
        names.append(f"%k.{n}")
    tuple_of(write, shapes, names)


def parameters(write, size):
    write("HloModule parameters\n\n")
    count = max(size // 7, 1)
    shapes = [f"f32[{a},{b}]{{1,0}}" for a, b in map(odd, range(count))]
    for n, shape in enumerate(shapes):
        write(f"%fused.{n} {{\n  %a.{n} = {shape} parameter(0)\n"
              f"  %b.{n} = {shape} parameter(1)\n"
              f"  %sum.{n} = {shape} add(%a.{n}, %b.{n}){metadata(n)}\n"
              f"  ROOT %end.{n} = {shape} negate(%sum.{n}){metadata(n)}\n"
              "}\n\n")
    write("ENTRY %main {\n")
    for n, shape in enumerate(shapes):
        write(f"  %p.{n} = {shape} parameter({2 * n})\n"
              f"  %q.{n} = {shape} parameter({2 * n + 1})\n"
              f"  %f.{n} = {shape} fusion(%p.{n}, %q.{n}), kind=kLoop, "
              f"calls=%fused.{n}{metadata(n)}\n")
    tuple_of(write, shapes, [f"%f.{n}" for n in range(count)])


def long(write, size):
    write("HloModule long\n\n")
    count = max(size // 1000, 1)
    each = min(size, 1000) - 1
    shapes = [f"f32[{a},{b}]{{1,0}}" for a, b in map(odd, range(count))]
    for n, shape in enumerate(shapes):
        write(f"%fused.{n} {{\n  %s.{n}.0 = {shape} parameter(0)\n")
        for k in range(each):
            root = "ROOT " if k == each - 1 else ""
            op = ("negate(%)", "exponential(%)", "add(%, %)")[k % 3]
            write(f"  {root}%s.{n}.{k + 1} = {shape} "
                  f"{op.replace('%', f'%s.{n}.{k}')}{metadata(k)}\n")
        write("}\n\n")
    write("ENTRY %main {\n")
    for n, shape in enumerate(shapes):
        write(f"  %p.{n} = {shape} parameter({n})\n  %f.{n} = {shape} "
              f"fusion(%p.{n}), kind=kLoop, calls=%fused.{n}{metadata(n)}\n")
    tuple_of(write, shapes, [f"%f.{n}" for n in range(count)])


def loops(write, size):
    state = "(s32[], f32[8,16])"
    write("HloModule loops\n\n"
          f"%more {{\n  %m = {state} parameter(0)\n"
          "  %i = s32[] get-tuple-element(%m), index=0\n"
          "  %end = s32[] constant(9)\n"
          "  ROOT %go = pred[] compare(%i, %end), direction=LT\n}\n\n"
          f"%body.0 {{\n  %b.0 = {state} parameter(0)\n"
          "  %n.0 = s32[] get-tuple-element(%b.0), index=0\n"
          "  %x.0 = f32[8,16] get-tuple-element(%b.0), index=1\n"
          "  %y.0 = f32[8,16] negate(%x.0)\n"
          f"  ROOT %r.0 = {state} tuple(%n.0, %y.0)\n}}\n\n")
    depth = max(size // 2 - 5, 1)
    for d in range(1, depth):
        write(f"%body.{d} {{\n  %b.{d} = {state} parameter(0)\n"
              f"  ROOT %r.{d} = {state} while(%b.{d}), condition=%more, "
              f"body=%body.{d - 1}{metadata(d)}\n}}\n\n")
    write(f"ENTRY %main {{\n  %p = {state} parameter(0)\n"
          f"  ROOT %w = {state} while(%p), condition=%more, "
          f"body=%body.{depth - 1}\n}}\n")


FORMS = {"chain": chain, "wide": wide, "fusions": fusions,
         "different": different, "kernels": kernels,
         "parameters": parameters, "long": long, "loops": loops}


def make(folder, form, size):
    path = os.path.join(folder, f"{form}_{size}.hlo")
    if not os.path.exists(path):
        with open(path, "w") as file:
            FORMS[form](file.write, size)
    return path


def measure(command):
    """Seconds in user mode, and bytes of the largest resident size."""
    # The peak of a process that we start ourselves is at least our own.
    run = subprocess.run(["time", "-f", "%U %M", *command],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                         text=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: {run.stderr}")
    seconds, kilobytes = run.stderr.splitlines()[-1].split()
    return float(seconds), int(kilobytes) * 1024


def least(options, call, path):
    command = [options.indexical, *call.split(), path, "--jobs=1"]
    runs = [measure(command) for _ in range(options.repetitions)]
    return min(time for time, _ in runs), min(size for _, size in runs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--indexical", default="bazel-bin/tools/indexical")
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--forms", default="chain,wide,fusions,different")
    parser.add_argument("--calls", default="dump --format=jsonl,report")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or temporary
        print("| module | call | instructions | s | µs each | bytes each | "
              "beside the text |\n|---|---|---|---|---|---|---|")
        for form in options.forms.split(","):
            for call in options.calls.split(","):
                _, itself = least(options, call, make(folder, form, 2))
                for size in map(int, options.sizes.split(",")):
                    path = make(folder, form, size)
                    time, memory = least(options, call, path)
                    text = os.path.getsize(path)
                    print(f"| {form} | `{call}` | {size} | {time:.2f} | "
                          f"{time / size * 1e6:.2f} | "
                          f"{(memory - itself) / size:.0f} | "
                          f"{(memory - itself - text) / size:.0f} |",
                          flush=True)


if __name__ == "__main__":
    main()
