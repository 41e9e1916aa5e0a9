// Read by tests/consumers/pass: an op of its own dialect.
func.func @rotated(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = shift.rotate %x by 3 : tensor<8xf32>
  return %r : tensor<8xf32>
}
