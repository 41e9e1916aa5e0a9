#!/usr/bin/env python3
"""Pipelines of mlir-opt's own passes over modules, each pass checked.

  mlir_opt_passes_test.py INDEXICAL MLIR_OPT

Every pipeline writes a dump after each of its passes. `indexical passes
--values` then says of each pass whether what is computed is the same. Where a
pass is not decided, PIPELINES says so, and the answer names the cause. One
mistake is made in the last dump of each pipeline: it must never be the same,
and is mostly found.

Without mlir-opt nothing is tested, and the test says so.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

MODULES = {
    # A layer: product, bias, maximum with 0.
    "layer": """
func.func @main(%a: tensor<8x12xTYPE>, %b: tensor<12x16xTYPE>,
                %bias: tensor<16xTYPE>) -> tensor<8x16xTYPE> {
  %zero = arith.constant ZERO : TYPE
  %e = tensor.empty() : tensor<8x16xTYPE>
  %f = linalg.fill ins(%zero : TYPE) outs(%e : tensor<8x16xTYPE>)
      -> tensor<8x16xTYPE>
  %m = linalg.matmul
      ins(%a, %b : tensor<8x12xTYPE>, tensor<12x16xTYPE>)
      outs(%f : tensor<8x16xTYPE>) -> tensor<8x16xTYPE>
  %w = linalg.broadcast ins(%bias : tensor<16xTYPE>)
      outs(%e : tensor<8x16xTYPE>) dimensions = [0]
  %s = linalg.add ins(%m, %w : tensor<8x16xTYPE>, tensor<8x16xTYPE>)
      outs(%e : tensor<8x16xTYPE>) -> tensor<8x16xTYPE>
  %r = linalg.max ins(%s, %f : tensor<8x16xTYPE>, tensor<8x16xTYPE>)
      outs(%e : tensor<8x16xTYPE>) -> tensor<8x16xTYPE>
  return %r : tensor<8x16xTYPE>
}
""",
    # Rows less their maximum, and the sum of each.
    "rows": """
func.func @main(%x: tensor<6x10xf32>) -> (tensor<6x10xf32>, tensor<6xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<6xf32>
  %e = tensor.empty() : tensor<6x10xf32>
  %fl = linalg.fill ins(%low : f32) outs(%er : tensor<6xf32>) -> tensor<6xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%er : tensor<6xf32>) -> tensor<6xf32>
  %m = linalg.reduce ins(%x : tensor<6x10xf32>) outs(%fl : tensor<6xf32>)
      dimensions = [1] (%a: f32, %b: f32) {
    %c = arith.maximumf %a, %b : f32
    linalg.yield %c : f32
  }
  %w = linalg.broadcast ins(%m : tensor<6xf32>) outs(%e : tensor<6x10xf32>)
      dimensions = [1]
  %d = linalg.sub ins(%x, %w : tensor<6x10xf32>, tensor<6x10xf32>)
      outs(%e : tensor<6x10xf32>) -> tensor<6x10xf32>
  %p = linalg.exp ins(%d : tensor<6x10xf32>) outs(%e : tensor<6x10xf32>)
      -> tensor<6x10xf32>
  %s = linalg.reduce ins(%p : tensor<6x10xf32>) outs(%fz : tensor<6xf32>)
      dimensions = [1] (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  }
  return %p, %s : tensor<6x10xf32>, tensor<6xf32>
}
""",
    # Elementwise ops on whole tensors, a transposition, dimensions of size 1.
    "shapes": """
func.func @main(%x: tensor<4x1x6xi32>, %y: tensor<6x4xi32>) -> tensor<4x6xi32> {
  %two = arith.constant dense<2> : tensor<4x6xi32>
  %e = tensor.empty() : tensor<4x6xi32>
  %c = tensor.collapse_shape %x [[0, 1], [2]]
      : tensor<4x1x6xi32> into tensor<4x6xi32>
  %t = linalg.transpose ins(%y : tensor<6x4xi32>) outs(%e : tensor<4x6xi32>)
      permutation = [1, 0]
  %a = arith.addi %c, %t : tensor<4x6xi32>
  %m = arith.muli %a, %two : tensor<4x6xi32>
  %s = tensor.extract_slice %m[0, 2] [4, 3] [1, 1]
      : tensor<4x6xi32> to tensor<4x3xi32>
  %r = tensor.insert_slice %s into %c[0, 0] [4, 3] [1, 1]
      : tensor<4x3xi32> into tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}
