// One head of causal attention over a cache of 128 keys and values, one token a
// step, as a JAX program lowers it: the new key and value are put into the
// cache, scores of what is past are cut off, a softmax, the weighted sum. Try
//
//   indexical dump examples/attention.mlir --instruction=scores
//   indexical dump examples/attention.mlir --computation=main
//   indexical dump examples/attention.mlir --from=weighted --to=keys
//   indexical dump examples/attention.mlir --computation=main.while.0.body

module @jit_decode attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%query: tensor<4x64xf32>, %keys: tensor<128x4x64xf32>,
                         %values: tensor<128x4x64xf32>, %new_key: tensor<4x64xf32>,
                         %new_value: tensor<4x64xf32>, %position: tensor<i32>)
      -> (tensor<4x64xf32>, tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %steps = stablehlo.constant dense<8> : tensor<i32>
    %none = stablehlo.constant dense<0.0> : tensor<f32>
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>

    // The new row of the cache.
    %key_row = stablehlo.reshape %new_key : (tensor<4x64xf32>) -> tensor<1x4x64xf32>
    %all_keys = stablehlo.dynamic_update_slice %keys, %key_row, %position, %zero, %zero
        : (tensor<128x4x64xf32>, tensor<1x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<128x4x64xf32>
    %value_row = stablehlo.reshape %new_value : (tensor<4x64xf32>) -> tensor<1x4x64xf32>
    %all_values = stablehlo.dynamic_update_slice %values, %value_row, %position, %zero, %zero
        : (tensor<128x4x64xf32>, tensor<1x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<128x4x64xf32>

    // Scores of the past.
    %scores = stablehlo.dot_general %query, %all_keys, batching_dims = [0] x [1], contracting_dims = [1] x [2]
        : (tensor<4x64xf32>, tensor<128x4x64xf32>) -> tensor<4x128xf32> loc("jit(decode)/dot_general"("model.py":31:0))
    %index = stablehlo.iota dim = 1 : tensor<4x128xi32>
    %now = stablehlo.broadcast_in_dim %position, dims = [] : (tensor<i32>) -> tensor<4x128xi32>
    %past = stablehlo.compare LE, %index, %now, SIGNED : (tensor<4x128xi32>, tensor<4x128xi32>) -> tensor<4x128xi1>
    %nothing = stablehlo.broadcast_in_dim %least, dims = [] : (tensor<f32>) -> tensor<4x128xf32>
    %masked = stablehlo.select %past, %scores, %nothing : tensor<4x128xi1>, tensor<4x128xf32>

    // The softmax.
    %most = stablehlo.reduce(%masked init: %least) applies stablehlo.maximum across dimensions = [1]
        : (tensor<4x128xf32>, tensor<f32>) -> tensor<4xf32>
    %mosts = stablehlo.broadcast_in_dim %most, dims = [0] : (tensor<4xf32>) -> tensor<4x128xf32>
    %shifted = stablehlo.subtract %masked, %mosts : tensor<4x128xf32>
    %exponentials = stablehlo.exponential %shifted : tensor<4x128xf32>
    %sum = stablehlo.reduce(%exponentials init: %none) applies stablehlo.add across dimensions = [1]
        : (tensor<4x128xf32>, tensor<f32>) -> tensor<4xf32>
    %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<4xf32>) -> tensor<4x128xf32>
    %weights = stablehlo.divide %exponentials, %sums : tensor<4x128xf32>
    %weighted = stablehlo.dot_general %weights, %all_values, batching_dims = [0] x [1], contracting_dims = [1] x [0]
        : (tensor<4x128xf32>, tensor<128x4x64xf32>) -> tensor<4x64xf32>

    // A residual that is refined; the loop captures what it does not change.
    %refined:2 = stablehlo.while(%state = %weighted, %step = %zero) : tensor<4x64xf32>, tensor<i32>
      cond {
        %more = stablehlo.compare LT, %step, %steps, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %closer = func.call @refine(%state, %query) : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
        %next = stablehlo.add %step, %one : tensor<i32>
        stablehlo.return %closer, %next : tensor<4x64xf32>, tensor<i32>
      }
    %following = stablehlo.add %position, %one : tensor<i32>
    return %refined#0, %following : tensor<4x64xf32>, tensor<i32>
  }

  func.func private @refine(%state: tensor<4x64xf32>, %toward: tensor<4x64xf32>) -> tensor<4x64xf32> {
    %back = stablehlo.reverse %toward, dims = [0] : tensor<4x64xf32>
    %both = stablehlo.add %state, %back : tensor<4x64xf32>
    return %both : tensor<4x64xf32>
  }
}
