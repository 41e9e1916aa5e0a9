// RUN: indexical-opt --indexical-annotate-maps --split-input-file \
// RUN:   --verify-diagnostics %s | FileCheck %s
// RUN: indexical-opt --indexical-annotate-maps=composed=true \
// RUN:   --split-input-file --verify-diagnostics %s \
// RUN:   | FileCheck %s --check-prefix=COMPOSED

// A tensor without a rank is one element, whose op is opaque.
// CHECK-LABEL: func.func @inside
// CHECK: tensor.cast
// CHECK-SAME: #indexical.map<"()[s0] -> (s0), domain: s0 in [0, 3]">
// CHECK-SAME: precision = "opaque"
// CHECK: tensor.cast
// CHECK-SAME: precision = "opaque"
// COMPOSED-LABEL: func.func @inside
func.func @inside(%x: tensor<4xf32>) -> tensor<4xf32> {
  %u = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  %r = tensor.cast %u : tensor<*xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @caller
// CHECK: stablehlo.reverse
// CHECK-SAME: #indexical.map<"(d0) -> (-d0 + 3), domain: d0 in [0, 3]">
// CHECK: call @inside
// CHECK-SAME: #indexical.map<"(d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]">], operand = 0 : i64, precision = "opaque"
// COMPOSED-LABEL: func.func @caller
// COMPOSED-SAME: precision = "opaque"
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %turned = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
  %r = call @inside(%turned) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
