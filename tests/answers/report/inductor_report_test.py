#!/usr/bin/env python3
"""Reports of files as Inductor writes them, against the tables of
output_codes.py: 20 files, five in the form of each year from 2023 to 2026.

    inductor_report_test.py INDEXICAL

Also: logs, folders, symbols, kernels that are refused, and what two kernels may
be one for.
"""

import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import output_codes  # noqa: E402

TOOL = sys.argv[1]
problems = []


def check(text, found, wanted):
    if found != wanted:
        problems.append(text)
        print("%s:\n  found  %s\n  wanted %s" % (text, found, wanted))


def run(words, status=0):
    if "--format=json" in words:
        words = words + ["--top=all", "--maps"]
    done = subprocess.run([TOOL, "report"] + words, capture_output=True,
                          text=True)
    if done.returncode != status:
        problems.append(words)
        print("%s: status %d\n%s" % (words, done.returncode, done.stderr))
    return done


def kernels_of(words, status=0):
    done = run(["--format=json"] + words, status)
    return json.loads(done.stdout or '{"kernels": []}')["kernels"]


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def plain(name):
    """The name without the number that makes it the only one."""
    head, _, tail = name.rpartition(".")
    return head if tail.isdigit() else name


def check_file(folder, year, seed):
    code = output_codes.OutputCode(year, seed)
    name = "%d_%d.py" % (year, seed)
    path = write(folder, name, code.text)
    kernels = sorted(kernels_of(code.options + [path]),
                     key=lambda kernel: kernel["line"])
    check(name + ": steps", [plain(k["instruction"]) for k in kernels],
          [step.name for step in code.steps])
    for kernel, step in zip(kernels, code.steps):
        where = "%s:%d %s" % (name, step.line, step.name)
        check(where + ": line", kernel["line"], step.line)
        check(where + ": op_name", kernel.get("op_name"), step.op_name)
        check(where + ": shapes", kernel["shapes"], step.shapes)
        accesses = kernel["reads"] + kernel["writes"]
        check(where + ": arrays", sorted(a["bytes"] for a in accesses),
              step.arrays)
        if step.grid:
            check(where + ": grid", kernel["grid"], step.grid)
            check(where + ": used", sorted(a.get("bytes_used", -1)
                                           for a in accesses), step.used)
            check(where + ": emitter", kernel["emitter"], "triton")
        else:
            check(where + ": emitter", kernel["emitter"], "library")
            check(where + ": operations", kernel.get("operations"),
                  step.operations)
    return code, path


def check_log(folder, codes):
    """A log has each file behind a head; lines are those of the log."""
    heads = ["V0612 12:00:00.000000 1 torch/_inductor/graph.py:1780] [0/0] "
             "[__output_code] ",
             "[2024-03-01 12:00:00,000] [0/0] "
             "torch._inductor.graph.__output_code: [DEBUG] "]
    for head in heads:
        lines, wanted = ["another line"], []
        for code in codes:
            lines.append(head + "Output code: ")
            wanted += [(step.name, step.line + len(lines))
                       for step in code.steps]
            lines += [head + line for line in code.text.splitlines()]
            lines.append(head + "Output code written to: x.py")
        path = write(folder, "log.txt", "\n".join(lines) + "\n")
        kernels = kernels_of(codes[0].options + [path])
        check("log", sorted((k["line"], plain(k["instruction"]))
                            for k in kernels),
              sorted((line, name) for name, line in wanted))


def check_folder(folder, codes):
    """A folder of TORCH_COMPILE_DEBUG: one report of its files."""
    for number, code in enumerate(codes):
        inner = os.path.join(folder, "model__%d" % number)
        os.makedirs(inner)
        write(inner, "output_code.py", code.text)
        write(inner, "fx_graph_readable.py", "class GraphModule: pass\n")
        write(inner, "ir_pre_fusion.txt", "op0: SchedulerNode\n")
    done = run(codes[0].options + ["--top=100", "--each", folder])
    for code in codes:
        for step in code.steps:
            check("folder: " + step.name, step.name in done.stdout, True)
    check("folder: others", "passed over" in done.stderr, True)


