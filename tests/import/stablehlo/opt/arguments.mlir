// RUN: indexical-opt --indexical-annotate-maps="composed=true arguments={dense<3> : tensor<i64>, tensor<3x4xf32>}" %s \
// RUN:   | FileCheck %s
// RUN: indexical-opt --indexical-annotate-maps="arguments={dense<2> : tensor<i64>, tensor<2x4xf32>}" %s \
// RUN:   | FileCheck %s --check-prefix=OPS
// RUN: (indexical-opt --indexical-annotate-maps="arguments={tensor<i64>, tensor<3x5xf32>}" %s 2>&1 || true) \
// RUN:   | FileCheck %s --check-prefix=SHAPE
// RUN: (indexical-opt --indexical-annotate-maps="arguments={tensor<i64>}" %s 2>&1 || true) \
// RUN:   | FileCheck %s --check-prefix=COUNT
// RUN: (indexical-opt --indexical-annotate-maps="arguments={tensor<i64> tensor<3x4xf32>}" %s 2>&1 || true) \
// RUN:   | FileCheck %s --check-prefix=COMMA
// RUN: (indexical-opt --indexical-annotate-maps="arguments={7 : i64, tensor<3x4xf32>}" %s 2>&1 || true) \
// RUN:   | FileCheck %s --check-prefix=KIND

// With the arguments, all sizes are known.
// CHECK-LABEL: func.func @main
// CHECK-SAME: argument = 1 : i64, maps = [#indexical.map<"(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [0, 11]">], precision = "exact"
// OPS-LABEL: func.func @main
// OPS: stablehlo.dynamic_reshape
// OPS-SAME: #indexical.map<"(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [0, 7]">
// SHAPE: the argument f32[3,5] does not fit parameter `{{[a-z0-9]*}}`, f32[?,4]
// COUNT: 1 arguments for 2 parameters
// COMMA: a comma would stand before `tensor<3x4xf32>`
// KIND: argument 0 would be a type or a constant
func.func @main(%n: tensor<i64>, %x: tensor<?x4xf32>) -> tensor<?xf32> {
  %four = stablehlo.constant dense<4> : tensor<i64>
  %size = stablehlo.multiply %n, %four : tensor<i64>
  %list = stablehlo.reshape %size : (tensor<i64>) -> tensor<1xi64>
  %r = stablehlo.dynamic_reshape %x, %list
      : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
