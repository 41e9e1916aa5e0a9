// RUN: indexical-opt --indexical-annotate-maps --split-input-file %s \
// RUN:   | FileCheck %s

// Ops of regions are annotated too: what they read of their own operands,
// arguments of the region or values from around it.
// CHECK-LABEL: func.func @loop
// CHECK: stablehlo.while
// CHECK: stablehlo.dynamic_slice
// CHECK-SAME: {maps = [#indexical.map<"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 5]">], operand = 0 : i64, precision = "exact", result = 0 : i64}
// CHECK: stablehlo.reverse
// CHECK-SAME: #indexical.map<"(d0) -> (-d0 + 3), domain: d0 in [0, 3]">
func.func @loop(%x: tensor<4xf32>, %w: tensor<9xf32>, %i: tensor<i32>)
    -> tensor<4xf32> {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%sum = %x, %at = %i) : tensor<4xf32>, tensor<i32>
    cond {
      %more = stablehlo.compare LT, %at, %three
          : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %part = stablehlo.dynamic_slice %w, %at, sizes = [4]
          : (tensor<9xf32>, tensor<i32>) -> tensor<4xf32>
      %turned = stablehlo.reverse %part, dims = [0] : tensor<4xf32>
      %next = stablehlo.add %sum, %turned : tensor<4xf32>
      %then = stablehlo.add %at, %at : tensor<i32>
      stablehlo.return %next, %then : tensor<4xf32>, tensor<i32>
    }
  return %r#0 : tensor<4xf32>
}

// -----

// Regions in regions.
// CHECK-LABEL: func.func @nested
// CHECK: "stablehlo.if"
// CHECK: "stablehlo.if"
// CHECK: stablehlo.slice
// CHECK-SAME: #indexical.map<"(d0) -> (d0 + 2), domain: d0 in [0, 1]">
func.func @nested(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<2xf32>)
    -> tensor<2xf32> {
  %r = "stablehlo.if"(%p) ({
    %q = "stablehlo.if"(%p) ({
      %s = stablehlo.slice %x [2:4] : (tensor<4xf32>) -> tensor<2xf32>
      stablehlo.return %s : tensor<2xf32>
    }, {
      stablehlo.return %y : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    stablehlo.return %q : tensor<2xf32>
  }, {
    stablehlo.return %y : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// The body of a reduction has tensors of rank 0; that of a linalg op has
// scalars, which say nothing.
// CHECK-LABEL: func.func @bodies
// CHECK: stablehlo.reduce
// CHECK: stablehlo.custom_call
// CHECK-SAME: #indexical.map<"() -> ()">], operand = 0 : i64, precision = "opaque"
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK-NOT: indexical.maps
// CHECK: linalg.yield
func.func @bodies(%x: tensor<4x8xf32>, %z: tensor<f32>, %o: tensor<4x8xf32>)
    -> tensor<4xf32> {
  %r = "stablehlo.reduce"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.custom_call @some.op(%a, %b)
        : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) {dimensions = array<i64: 1>}
      : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4xf32>
}