def check_symbols(folder):
    """Sizes of the benchmark, and others that the call gives."""
    code = output_codes.OutputCode(2025, 4)
    assert code.isDynamic
    path = write(folder, "symbols.py", code.text)
    done = run(["--format=json"] + code.options + [path])
    check("symbols: note", "= %d" % code.rows in done.stderr, True)
    twice = kernels_of(code.options + ["--arg=s0=%d" % (2 * code.rows), path])
    once = json.loads(done.stdout)["kernels"]
    for a, b in zip(once, twice):
        # Weights keep their sizes.
        wanted = [access["bytes"] * (1 if access["instruction"].startswith(
            "arg") and access["shape"] != a["reads"][0]["shape"] else 2)
                  for access in a["writes"]]
        check("symbols: " + a["instruction"],
              [access["bytes"] for access in b["writes"]], wanted)
    cut = code.text[:code.text.index("def benchmark")]
    cut = write(folder, "cut.py", cut)
    done = run(code.options + [cut], status=1)
    check("symbols: without values", "--arg=s0=NUMBER" in done.stderr, True)


POINT = """
{name} = async_compile.triton('{name}', '''
import triton
import triton.language as tl
from torch._inductor.runtime import triton_heuristics

@triton_heuristics.pointwise(
    size_hints={{'x': 4096}}, filename=__file__,
    triton_meta={{'signature': {{{signature}, 'xnumel': 'i32', 'XBLOCK': 'constexpr'}}, 'device': 0, 'constants': {{}}}},
    inductor_meta={{'grid_type': 'Grid1D', 'kernel_name': '{name}'}}
)
@triton.jit
def {name}({parameters}, xnumel, XBLOCK : tl.constexpr):
    xnumel = {numel}
    x0 = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:]
    xmask = x0 < xnumel
{body}
''', device_str='cuda')
"""


def point(name, parameters, body, numel=4096):
    return POINT.format(
        name=name, parameters=", ".join(parameters), numel=numel,
        signature=", ".join("'%s': '*fp32'" % p for p in parameters),
        body="\n".join("    " + line for line in body))


def call(inputs, body, result):
    return ("async_compile.wait(globals())\ndef call(args):\n    %s = args\n"
            "%s\n    return (%s)\n"
            "def get_args():\n%s\n") % (
                "".join(n + ", " for n, _ in inputs),
                "\n".join("    " + line for line in body), result,
                "\n".join("    %s = rand_strided(%s, device='cuda:0', "
                          "dtype=torch.float32)" % pair for pair in inputs))


HEAD = "async_compile = AsyncCompile()\n"
VECTOR = "(4096, ), (1, )"
MAKE = "%s = empty_strided_cuda((4096, ), (1, ), torch.float32)"
COPY = ["tl.store(out_ptr0 + (x0), tl.load(in_ptr0 + (x0), xmask) + 1.0, "
        "xmask)"]


def advice_of(folder, kernels, inputs, body, result):
    path = write(folder, "advice.py",
                 HEAD + "".join(kernels) + call(inputs, body, result))
    return {k["instruction"]: k.get("advice", "")
            for k in kernels_of(["--const=XBLOCK=64", path])}


