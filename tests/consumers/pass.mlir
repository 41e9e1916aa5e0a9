// Read by tests/consumers/pass: an op of its own dialect, and one of StableHLO
// whose region ends with a `return` of StableHLO.
func.func @rotated(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = shift.rotate %x by 3 : tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @summed(%x: tensor<8xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