""",
    # What is padded, concatenated and cut.
    "parts": """
func.func @main(%x: tensor<5x4xi32>, %y: tensor<3x4xi32>) -> tensor<9x4xi32> {
  %k = arith.constant 7 : i32
  %c = tensor.concat dim(0) %x, %y
      : (tensor<5x4xi32>, tensor<3x4xi32>) -> tensor<8x4xi32>
  %p = tensor.pad %c low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %k : i32
  } : tensor<8x4xi32> to tensor<9x4xi32>
  return %p : tensor<9x4xi32>
}
""",
    # A loop of any number of trips, with an invariant in it.
    "trips": """
func.func @main(%x: tensor<8x12xi32>, %w: tensor<8x12xi32>, %n: index)
    -> tensor<8x12xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant dense<2> : tensor<8x12xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x)
      -> (tensor<8x12xi32>) {
    %e = tensor.empty() : tensor<8x12xi32>
    %v = arith.muli %w, %two : tensor<8x12xi32>
    %s = linalg.add ins(%a, %v : tensor<8x12xi32>, tensor<8x12xi32>)
        outs(%e : tensor<8x12xi32>) -> tensor<8x12xi32>
    %m = linalg.max ins(%s, %w : tensor<8x12xi32>, tensor<8x12xi32>)
        outs(%e : tensor<8x12xi32>) -> tensor<8x12xi32>
    scf.yield %m : tensor<8x12xi32>
  }
  return %r : tensor<8x12xi32>
}
""",
    # Rows of affine, one after the other, of which one operand's are turned.
    "affine": """
func.func @main(%x: tensor<6x8xi32>, %y: tensor<6x8xi32>) -> tensor<6x8xi32> {
  %e = tensor.empty() : tensor<6x8xi32>
  %r = affine.for %i = 0 to 6 iter_args(%a = %e) -> (tensor<6x8xi32>) {
    %q = affine.for %j = 0 to 8 step 2 iter_args(%b = %a)
        -> (tensor<6x8xi32>) {
      %k = affine.apply affine_map<(d0) -> (5 - d0)>(%i)
      %s = tensor.extract_slice %x[%k, %j] [1, 2] [1, 1]
          : tensor<6x8xi32> to tensor<1x2xi32>
      %t = tensor.extract_slice %y[%i, %j] [1, 2] [1, 1]
          : tensor<6x8xi32> to tensor<1x2xi32>
      %u = arith.subi %s, %t : tensor<1x2xi32>
      %v = tensor.insert_slice %u into %b[%i, %j] [1, 2] [1, 1]
          : tensor<1x2xi32> into tensor<6x8xi32>
      affine.yield %v : tensor<6x8xi32>
    }
    affine.yield %q : tensor<6x8xi32>
  }
  return %r : tensor<6x8xi32>
}
""",
    # Ops of tosa.
    "tosa": """
func.func @main(%x: tensor<4x6xi32>, %y: tensor<4x6xi32>)
    -> (tensor<6x4xi32>, tensor<4x1xi32>) {
  %a = tosa.add %x, %y : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>
  %b = tosa.maximum %a, %y
      : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>
  %t = tosa.transpose %b {perms = array<i32: 1, 0>}
      : (tensor<4x6xi32>) -> tensor<6x4xi32>
  %s = tosa.reduce_sum %a {axis = 1 : i32}
      : (tensor<4x6xi32>) -> tensor<4x1xi32>
  return %t, %s : tensor<6x4xi32>, tensor<4x1xi32>
}
""",
    # Calls of two functions that are the same.
    "calls": """
