"""Calls of contract_test about kernels and layouts.

The kernels lie in contract/ beside this file, or are written here.
"""

import json
import os

from contract_calls import module, write

KERNEL = """tt.func @k(%arg0: !tt.ptr<f32>) {
  %c = arith.constant 64 : i32
  %v = arith.constant dense<0.0> : tensor<64xf32>
  %p = tt.get_program_id x : i32
  %s = arith.muli %p, %c : i32
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %t = tt.splat %s : i32 -> tensor<64xi32>
  %o = arith.addi %t, %r : tensor<64xi32>
  %b = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %a = tt.addptr %b, %o : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %l = tt.load %a : tensor<64x!tt.ptr<f32>>
  tt.store %a, %v : tensor<64x!tt.ptr<f32>>
  tt.return
}
"""
# A load that no thread makes: the hardware copies a tile.
DESCRIBED = """tt.func @d(%x: !tt.ptr<f16>, %n: i32, %m: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %stride = arith.extsi %m : i32 to i64
  %d = tt.make_tensor_descriptor %x, [%n, %m], [%stride, %one] : <f16>, <tensor<64x64xf16>>
  %t = tt.descriptor_load %d[%zero, %zero] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
  tt.return
}
"""
WARPS = ["--num-warps=2"]
CALL = """func.func @main(%%x: tensor<256xf32>) -> tensor<256xf32> {
  %%0 = stablehlo.custom_call @__gpu$xla.gpu.triton(%%x) {mhlo.backend_config =
    {grid_x = 4 : i32, ir = "%s", name = "k", num_warps = 2 : i32}}
    : (tensor<256xf32>) -> tensor<256xf32>
  return %%0 : tensor<256xf32>
}
"""
SHARED = """#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#row = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#odd = #ttg.odd_shared<{}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @shared(%p: tensor<32x32xf32, #blocked>) {
    %a = ttg.local_alloc %p : (tensor<32x32xf32, #blocked>) -> !ttg.memdesc<32x32xf32, #row, #smem> loc("k.py":3:5)
    %b = ttg.local_alloc %p : (tensor<32x32xf32, #blocked>) -> !ttg.memdesc<32x32xf32, #odd, #smem>
    %c = ttg.local_load %a : !ttg.memdesc<32x32xf32, #row, #smem> -> tensor<32x32xf32, #blocked>
    tt.return
  }
}
"""
PRODUCT = "f { p = f32[256] parameter(0) ROOT n = f32[256] negate(p) }"
# The larger number drops a NaN, which HLO's passes on.
RELU = """tt.func @relu(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %a = tt.addptr %xs, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %b = tt.addptr %ys, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %l = tt.load %a : tensor<64x!tt.ptr<f32>>
  %m = arith.maxnumf %l, %zero : tensor<64xf32>
  tt.store %b, %m : tensor<64x!tt.ptr<f32>>
  tt.return
}
"""
# The sum of 32 numbers, against their maximum.
TOTAL = """tt.func @total(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %a = tt.addptr %xs, %r : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  %l = tt.load %a : tensor<32x!tt.ptr<f32>>
  %s = "tt.reduce"(%l) <{axis = 0 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<32xf32>) -> f32
  tt.store %y, %s : !tt.ptr<f32>
  tt.return
}
"""
LARGEST = """m { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] maximum(a, b) }
f { x = f32[32] parameter(0) l = f32[] constant(-inf) ROOT r = f32[] reduce(x, l), dimensions={0}, to_apply=m }"""
RELU_FUSION = """f {
  x = f32[64] parameter(0)
  zero = f32[] constant(0)
  zeros = f32[64] broadcast(zero), dimensions={}
  ROOT r = f32[64] maximum(x, zeros)
}"""

GATHER = """
tt.func @gather(%p: !tt.ptr<f32>, %i: !tt.ptr<i32>) {
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %a = tt.splat %i : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
  %b = tt.addptr %a, %r : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
  %l = tt.load %b : tensor<32x!tt.ptr<i32>>
  %c = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %d = tt.addptr %c, %l : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  %v = tt.load %d : tensor<32x!tt.ptr<f32>>
  tt.return
}
"""


PYTHON = """import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({'B': 32})], key=[])
@triton.jit
def k(x, i, C, B: tl.constexpr):
    r = tl.program_id(0)
    j = tl.load(i + r)
    o = tl.arange(0, B)
    tl.store(x + r * C + o, 1.0, mask=o < C)
    tl.store(x + j * C + o, 1.0, mask=o < C)
"""


