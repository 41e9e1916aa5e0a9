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


def check_bounds(folder):
    """An access outside of an array of the file is a warning, once a launch;
    an array that is large enough has none."""
    copy = point("k_copy", ["in_ptr0", "out_ptr0"], COPY)
    for size, wanted in ((4096, ""), (4095, "stores element 4095 of `out_ptr0`,"
                                            " which has 4095 elements")):
        path = write(folder, "bounds.py", HEAD + copy + call(
            [("a", VECTOR)],
            ["b = empty_strided_cuda((%d, ), (1, ), torch.float32)" % size,
             "k_copy.run(a, b, 4096, stream=s)"], "b, "))
        told = run(["--const=XBLOCK=64", path]).stderr
        check("bounds of %d" % size,
              [line.partition(" (63, 0, 0) ")[2] for line in told.splitlines()
               if "warning" in line and "k_copy" in line],
              [wanted] if wanted else [])
    # A view that begins behind the begin of its memory.
    path = write(folder, "bounds.py", HEAD + copy + call(
        [("a", VECTOR)],
        [MAKE % "b",
         "k_copy.run(reinterpret_tensor(a, (4096, ), (1, ), 1), b, 4096, "
         "stream=s)"], "b, "))
    told = run(["--const=XBLOCK=64", path]).stderr
    check("bounds of a view", "loads element 4095 of `in_ptr0`, which has 4095"
          in told, True)


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
    meta = ("meta0 = {'BLOCK_M': 64, 'BLOCK_N': 32, 'BLOCK_K': 16, "
            "'NUM_SMS': 20, 'GROUPS': 2, 'SPLIT_KV': 6, 'BLOCK_M2': 32, "
            "'BLOCK_N1': 128}\n")

    def typed(name, more):
        return base.replace("'grid_type': 'Grid1D'",
                            "'grid_type': '%s', %s" % (name, more))

    in_turn = typed("RoundRobinComboKernelGrid",
                    "'combo_grid_meta': {'num_kernels': 3, 'min_blocks': 0, "
                    "'default_config': None, 'no_x_dim_0': False, "
                    "'xnumel_0': 1000, 'no_x_dim_1': True, 'xnumel_1': 9, "
                    "'no_x_dim_2': False, 'xnumel_2': 1090}")
    planes = typed("SequentialComboKernelGrid",
                   "'combo_grid_meta': {'num_kernels': 2, 'min_blocks': 40, "
                   "'default_config': {'XBLOCK': 64, 'YBLOCK': 16}, "
                   "'no_x_dim_0': False, 'xnumel_0': 1000, 'ynumel_0': 50, "
                   "'no_x_dim_1': None, 'xnumel_1': 96, 'ynumel_1': 70}")
    configs = typed("PrecomputedGrid",
                    "'precomputed_grids': [{'config': {'XBLOCK': 128, "
                    "'num_warps': 4, 'num_stages': 3}, 'python': ['32', '1', "
                    "'1'], 'cpp': ['32L', '1L', '1L']}, {'config': {'XBLOCK': "
                    "64, 'num_warps': 8}, 'python': ['((63 + _launcher_s0) // "
                    "64)', '-(xnumel // -4096)', '2']}], "
                    "'extra_launcher_args': ['_launcher_s0']")
    rows = typed("MixOrderReductionGrid", "'RSPLIT_SIZE': 96").replace(
        "XBLOCK : tl", "XBLOCK : tl.constexpr, RSPLIT_SIZE : tl").replace(
            "pointwise(\n    size_hints={'x': 4096}",
            "persistent_reduction(\n    size_hints={'x': 4096, 'r0_': 256}")
    kernels_of_torch = "4096, grid=torch._inductor.kernel."
    wrapper = ("        def grid_wrapper_for_k_0(meta):\n"
               "            if meta['XBLOCK'] == 128:\n"
               "                return (1, 1, 1)\n"
               "            if meta['XBLOCK'] == 64 and True: return "
               "((4096 + meta['XBLOCK'] - 1) // meta['XBLOCK'], 3, 1)\n"
               "            return (9, 9, 9)\n")
    cases = [
        (in_turn, "4096, stream=s", [54, 1, 1]),
        (planes, "4096, stream=s", [40, 5, 1]),
        (configs, "4096, 1000, stream=s", [16, 1, 2]),
        (rows, "4096, stream=s", [43, 1, 1]),
        (base, "4096, grid=lambda meta: (meta['XBLOCK'], 2), stream=s",
         [64, 2, 1]),
        (base, kernels_of_torch + "mm_common.persistent_mm_grid(512, 100, "
         "meta0), stream=s", [20, 1, 1]),
        (base, kernels_of_torch + "mm_common.persistent_mm_grid(64, 100, "
         "meta0), stream=s", [4, 1, 1]),
        (base, kernels_of_torch + "conv.conv2d_grid(2, 33, 10, 7, meta0), "
         "stream=s", [3, 2, 2]),
        (base, kernels_of_torch + "conv.conv3d_grid(2, 33, 3, 10, 7, meta0), "
         "stream=s", [7, 2, 2]),
        (base, kernels_of_torch + "flex_attention.flex_attention_grid(2, 5, "
         "100, 64, meta0), stream=s", [2, 10, 1]),
        (base, kernels_of_torch + "flex_attention.sdpa_grid(2, 8, 8, 64, "
         "meta0), stream=s", [1, 16, 1]),
        (base, kernels_of_torch + "flex_decoding.flex_decoding_grid(2, 5, 3, "
         "100, 64, meta0), stream=s", [10, 6, 1]),
        (base, kernels_of_torch + "flex_attention.flex_attention_backward_grid"
         "(2, 6, 100, 64, 3, 200, meta0), stream=s", [10, 1, 6]),
        (base, "4096, grid=maybe_cooperative_reduction_grid(4096), stream=s",
         [64, 1, 1]),
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
    # A function of the file is that which was defined last.
    first = wrapper.replace("return (", "return (7 + ")
    path = write(folder, "grid.py", HEAD + base.replace(
        "k = async", "k_0 = async") + call(
            [("a", VECTOR)],
            [MAKE % "b", "with torch.cuda._DeviceGuard(0):\n" + first +
             wrapper + "        k_0.run(a, b, 4096, "
             "grid=grid_wrapper_for_k_0, stream=s)"], "b, "))
    check("grid of a wrapper", [k["grid"] for k in kernels_of(
        ["--const=XBLOCK=64", path])], [[64, 3, 1]])
    # Of a kernel of the user's own: the first of its configurations.
    own = base.replace("triton_heuristics.pointwise(",
                       "triton_heuristics.user_autotune(\n    configs=[{'XBLOCK'"
                       ": 32, 'num_warps': 2, 'num_stages': 3}, {'XBLOCK': "
                       "256, 'num_warps': 8}],").replace(
        "'grid_type': 'Grid1D'", "'grid_type': 'PrecomputedGrid', "
        "'precomputed_grids': [{'config': {'XBLOCK': 32, 'num_warps': 2}, "
        "'python': ['128', '1', '1']}, {'config': {'XBLOCK': 256}, 'python': "
        "['16', '1', '1']}]")
    path = write(folder, "grid.py", HEAD + own + call(
        [("a", VECTOR)], [MAKE % "b", "k.run(a, b, 4096, stream=s)"], "b, "))
    kernels = kernels_of([path])
    check("grid of a configuration", [(k["grid"], k["block"]) for k in kernels],
          [([128, 1, 1], [64, 1, 1])])
    path = write(folder, "grid.py", HEAD + kernel + call(
        [("a", VECTOR)], [MAKE % "b", "k.run(a, b, 4096, grid=grid_of_k, "
                          "stream=s)", "extern_kernels.mm(a, a, out=b)"],
        "b, "))
    done = run([path], status=1)
    check("grid of the host", "`grid_of_k`" in done.stderr, True)


def peak_of(words):
    done = run(["--format=json", "--live"] + words)
    return json.loads(done.stdout)["peaks"]


def check_live(folder):
    """Memories count once, from the first step that has them to the last."""
    copy = point("k", ["in_ptr0", "out_ptr0"], COPY)
    inplace = point("k_in", ["in_out_ptr0"],
                    ["tl.store(in_out_ptr0 + (x0), 1.0, xmask)"])
    size = 4096 * 4
    path = write(folder, "live.py", HEAD + copy + inplace + call(
        [("a", VECTOR)],
        [MAKE % "b", "k.run(a, b, 4096, stream=s)",
         "c = b; del b  # reuse", "k_in.run(c, 4096, stream=s)",
         MAKE % "d", MAKE % "e", "k.run(c, d, 4096, stream=s)", "del c",
         "k.run(d, e, 4096, stream=s)",
         "f = reinterpret_tensor(e, (64, 64), (64, 1), 0); del e",
         "g = empty_strided_cuda((64, 64), (64, 1), torch.float32)",
         "extern_kernels.mm(f, f, out=g)"], "g, "))
    peak, = peak_of([path])
    # The input, b that is c, and d.
    check("live: bytes", peak["bytes"], 3 * size)
    check("live: arrays", [a["instruction"] for a in peak["arrays"]],
          ["a", "b", "d"])
    check("live: at", peak["instruction"], "k.1")
    # A result stays: b, and the others as before.
    with open(path) as file:
        text = file.read().replace("return (g, )", "return (g, c, )")
    peak, = peak_of([write(folder, "live.py", text)])
    check("live: a result", peak["bytes"], 4 * size)
    # Each file has a peak of its own.
    inner = os.path.join(folder, "live")
    for name in "xy":
        os.makedirs(os.path.join(inner, name))
        write(os.path.join(inner, name), "output_code.py", text)
    check("live: two files", [p["module"] for p in peak_of([inner])], [0, 1])
    # What a library returns has no size that is known.
    text = text.replace("extern_kernels.mm(f, f, out=g)",
                        "g = aten.special(f)")
    check("live: unknown", peak_of([write(folder, "live.py", text)]), [])


def check_options(folder):
    """What an option cannot say is an error in a line, and no report."""
    text = HEAD + point("k", ["in_ptr0", "out_ptr0"], COPY) + call(
        [("a", VECTOR)], [MAKE % "b", "k.run(a, b, 4096, stream=s)"], "b, ")
    path = write(folder, "options.py", text)
    for word, why in (("--cancels", "--cancels follows"),
                      ("--const=XBLOK=64", "did you mean `XBLOCK`?"),
                      ("--type=in=*fp16", "--type: no file has a name `in`"),
                      ("--arg=s0=4", "--arg: no file has a name `s0`"),
                      ("--shape=in_ptr0=f32[4096]", "--shape and --assume"),
                      ("--assume=xnumel <= 4096", "--shape and --assume"),
                      ("--gpu=0", "this is not a profile")):
        done = run([word, path], status=1)
        check("option " + word, (why in done.stderr, done.stdout), (True, ""))
    for word in ("--maps", "--each", "--stack", "--group=array",
                 "--filter=op_name=*", "--sort=lost", "--top=1", "--min=0",
                 "--device=h200", "--const=XBLOCK=64", "--num-warps=2",
                 "--grid=32", "--type=in_ptr0=*fp32", "--fail-above=1GB"):
        check("option " + word, run([word, path]).stdout != "", True)
    ttir = write(folder, "k.py", "import triton\n@triton.jit\ndef k(x):\n"
                 "    tl.store(x, 0.0)\n")
    check("live of kernels", "no arrays pass between" in
          run(["--live", "--grid=1", ttir], status=1).stderr, True)


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
        check_bounds(folder)
        check_fusion(folder)
        check_refused(folder)
        check_grids(folder)
        check_live(folder)
        check_options(folder)
    if problems:
        sys.exit("%d problems" % len(problems))


main()