func.func private @twice(%x: tensor<4xi32>, %unused: tensor<9xi32>)
    -> tensor<4xi32> {
  %r = arith.addi %x, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func private @double(%x: tensor<4xi32>, %unused: tensor<9xi32>)
    -> tensor<4xi32> {
  %r = arith.addi %x, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}
func.func @main(%x: tensor<4xi32>, %u: tensor<9xi32>) -> tensor<4xi32> {
  %a = call @twice(%x, %u) : (tensor<4xi32>, tensor<9xi32>) -> tensor<4xi32>
  %b = call @double(%x, %u) : (tensor<4xi32>, tensor<9xi32>) -> tensor<4xi32>
  %r = arith.muli %a, %b : tensor<4xi32>
  return %r : tensor<4xi32>
}
""",
    # A branch, a bias of one number, and what does not depend on the branch.
    "branch": """
func.func @main(%p: i1, %x: tensor<4x6xi32>, %b: tensor<i32>)
    -> tensor<4x6xi32> {
  %e = tensor.empty() : tensor<4x6xi32>
  %one = arith.constant dense<1> : tensor<4x6xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
      affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4x6xi32>, tensor<i32>)
      outs(%e : tensor<4x6xi32>) {
  ^bb0(%i: i32, %j: i32, %o: i32):
    %k = arith.addi %i, %j : i32
    linalg.yield %k : i32
  } -> tensor<4x6xi32>
  %m = arith.muli %s, %x : tensor<4x6xi32>
  %r = scf.if %p -> (tensor<4x6xi32>) {
    %t = arith.addi %m, %one : tensor<4x6xi32>
    scf.yield %t : tensor<4x6xi32>
  } else {
    %t = arith.addi %one, %s : tensor<4x6xi32>
    scf.yield %t : tensor<4x6xi32>
  }
  return %r : tensor<4x6xi32>
}
""",
    # Rows of a vector, reduced.
    "vector": """
