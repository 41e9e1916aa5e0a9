// Ops of VHLO, in the words of the dialect's definition. Each op has all
// attributes of its version, also those that StableHLO leaves out.
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Operation.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "tests/import/stablehlo/vhlo/artifact.h"

namespace indexical::testing {

namespace {

using llvm::StringRef;

struct Given {
  StringRef name;
  StringRef fallback = {};  ///< MLIR text; none: StableHLO has it always
};

// Ops whose attributes have the same names in StableHLO.
const std::map<StringRef, std::vector<Given>> &plainOps() {
  static const std::map<StringRef, std::vector<Given>> kOps = {
      {"all_gather", {{"all_gather_dim"}, {"replica_groups"}}},
      {"all_reduce", {{"replica_groups"}}},
      {"all_to_all",
       {{"concat_dimension"},
        {"replica_groups"},
        {"split_count"},
        {"split_dimension"}}},
      {"batch_norm_grad", {{"epsilon"}, {"feature_index"}}},
      {"batch_norm_inference", {{"epsilon"}, {"feature_index"}}},
      {"batch_norm_training", {{"epsilon"}, {"feature_index"}}},
      {"broadcast", {{"broadcast_sizes"}}},
      {"broadcast_in_dim", {{"broadcast_dimensions"}}},
      {"call", {{"callee"}}},
      {"cholesky", {{"lower", "false"}}},
      {"collective_broadcast", {{"replica_groups"}}},
      {"collective_permute", {{"source_target_pairs"}}},
      {"collective_reduce", {{"replica_groups"}}},
      {"compare",
       {{"compare_type", "#stablehlo<comparison_type NOTYPE>"},
        {"comparison_direction"}}},
      {"composite",
       {{"composite_attributes", "{}"},
        {"decomposition"},
        {"name"},
        // The default has 64 bits, other values 32.
        {"version", "0 : i64"}}},
      {"concatenate", {{"dimension"}}},
      {"constant", {{"value"}}},
      {"convolution",
       {{"batch_group_count"},
        {"feature_group_count"},
        {"precision_config",
         "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]"}}},
      {"cross-replica-sum", {{"replica_groups"}}},
      {"custom_call",
       {{"backend_config", "\"\""},
        {"call_target_name"},
        {"called_computations", "[]"},
        {"has_side_effect", "false"},
        {"operand_layouts", "[]"},
        {"output_operand_aliases", "[]"},
        {"result_layouts", "[]"}}},
      {"dot",
       {{"precision_config",
         "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]"}}},
      {"dot_general",
       {{"precision_config",
         "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]"}}},
      {"dynamic_broadcast_in_dim",
       {{"broadcast_dimensions"},
        {"known_expanding_dimensions", "array<i64>"},
        {"known_nonexpanding_dimensions", "array<i64>"}}},
      {"dynamic_conv",
       {{"batch_group_count"},
        {"feature_group_count"},
        {"precision_config",
         "[#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]"}}},
      {"dynamic_gather", {{"indices_are_sorted", "false"}}},
      {"dynamic_iota", {{"iota_dimension"}}},
      {"dynamic_slice", {{"slice_sizes"}}},
      {"einsum", {{"einsum_config"}}},
      {"fft", {{"fft_length"}, {"fft_type"}}},
      {"func",
       {{"arg_attrs", "[]"},
        {"function_type"},
        {"res_attrs", "[]"},
        {"sym_name"},
        {"sym_visibility", "\"\""}}},
      {"gather", {{"indices_are_sorted", "false"}, {"slice_sizes"}}},
      {"get_dimension_size", {{"dimension"}}},
      {"get_tuple_element", {{"index"}}},
      {"infeed", {{"infeed_config", "\"\""}, {"layout", "[]"}}},
      {"iota", {{"iota_dimension"}}},
      {"map", {{"dimensions"}}},
      {"outfeed", {{"outfeed_config", "\"\""}}},
      {"pad",
       {{"edge_padding_high"}, {"edge_padding_low"}, {"interior_padding"}}},
      {"recv", {{"is_host_transfer", "false"}}},
      {"reduce", {{"dimensions"}}},
      {"reduce_precision", {{"exponent_bits"}, {"mantissa_bits"}}},
      {"reduce_scatter", {{"replica_groups"}, {"scatter_dimension"}}},
      {"reduce_window", {{"window_dimensions"}}},
      {"reverse", {{"dimensions"}}},
      {"rng", {{"rng_distribution"}}},
      {"rng_bit_generator", {{"rng_algorithm"}}},
      {"scatter",
       {{"indices_are_sorted", "false"}, {"unique_indices", "false"}}},
      {"send", {{"is_host_transfer", "false"}}},
      {"set_dimension_size", {{"dimension"}}},
      {"slice", {{"limit_indices"}, {"start_indices"}, {"strides"}}},
      {"sort", {{"dimension", "-1 : i64"}, {"is_stable", "false"}}},
      {"torch_index_select", {{"batch_dims"}, {"dim"}}},
      {"transpose", {{"permutation"}}},
      {"triangular_solve",
       {{"left_side"}, {"lower"}, {"transpose_a"}, {"unit_diagonal"}}},
      {"unary_einsum", {{"einsum_config"}}},
  };
  return kOps;
}

const std::set<StringRef> kWithAccuracy = {
    "cbrt", "cosine",       "exponential", "exponential_minus_one",
    "log",  "log_plus_one", "logistic",    "rsqrt",
    "sine", "sqrt",         "tan",         "tanh"};

// The attributes of one op, put together.
class OpWriter {
 public:
  OpWriter(mlir::Operation *op, StringRef name, bool newest,
           ValueWriter &values, std::set<std::string> *taken)
      : op_(op), name_(name), newest_(newest), values_(values), taken_(taken) {}

