// RUN: indexical-opt --split-input-file --verify-diagnostics \
// RUN:   --indexical-annotate-maps %s

// What MLIR's verifier refuses of gather and scatter, with its place.

func.func @order(%x: tensor<4x5x6xf32>, %i: tensor<1x2xindex>) {
  // expected-error @+1 {{gather_dims values must be strictly increasing}}
  %r = tensor.gather %x[%i] gather_dims([2, 0])
      : (tensor<4x5x6xf32>, tensor<1x2xindex>) -> tensor<1x1x5x1xf32>
  return
}

// -----

func.func @shape(%x: tensor<4x5x6xf32>, %i: tensor<1x2xindex>) {
  // expected-error @+1 {{result type mismatch}}
  %r = tensor.gather %x[%i] gather_dims([0, 2])
      : (tensor<4x5x6xf32>, tensor<1x2xindex>) -> tensor<1x7xf32>
  return
}

// -----

func.func @unique(%s: tensor<1x5xf32>, %x: tensor<4x5x6xf32>,
                  %i: tensor<1x2xindex>) {
  // expected-error @+1 {{requires 'unique' attribute to be set}}
  %r = tensor.scatter %s into %x[%i] scatter_dims([0, 2])
      : (tensor<1x5xf32>, tensor<4x5x6xf32>, tensor<1x2xindex>)
      -> tensor<4x5x6xf32>
  return
}