func.func @main(%x: tensor<4x6xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0, %c0], %p {in_bounds = [true, true]}
      : tensor<4x6xf32>, vector<4x6xf32>
  %a = vector.transfer_read %z[%c0], %p {in_bounds = [true]}
      : tensor<4xf32>, vector<4xf32>
  %r = vector.multi_reduction <maximumf>, %v, %a [1]
      : vector<4x6xf32> to vector<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %w = vector.transfer_write %r, %e[%c0] {in_bounds = [true]}
      : vector<4xf32>, tensor<4xf32>
  return %w : tensor<4xf32>
}
""",
}
MODULES["layer.i32"] = MODULES["layer"].replace("TYPE", "i32").replace(
    "ZERO", "0")
MODULES["layer.f32"] = MODULES.pop("layer").replace("TYPE", "f32").replace(
    "ZERO", "0.0")


def transform(body):
    """A pass that runs these lines on %module; %product is the product."""
    return ("transform", """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %module: !transform.any_op {transform.consumed}) {
    """ + body.replace("op<>", "!transform.any_op") + """
    transform.yield
  }
}
""")


def matched(name, number=0):
    return ('%%%s%s = transform.structured.match ops{["linalg.%s"]} in '
            "%%module : (op<>) -> op<>\n" %
            (name, number or "", name.split(".")[-1]))


TILE = matched("matmul") + (
    "%t, %l:3 = transform.structured.tile_using_for %matmul "
    "tile_sizes [4, 8, 6] : (op<>) -> (op<>, op<>, op<>, op<>)")
TILE_ROWS = matched("matmul") + (
    "%t, %l = transform.structured.tile_using_for %matmul "
    "tile_sizes [4] : (op<>) -> (op<>, op<>)")
TILE_UNEVEN = matched("matmul") + (
    "%t, %l:2 = transform.structured.tile_using_for %matmul "
    "tile_sizes [3, 7] : (op<>) -> (op<>, op<>, op<>)")
THREADS = matched("matmul") + (
    "%t, %l = transform.structured.tile_using_forall %matmul "
    "num_threads [4, 2] : (op<>) -> (op<>, op<>)")
THREADS_UNEVEN = matched("matmul") + (
    "%t, %l = transform.structured.tile_using_forall %matmul "
    "tile_sizes [3, 8] : (op<>) -> (op<>, op<>)")
FUSE = matched("max") + (
    "%t, %l:2 = transform.structured.fuse %max tile_sizes [4, 8] "
    ": (op<>) -> (op<>, op<>, op<>)")
INTERCHANGE = matched("generic") + (
    "%t = transform.structured.interchange %generic "
    "iterator_interchange = [1, 2, 0] : (op<>) -> op<>")
PACK = matched("matmul") + (
    "%t = transform.structured.pack %matmul packed_sizes = [4, 4, 3] "
    ": (op<>) -> (op<>)")
VECTORIZE = (
    '%f = transform.structured.match ops{["func.func"]} in %module '
    ": (op<>) -> op<>\n"
    "%v = transform.structured.vectorize_children_and_apply_patterns %f "
    ": (op<>) -> op<>")
SPLIT = matched("matmul") + (
    "%a, %b, %c, %d = transform.structured.split_reduction %matmul "
    "{split_factor = 3, insert_split_dimension = 0} "
    ": (op<>) -> (op<>, op<>, op<>, op<>)")

# Name, module, passes, a mistake (a pattern of the last dump, and what stands
# there instead), and the passes that are not decided.
PIPELINES = [
    ("clean up", "layer.i32", ["canonicalize", "cse"],
     (r"linalg.add", "linalg.sub")),
    ("generic forms", "layer.f32",
     ["linalg-generalize-named-ops", "canonicalize"],
     (r"arith.addf", "arith.mulf")),
    ("fused", "layer.f32",
     ["linalg-generalize-named-ops", "linalg-fuse-elementwise-ops", "cse"],
     (r"\(d0, d1\) -> \(d1\)", "(d0, d1) -> (d0)")),
    ("tiled", "layer.i32", [transform(TILE), "canonicalize", "cse"],
     (r"extract_slice %arg0\[%arg\d+, (%arg\d+)\]",
      r"extract_slice %arg0[%c0, \1]")),
    ("tiled rows", "layer.f32", [transform(TILE_ROWS), "canonicalize"],
     (r"extract_slice %arg0\[%arg\d+, 0\]", "extract_slice %arg0[%c4, 0]")),
    ("uneven tiles", "layer.i32", [transform(TILE_UNEVEN), "canonicalize"],
     (r"step %c3", "step %c4")),
    ("peeled", "layer.i32",
     [transform(TILE_UNEVEN), "scf-for-loop-peeling", "canonicalize"],
     (r"step %c7", "step %c8")),
    ("threads", "layer.f32", [transform(THREADS), "canonicalize", "cse"],
     (r"\(d0\) -> \(d0 \* 2\)", "(d0) -> (d0)")),
    ("uneven threads", "layer.i32",
     [transform(THREADS_UNEVEN), "canonicalize", "cse"],
     (r"linalg.max", "linalg.min")),
    ("loops as whiles", "layer.i32",
     [transform(TILE_ROWS), "scf-for-to-while", "canonicalize"],
     (r"cmpi slt", "cmpi sle")),
    ("hoisted", "layer.i32",
     [transform(TILE), "loop-invariant-code-motion",
      "loop-invariant-subset-hoisting", "canonicalize"],
     (r"to %c12 step", "to %c6 step")),
    ("fused tiles", "layer.f32", [transform(FUSE), "canonicalize", "cse"],
     (r"linalg.max", "linalg.min")),
    ("interchanged", "layer.i32",
     ["linalg-generalize-named-ops", transform(
         '%generic = transform.structured.match ops{["linalg.generic"]} '
         "attributes{iterator_types = [#linalg.iterator_type<parallel>, "
         "#linalg.iterator_type<parallel>, "
         "#linalg.iterator_type<reduction>]} in %module : (op<>) -> op<>\n"
         "%t = transform.structured.interchange %generic "
         "iterator_interchange = [1, 2, 0] : (op<>) -> op<>")],
     (r"arith.muli", "arith.addi")),
    ("packed", "layer.i32", [transform(PACK), "canonicalize"],
     (r"inner_dims_pos = \[0, 1\]", "inner_dims_pos = [1, 0]")),
    ("packed blocks", "layer.i32",
     ["linalg-block-pack-matmul{block-factors=4,4,4}", "canonicalize"],
     (r"arith.muli|linalg.add", "arith.subi")),
    ("vectors", "layer.i32", [transform(VECTORIZE), "canonicalize", "cse"],
     (r"arith.maxsi", "arith.minsi")),
    ("vectors of floats", "layer.f32",
     [transform(VECTORIZE), "canonicalize", "cse"],
     (r"arith.maximumf", "arith.minimumf")),
    ("vectors of tiles", "layer.i32",
     [transform(TILE), transform(VECTORIZE), "canonicalize"],
     (r"transfer_read %arg0\[(%\S+), (%\S+)\]", r"transfer_read %arg0[\1, %c0]")),
    ("split sums", "layer.i32", [transform(SPLIT), "canonicalize"],
     (r"arith.addi", "arith.subi")),
    ("rows in generic form", "rows",
     ["linalg-generalize-named-ops", "linalg-fuse-elementwise-ops",
      "canonicalize"],
     (r"math.exp", "math.exp2")),
    ("rows as vectors", "rows", [transform(VECTORIZE), "canonicalize"],
     (r"arith.subf", "arith.addf")),
    ("elementwise ops", "shapes",
     ["convert-elementwise-to-linalg", "linalg-generalize-named-ops",
      "linalg-fuse-elementwise-ops", "canonicalize"],
     (r"arith.addi", "arith.subi")),
    ("unit dimensions", "shapes",
     ["convert-elementwise-to-linalg", "linalg-fold-unit-extent-dims",
      "fold-tensor-subset-ops", "cse"],
     (r"\[0, 2\]", "[0, 1]")),
    ("padding as loops", "parts",
     ["convert-tensor-to-linalg", "canonicalize", "cse"],
     (r"\[1, 0\]", "[0, 0]")),
    ("trips", "trips",
     ["loop-invariant-code-motion", "linalg-generalize-named-ops",
      "linalg-fuse-elementwise-ops"],
     (r"arith.muli", "arith.addi")),
    ("elementwise trips", "trips",
     ["convert-elementwise-to-linalg", "linalg-generalize-named-ops",
      "linalg-fuse-elementwise-ops", "loop-invariant-code-motion"],
     (r"to %arg2 step %c1", "to %c1 step %c1")),
    ("trips as whiles", "trips",
     ["scf-for-to-while", "test-scf-uplift-while-to-for"],
     (r"linalg.max", "linalg.min")),
    ("named forms", "trips",
     ["linalg-morph-ops{named-to-category}",
      "linalg-morph-ops{category-to-generic}", "linalg-specialize-generic-ops"],
     (r"dense<2>", "dense<3>")),
    ("loops of affine", "affine",
     ["affine-simplify-structures", "affine-loop-normalize",
      "func affine-loop-unroll{unroll-factor=2}", "lower-affine"],
     (r"arith.subi %extracted", "arith.addi %extracted")),
    ("one loop of affine", "affine",
     ["affine-loop-coalescing", "lower-affine", "sccp"],
     (r"tensor.extract_slice %arg0", "tensor.extract_slice %arg1")),
    ("loops of scf", "affine",
     ["affine-loop-invariant-code-motion", "lower-affine",
      "scf-for-loop-canonicalization",
      "test-loop-unrolling{unroll-factor=2}"],
     (r"constant 8 : index", "constant 6 : index")),
    ("ops of tosa", "tosa",
     ["tosa-make-broadcastable", "func tosa-to-linalg-named",
      "func tosa-to-linalg", "canonicalize", "linalg-fuse-elementwise-ops"],
     (r"arith.maxsi", "arith.minsi")),
    ("inlined calls", "calls", ["inline", "cse"],
     (r"arith.muli", "arith.addi")),
    ("calls of one function", "calls",
     ["duplicate-function-elimination", "remove-dead-values", "inline"],
     (r"arith.addi (%\S+), %\S+ :", r"arith.subi \1, \1 :")),
    ("branches", "branch",
     ["linalg-inline-scalar-operands", "convert-elementwise-to-linalg",
      "control-flow-sink", "linalg-fuse-elementwise-ops"],
     (r"arith.muli", "arith.addi")),
    ("a reduced vector", "vector", ["lower-vector-multi-reduction"],
     (r"maximumf", "minimumf")),
    ("a vector in order", "vector",
     ["lower-vector-multi-reduction{lowering-strategy=inner-reduction}",
      "canonicalize"],
     (r"maximumf", "minimumf")),
]


def after(mlir_opt, step, text, folder):
    """The module behind a pass."""
    if isinstance(step, tuple):
        path = os.path.join(folder, "transform.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(step[1])
        flags = ["--transform-preload-library="
                 "transform-library-paths=" + path, "--transform-interpreter"]
    elif step.startswith("func "):
        # A pass that runs on functions alone.
        flags = ["--pass-pipeline=builtin.module(func.func(%s))" % step[5:]]
    else:
        name, _, options = step.partition("{")
        flags = ["--%s%s" % (name, "=" + options.rstrip("}")
                             if options else "")]
    done = subprocess.run([mlir_opt, *flags], input=text, text=True,
                          capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit("mlir-opt %s: %s" % (flags, done.stderr[:2000]))
    return done.stdout


def verdicts(indexical, folder):
    """(number, answer, the whole of it) of each pass that changed a dump."""
    done = subprocess.run(
        [indexical, "passes", *sorted(os.path.join(folder, name)
                                      for name in os.listdir(folder)),
         "--values", "--float-laws=reassociate,zero-sign", "--format=json"],
        capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit("indexical passes: " + done.stderr[:2000])
    passes = json.loads(done.stdout)["passes"]
    return [(int(os.path.basename(each["to"])[:2]), each["answer"], each)
            for each in passes]


def write(folder, number, name, text):
    path = os.path.join(folder, "%02d.%s.mlir" % (number, name))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(indexical, mlir_opt):
    if not os.path.exists(mlir_opt):
        print("SKIPPED: there is no " + mlir_opt)
        return 0
    passes = equal = mistakes = found = 0
    problems = []
    for name, module, steps, (pattern, instead), *open_ in PIPELINES:
        undecided = set(open_[0]) if open_ else set()
        with tempfile.TemporaryDirectory() as folder:
            dumps = os.path.join(folder, "dumps")
            os.mkdir(dumps)
            texts = [MODULES[module]]
            write(dumps, 0, "begin", texts[0])
            for number, step in enumerate(steps, 1):
                texts.append(after(mlir_opt, step, texts[-1], folder))
                write(dumps, number, "pass", texts[-1])
            for number, answer, pair in verdicts(indexical, dumps):
                passes += 1
                isEqual = answer in ("equal", "fewer reads")
                equal += isEqual
                if isEqual == (number in undecided) or answer == "different":
                    problems.append("%s, pass %d: %s" % (
                        name, number, json.dumps(pair)[:1500]))
                if "-v" in sys.argv:
                    print(name, number, answer)
            wrong = re.sub(pattern, instead, texts[-1], count=1)
            if wrong == texts[-1]:
                problems.append("%s: there is no %s" % (name, pattern))
                continue
            mistake = os.path.join(folder, "mistake")
            os.mkdir(mistake)
            write(mistake, 0, "before", texts[0])
            write(mistake, 1, "after", wrong)
            (_, answer, _), = verdicts(indexical, mistake)
            mistakes += 1
            found += answer == "different"
            if answer not in ("different", "undecided"):
                problems.append("%s: the mistake is %s" % (name, answer))
            if "-v" in sys.argv:
                print(name, "mistake", answer)
    print("%d pipelines, %d passes, %d of them decided; %d of %d mistakes are "
          "different" % (len(PIPELINES), passes, equal, found, mistakes))
    print("\n".join(problems))
    return 1 if problems or found * 5 < mistakes * 2 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
