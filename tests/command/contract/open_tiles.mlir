func.func @f(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = stablehlo.reverse %a, dims = [0] : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
