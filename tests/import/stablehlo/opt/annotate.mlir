// RUN: indexical-opt --indexical-annotate-maps --split-input-file %s \
// RUN:   | FileCheck %s
// RUN: indexical-opt --indexical-annotate-maps=input-to-output=true \
// RUN:   --split-input-file %s | FileCheck %s --check-prefix=USERS

// CHECK-LABEL: func.func @transpose
// CHECK: linalg.transpose
// CHECK-SAME: indexical.maps = [
// CHECK-SAME: {maps = [#indexical.map<"(d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 1]">], operand = 0 : i64, precision = "exact", result = 0 : i64}
// The init is not read.
// CHECK-SAME: {maps = [], operand = 1 : i64, precision = "exact", result = 0 : i64}
// USERS-LABEL: func.func @transpose
// USERS: #indexical.map<"(d0, d1) -> (d1, d0), domain: d0 in [0, 1], d1 in [0, 2]">
func.func @transpose(%x: tensor<2x3xf32>, %into: tensor<3x2xf32>)
    -> tensor<3x2xf32> {
  %r = linalg.transpose ins(%x : tensor<2x3xf32>)
                        outs(%into : tensor<3x2xf32>) permutation = [1, 0]
  return %r : tensor<3x2xf32>
}

// -----

// An index that is an operand is a runtime variable.
// CHECK-LABEL: func.func @slice
// CHECK: tensor.extract_slice
// CHECK-SAME: #indexical.map<"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 6]">]
// CHECK-SAME: #indexical.map<"(d0) -> (), domain: d0 in [0, 3]">
func.func @slice(%x: tensor<10xf32>, %i: index) -> tensor<4xf32> {
  %r = tensor.extract_slice %x[%i] [4] [1] : tensor<10xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Calls are composed through.
// CHECK-LABEL: func.func @caller
// CHECK: call @reversed
// CHECK-SAME: #indexical.map<"(d0) -> (-d0 + 7), domain: d0 in [0, 7]">
func.func @caller(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = call @reversed(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @reversed(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = stablehlo.reverse %x, dims = [0] : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// An op that nothing is known of reads its operands whole.
// CHECK-LABEL: func.func @unknown
// CHECK: stablehlo.custom_call @some.op
// CHECK-SAME: precision = "opaque"
module {
  func.func @unknown(%x: tensor<8xf32>) -> tensor<8xf32> {
    %r = "stablehlo.custom_call"(%x) {call_target_name = "some.op"}
        : (tensor<8xf32>) -> tensor<8xf32>
    return %r : tensor<8xf32>
  }
}
