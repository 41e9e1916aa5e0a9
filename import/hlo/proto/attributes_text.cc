#include "indexical/import/hlo/proto/attributes_text.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"

#include "indexical/import/hlo/proto/collectives_text.h"
#include "indexical/import/hlo/proto/common_text.h"
#include "indexical/import/hlo/proto/instruction_fields.h"
#include "indexical/import/hlo/proto/known_fields.h"
#include "indexical/import/hlo/proto/literal_text.h"
#include "indexical/import/hlo/proto/values.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using llvm::StringRef;

namespace fields = instruction_fields;

class AttributeWriter {
 public:
  AttributeWriter(const WireMessage &of, llvm::raw_ostream &os)
      : of_(of), os_(os) {}

  absl::Status write(StringRef opcode);

 private:
  llvm::raw_ostream &key(StringRef name) { return os_ << ", " << name << '='; }
  void integers(StringRef name, llvm::ArrayRef<int64_t> values) {
    key(name);
    writeIntegers(values, os_);
  }
  void integersIfAny(StringRef name, llvm::ArrayRef<int64_t> values) {
    if (!values.empty()) integers(name, values);
  }
  void flag(StringRef name, const WireMessage &of, uint32_t number) {
    key(name) << (of.flag(number) ? "true" : "false");
  }
  void flagIfSet(StringRef name, uint32_t number) {
    if (of_.flag(number)) key(name) << "true";
  }
  void integerIfAbove(StringRef name, uint32_t number, int64_t usual) {
    if (of_.integer(number, usual) > usual) key(name) << of_.integer(number);
  }

  void dimensions(StringRef opcode);
  void moves(StringRef opcode);
  void indexed(StringRef opcode);
  void products(StringRef opcode);
  void window();
  void convolution();
  void collective(StringRef opcode);
  void sliceSizes();
  void numbers(StringRef opcode);
  void precision();
  absl::Status transfers(StringRef opcode);
  absl::Status calls(StringRef opcode);
  absl::Status customCall();
  absl::Status operandLayouts();
  void aliasing();

  const WireMessage &of_;
  llvm::raw_ostream &os_;
};

void AttributeWriter::dimensions(StringRef opcode) {
  const std::vector<int64_t> all = of_.integers(fields::kDimensions);
  const bool always =
      llvm::StringSwitch<bool>(opcode)
          .Cases({"broadcast", "reduce", "transpose", "reverse"}, true)
          .Cases({"concatenate", "map", "sort", "all-gather"}, true)
          .Cases({"all-gather-start", "get-dimension-size"}, true)
          .Cases({"set-dimension-size", "reduce-scatter", "scan"}, true)
          .Default(false);
  if (opcode == "iota") {
    if (!all.empty()) key("iota_dimension") << all[0];
  } else if (always || !all.empty()) {
    integers("dimensions", all);
  }
}

void AttributeWriter::moves(StringRef opcode) {
  if (opcode == "slice") {
    key("slice") << '{';
    llvm::ListSeparator comma;
    of_.each(fields::kSlices, [&](StringRef bytes) {
      const WireMessage side(bytes);
      os_ << comma << '[' << side.integer(1) << ':' << side.integer(2);
      if (side.integer(3, 1) != 1) os_ << ':' << side.integer(3);
      os_ << ']';
    });
    os_ << '}';
  }
  if (opcode == "dynamic-slice")
    integers("dynamic_slice_sizes", of_.integers(fields::kDynamicSliceSizes));
  if (opcode == "pad") {
    key("padding");
    llvm::ListSeparator by("x");
    of_.message(fields::kPadding).each(1, [&](StringRef bytes) {
      const WireMessage side(bytes);
      os_ << by << side.integer(1) << '_' << side.integer(2);
      if (side.integer(3)) os_ << '_' << side.integer(3);
    });
  }
}