def check_fusion(folder):
    """Two kernels are said to be worth one if the second reads each element in
    one program, alone, and nothing has to run between them."""
    inputs = [("a", VECTOR)]
    copy = point("k_copy", ["in_ptr0", "out_ptr0"], COPY)
    both = [MAKE % "b", MAKE % "c", "k_copy.run(a, b, 4096, stream=s)",
            "k_last.run(b, c, 4096, stream=s)"]
    cases = [
        # (what, body of the reader, calls, result, whether they may be one)
        ("element by element", COPY, both, "c, ", True),
        ("within a program",
         ["tl.store(out_ptr0 + (x0), tl.load(in_ptr0 + (x0 // 64 * 64 + 63 - "
          "x0 % 64), xmask), xmask)"], both, "c, ", True),
        ("read by all programs",
         ["tl.store(out_ptr0 + (x0), tl.load(in_ptr0 + (x0 % 64), xmask), "
          "xmask)"], both, "c, ", False),
        ("read at the next element, too",
         ["tl.store(out_ptr0 + (x0), tl.load(in_ptr0 + (x0), xmask) + "
          "tl.load(in_ptr0 + (4095 - x0), xmask), xmask)"], both, "c, ", False),
        ("a result itself", COPY, both, "b, c, ", False),
        ("read twice", COPY, both + [MAKE % "d",
                                     "k_copy.run(b, d, 4096, stream=s)"],
         "c, d, ", False),
    ]
    for what, body, steps, result, isOne in cases:
        last = point("k_last", ["in_ptr0", "out_ptr0"], body)
        found = advice_of(folder, [copy, last], inputs, steps, result)
        check("fusion, " + what, "k_last" in found["k_copy"] and
              "DRAM round trip" in found["k_copy"], isOne)
    # The second one works in place.
    inplace = point("k_inplace", ["in_out_ptr0"],
                    ["tl.store(in_out_ptr0 + (x0), tl.load(in_out_ptr0 + (x0), "
                     "xmask) * 2.0, xmask)"])
    found = advice_of(
        folder, [copy, inplace], inputs,
        [MAKE % "b", "k_copy.run(a, b, 4096, stream=s)",
         "c = b; del b  # reuse", "k_inplace.run(c, 4096, stream=s)"], "c, ")
    check("fusion, in place", "k_inplace" in found["k_copy"], True)
    # Another kernel needs the first, and the second needs it.
    two = point("k_two", ["in_ptr0", "out_ptr0", "out_ptr1"],
                COPY + [COPY[0].replace("out_ptr0", "out_ptr1")])
    add = point("k_add", ["in_ptr0", "in_ptr1", "out_ptr0"],
                ["tl.store(out_ptr0 + (x0), tl.load(in_ptr0 + (x0), xmask) + "
                 "tl.load(in_ptr1 + (x0), xmask), xmask)"])
    for mid, isOne in (("k_copy.run(c, d, 4096, stream=s)", False),
                       ("k_copy.run(a, d, 4096, stream=s)", True)):
        found = advice_of(
            folder, [two, copy, add], inputs,
            [MAKE % n for n in "bcde"] +
            ["k_two.run(a, b, c, 4096, stream=s)", mid,
             "k_add.run(b, d, e, 4096, stream=s)"], "c, e, ")
        check("fusion, " + mid, "k_add" in found["k_two"], isOne)
    # What the first one reads is overwritten in between.
    update = point("k_update", ["in_out_ptr0"],
                   [COPY[0].replace("in_ptr0", "in_out_ptr0")
                    .replace("out_ptr0", "in_out_ptr0", 1)
                    .replace("in_in_out", "in_out")])
    last = point("k_last", ["in_ptr0", "in_ptr1", "out_ptr0"],
                 ["tl.store(out_ptr0 + (x0), tl.load(in_ptr0 + (x0), xmask) + "
                  "tl.load(in_ptr1 + (x0), xmask), xmask)"])
    found = advice_of(
        folder, [copy, update, last], inputs,
        [MAKE % "b", MAKE % "c", "k_copy.run(a, b, 4096, stream=s)",
         "k_update.run(a, 4096, stream=s)",
         "k_last.run(b, a, c, 4096, stream=s)"], "c, ")
    check("fusion, overwritten in between", "k_last" in found["k_copy"], False)


