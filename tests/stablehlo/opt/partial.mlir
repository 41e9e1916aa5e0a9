// RUN: indexical-opt --indexical-annotate-maps --split-input-file \
// RUN:   --verify-diagnostics %s | FileCheck %s
// RUN: indexical-opt --indexical-annotate-maps=composed=true \
// RUN:   --split-input-file --verify-diagnostics %s \
// RUN:   | FileCheck %s --check-prefix=COMPOSED

// A function that cannot be understood is left as it is. Where it is called, it
// is taken to read its operands whole.
// CHECK-LABEL: func.func @unranked
// CHECK: tensor.cast
// CHECK-NOT: indexical.maps
// CHECK: return
// COMPOSED-LABEL: func.func @unranked
// COMPOSED-NOT: indexical.maps
// expected-warning @+1 {{no maps: `arg0`: tensor<*xf32> has no rank}}
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  %r = tensor.cast %x : tensor<*xf32> to tensor<*xf32>
  return %r : tensor<*xf32>
}

// CHECK-LABEL: func.func @inside
// CHECK-NOT: indexical.maps
// CHECK: return
// COMPOSED-LABEL: func.func @inside
// COMPOSED-NOT: indexical.maps
// expected-warning @+1 {{no maps:}}
func.func @inside(%x: tensor<4xf32>) -> tensor<4xf32> {
  %u = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  %r = tensor.cast %u : tensor<*xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}

// The others have their maps.
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