void AttributeWriter::indexed(StringRef opcode) {
  if (opcode == "gather") {
    const WireMessage numbers = of_.message(fields::kGather);
    integers("offset_dims", numbers.integers(1));
    integers("collapsed_slice_dims", numbers.integers(2));
    integers("start_index_map", numbers.integers(3));
    integersIfAny("operand_batching_dims", numbers.integers(5));
    integersIfAny("start_indices_batching_dims", numbers.integers(6));
    key("index_vector_dim") << numbers.integer(4);
    integers("slice_sizes", of_.integers(fields::kGatherSizes));
  }
  if (opcode == "scatter") {
    const WireMessage numbers = of_.message(fields::kScatter);
    integers("update_window_dims", numbers.integers(1));
    integers("inserted_window_dims", numbers.integers(2));
    integers("scatter_dims_to_operand_dims", numbers.integers(3));
    integersIfAny("input_batching_dims", numbers.integers(5));
    integersIfAny("scatter_indices_batching_dims", numbers.integers(6));
    key("index_vector_dim") << numbers.integer(4);
  }
  flagIfSet("indices_are_sorted", fields::kSorted);
  flagIfSet("unique_indices", fields::kUnique);
}

void AttributeWriter::window() {
  const WireMessage window = of_.message(fields::kWindow);
  std::vector<WireMessage> sides;
  window.each(1, [&](StringRef bytes) { sides.emplace_back(bytes); });
  key("window") << '{';
  llvm::ListSeparator between(" ");
  // A field whose values are all the usual one is left out.
  auto field = [&](StringRef name, uint32_t number, int64_t usual) {
    if (llvm::all_of(sides, [&](const WireMessage &side) {
          return side.integer(number, usual) == usual;
        }))
      return;
    os_ << between << name << '=';
    llvm::ListSeparator by("x");
    for (const WireMessage &side : sides)
      os_ << by << side.integer(number, usual);
  };
  if (!sides.empty()) {
    os_ << between << "size=";
    llvm::ListSeparator by("x");
    for (const WireMessage &side : sides) os_ << by << side.integer(1);
  }
  field("stride", 2, 1);
  const bool isPadded = llvm::any_of(sides, [](const WireMessage &side) {
    return side.integer(3) || side.integer(4);
  });
  if (isPadded) {
    os_ << between << "pad=";
    llvm::ListSeparator by("x");
    for (const WireMessage &side : sides)
      os_ << by << side.integer(3) << '_' << side.integer(4);
  }
  field("lhs_dilate", 6, 1);
  field("rhs_dilate", 5, 1);
  field("rhs_reversal", 7, 0);
  os_ << '}';
}

void AttributeWriter::convolution() {
  const WireMessage numbers = of_.message(fields::kConvolution);
  // A letter or a number for each dimension of an array.
  auto labels = [&](std::pair<int64_t, char> first,
                    std::pair<int64_t, char> second, uint32_t spatial) {
    std::map<int64_t, std::string> all = {{first.first, {first.second}},
                                          {second.first, {second.second}}};
    for (auto [i, dimension] : llvm::enumerate(numbers.integers(spatial)))
      all[dimension] = std::to_string(i);
    std::string text;
    for (const auto &[_, label] : all) text += label;
    return text;
  };
  key("dim_labels")
      << labels({numbers.integer(7), 'b'}, {numbers.integer(8), 'f'}, 11) << '_'
      << labels({numbers.integer(3), 'i'}, {numbers.integer(4), 'o'}, 6) << "->"
      << labels({numbers.integer(9), 'b'}, {numbers.integer(10), 'f'}, 12);
}

void AttributeWriter::products(StringRef opcode) {
  const WireMessage ragged = of_.message(fields::kRaggedDot);
  if (of_.has(fields::kDot) || of_.has(fields::kRaggedDot) || opcode == "dot") {
    const WireMessage numbers = of_.has(fields::kRaggedDot)
                                    ? ragged.message(1)
                                    : of_.message(fields::kDot);
    integersIfAny("lhs_batch_dims", numbers.integers(3));
    integers("lhs_contracting_dims", numbers.integers(1));
    integersIfAny("rhs_batch_dims", numbers.integers(4));
    integers("rhs_contracting_dims", numbers.integers(2));
  }
  if (of_.has(fields::kRaggedDot)) {
    integers("lhs_ragged_dims", ragged.integers(2));
    integersIfAny("rhs_group_dims", ragged.integers(3));
  }
  if (of_.has(fields::kWindow)) window();
  if (of_.has(fields::kConvolution)) convolution();
  integerIfAbove("feature_group_count", fields::kFeatureGroups, 1);
  integerIfAbove("batch_group_count", fields::kBatchGroups, 1);
  constexpr StringRef kKinds[] = {"", "fprop", "dgrad", "wgrad"};
  if (const int64_t kind = of_.integer(fields::kConvolutionKind))
    key("convolution_kind") << nameOf(kKinds, kind);
  if (of_.has(fields::kPrecision)) precision();
}

