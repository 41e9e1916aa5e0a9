// RUN: indexical-opt --split-input-file --verify-diagnostics \
// RUN:   --indexical-lower-to-affine=most-elements=100 %s

// What cannot be loops over memory is an error at its op.

func.func @sorted(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{`stablehlo.sort` is not lowered: it neither moves elements nor computes or reduces them one by one}}
  %r = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// expected-error @+1 {{only tensors whose sizes are known are lowered}}
func.func @open(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error @+1 {{elements of type `complex<f32>` are not lowered}}
func.func @complex(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  return %x : tensor<2xcomplex<f32>>
}

// -----

// Each step reads two elements of the one before: 2^7 of the argument.

func.func @doubled(%x: tensor<256xf32>) -> tensor<2xf32> {
  %a = stablehlo.slice %x [0:128] : (tensor<256xf32>) -> tensor<128xf32>
  %b = stablehlo.slice %x [128:256] : (tensor<256xf32>) -> tensor<128xf32>
  %0 = stablehlo.add %a, %b : tensor<128xf32>
  %c = stablehlo.slice %0 [0:64] : (tensor<128xf32>) -> tensor<64xf32>
  %d = stablehlo.slice %0 [64:128] : (tensor<128xf32>) -> tensor<64xf32>
  %1 = stablehlo.add %c, %d : tensor<64xf32>
  %e = stablehlo.slice %1 [0:32] : (tensor<64xf32>) -> tensor<32xf32>
  %f = stablehlo.slice %1 [32:64] : (tensor<64xf32>) -> tensor<32xf32>
  // expected-error @+1 {{without tensors in between, more than 100 elements would be computed for one}}
  %2 = stablehlo.add %e, %f : tensor<32xf32>
  %g = stablehlo.slice %2 [0:16] : (tensor<32xf32>) -> tensor<16xf32>
  %h = stablehlo.slice %2 [16:32] : (tensor<32xf32>) -> tensor<16xf32>
  %3 = stablehlo.add %g, %h : tensor<16xf32>
  %i = stablehlo.slice %3 [0:8] : (tensor<16xf32>) -> tensor<8xf32>
  %j = stablehlo.slice %3 [8:16] : (tensor<16xf32>) -> tensor<8xf32>
  %4 = stablehlo.add %i, %j : tensor<8xf32>
  %k = stablehlo.slice %4 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
  %l = stablehlo.slice %4 [4:8] : (tensor<8xf32>) -> tensor<4xf32>
  %5 = stablehlo.add %k, %l : tensor<4xf32>
  %m = stablehlo.slice %5 [0:2] : (tensor<4xf32>) -> tensor<2xf32>
  %n = stablehlo.slice %5 [2:4] : (tensor<4xf32>) -> tensor<2xf32>
  %6 = stablehlo.add %m, %n : tensor<2xf32>
  return %6 : tensor<2xf32>
}