  std::vector<std::pair<std::string, size_t>> write() {
    if (auto plain = plainOps().find(name_); plain != plainOps().end())
      for (const Given &each : plain->second) take(each);
    writeCollective();
    writeWindow();
    writeDimensions();
    if (name_ == "custom_call") writeCustomCall();
    if (name_ == "composite") choose(op_->getNumRegions() != 0);
    if (kWithAccuracy.count(name_)) writeAccuracy();
    if (name_ == "dot_general") writeAlgorithm();
    return {all_.begin(), all_.end()};
  }

  unsigned version() const { return version_; }

 private:
  mlir::Attribute get(StringRef name) {
    taken_->insert(name.str());
    return op_->getAttr(name);
  }
  void put(StringRef name, size_t value) { all_[name.str()] = value; }

  void take(const Given &given) {
    mlir::Attribute value = get(given.name);
    if (!value && !given.fallback.empty())
      value = mlir::parseAttribute(given.fallback, op_->getContext());
    if (!value) return values_.refuse("no " + given.name.str());
    if (auto integers = llvm::dyn_cast<mlir::DenseI32ArrayAttr>(value))
      return values_.refuse("integers of 32 bits");
    put(given.name, values_.attribute(value));
  }

  // The version in which an op says something that the first cannot.
  void choose(bool needsSecond) { version_ = newest_ || needsSecond ? 2 : 1; }

  void writeCollective() {
    const bool isTransfer = name_ == "send" || name_ == "recv";
    static const std::set<StringRef> kChannels = {
        "all_gather",           "all_reduce",         "all_to_all",
        "collective_broadcast", "collective_permute", "collective_reduce",
        "reduce_scatter"};
    if (!isTransfer && !kChannels.count(name_)) return;
    auto channel = llvm::dyn_cast_if_present<stablehlo::ChannelHandleAttr>(
        get("channel_handle"));
    // VHLO has no kind of a channel between devices.
    put("channel_id", values_.integer(channel ? channel.getHandle() : 0));
    if (isTransfer) {
      put("channel_type", values_.integer(channel ? channel.getType() : 0));
      mlir::Attribute pairs = get("source_target_pairs");
      choose(pairs != nullptr);
      if (!pairs)
        pairs = mlir::parseAttribute("dense<> : tensor<0x2xi64>",
                                     op_->getContext());
      if (version_ == 2) put("source_target_pairs", values_.attribute(pairs));
    }
    if (name_ == "all_gather" || name_ == "all_reduce" ||
        name_ == "collective_reduce" || name_ == "reduce_scatter")
      put("use_global_device_ids",
          values_.boolean(get("use_global_device_ids") != nullptr));
    if (name_.starts_with("all_")) choose(op_->getNumOperands() != 1);
    const bool hasRoot = op_->hasAttr("has_dynamic_root");
    if (name_ == "collective_broadcast")
      choose(op_->getNumOperands() != 1 || hasRoot);
    if (name_ == "collective_reduce" ||
        (name_ == "collective_broadcast" && version_ == 2))
      put("has_dynamic_root",
          values_.boolean(get("has_dynamic_root") != nullptr));
  }