void AttributeWriter::precision() {
  constexpr StringRef kPrecisions[] = {"default", "high", "highest",
                                       "packed_nibble"};
  constexpr StringRef kAlgorithms[] = {"unset",
                                       "dot_any_f8_any_f8_f32",
                                       "dot_any_f8_any_f8_f32_fast_accum",
                                       "dot_f16_f16_f16",
                                       "dot_f16_f16_f32",
                                       "dot_bf16_bf16_bf16",
                                       "dot_bf16_bf16_f32",
                                       "dot_bf16_bf16_f32_x3",
                                       "dot_bf16_bf16_f32_x6",
                                       "dot_tf32_tf32_f32",
                                       "dot_tf32_tf32_f32_x3",
                                       "dot_f32_f32_f32",
                                       "dot_f64_f64_f64",
                                       "dot_bf16_bf16_f32_x9"};
  const WireMessage precision = of_.message(fields::kPrecision);
  const auto operands = precision.integers(1);
  if (llvm::any_of(operands, [](int64_t each) { return each != 0; })) {
    key("operand_precision") << '{';
    llvm::ListSeparator comma(",");
    for (int64_t each : operands) os_ << comma << nameOf(kPrecisions, each);
    os_ << '}';
  }
  if (const int64_t algorithm = precision.integer(2))
    key("algorithm") << nameOf(kAlgorithms, algorithm);
}

void AttributeWriter::collective(StringRef opcode) {
  if (of_.integer(fields::kChannel) > 0)
    key("channel_id") << of_.integer(fields::kChannel);
  writeGroups(of_, os_);
  flagIfSet("use_global_device_ids", fields::kGlobalIds);
  if (opcode == "collective-broadcast")
    flag("has_dynamic_root", of_, fields::kDynamicRoot);
  if (opcode.starts_with("collective-permute")) sliceSizes();
  // It says of a custom call that its operands have layouts.
  if (opcode != "custom-call")
    flagIfSet("constrain_layout", fields::kConstrainLayout);
  flagIfSet("is_host_transfer", fields::kHostTransfer);
}

/// Writes the sizes of the slices that a collective-permute moves. The proto
/// has them one after the other; a slice has as many as its array has
/// dimensions.
void AttributeWriter::sliceSizes() {
  const auto sizes = of_.integers(fields::kDynamicSliceSizes);
  if (sizes.empty()) return;
  // The first array of the result: all slices are of arrays of one rank.
  WireMessage shape = of_.message(fields::kShape);
  while (shape.count(4) > 0) {
    StringRef first;
    shape.each(4, [&](StringRef each) {
      if (!first.data()) first = each;
    });
    shape = WireMessage(first);
  }
  const size_t rank = std::max<size_t>(1, shape.integers(3).size());
  key("slice_sizes") << '{';
  llvm::ListSeparator comma(",");
  for (llvm::ArrayRef<int64_t> rest = sizes; !rest.empty();
       rest = rest.drop_front(std::min(rank, rest.size()))) {
    os_ << comma;
    writeIntegers(rest.take_front(rank), os_);
  }
  os_ << '}';
}