JUDGED = """import triton
import triton.language as tl


@triton.jit
def k(x, y, C, B: tl.constexpr):
    r = tl.program_id(0)
    a = tl.zeros([B], dtype=tl.float32)
    for j in range(0, C, B):
        c = j + tl.arange(0, B)
        a += tl.load(x + r * C + c, mask=c < C, other=0.0)
    tl.store(y + r, tl.load(y + r) + tl.sum(a, axis=0))
"""


def check_judged(test, folder):
    """Kernels against a kernel: the same, by a law, and different."""
    old = os.path.join(folder, "old.py")
    write(old, JUDGED)
    minus = os.path.join(folder, "minus.py")
    write(minus, JUDGED.replace("+ tl.sum", "- tl.sum"))
    for new, block in ((old, 32), (old, 64), (minus, 32)):
        test.check_both("kernel", [
            new, "--of=" + old, "--grid=3", "--arg=C=100", "--shape=y=f32[3]",
            "--const=B=%d" % block, "--of-const=B=32", "--shape=x=f32[300]"])
    # An output that is loaded, and is longer than what is stored, and masked
    # lanes without a value, in a loop and in none.
    plain = JUDGED.replace("tl.load(y + r) + ", "")
    write(old, plain)
    lanes = os.path.join(folder, "lanes.py")
    write(lanes, JUDGED.replace(", other=0.0", ""))
    one = os.path.join(folder, "one.py")
    write(one, plain.replace("tl.sum(", "tl.load(x, mask=r < 0) + tl.sum("))
    for new in (lanes, one):
        test.check_both("kernel", [
            new, "--of=" + old, "--grid=3", "--arg=C=3", "--shape=y=f32[4]",
            "--const=B=2", "--shape=x=f32[9]"])
    write(old, JUDGED)
    # For all sizes: the same, under a condition, and different.
    tail = os.path.join(folder, "tail.py")
    write(tail, JUDGED.replace("range(0, C, B)", "range(0, C // B * B, B)"))
    for new in (old, tail):
        test.check_both("kernel", [
            new, "--of=" + old, "--grid=R", "--of-grid=R", "--const=B=32",
            "--of-const=B=32", "--assume=C >= 2", "--assume=R <= 4 * C"])
    for request in (
            {"id": "a", "new": JUDGED, "old": JUDGED, "grid": 3,
             "arg": {"C": 100}, "const": {"B": 32}},
            {"id": "b", "old": JUDGED}):
        path = os.path.join(folder, request["id"] + ".jsonl")
        write(path, json.dumps(request) + "\n")
        test.check_both("kernel", ["--requests=" + path])