  // Strides, dilations and padding: a number for each dimension of a window.
  void writeWindow() {
    size_t rank;
    if (name_ == "convolution" || name_ == "dynamic_conv")
      rank = llvm::cast<stablehlo::ConvDimensionNumbersAttr>(
                 op_->getAttr("dimension_numbers"))
                 .getInputSpatialDimensions()
                 .size();
    else if (name_ == "reduce_window" || name_ == "select_and_scatter")
      rank =
          llvm::cast<mlir::ShapedType>(op_->getOperand(0).getType()).getRank();
    else
      return;
    const bool isConvolution = name_.contains("conv");
    auto all = [&](StringRef name, const char *element, const char *type,
                   bool isTable = false) {
      mlir::Attribute value = get(name);
      std::string shape = std::to_string(rank) + (isTable ? "x2x" : "x");
      if (!value && rank == 0)
        value = mlir::parseAttribute("dense<> : tensor<" + shape + type + ">",
                                     op_->getContext());
      if (!value)
        value = mlir::parseAttribute(std::string("dense<") + element +
                                         "> : tensor<" + shape + type + ">",
                                     op_->getContext());
      put(name, values_.attribute(value));
    };
    all("window_strides", "1", "i64");
    if (isConvolution) {
      all("lhs_dilation", "1", "i64");
      all("rhs_dilation", "1", "i64");
      all("window_reversal", "false", "i1");
    } else if (name_ == "reduce_window") {
      all("base_dilations", "1", "i64");
      all("window_dilations", "1", "i64");
    } else {
      all("window_dimensions", "1", "i64");
    }
    if (name_ == "dynamic_conv") {
      choose(false);
      if (version_ == 2) return;
    }
    all("padding", "0", "i64", true);
  }

  void putNumbers(StringRef name, llvm::ArrayRef<int64_t> values) {
    put(name, values_.numbers(values));
  }
  void putNumber(StringRef name, int64_t value) {
    put(name, values_.integer(value));
  }

  void writeDimensions() {
    using namespace stablehlo;
    if (auto dims = llvm::dyn_cast_if_present<ConvDimensionNumbersAttr>(
            get("dimension_numbers"))) {
      putNumber("input_batch_dimension", dims.getInputBatchDimension());
      putNumber("input_feature_dimension", dims.getInputFeatureDimension());
      putNumbers("input_spatial_dimensions", dims.getInputSpatialDimensions());
      putNumber("kernel_input_feature_dimension",
                dims.getKernelInputFeatureDimension());
      putNumber("kernel_output_feature_dimension",
                dims.getKernelOutputFeatureDimension());
      putNumbers("kernel_spatial_dimensions",
                 dims.getKernelSpatialDimensions());
      putNumber("output_batch_dimension", dims.getOutputBatchDimension());
      putNumber("output_feature_dimension", dims.getOutputFeatureDimension());
      putNumbers("output_spatial_dimensions",
                 dims.getOutputSpatialDimensions());
    }
    if (auto dims = llvm::dyn_cast_if_present<DotDimensionNumbersAttr>(
            get("dot_dimension_numbers"))) {
      putNumbers("lhs_batching_dimensions", dims.getLhsBatchingDimensions());
      putNumbers("rhs_batching_dimensions", dims.getRhsBatchingDimensions());
      putNumbers("lhs_contracting_dimensions",
                 dims.getLhsContractingDimensions());
      putNumbers("rhs_contracting_dimensions",
                 dims.getRhsContractingDimensions());
    }
    if (auto dims = llvm::dyn_cast_if_present<GatherDimensionNumbersAttr>(
            get("dimension_numbers"))) {
      putNumbers("offset_dims", dims.getOffsetDims());
      putNumbers("collapsed_slice_dims", dims.getCollapsedSliceDims());
      putNumbers("start_index_map", dims.getStartIndexMap());
      putNumber("index_vector_dim", dims.getIndexVectorDim());
      choose(!dims.getOperandBatchingDims().empty());
      if (version_ == 1) return;
      putNumbers("operand_batching_dims", dims.getOperandBatchingDims());
      putNumbers("start_indices_batching_dims",
                 dims.getStartIndicesBatchingDims());
    }
    if (auto dims = llvm::dyn_cast_if_present<ScatterDimensionNumbersAttr>(
            get("scatter_dimension_numbers"))) {
      putNumbers("update_window_dims", dims.getUpdateWindowDims());
      putNumbers("inserted_window_dims", dims.getInsertedWindowDims());
      putNumbers("scatter_dims_to_operand_dims",
                 dims.getScatterDimsToOperandDims());
      putNumber("index_vector_dim", dims.getIndexVectorDim());
      choose(!dims.getInputBatchingDims().empty());
      if (version_ == 1) return;
      putNumbers("input_batching_dims", dims.getInputBatchingDims());
      putNumbers("scatter_indices_batching_dims",
                 dims.getScatterIndicesBatchingDims());
    }
  }

