// RUN: indexical-opt --indexical-annotate-maps=composed=true %s | FileCheck %s
// RUN: indexical-opt --indexical-annotate-maps=composed=true \
// RUN:   --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @main
// CHECK-SAME: argument = 0 : i64, maps = [#indexical.map<"(d0, d1) -> (d1 * 2 + 1, d0), domain: d0 in [0, 2], d1 in [0, 3]">]
// CHECK-SAME: argument = 1 : i64, maps = [#indexical.map<"(d0, d1) -> (), domain: d0 in [0, 2], d1 in [0, 3]">]
// GENERIC: "func.func"() <{
// GENERIC: indexical.maps = [
func.func @main(%x: tensor<9x3xf32>, %p: i1) -> tensor<3x4xf32> {
  %slice = tensor.extract_slice %x[1, 0] [4, 3] [2, 1]
      : tensor<9x3xf32> to tensor<4x3xf32>
  %into = tensor.empty() : tensor<3x4xf32>
  %turned = linalg.transpose ins(%slice : tensor<4x3xf32>)
                             outs(%into : tensor<3x4xf32>)
                             permutation = [1, 0]
  %sum = arith.addf %turned, %turned : tensor<3x4xf32>
  %r = arith.select %p, %turned, %sum : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