void AttributeWriter::numbers(StringRef opcode) {
  if (opcode == "get-tuple-element")
    key("index") << of_.integer(fields::kTupleIndex);
  if (opcode == "compare") {
    key("direction") << of_.bytes(fields::kDirection);
    // The order follows from the type, unless floats are compared totally.
    const StringRef type = of_.bytes(fields::kComparisonType);
    if (type == "FLOAT" && of_.bytes(fields::kComparisonOrder) == "TOTAL")
      key("type") << "TOTALORDER";
    else if (!type.empty())
      key("type") << type;
  }
  if (opcode == "fft") {
    constexpr StringRef kTypes[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
    key("fft_type") << kTypes[of_.integer(fields::kFftType) & 3];
    integers("fft_length", of_.integers(fields::kFftLength));
  }
  if (opcode == "reduce-precision") {
    key("exponent_bits") << of_.integer(fields::kExponentBits);
    key("mantissa_bits") << of_.integer(fields::kMantissaBits);
  }
  if (opcode.starts_with("batch-norm")) {
    uint32_t bits = static_cast<uint32_t>(of_.integer(fields::kEpsilon));
    float epsilon = 0;
    std::memcpy(&epsilon, &bits, sizeof epsilon);
    key("epsilon") << llvm::format("%.9g", epsilon);
    key("feature_index") << of_.integer(fields::kFeatureIndex);
  }
  if (opcode == "rng")
    key("distribution") << (of_.integer(fields::kDistribution) == 2
                                ? "rng_normal"
                                : "rng_uniform");
  if (opcode == "rng-bit-generator") {
    constexpr StringRef kAlgorithms[] = {"rng_default", "rng_three_fry",
                                         "rng_philox", "rng_default"};
    key("algorithm") << kAlgorithms[of_.integer(fields::kAlgorithm) & 3];
  }
  if (opcode == "rng-get-and-update-state")
    key("delta") << of_.integer(fields::kDelta);
  if (opcode == "triangular-solve") {
    constexpr StringRef kTransposes[] = {"NO_TRANSPOSE", "NO_TRANSPOSE",
                                         "TRANSPOSE", "ADJOINT"};
    const WireMessage options = of_.message(fields::kTriangularSolve);
    flag("left_side", options, 1);
    flag("lower", options, 2);
    flag("unit_diagonal", options, 3);
    key("transpose_a") << kTransposes[options.integer(4) & 3];
  }
  if (opcode == "cholesky") flag("lower", of_.message(fields::kCholesky), 1);
  if (opcode == "sort") flagIfSet("is_stable", fields::kStable);
  if (opcode == "scan") {
    key("num_carries") << of_.integer(fields::kCarries);
    flagIfSet("is_reverse", fields::kReverse);
    if (const int64_t known = of_.integer(fields::kAssociative))
      key("is_associative") << (known == 1 ? "true" : "false");
  }
  if (opcode == "topk") {
    key("k") << of_.integer(fields::kK);
    flag("largest", of_, fields::kLargest);
  }
}

absl::Status AttributeWriter::transfers(StringRef opcode) {
  auto quoted = [&](StringRef name, uint32_t number) {
    if (of_.bytes(number).empty()) return;
    key(name);
    writeQuoted(of_.bytes(number), os_);
  };
  quoted("infeed_config", fields::kInfeedConfig);
  quoted("outfeed_config", fields::kOutfeedConfig);
  if (of_.has(fields::kOutfeedShape) && opcode == "outfeed") {
    key("outfeed_shape");
    return writeShape(of_.message(fields::kOutfeedShape), os_);
  }
  return absl::OkStatus();
}

absl::Status AttributeWriter::calls(StringRef opcode) {
  if (opcode == "fusion") key("kind") << of_.bytes(fields::kFusionKind);
  if (of_.count(fields::kAliasing)) aliasing();
  flagIfSet("is_composite", fields::kComposite);
  const StringRef thread = of_.bytes(fields::kThread);
  if (!thread.empty() && thread != "main") {
    key("async_execution_thread");
    writeQuoted(thread, os_);
  }
  return opcode == "custom-call" ? customCall() : absl::OkStatus();
}

absl::Status AttributeWriter::customCall() {
  key("custom_call_target");
  writeQuoted(of_.bytes(fields::kTarget), os_);
  flagIfSet("custom_call_has_side_effect", fields::kSideEffect);
  constexpr StringRef kPaddings[] = {"", "PADDING_VALID", "PADDING_SAME"};
  if (const int64_t padding = of_.integer(fields::kPaddingType))
    key("padding_type") << nameOf(kPaddings, padding);
  constexpr StringRef kSchedules[] = {"", "SCHEDULE_LATEST",
                                      "SCHEDULE_EARLIEST"};
  if (const int64_t schedule = of_.integer(fields::kSchedule))
    key("schedule") << nameOf(kSchedules, schedule);
  constexpr StringRef kVersions[] = {
      "API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
      "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
      "API_VERSION_TYPED_FFI"};
  // The original one goes without saying.
  if (const int64_t version = of_.integer(fields::kApiVersion); version > 1)
    key("api_version") << nameOf(kVersions, version);
  if (of_.flag(fields::kConstrainLayout))
    INDEXICAL_RETURN_IF_ERROR(operandLayouts());
  if (!of_.has(fields::kLiteral)) return absl::OkStatus();
  const WireMessage literal = of_.message(fields::kLiteral);
  key("literal");
  INDEXICAL_RETURN_IF_ERROR(writeShape(literal.message(1), os_));
  os_ << ' ';
  return writeLiteral(literal, os_);
}

absl::Status AttributeWriter::operandLayouts() {
  absl::Status status = absl::OkStatus();
  key("operand_layout_constraints") << '{';
  llvm::ListSeparator comma;
  of_.each(fields::kOperandLayouts, [&](StringRef bytes) {
    if (!status.ok()) return;
    os_ << comma;
    status = writeShape(WireMessage(bytes), os_);
  });
  os_ << '}';
  return status;
}

void AttributeWriter::aliasing() {
  key("output_to_operand_aliasing") << '{';
  llvm::ListSeparator comma;
  of_.each(fields::kAliasing, [&](StringRef bytes) {
    const WireMessage alias(bytes);
    os_ << comma;
    writeIntegers(alias.integers(1), os_);
    os_ << ": (" << alias.integer(2) << ", ";
    writeIntegers(alias.integers(3), os_);
    os_ << ')';
  });
  os_ << '}';
}

absl::Status AttributeWriter::write(StringRef opcode) {
  dimensions(opcode);
  moves(opcode);
  indexed(opcode);
  products(opcode);
  collective(opcode);
  numbers(opcode);
  INDEXICAL_RETURN_IF_ERROR(transfers(opcode));
  return calls(opcode);
}

}  // namespace