def check_kernels(test, folder):
    """Documents of `kernel`: proofs, witnesses, comparisons, what is unknown."""
    path = os.path.join(folder, "kernel.ttir")
    write(path, KERNEL)
    fusion = os.path.join(folder, "fusion.hlo")
    write(fusion, PRODUCT)
    two = os.path.join(folder, "two.ttir")
    write(two, KERNEL.replace("%arg0: !tt.ptr<f32>", "%arg0: !tt.ptr<f32>, "
                              "%arg1: !tt.ptr<f32>"))
    filled = os.path.join(folder, "filled.ttir")
    write(filled, KERNEL.replace("%arg0: !tt.ptr<f32>", "%from: !tt.ptr<f32>, "
                                 "%arg0: !tt.ptr<f32>"))
    relu = os.path.join(folder, "relu.ttir")
    write(relu, RELU)
    total = os.path.join(folder, "total.ttir")
    write(total, TOTAL)
    largest = os.path.join(folder, "largest.hlo")
    write(largest, LARGEST)
    maximum = os.path.join(folder, "maximum.hlo")
    write(maximum, RELU_FUSION)
    scaled = os.path.join(folder, "scaled.ttir")
    write(scaled, KERNEL.replace("%arg0: !tt.ptr<f32>", "%arg0: !tt.ptr<f32>, "
                                 "%by: f32"))
    described = os.path.join(folder, "described.ttir")
    write(described, DESCRIBED)
    odd = os.path.join(folder, "odd.ttir")
    unknown = ("%l = tt.load", "tt.odd %p : i32\n  %l = tt.load")
    write(odd, KERNEL.replace(*unknown))
    odd_pair = os.path.join(folder, "odd_pair.ttir")
    with open(two, encoding="utf-8") as file:
        write(odd_pair, file.read().replace(*unknown))
    for words in ([path, "--grid=4"], [path, "--grid=5"],
                  [path, "--grid=4", "--shape=arg0=f32[256]"],
                  [path, "--grid=5", "--shape=0=f32[256]"],
                  [path, "--grid=2,2", "--device=a100"],
                  [two, "--of=%s#f" % fusion, "--grid=4"], [odd, "--grid=4"],
                  [filled, "--of=%s#f" % fusion, "--grid=3"],
                  [filled, "--of=%s#f" % fusion, "--grid=5"],
                  [filled, "--of=%s#f" % fusion, "--grid=4", "--level=tiles"],
                  [total, "--of=%s#f" % largest, "--grid=1"],
                  [relu, "--of=%s#f" % maximum, "--grid=1",
                   "--float-laws=no-nan"],
                  [described, "--grid=4"], [scaled, "--grid=4", "--arg=by=0.5"],
                  [odd_pair, "--of=%s#f" % fusion, "--grid=4"],
                  [module("turns.ttir"), "--grid=1", "--alias=x,y"],
                  [module("kernel.ttir"), "--grid=4"],
                  [module("copy.ttir"), "--grid=64"],
                  [module("kernel.ttir"), "--grid=4", "--arg=n=5"]):
        test.check_both("kernel", words + WARPS)
    check_judged(test, folder)
    python = os.path.join(folder, "k.py")
    write(python, PYTHON)
    for words in (["--grid=R"], ["--grid=4", "--print=ttir"],
                  ["--grid=R", "--arg=R=4", "--arg=C=8"]):
        test.check_both("kernel", [python, "--type=i=*i32"] + words)
    gather = os.path.join(folder, "gather.ttir")
    write(gather, GATHER)
    test.check_both("kernel", [gather, "--grid=1", "--num-warps=1",
                               "--shape=p=f32[64]", "--shape=i=s32[32]",
                               "--runtime=loaded0=0..64"])
    shared = os.path.join(folder, "shared.ttgir")
    write(shared, SHARED)
    test.check_both("kernel", [shared, "--grid=1"])
    test.check_both("kernel", [module("compiled.ll"), "--grid=1", "--at=0:3"])
    for name in ("raced", "exchanged"):
        test.check_both("kernel", [module("raced.ll"), "--grid=1",
                                   "--function=" + name])
    record = os.path.join(folder, "record.ndjson")
    write(record, "\n".join(json.dumps(event) for event in (
        {"event_type": "compilation", "payload": {
            "metadata": {"hash": "1", "name": "k", "num_warps": 2},
            "file_content": {"k.ttir": KERNEL}}},
        {"event_type": "launch", "grid": [4],
         "compilation_metadata": {"hash": "1"}})) + "\n")
    test.check_both("kernel", [record])
    call = os.path.join(folder, "call.mlir")
    write(call, CALL % KERNEL.replace("\n", "\\0A"))
    test.check_both("kernel", [call])


ROWS = ("tensor<32x4xf32, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp"
        " = [32, 1], warpsPerCTA = [1, 1], order = [1, 0]}>>")
COLUMNS = ("tensor<32x4xf32, #ttg.blocked<{sizePerThread = [4, 1], "
           "threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [0, 1]}>>")
TILE = ("!ttg.memdesc<32x4xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, "
        "maxPhase = 4, order = [1, 0]}>, #smem>")


def check_layouts(test):
    """Documents of `layout`: one, and two that are equal, differ, or move."""
    lanes = "(4,32):(1,4) as (register, lane) -> (offset)"
    for words in (["Sw<3,0,3> o 0 o (8,8):(8,1)", "--at=d0=3", "--element=5"],
                  ["composition((4,6,8):(2,3,5), 6:3)"],
                  ["complement((2,2):(1,6), 24)"], ["f32[3,10]{1,0:T(2,4)}"],
                  [lanes, "--type=f32", "--space=shared"],
                  [lanes, "--type=f32", "--space=global"],
                  [ROWS, COLUMNS, "--through=" + TILE], [ROWS, TILE],
                  [ROWS, "f32[32,4]{1,0}"], ["f32[4,8]{1,0}", "f32[4,8]{0,1}"],
                  ["(2,2):(1,2)", "4:1"], ["4:1", "5:1"],
                  [module("layouts.ttgir")],
                  [ROWS, COLUMNS, "--search=conflicts"],
                  ["32:1 as (lane) -> (e)", "(32,2):(1,32) as (lane, register)"
                   " -> (e)"]):
        test.check_both("layout", words)