def check_refused(folder):
    """A kernel that is refused is named, and the others are answered."""
    good = point("k_good", ["in_ptr0", "out_ptr0"], COPY)
    bad = point("k_bad", ["in_ptr0", "out_ptr0"],
                ["tl.store(out_ptr0 + (x0), tl.nonsense(in_ptr0), xmask)"])
    gluon = point("k_gluon", ["in_ptr0", "out_ptr0"], COPY).replace(
        "@triton.jit", "@gluon.jit")
    pallas = ("k_pallas = async_compile.pallas('k_pallas', r'''\n"
              "def k(x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n''')\n")
    run_all = ["%s.run(a, b, 4096, stream=s)" % k
               for k in ("k_good", "k_bad", "k_gluon", "k_pallas", "k_none")]
    path = write(folder, "refused.py", HEAD + good + bad + gluon + pallas +
                 call([("a", VECTOR)], [MAKE % "b"] + run_all, "b, "))
    done = run(["--format=json", path], status=1)
    names = [k["instruction"] for k in json.loads(done.stdout)["kernels"]]
    check("refused: the others", names, ["k_good"])
    for name, why in (("k_bad", "nonsense"), ("k_gluon", "gluon.jit"),
                      ("k_pallas", "async_compile.pallas"),
                      ("k_none", "does not define")):
        check("refused: " + name, any(
            "`%s`" % name in line and why in line
            for line in done.stderr.splitlines()), True)
    other = write(folder, "plain.py", "import triton\nimport triton.language "
                  "as tl\n@triton.jit\ndef k(x, n):\n    tl.store(x + "
                  "tl.arange(0, 64), 0.0, mask=tl.arange(0, 64) < n)\n")
    done = run([other], status=1)
    check("another file of Python", "output_code.py" in done.stderr, True)


def check_grids(folder):
    """Grids that no number of elements says."""
    body = ["tl.store(out_ptr0 + (x0), tl.load(in_ptr0 + (x0), xmask), xmask)"]
    base = point("k", ["in_ptr0", "out_ptr0"], body)
    fixed = base.replace(
        "'grid_type': 'Grid1D'", "'grid_type': 'FixedGrid', 'fixed_grid': "
        "['_grid_0', '_grid_1', '_grid_2'], 'extra_launcher_args': "
        "['_grid_0', '_grid_1', '_grid_2']")
    combo = base.replace(
        "'grid_type': 'Grid1D'", "'grid_type': 'SequentialComboKernelGrid', "
        "'combo_grid_meta': {'num_kernels': 2, 'min_blocks': 0, "
        "'default_config': {'XBLOCK': 64}, 'no_x_dim_0': False, "
        "'xnumel_0': 1000, 'no_x_dim_1': False, 'xnumel_1': 96}")
    meta = "meta0 = {'BLOCK_M': 64, 'BLOCK_N': 32, 'BLOCK_K': 16}\n"
    cases = [
        (base, "4096, stream=s", [64, 1, 1]),
        (base, "4096, grid=grid(4096), stream=s", [64, 1, 1]),
        (base, "4096, grid=(7, 2, 1), stream=s", [7, 2, 1]),
        (fixed, "4096, 5, 6, 7, stream=s", [5, 6, 7]),
        (combo, "4096, stream=s", [18, 1, 1]),
        (base, "4096, grid=torch._inductor.kernel.mm_common.mm_grid(512, 100, "
               "meta0), stream=s", [32, 1, 1]),
        (base, "4096, grid=torch._inductor.kernel.bmm.bmm_grid(3, 512, 100, "
               "meta0), stream=s", [32, 3, 1]),
    ]
    for kernel, words, wanted in cases:
        path = write(folder, "grid.py", HEAD + meta + kernel +
                     call([("a", VECTOR)],
                          [MAKE % "b", "k.run(a, b, %s)" % words], "b, "))
        kernels = kernels_of(["--const=XBLOCK=64", path])
        check("grid of " + words, [k["grid"] for k in kernels], [wanted])
    path = write(folder, "grid.py", HEAD + kernel + call(
        [("a", VECTOR)], [MAKE % "b", "k.run(a, b, 4096, grid=grid_of_k, "
                          "stream=s)", "extern_kernels.mm(a, a, out=b)"],
        "b, "))
    done = run([path], status=1)
    check("grid of the host", "`grid_of_k`" in done.stderr, True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        codes = {}
        for year in (2023, 2024, 2025, 2026):
            for seed in range(5):
                codes[year, seed], _ = check_file(folder, year, seed)
        check_log(folder, [codes[2024, 0], codes[2025, 1]])
        check_folder(os.path.join(folder, "debug"),
                     [codes[2025, 0], codes[2025, 2]])
        check_symbols(folder)
        check_fusion(folder)
        check_refused(folder)
        check_grids(folder)
    if problems:
        sys.exit("%d problems" % len(problems))


main()
