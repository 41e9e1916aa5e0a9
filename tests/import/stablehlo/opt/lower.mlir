// RUN: indexical-opt --indexical-lower-to-affine %s | FileCheck %s

// A list of numbers is a global of the module.

// CHECK: memref.global "private" constant @indexical_constant

// A transpose and an elementwise op: one read, through the composed map.

// CHECK-LABEL: func.func @negated(
// CHECK-SAME: %[[X:.*]]: memref<2x3xf32>, %[[R:.*]]: memref<3x2xf32>) {
// CHECK-NEXT: affine.parallel (%[[I:.*]], %[[J:.*]]) = (0, 0) to (3, 2) {
// CHECK-NEXT:   %[[E:.*]] = affine.load %[[X]][%[[J]], %[[I]]]
// CHECK-NEXT:   %[[N:.*]] = arith.negf %[[E]] : f32
// CHECK-NEXT:   affine.store %[[N]], %[[R]][%[[I]], %[[J]]]
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @negated(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %r = stablehlo.negate %t : tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// Reshapes that undo each other leave nothing; a slice of padding is padding.

// CHECK-LABEL: func.func @gone(
// CHECK: affine.load %{{.*}}[%{{[^,+]*}}, %{{[^,+]*}}] : memref<4x6xi32>
// CHECK-NOT: affine.load
// CHECK: arith.constant 7 : i32
// CHECK-NOT: affine.load
// CHECK: return
func.func @gone(%x: tensor<4x6xi32>) -> (tensor<4x6xi32>, tensor<2x6xi32>) {
  %flat = stablehlo.reshape %x : (tensor<4x6xi32>) -> tensor<24xi32>
  %back = stablehlo.reshape %flat : (tensor<24xi32>) -> tensor<4x6xi32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %padded = stablehlo.pad %x, %seven, low = [3, 0], high = [0, 0], interior = [0, 0]
      : (tensor<4x6xi32>, tensor<i32>) -> tensor<7x6xi32>
  %edge = stablehlo.slice %padded [0:2, 0:6] : (tensor<7x6xi32>) -> tensor<2x6xi32>
  return %back, %edge : tensor<4x6xi32>, tensor<2x6xi32>
}

// An index is read, clamped, and the element loaded there.

// CHECK-LABEL: func.func @picked(
// CHECK: affine.load
// CHECK: arith.extui {{.*}} : i8 to i64
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: memref.load
func.func @picked(%x: tensor<8xf32>, %at: tensor<ui8>) -> tensor<2xf32> {
  %r = stablehlo.dynamic_slice %x, %at, sizes = [2]
      : (tensor<8xf32>, tensor<ui8>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// A reduction is a loop that carries its sum.

// CHECK-LABEL: func.func @sums(
// CHECK: affine.parallel
// CHECK: affine.for %{{.*}} = 0 to 3 iter_args
// CHECK-NOT: affine.parallel
// CHECK: affine.store
func.func @sums(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.multiply %x, %c : tensor<2x3xf32>
  %r = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
