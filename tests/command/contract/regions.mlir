func.func @main(%x: tensor<4xf32>, %w: tensor<9xf32>, %i: tensor<i32>,
                %u: tensor<?x4xf32>, %l: tensor<1xi64>)
    -> (tensor<4xf32>, tensor<?xf32>) {
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%sum = %x, %at = %i) : tensor<4xf32>, tensor<i32>
    cond {
      %more = stablehlo.compare LT, %at, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %part = stablehlo.dynamic_slice %w, %at, sizes = [4] : (tensor<9xf32>, tensor<i32>) -> tensor<4xf32>
      %next = stablehlo.add %sum, %part : tensor<4xf32>
      stablehlo.return %next, %at : tensor<4xf32>, tensor<i32>
    }
  %flat = stablehlo.dynamic_reshape %u, %l : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<?xf32>
  %back = stablehlo.reverse %flat, dims = [0] : tensor<?xf32>
  return %r#0, %back : tensor<4xf32>, tensor<?xf32>
}
