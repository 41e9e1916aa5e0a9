#include "indexical/stablehlo/import/configuration.h"

#include <algorithm>
#include <iterator>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/stablehlo/dialect/stablehlo.h"
#include "indexical/stablehlo/import/sharding_text.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// They change no value. Sorted.
constexpr llvm::StringLiteral kOfTheText[] = {
    "allowed_direction",
    "called_computations",
    "callee",
    "channel_handle",
    "decomposition",
    "indexical.elementwise",
    "indices_are_sorted",
    "operandSegmentSizes",
    "resultSegmentSizes",
    "sharding",
    "sym_name",
    "unique_indices",
};

/// Descriptors have fields for them. Sorted.
constexpr llvm::StringLiteral kOfFields[] = {
    "all_gather_dim",
    "base_dilations",
    "batch_dims",
    "batch_group_count",
    "broadcast_dimensions",
    "broadcast_sizes",
    "concat_dimension",
    "dim",
    "dimension",
    "dimension_numbers",
    "dimensions",
    "dot_dimension_numbers",
    "edge_padding_high",
    "edge_padding_low",
    "feature_group_count",
    "feature_index",
    "fft_length",
    "fft_type",
    "index",
    "interior_padding",
    "iota_dimension",
    "k",
    "left_side",
    "lhs_dilation",
    "limit_indices",
    "lower",
    "padding",
    "permutation",
    "ragged_dot_dimension_numbers",
    "rhs_dilation",
    "scatter_dimension",
    "scatter_dimension_numbers",
    "slice_sizes",
    "source_target_pairs",
    "split_count",
    "split_dimension",
    "start_indices",
    "strides",
    "unit_diagonal",
    "value",
    "window_dilations",
    "window_dimensions",
    "window_reversal",
    "window_strides",
};

template <size_t n>
bool isIn(const llvm::StringLiteral (&names)[n], StringRef name) {
  return std::binary_search(std::begin(names), std::end(names), name);
}

/// Returns whether a value is empty, false, or the default of its enumeration.
/// A list of precisions is if all of its entries are.
bool isEmptyOrDefault(mlir::Attribute value) {
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(value))
    return text.getValue().empty();
  if (auto flag = llvm::dyn_cast<mlir::BoolAttr>(value))
    return !flag.getValue();
  if (auto entries = llvm::dyn_cast<mlir::DictionaryAttr>(value))
    return entries.empty();
  if (auto table = llvm::dyn_cast<mlir::DenseElementsAttr>(value))
    return table.getNumElements() == 0;
  if (auto type = llvm::dyn_cast<stablehlo::ComparisonTypeAttr>(value))
    return type.getValue() == stablehlo::ComparisonType::NOTYPE;
  if (auto precision = llvm::dyn_cast<stablehlo::PrecisionAttr>(value))
    return precision.getValue() == stablehlo::Precision::DEFAULT;
  if (auto accuracy = llvm::dyn_cast<stablehlo::ResultAccuracyAttr>(value))
    return accuracy.getMode().getValue() ==
           stablehlo::ResultAccuracyMode::DEFAULT;
  if (auto list = llvm::dyn_cast<mlir::ArrayAttr>(value))
    return llvm::all_of(list, [](mlir::Attribute entry) {
      return llvm::isa<stablehlo::PrecisionAttr>(entry) &&
             isEmptyOrDefault(entry);
    });
  return false;
}

/// Returns whether StableHLO takes an op without this attribute for the same
/// op. An artifact writes every default, and a text leaves most of them out.
/// All optional flags of StableHLO are false by default.
bool isDefault(mlir::NamedAttribute attribute) {
  const StringRef name = attribute.getName();
  if (auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute.getValue());
      number && !llvm::isa<mlir::BoolAttr>(number))
    return (name == "api_version" && number.getValue() == 1) ||
           (name == "version" && number.getValue() == 0);
  return isEmptyOrDefault(attribute.getValue());
}

/// Describes a channel. Its number is only a name: a collective runs over
/// partitions if it is positive, and over replicas otherwise. For a transfer,
/// the channel's type says whether it is to or from the host.
void describeChannel(mlir::Operation *op, llvm::function_ref<void()> begin,
                     llvm::raw_ostream &os) {
  const auto channel =
      op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
  if (!channel) return;
  const StringRef name = op->getName().getStringRef();
  const bool isTransfer = name == "stablehlo.send" || name == "stablehlo.recv";
  if (!isTransfer && channel.getHandle() <= 0) return;
  begin();
  os << "channel";
  if (isTransfer) os << " type=" << channel.getType();
}

}  // namespace

std::string configurationOf(mlir::Operation *op, OpView described,
                            const OpKind &kind) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (described.is<CustomOp>()) {
    // Its maps are its own, and it equals no other op. What it computes is said
    // by its name and attributes, unless a region says more.
    if (op->getNumRegions()) return "";
    os << op->getName().getStringRef();
    for (mlir::NamedAttribute attribute : op->getAttrs())
      os << ';' << attribute.getName().getValue() << '='
         << attribute.getValue();
    return text;
  }
  auto begin = [&] {
    if (!text.empty()) os << ';';
  };
  if (&kind == kindOf<ElementwiseOp>() || &kind == kindOf<BroadcastingOp>() ||
      &kind == kindOf<NullaryOp>() || &kind == kindOf<CoverOp>() ||
      &kind == kindOf<CoverOp>("unknown"))
    os << op->getName().getStringRef();
  describeChannel(op, begin, os);
  const StringRef dialect = op->getName().getDialectNamespace();
  const bool isOfStablehlo = dialect == "stablehlo";
  const bool isOfShardy = dialect == "sdy";
  for (mlir::NamedAttribute attribute : op->getAttrs()) {
    const StringRef name = attribute.getName();
    if (isOfStablehlo && isDefault(attribute)) continue;
    // Attributes of other dialects (`mhlo.sharding`) say how to compile.
    if (name.contains('.') || isIn(kOfTheText, name) ||
        (isIn(kOfFields, name) && !described.is<CoverOp>()))
      continue;
    begin();
    os << name << '=';
    // Two meshes may have one name, in two modules.
    if (isOfShardy)
      os << attributeTextOf(attribute.getValue(), op);
    else
      os << attribute.getValue();
  }
  return text;
}

}  // namespace indexical
