// Every op of StableHLO once, and every type of VHLO: what artifact_test writes
// as an artifact in each version that an op has.
module @every_op attributes {mhlo.num_partitions = 2 : i32} {
  func.func public @one_operand(%f: tensor<4x6xf32>, %i: tensor<4x6xi32>, %c: tensor<4x6xcomplex<f32>>, %q: tensor<4x!quant.uniform<i8:f32, 0.5:3>>, %s: tensor<4xf32>) -> tensor<4x6xf32> {
    %0 = stablehlo.abs %f : tensor<4x6xf32>
    %1 = stablehlo.cbrt %0 : tensor<4x6xf32>
    %2 = stablehlo.ceil %1 : tensor<4x6xf32>
    %3 = stablehlo.convert %2 : (tensor<4x6xf32>) -> tensor<4x6xf16>
    %4 = stablehlo.cosine %2 : tensor<4x6xf32>
    %5 = stablehlo.count_leading_zeros %i : tensor<4x6xi32>
    %6 = stablehlo.exponential %4 : tensor<4x6xf32>
    %7 = stablehlo.exponential_minus_one %6 : tensor<4x6xf32>
    %8 = stablehlo.floor %7 : tensor<4x6xf32>
    %9 = stablehlo.imag %c : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %10 = stablehlo.is_finite %9 : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %11 = stablehlo.log %8 : tensor<4x6xf32>
    %12 = stablehlo.log_plus_one %11 : tensor<4x6xf32>
    %13 = stablehlo.logistic %12 : tensor<4x6xf32>
    %14 = stablehlo.negate %13 : tensor<4x6xf32>
    %15 = stablehlo.not %10 : tensor<4x6xi1>
    %16 = stablehlo.popcnt %5 : tensor<4x6xi32>
    %17 = stablehlo.real %c : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %18 = stablehlo.round_nearest_afz %17 : tensor<4x6xf32>
    %19 = stablehlo.round_nearest_even %18 : tensor<4x6xf32>
    %20 = stablehlo.rsqrt %19 : tensor<4x6xf32>
    %21 = stablehlo.sign %20 : tensor<4x6xf32>
    %22 = stablehlo.sine %21 : tensor<4x6xf32>
    %23 = stablehlo.sqrt %22 : tensor<4x6xf32>
    %24 = stablehlo.tan %23 : tensor<4x6xf32>
    %25 = stablehlo.tanh %24 : tensor<4x6xf32>
    %26 = stablehlo.uniform_dequantize %q : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4xf32>
    %27 = stablehlo.uniform_quantize %s : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
    %28 = stablehlo.reduce_precision %25, format = e5m10 : tensor<4x6xf32>
    %29 = stablehlo.bitcast_convert %28 : (tensor<4x6xf32>) -> tensor<4x6xi32>
    %30 = stablehlo.exponential %28 {result_accuracy = #stablehlo.result_accuracy<ulps = 10, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4x6xf32>
    return %30 : tensor<4x6xf32>
  }
  func.func @two_operands(%f: tensor<4x6xf32>, %i: tensor<4x6xi32>) -> tensor<4x6xf32> {
    %0 = stablehlo.add %f, %f : tensor<4x6xf32>
    %1 = stablehlo.and %i, %i : tensor<4x6xi32>
    %2 = stablehlo.atan2 %0, %f : tensor<4x6xf32>
    %3 = stablehlo.divide %2, %f : tensor<4x6xf32>
    %4 = stablehlo.maximum %3, %f : tensor<4x6xf32>
    %5 = stablehlo.minimum %4, %f : tensor<4x6xf32>
    %6 = stablehlo.multiply %5, %f : tensor<4x6xf32>
    %7 = stablehlo.or %1, %i : tensor<4x6xi32>
    %8 = stablehlo.power %6, %f : tensor<4x6xf32>
    %9 = stablehlo.remainder %8, %f : tensor<4x6xf32>
    %10 = stablehlo.shift_left %7, %i : tensor<4x6xi32>
    %11 = stablehlo.shift_right_arithmetic %10, %i : tensor<4x6xi32>
    %12 = stablehlo.shift_right_logical %11, %i : tensor<4x6xi32>
    %13 = stablehlo.subtract %9, %f : tensor<4x6xf32>
    %14 = stablehlo.xor %12, %i : tensor<4x6xi32>
    %15 = stablehlo.complex %13, %f : tensor<4x6xcomplex<f32>>
    %16 = stablehlo.compare LT, %13, %f, TOTALORDER : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %17 = stablehlo.select %16, %13, %f : tensor<4x6xi1>, tensor<4x6xf32>
    %18 = stablehlo.clamp %f, %17, %f : tensor<4x6xf32>
    return %18 : tensor<4x6xf32>
  }
  func.func @moved(%f: tensor<4x6xf32>, %s: tensor<f32>, %i: tensor<i32>, %at: tensor<3x1xi32>) -> tensor<24xf32> {
    %c = stablehlo.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi4>
    %t = stablehlo.constant dense<[true, false, true, true, false, false, true, false, true]> : tensor<9xi1>
    %z = stablehlo.constant dense<(1.0, -2.5)> : tensor<3xcomplex<f64>>
    %e = stablehlo.constant dense<> : tensor<0x3xf64>
    %0 = stablehlo.iota dim = 1 : tensor<4x6xf32>
    %1 = stablehlo.broadcast %s, sizes = [2] : (tensor<f32>) -> tensor<2xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
    %3 = stablehlo.concatenate %f, %2, dim = 1 : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
    %4 = stablehlo.dynamic_slice %3, %i, %i, sizes = [2, 3] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %5 = stablehlo.dynamic_update_slice %f, %4, %i, %i : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
    %6 = "stablehlo.gather"(%5, %at) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>, indices_are_sorted = true} : (tensor<4x6xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>
    %7 = stablehlo.pad %6, %s, low = [0, -1], high = [1, 2], interior = [0, 1] : (tensor<3x6xf32>, tensor<f32>) -> tensor<4x12xf32>
    %8 = stablehlo.slice %7 [0:4, 2:12:2] : (tensor<4x12xf32>) -> tensor<4x5xf32>
    %9 = stablehlo.reverse %8, dims = [0] : tensor<4x5xf32>
    %10 = stablehlo.transpose %f, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %11 = "stablehlo.scatter"(%f, %at, %6) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = true, unique_indices = true} : (tensor<4x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<4x6xf32>
    %one = stablehlo.constant dense<[1, 6]> : tensor<2xi32>
    %14 = "stablehlo.dynamic_gather"(%f, %at, %one) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<4x6xf32>, tensor<3x1xi32>, tensor<2xi32>) -> tensor<3x6xf32>
    %12 = "stablehlo.torch_index_select"(%f, %at) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<4x6xf32>, tensor<3x1xi32>) -> tensor<3x1x6xf32>
    %13 = stablehlo.reshape %11 : (tensor<4x6xf32>) -> tensor<24xf32>
    return %13 : tensor<24xf32>
  }
  func.func @batched(%f: tensor<4x6xf32>, %at: tensor<4x2x1xi32>, %sizes: tensor<2xi32>, %u: tensor<4x2xf32>) -> tensor<4x2xf32> {
    %0 = "stablehlo.gather"(%f, %at) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>} : (tensor<4x6xf32>, tensor<4x2x1xi32>) -> tensor<4x2xf32>
    %1 = "stablehlo.dynamic_gather"(%f, %at, %sizes) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>} : (tensor<4x6xf32>, tensor<4x2x1xi32>, tensor<2xi32>) -> tensor<4x2xf32>
    %2 = "stablehlo.scatter"(%f, %at, %u) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<4x6xf32>, tensor<4x2x1xi32>, tensor<4x2xf32>) -> tensor<4x6xf32>
    return %1 : tensor<4x2xf32>
  }
  func.func @reduced(%f: tensor<4x6xf32>, %s: tensor<f32>, %square: tensor<4x4xf32>, %n: tensor<6xf32>, %state: tensor<2xui64>, %shape: tensor<2xi64>, %z: tensor<8xcomplex<f32>>) -> tensor<4xf32> {
    %0 = "stablehlo.map"(%f, %f) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.multiply %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) {dimensions = array<i64: 0, 1>} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %1 = stablehlo.reduce(%0 init: %s) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = "stablehlo.reduce_window"(%f, %s) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 2>, window_dilations = array<i64: 2, 1>, padding = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x15xf32>
    %3 = "stablehlo.select_and_scatter"(%f, %f, %s) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %m : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) {window_dimensions = array<i64: 1, 1>} : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %4:2 = "stablehlo.sort"(%f, %f) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %m = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %m : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
    %5 = stablehlo.cholesky %square, lower = true : tensor<4x4xf32>
    %6 = "stablehlo.triangular_solve"(%5, %f) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %7 = stablehlo.fft %z, type = IFFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
    %8:3 = "stablehlo.batch_norm_training"(%6, %n, %n) {epsilon = 0.25 : f32, feature_index = 1 : i64} : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>)
    %9 = "stablehlo.batch_norm_inference"(%8#0, %n, %n, %n, %n) {epsilon = 0.5 : f32, feature_index = 1 : i64} : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
    %10:3 = "stablehlo.batch_norm_grad"(%9, %n, %n, %n, %9) {epsilon = 0.125 : f32, feature_index = 1 : i64} : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>)
    %11 = stablehlo.rng %s, %s, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x6xf32>
    %12:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
    return %1 : tensor<4xf32>
  }
  func.func @products(%a: tensor<2x4x6xf32>, %b: tensor<2x6x3xf32>, %m: tensor<4x6xf32>, %n: tensor<6x3xf32>, %image: tensor<1x8x8x4xf32>, %kernel: tensor<3x3x2x6xf32>, %padding: tensor<2x2xi64>) -> tensor<1x4x6x6xf32> {
    %0 = stablehlo.dot %m, %n, precision = [HIGH, HIGHEST] : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
    %1 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x6xf32>, tensor<2x6x3xf32>) -> tensor<2x4x3xf32>
    %2 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 2, num_primitive_operations = 3, allow_imprecise_accumulation = true>} : (tensor<2x4x6xf32>, tensor<2x6x3xf32>) -> tensor<2x4x3xf32>
    %3 = stablehlo.einsum %m, %n, config = "ab,bc->ac" : (tensor<4x6xf32>, tensor<6x3xf32>) -> tensor<4x3xf32>
    %4 = stablehlo.unary_einsum %m, config = "ab->ba" : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %5 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 0]], rhs_dilate = [1, 1], reverse = [true, false]} {feature_group_count = 2 : i64, batch_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<1x4x6x6xf32>
    %6 = "stablehlo.dynamic_conv"(%image, %kernel, %padding) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 2, 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x2x6xf32>, tensor<2x2xi64>) -> tensor<1x?x?x6xf32>
    return %5 : tensor<1x4x6x6xf32>
  }
  func.func @sizes(%x: tensor<?x6xf32>, %two: tensor<2xi64>, %s: tensor<f32>, %n: tensor<i32>, %bounded: tensor<4x?xf32, #stablehlo.bounds<?, 6>>) -> tensor<?x?xf32> {
    %0 = stablehlo.dynamic_broadcast_in_dim %x, %two, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %1 = stablehlo.dynamic_iota %two, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
    %2 = stablehlo.dynamic_pad %x, %s, %two, %two, %two : (tensor<?x6xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
    %3 = stablehlo.dynamic_reshape %2, %two : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %4 = stablehlo.real_dynamic_slice %3, %two, %two, %two : (tensor<?x?xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
    %5 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x6xf32>) -> tensor<i32>
    %6 = stablehlo.set_dimension_size %bounded, %n, dim = 1 : (tensor<4x?xf32, #stablehlo.bounds<?, 6>>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 6>>
    return %4 : tensor<?x?xf32>
  }
  func.func @controlled(%p: tensor<i1>, %i: tensor<i32>, %f: tensor<4xf32>, %token: !stablehlo.token) -> tensor<4xf32> {
    %0 = "stablehlo.if"(%p) ({
      stablehlo.return %f : tensor<4xf32>
    }, {
      %n = stablehlo.negate %f : tensor<4xf32>
      stablehlo.return %n : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %1 = "stablehlo.case"(%i) ({
      stablehlo.return %0 : tensor<4xf32>
    }, {
      stablehlo.return %f : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    %2:2 = stablehlo.while(%at = %i, %x = %1) : tensor<i32>, tensor<4xf32>
      cond {
        %less = stablehlo.compare LT, %at, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      } do {
        %next = stablehlo.add %at, %at : tensor<i32>
        stablehlo.return %next, %x : tensor<i32>, tensor<4xf32>
      }
    %3:2 = stablehlo.optimization_barrier %2#0, %2#1 : tensor<i32>, tensor<4xf32>
    %4 = stablehlo.tuple %3#0, %3#1 : tuple<tensor<i32>, tensor<4xf32>>
    %5 = stablehlo.get_tuple_element %4[1] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
    %6 = call @inner(%5) : (tensor<4xf32>) -> tensor<4xf32>
    %7 = stablehlo.composite "lib.twice" %6 {composite_attributes = {by = 2 : i64, of = "x"}, decomposition = @inner, version = 3 : i32} : (tensor<4xf32>) -> tensor<4xf32>
    %composed = stablehlo.composite "lib.regions" %7 {decomposition = @inner} ({
    ^bb0(%r: tensor<4xf32>):
      stablehlo.return %r : tensor<4xf32>
    }, {
    ^bb0(%r: tensor<4xf32>):
      %n = stablehlo.negate %r : tensor<4xf32>
      stablehlo.return %n : tensor<4xf32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %tiled = stablehlo.custom_call @tiled(%7) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>], result_tilings = [[dense<[8, 2]> : tensor<2xindex>], []]} : (tensor<4xf32>) -> tensor<4xf32>
    %8 = stablehlo.custom_call @target(%7, %i) {api_version = 4 : i32, backend_config = {a = 1 : i64}, called_computations = [@inner], has_side_effect = true, operand_layouts = [dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
    %9 = stablehlo.create_token : !stablehlo.token
    %10 = stablehlo.after_all %9, %token : !stablehlo.token
    %11:2 = "stablehlo.infeed"(%10) {infeed_config = "in", layout = [[0]]} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    %12 = "stablehlo.outfeed"(%8, %11#1) {outfeed_config = "out"} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %13 = "stablehlo.send"(%8, %12) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %14:2 = "stablehlo.recv"(%13) {channel_handle = #stablehlo.channel_handle<handle = 6, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    return %14#0 : tensor<4xf32>
  }
  func.func private @inner(%x: tensor<4xf32> {mhlo.sharding = "{replicated}", tf.aliasing_output = 0 : i32}) -> (tensor<4xf32> {jax.result_info = "r"}) {
    return %x : tensor<4xf32>
  }
  func.func @devices(%f: tensor<4x6xf32>, %token: !stablehlo.token) -> tensor<4x6xf32> {
    %0 = "stablehlo.all_gather"(%f) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 7, type = 0>, use_global_device_ids} : (tensor<4x6xf32>) -> tensor<8x6xf32>
    %1 = "stablehlo.all_reduce"(%f) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %2 = "stablehlo.all_to_all"(%1) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<2x12xf32>
    %3 = "stablehlo.collective_broadcast"(%f) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %root = stablehlo.constant dense<1> : tensor<1xi32>
    %broadcast = "stablehlo.collective_broadcast"(%f, %root) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<4x6xf32>, tensor<1xi32>) -> tensor<4x6xf32>
    %reduced = "stablehlo.collective_reduce"(%f) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %started = "stablehlo.async_start"(%f) ({
    ^bb0(%a: tensor<4x6xf32>):
      %m = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @inner, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>, #stablehlo.axis_ref<name = "y">]>} : (tensor<4x6xf32>) -> tensor<8x6xf32>
      stablehlo.return %m : tensor<8x6xf32>
    }) : (tensor<4x6xf32>) -> !stablehlo.future<tensor<8x6xf32>>
    %done = "stablehlo.async_done"(%started) : (!stablehlo.future<tensor<8x6xf32>>) -> tensor<8x6xf32>
    %meshed = "stablehlo.all_gather"(%f) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 3>], device_ids = dense<[5, 4, 3, 2, 1, 0]> : tensor<6xi64>>, axes = [#stablehlo.axis_ref<name = "x">]>} : (tensor<4x6xf32>) -> tensor<8x6xf32>
    %4 = "stablehlo.collective_permute"(%3) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 8, type = 0>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %5 = "stablehlo.cross-replica-sum"(%4) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %6 = "stablehlo.reduce_scatter"(%5) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 9, type = 0>, use_global_device_ids} : (tensor<4x6xf32>) -> tensor<2x6xf32>
    %7 = stablehlo.partition_id : tensor<ui32>
    %8 = stablehlo.replica_id : tensor<ui32>
    return %5 : tensor<4x6xf32>
  }
  func.func private @types(tensor<2xi1>, tensor<2xi2>, tensor<2xi4>, tensor<2xi8>, tensor<2xi16>, tensor<2xi32>, tensor<2xi64>, tensor<2xui2>, tensor<2xui4>, tensor<2xui8>, tensor<2xui16>, tensor<2xui32>, tensor<2xui64>, tensor<2xbf16>, tensor<2xf16>, tensor<2xf32>, tensor<2xf64>, tensor<2xtf32>, tensor<2xf8E4M3FN>, tensor<2xf8E5M2>, tensor<2xf8E4M3FNUZ>, tensor<2xf8E5M2FNUZ>, tensor<2xf8E4M3B11FNUZ>, tensor<2xf8E3M4>, tensor<2xf8E4M3>, tensor<2xf4E2M1FN>, tensor<2xf6E2M3FN>, tensor<2xf6E3M2FN>, tensor<2xf8E8M0FNU>, tensor<2xindex>, tensor<2xcomplex<f64>>, tensor<*xf32>, tensor<?x2x!quant.uniform<u8:f32:1, {0.5:3, 0.25}>>, tensor<2x!quant.uniform<i4<-7:7>:f32, 0.5>>, tuple<tensor<2xf32>, tuple<>>, !shape.witness, !stablehlo.token, none, memref<2x?xf8E3M4>, !stablehlo.future<tensor<?xf32>, !stablehlo.token>)
}
