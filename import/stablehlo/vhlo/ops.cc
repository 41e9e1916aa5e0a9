#include "indexical/import/stablehlo/vhlo/ops.h"

#include "llvm/ADT/StringMap.h"

namespace indexical::vhlo {

namespace {

//===-- What ops have -----------------------------------------------------===//

constexpr Field kAccuracyOf[] = {{"result_accuracy", kAccuracy}};

constexpr Field kAllGather[] = {{"all_gather_dim"},
                                {"channel_id", kPart},
                                {"replica_groups"},
                                {"use_global_device_ids", kUnit}};
constexpr Field kAllReduce[] = {{"channel_id", kPart},
                                {"replica_groups"},
                                {"use_global_device_ids", kUnit}};
constexpr Field kAllToAll[] = {{"channel_id", kPart},
                               {"concat_dimension"},
                               {"replica_groups"},
                               {"split_count"},
                               {"split_dimension"}};
constexpr Field kBatchNorm[] = {{"epsilon"}, {"feature_index"}};
constexpr Field kBroadcast[] = {{"broadcast_sizes", kNumbers}};
constexpr Field kBroadcastInDim[] = {{"broadcast_dimensions", kNumbers}};
constexpr Field kCall[] = {{"callee", kSymbol}};
constexpr Field kCholesky[] = {{"lower"}};
constexpr Field kCollectiveBroadcast[] = {{"channel_id", kPart},
                                          {"replica_groups"}};
constexpr Field kCollectiveBroadcast2[] = {
    {"channel_id", kPart}, {"has_dynamic_root", kUnit}, {"replica_groups"}};
constexpr Field kCollectivePermute[] = {{"channel_id", kPart},
                                        {"source_target_pairs"}};
constexpr Field kCollectiveReduce[] = {{"channel_id", kPart},
                                       {"has_dynamic_root", kUnit},
                                       {"replica_groups"},
                                       {"use_global_device_ids", kUnit}};
constexpr Field kCompare[] = {{"compare_type"}, {"comparison_direction"}};
constexpr Field kComposite[] = {{"composite_attributes"},
                                {"decomposition", kSymbol},
                                {"name"},
                                {"version", kInt32}};
constexpr Field kConcatenate[] = {{"dimension"}};
constexpr Field kConstant[] = {{"value"}};
constexpr Field kConvolution[] = {{"batch_group_count"},
                                  {"feature_group_count"},
                                  {"input_batch_dimension", kPart},
                                  {"input_feature_dimension", kPart},
                                  {"input_spatial_dimensions", kPart},
                                  {"kernel_input_feature_dimension", kPart},
                                  {"kernel_output_feature_dimension", kPart},
                                  {"kernel_spatial_dimensions", kPart},
                                  {"lhs_dilation", kNumbers},
                                  {"output_batch_dimension", kPart},
                                  {"output_feature_dimension", kPart},
                                  {"output_spatial_dimensions", kPart},
                                  {"padding"},
                                  {"precision_config", kUnlessEmpty},
                                  {"rhs_dilation", kNumbers},
                                  {"window_reversal", kFlags},
                                  {"window_strides", kNumbers}};
// Its padding was an attribute beside the operand first, and meant nothing.
constexpr Field kDynamicConv1[] = {{"batch_group_count"},
                                   {"feature_group_count"},
                                   {"input_batch_dimension", kPart},
                                   {"input_feature_dimension", kPart},
                                   {"input_spatial_dimensions", kPart},
                                   {"kernel_input_feature_dimension", kPart},
                                   {"kernel_output_feature_dimension", kPart},
                                   {"kernel_spatial_dimensions", kPart},
                                   {"lhs_dilation", kNumbers},
                                   {"output_batch_dimension", kPart},
                                   {"output_feature_dimension", kPart},
                                   {"output_spatial_dimensions", kPart},
                                   {"padding", kPart},
                                   {"precision_config", kUnlessEmpty},
                                   {"rhs_dilation", kNumbers},
                                   {"window_reversal", kFlags},
                                   {"window_strides", kNumbers}};
constexpr Field kDynamicConv2[] = {{"batch_group_count"},
                                   {"feature_group_count"},
                                   {"input_batch_dimension", kPart},
                                   {"input_feature_dimension", kPart},
                                   {"input_spatial_dimensions", kPart},
                                   {"kernel_input_feature_dimension", kPart},
                                   {"kernel_output_feature_dimension", kPart},
                                   {"kernel_spatial_dimensions", kPart},
                                   {"lhs_dilation", kNumbers},
                                   {"output_batch_dimension", kPart},
                                   {"output_feature_dimension", kPart},
                                   {"output_spatial_dimensions", kPart},
                                   {"precision_config", kUnlessEmpty},
                                   {"rhs_dilation", kNumbers},
                                   {"window_reversal", kFlags},
                                   {"window_strides", kNumbers}};
constexpr Field kCrossReplicaSum[] = {{"replica_groups"}};
constexpr Field kCustomCall[] = {{"api_version"},
                                 {"backend_config", kUnlessEmpty},
                                 {"call_target_name"},
                                 {"called_computations", kSymbols},
                                 {"has_side_effect"},
                                 {"operand_layouts"},
                                 {"output_operand_aliases", kUnlessEmpty},
                                 {"result_layouts"}};
constexpr Field kCustomCall2[] = {{"api_version"},
                                  {"backend_config", kUnlessEmpty},
                                  {"call_target_name"},
                                  {"called_computations", kSymbols},
                                  {"has_side_effect"},
                                  {"operand_layouts"},
                                  {"output_operand_aliases", kUnlessEmpty},
                                  {"result_layouts"},
                                  {"result_tilings", kUnlessEmpty}};
constexpr Field kDot[] = {{"precision_config", kUnlessEmpty}};
constexpr Field kDotGeneral1[] = {{"lhs_batching_dimensions", kPart},
                                  {"lhs_contracting_dimensions", kPart},
                                  {"precision_config", kUnlessEmpty},
                                  {"rhs_batching_dimensions", kPart},
                                  {"rhs_contracting_dimensions", kPart}};
constexpr Field kDotGeneral2[] = {{"accumulation_type", kPart},
                                  {"allow_imprecise_accumulation", kPart},
                                  {"lhs_batching_dimensions", kPart},
                                  {"lhs_component_count", kPart},
                                  {"lhs_contracting_dimensions", kPart},
                                  {"lhs_precision_type", kPart},
                                  {"num_primitive_operations", kPart},
                                  {"precision_config", kUnlessEmpty},
                                  {"rhs_batching_dimensions", kPart},
                                  {"rhs_component_count", kPart},
                                  {"rhs_contracting_dimensions", kPart},
                                  {"rhs_precision_type", kPart}};
constexpr Field kDynamicBroadcastInDim[] = {
    {"broadcast_dimensions", kNumbers},
    {"known_expanding_dimensions", kNumbers},
    {"known_nonexpanding_dimensions", kNumbers}};
constexpr Field kDynamicGather1[] = {{"collapsed_slice_dims", kPart},
                                     {"index_vector_dim", kPart},
                                     {"indices_are_sorted"},
                                     {"offset_dims", kPart},
                                     {"start_index_map", kPart}};
constexpr Field kDynamicGather2[] = {{"collapsed_slice_dims", kPart},
                                     {"index_vector_dim", kPart},
                                     {"indices_are_sorted"},
                                     {"offset_dims", kPart},
                                     {"operand_batching_dims", kPart},
                                     {"start_index_map", kPart},
                                     {"start_indices_batching_dims", kPart}};
constexpr Field kDynamicSlice[] = {{"slice_sizes", kNumbers}};
constexpr Field kEinsum[] = {{"einsum_config"}};
constexpr Field kFft[] = {{"fft_length", kNumbers}, {"fft_type"}};
constexpr Field kFunc[] = {{"arg_attrs", kUnlessEmpty},
                           {"function_type"},
                           {"res_attrs", kUnlessEmpty},
                           {"sym_name"},
                           {"sym_visibility", kUnlessEmpty}};
constexpr Field kGather1[] = {
    {"collapsed_slice_dims", kPart}, {"index_vector_dim", kPart},
    {"indices_are_sorted"},          {"offset_dims", kPart},
    {"slice_sizes", kNumbers},       {"start_index_map", kPart}};
constexpr Field kGather2[] = {
    {"collapsed_slice_dims", kPart},  {"index_vector_dim", kPart},
    {"indices_are_sorted"},           {"offset_dims", kPart},
    {"operand_batching_dims", kPart}, {"slice_sizes", kNumbers},
    {"start_index_map", kPart},       {"start_indices_batching_dims", kPart}};
constexpr Field kDimension[] = {{"dimension"}};
constexpr Field kGetTupleElement[] = {{"index"}};
constexpr Field kInfeed[] = {{"infeed_config"}, {"layout", kUnlessEmpty}};
constexpr Field kIota[] = {{"iota_dimension"}};
constexpr Field kDimensions[] = {{"dimensions", kNumbers}};
constexpr Field kOutfeed[] = {{"outfeed_config"}};
constexpr Field kPad[] = {{"edge_padding_high", kNumbers},
                          {"edge_padding_low", kNumbers},
                          {"interior_padding", kNumbers}};
constexpr Field kTransfer1[] = {
    {"channel_id", kPart}, {"channel_type", kPart}, {"is_host_transfer"}};
constexpr Field kTransfer2[] = {{"channel_id", kPart},
                                {"channel_type", kPart},
                                {"is_host_transfer"},
                                {"source_target_pairs", kUnlessEmpty}};
constexpr Field kReducePrecision[] = {{"exponent_bits"}, {"mantissa_bits"}};
constexpr Field kReduceScatter[] = {{"channel_id", kPart},
                                    {"replica_groups"},
                                    {"scatter_dimension"},
                                    {"use_global_device_ids", kUnit}};
constexpr Field kReduceWindow[] = {{"base_dilations", kNumbers},
                                   {"padding"},
                                   {"window_dilations", kNumbers},
                                   {"window_dimensions", kNumbers},
                                   {"window_strides", kNumbers}};
constexpr Field kRng[] = {{"rng_distribution"}};
constexpr Field kRngBitGenerator[] = {{"rng_algorithm"}};
constexpr Field kScatter1[] = {{"index_vector_dim", kPart},
                               {"indices_are_sorted"},
                               {"inserted_window_dims", kPart},
                               {"scatter_dims_to_operand_dims", kPart},
                               {"unique_indices"},
                               {"update_window_dims", kPart}};
constexpr Field kScatter2[] = {{"index_vector_dim", kPart},
                               {"indices_are_sorted"},
                               {"input_batching_dims", kPart},
                               {"inserted_window_dims", kPart},
                               {"scatter_dims_to_operand_dims", kPart},
                               {"scatter_indices_batching_dims", kPart},
                               {"unique_indices"},
                               {"update_window_dims", kPart}};
constexpr Field kSelectAndScatter[] = {
    {"padding"}, {"window_dimensions", kNumbers}, {"window_strides", kNumbers}};
constexpr Field kSlice[] = {{"limit_indices", kNumbers},
                            {"start_indices", kNumbers},
                            {"strides", kNumbers}};
constexpr Field kSort[] = {{"dimension"}, {"is_stable"}};
constexpr Field kTorchIndexSelect[] = {{"batch_dims"}, {"dim"}};
constexpr Field kTransposeFields[] = {{"permutation", kNumbers}};
constexpr Field kTriangularSolve[] = {
    {"left_side"}, {"lower"}, {"transpose_a"}, {"unit_diagonal"}};

//===-- The ops -----------------------------------------------------------===//

// Version 2 of all_gather, all_reduce and all_to_all has any number of
// operands, that of composite has regions. Both versions of these share a row.
const Row kRows[] = {
    {"abs", 1, 1},
    {"add", 1, 1},
    {"after_all", 1, 1},
    {"all_gather", 1, 2, kAllGather, assembleChannel},
    {"all_reduce", 1, 2, kAllReduce, assembleChannel},
    {"all_to_all", 1, 2, kAllToAll, assembleChannel},
    {"and", 1, 1},
    {"async_done", 1, 1},
    {"async_start", 1, 1},
    {"atan2", 1, 1},
    {"batch_norm_grad", 1, 1, kBatchNorm},
    {"batch_norm_inference", 1, 1, kBatchNorm},
    {"batch_norm_training", 1, 1, kBatchNorm},
    {"bitcast_convert", 1, 1},
    {"broadcast", 1, 1, kBroadcast},
    {"broadcast_in_dim", 1, 1, kBroadcastInDim},
    {"call", 1, 1, kCall, nullptr, "func.call"},
    {"case", 1, 1},
    {"cbrt", 1, 1},
    {"cbrt", 2, 2, kAccuracyOf},
    {"ceil", 1, 1},
    {"cholesky", 1, 1, kCholesky},
    {"clamp", 1, 1},
    {"collective_broadcast", 1, 1, kCollectiveBroadcast, assembleChannel},
    {"collective_broadcast", 2, 2, kCollectiveBroadcast2, assembleChannel},
    {"collective_permute", 1, 1, kCollectivePermute, assembleChannel},
    {"collective_reduce", 1, 1, kCollectiveReduce, assembleChannel},
    {"compare", 1, 1, kCompare},
    {"complex", 1, 1},
    {"composite", 1, 2, kComposite},
    {"concatenate", 1, 1, kConcatenate},
    {"constant", 1, 1, kConstant},
    {"convert", 1, 1},
    {"convolution", 1, 1, kConvolution, assembleConvolution},
    {"cosine", 1, 1},
    {"cosine", 2, 2, kAccuracyOf},
    {"count_leading_zeros", 1, 1},
    {"create_token", 1, 1},
    {"cross-replica-sum", 1, 1, kCrossReplicaSum},
    {"custom_call", 1, 1, kCustomCall},
    {"custom_call", 2, 2, kCustomCall2},
    {"divide", 1, 1},
    {"dot", 1, 1, kDot},
    {"dot_general", 1, 1, kDotGeneral1, assembleDot},
    {"dot_general", 2, 2, kDotGeneral2, assembleDot},
    {"dynamic_broadcast_in_dim", 1, 1, kDynamicBroadcastInDim},
    {"dynamic_conv", 1, 1, kDynamicConv1, assembleConvolution},
    {"dynamic_conv", 2, 2, kDynamicConv2, assembleConvolution},
    {"dynamic_gather", 1, 1, kDynamicGather1, assembleGather},
    {"dynamic_gather", 2, 2, kDynamicGather2, assembleGather},
    {"dynamic_iota", 1, 1, kIota},
    {"dynamic_pad", 1, 1},
    {"dynamic_reshape", 1, 1},
    {"dynamic_slice", 1, 1, kDynamicSlice},
    {"dynamic_update_slice", 1, 1},
    {"einsum", 1, 1, kEinsum},
    {"exponential", 1, 1},
    {"exponential", 2, 2, kAccuracyOf},
    {"exponential_minus_one", 1, 1},
    {"exponential_minus_one", 2, 2, kAccuracyOf},
    {"fft", 1, 1, kFft},
    {"floor", 1, 1},
    {"func", 1, 1, kFunc, nullptr, "func.func"},
    {"gather", 1, 1, kGather1, assembleGather},
    {"gather", 2, 2, kGather2, assembleGather},
    {"get_dimension_size", 1, 1, kDimension},
    {"get_tuple_element", 1, 1, kGetTupleElement},
    {"if", 1, 1},
    {"imag", 1, 1},
    {"infeed", 1, 1, kInfeed},
    {"iota", 1, 1, kIota},
    {"is_finite", 1, 1},
    {"log", 1, 1},
    {"log", 2, 2, kAccuracyOf},
    {"log_plus_one", 1, 1},
    {"log_plus_one", 2, 2, kAccuracyOf},
    {"logistic", 1, 1},
    {"logistic", 2, 2, kAccuracyOf},
    {"map", 1, 1, kDimensions},
    {"maximum", 1, 1},
    {"minimum", 1, 1},
    {"multiply", 1, 1},
    {"negate", 1, 1},
    {"not", 1, 1},
    {"optimization_barrier", 1, 1},
    {"or", 1, 1},
    {"outfeed", 1, 1, kOutfeed},
    {"pad", 1, 1, kPad},
    {"partition_id", 1, 1},
    {"popcnt", 1, 1},
    {"power", 1, 1},
    {"real", 1, 1},
    {"real_dynamic_slice", 1, 1},
    {"recv", 1, 1, kTransfer1, assembleTransfer},
    {"recv", 2, 2, kTransfer2, assembleTransfer},
    {"reduce", 1, 1, kDimensions},
    {"reduce_precision", 1, 1, kReducePrecision},
    {"reduce_scatter", 1, 1, kReduceScatter, assembleChannel},
    {"reduce_window", 1, 1, kReduceWindow},
    {"remainder", 1, 1},
    {"replica_id", 1, 1},
    {"reshape", 1, 1},
    // In a function it is that of `func`.
    {"return", 1, 1},
    {"reverse", 1, 1, kDimensions},
    {"rng", 1, 1, kRng},
    {"rng_bit_generator", 1, 1, kRngBitGenerator},
    {"round_nearest_afz", 1, 1},
    {"round_nearest_even", 1, 1},
    {"rsqrt", 1, 1},
    {"rsqrt", 2, 2, kAccuracyOf},
    {"scatter", 1, 1, kScatter1, assembleScatter},
    {"scatter", 2, 2, kScatter2, assembleScatter},
    {"select", 1, 1},
    {"select_and_scatter", 1, 1, kSelectAndScatter},
    {"send", 1, 1, kTransfer1, assembleTransfer},
    {"send", 2, 2, kTransfer2, assembleTransfer},
    {"set_dimension_size", 1, 1, kDimension},
    {"shift_left", 1, 1},
    {"shift_right_arithmetic", 1, 1},
    {"shift_right_logical", 1, 1},
    {"sign", 1, 1},
    {"sine", 1, 1},
    {"sine", 2, 2, kAccuracyOf},
    {"slice", 1, 1, kSlice},
    {"sort", 1, 1, kSort},
    {"sqrt", 1, 1},
    {"sqrt", 2, 2, kAccuracyOf},
    {"subtract", 1, 1},
    {"tan", 1, 1},
    {"tan", 2, 2, kAccuracyOf},
    {"tanh", 1, 1},
    {"tanh", 2, 2, kAccuracyOf},
    {"torch_index_select", 1, 1, kTorchIndexSelect},
    {"transpose", 1, 1, kTransposeFields},
    {"triangular_solve", 1, 1, kTriangularSolve},
    {"tuple", 1, 1},
    {"unary_einsum", 1, 1, kEinsum},
    {"uniform_dequantize", 1, 1},
    {"uniform_quantize", 1, 1},
    {"while", 1, 1},
    {"xor", 1, 1},
};

}  // namespace

llvm::ArrayRef<Row> rows() { return kRows; }

const Row *findRow(llvm::StringRef nameAndVersion) {
  static const auto *const byName = [] {
    auto *map = new llvm::StringMap<const Row *>();
    for (const Row &row : kRows)
      for (unsigned version = row.first; version <= row.last; ++version)
        (*map)[(row.name + "_v" + llvm::Twine(version)).str()] = &row;
    return map;
  }();
  return byName->lookup(nameAndVersion);
}

}  // namespace indexical::vhlo
