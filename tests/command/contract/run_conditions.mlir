// Conditions of a call and of a loop, of sizes and of elements; some cannot be
// written, and some never hold.
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: tensor<1xi64>,
                %p: tensor<?xf32>, %zero: tensor<f32>, %low: tensor<1xi64>) -> tensor<?xf32> {
  %a = func.call @sum(%x, %y) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = stablehlo.dynamic_reshape %a, %n : (tensor<?xf32>, tensor<1xi64>) -> tensor<?xf32>
  %pad = stablehlo.dynamic_pad %p, %zero, %low, %low, %low
      : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %s = stablehlo.add %r, %pad : tensor<?xf32>
  return %s : tensor<?xf32>
}
func.func private @sum(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %s = stablehlo.add %x, %y : tensor<?xf32>
  return %s : tensor<?xf32>
}
func.func private @never(%x: tensor<?xf32>) -> tensor<4xf32> {
  %a = stablehlo.reshape %x : (tensor<?xf32>) -> tensor<3xf32>
  %b = stablehlo.reshape %x : (tensor<?xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
