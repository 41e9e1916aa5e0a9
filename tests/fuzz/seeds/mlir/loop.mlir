func.func @main(%x: tensor<4x8xf32>, %i: tensor<i32>) -> tensor<8x4xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.dynamic_slice %x, %i, %c, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  %r:2 = stablehlo.while(%a = %c, %b = %x) : tensor<i32>, tensor<4x8xf32>
    cond {
      %l = stablehlo.compare LT, %a, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    } do {
      %v = stablehlo.reverse %b, dims = [1] : tensor<4x8xf32>
      stablehlo.return %a, %v : tensor<i32>, tensor<4x8xf32>
    }
  %t = stablehlo.transpose %r#1, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %t : tensor<8x4xf32>
}