  // The version of the calling convention is an enumeration in VHLO, and a
  // number in StableHLO's text.
  void writeCustomCall() {
    auto value =
        llvm::dyn_cast_if_present<mlir::IntegerAttr>(get("api_version"));
    put("api_version", values_.apiVersion(value ? value.getInt() : 1));
    mlir::Attribute tilings = get("result_tilings");
    choose(tilings != nullptr);
    if (version_ == 1) return;
    put("result_tilings",
        tilings ? values_.attribute(tilings) : values_.list({}));
  }

  void writeAccuracy() {
    mlir::Attribute value = get("result_accuracy");
    choose(value != nullptr);
    if (version_ == 1) return;
    if (!value)
      value = stablehlo::ResultAccuracyAttr::get(
          op_->getContext(), llvm::APFloat(0.0), llvm::APFloat(0.0), 0,
          stablehlo::ResultAccuracyModeAttr::get(
              op_->getContext(), stablehlo::ResultAccuracyMode::DEFAULT));
    put("result_accuracy", values_.attribute(value));
  }

  void writeAlgorithm() {
    auto algorithm = llvm::dyn_cast_if_present<stablehlo::DotAlgorithmAttr>(
        get("algorithm"));
    choose(algorithm != nullptr);
    if (version_ == 1) return;
    auto type = [&](mlir::Type given) {
      return values_.attribute(mlir::TypeAttr::get(given));
    };
    const size_t none = values_.noType();
    put("lhs_precision_type",
        algorithm ? type(algorithm.getLhsPrecisionType()) : none);
    put("rhs_precision_type",
        algorithm ? type(algorithm.getRhsPrecisionType()) : none);
    put("accumulation_type",
        algorithm ? type(algorithm.getAccumulationType()) : none);
    put("lhs_component_count",
        algorithm ? values_.integer(algorithm.getLhsComponentCount()) : none);
    put("rhs_component_count",
        algorithm ? values_.integer(algorithm.getRhsComponentCount()) : none);
    put("num_primitive_operations",
        algorithm ? values_.integer(algorithm.getNumPrimitiveOperations())
                  : none);
    put("allow_imprecise_accumulation",
        algorithm ? values_.boolean(algorithm.getAllowImpreciseAccumulation())
                  : none);
  }

  mlir::Operation *op_;
  StringRef name_;
  bool newest_;
  ValueWriter &values_;
  std::set<std::string> *taken_;
  unsigned version_ = 1;
  std::map<std::string, size_t> all_;
};

}  // namespace

std::vector<std::pair<std::string, size_t>> vhloAttributes(
    mlir::Operation *op, bool newest, ValueWriter &values, unsigned *version,
    std::set<std::string> *taken) {
  OpWriter writer(op, op->getName().stripDialect(), newest, values, taken);
  auto attributes = writer.write();
  *version = writer.version();
  return attributes;
}

}  // namespace indexical::testing