absl::Status writeAttributes(const WireMessage &instruction,
                             llvm::ArrayRef<StringRef> payloads,
                             llvm::raw_ostream &os) {
  INDEXICAL_RETURN_IF_ERROR(
      AttributeWriter(instruction, os).write(instruction.bytes(2)));
  INDEXICAL_RETURN_IF_ERROR(writeCommonAttributes(instruction, payloads, os));
  writeUnknownFields(instruction, os);
  return absl::OkStatus();
}

void writeCalled(StringRef opcode, llvm::ArrayRef<std::string> names,
                 bool isByPredicate, llvm::raw_ostream &os) {
  if (names.empty()) return;
  auto one = [&](StringRef key, size_t i) {
    if (i < names.size()) os << ", " << key << "=%" << names[i];
  };
  auto all = [&](StringRef key) {
    os << ", " << key << "={";
    llvm::ListSeparator comma;
    for (const std::string &name : names) os << comma << '%' << name;
    os << '}';
  };
  if (opcode == "while") {
    one("condition", 1);
    one("body", 0);
  } else if (opcode == "conditional" && isByPredicate) {
    one("true_computation", 0);
    one("false_computation", 1);
  } else if (opcode == "conditional") {
    all("branch_computations");
  } else if (opcode == "select-and-scatter") {
    one("select", 0);
    one("scatter", 1);
  } else if (opcode == "custom-call") {
    all("called_computations");
  } else if (opcode == "fusion" || opcode.starts_with("async-")) {
    one("calls", 0);
  } else {
    one("to_apply", 0);
  }
}

}  // namespace indexical
