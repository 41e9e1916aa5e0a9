#include "indexical/import/stablehlo/vhlo/fields.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::vhlo {

namespace {

using llvm::SmallVector;
using llvm::StringRef;
using mlir::Attribute;

std::optional<SmallVector<int64_t>> readNumbers(Attribute value) {
  auto list = llvm::dyn_cast_if_present<mlir::DenseIntElementsAttr>(value);
  if (!list || list.getType().getRank() != 1 ||
      !list.getElementType().isSignlessInteger(64))
    return std::nullopt;
  return llvm::to_vector(list.getValues<int64_t>());
}

std::optional<SmallVector<bool>> readFlags(Attribute value) {
  auto list = llvm::dyn_cast_if_present<mlir::DenseIntElementsAttr>(value);
  if (!list || list.getType().getRank() != 1 ||
      !list.getElementType().isInteger(1))
    return std::nullopt;
  return llvm::to_vector(list.getValues<bool>());
}

std::optional<int64_t> readNumber(Attribute value) {
  auto number = llvm::dyn_cast_if_present<mlir::IntegerAttr>(value);
  if (!number || !number.getType().isSignlessInteger(64)) return std::nullopt;
  return number.getInt();
}

std::optional<bool> readFlag(Attribute value) {
  auto flag = llvm::dyn_cast_if_present<mlir::BoolAttr>(value);
  return flag ? std::optional(flag.getValue()) : std::nullopt;
}

std::optional<mlir::Type> readTypeOf(Attribute value) {
  auto type = llvm::dyn_cast_if_present<mlir::TypeAttr>(value);
  return type ? std::optional(type.getValue()) : std::nullopt;
}

absl::Status wants(StringRef kind) {
  return errorAt({}, ("it should be " + kind).str());
}

bool isEmpty(Attribute value) {
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(value))
    return text.getValue().empty();
  if (auto list = llvm::dyn_cast<mlir::ArrayAttr>(value)) return list.empty();
  if (auto table = llvm::dyn_cast<mlir::DenseElementsAttr>(value))
    return table.getNumElements() == 0;
  return false;
}

absl::StatusOr<Attribute> symbolOf(Attribute value) {
  auto name = llvm::dyn_cast<mlir::StringAttr>(value);
  if (!name) return wants("the name of a function");
  return mlir::FlatSymbolRefAttr::get(name);
}

absl::StatusOr<Attribute> symbolsOf(Attribute value) {
  auto names = llvm::dyn_cast<mlir::ArrayAttr>(value);
  if (!names) return wants("a list of names of functions");
  SmallVector<Attribute> symbols;
  for (Attribute each : names) {
    INDEXICAL_ASSIGN_OR_RETURN(Attribute symbol, symbolOf(each));
    symbols.push_back(symbol);
  }
  if (symbols.empty()) return Attribute();
  return mlir::ArrayAttr::get(value.getContext(), symbols);
}

absl::StatusOr<Attribute> int32Of(Attribute value) {
  auto number = llvm::dyn_cast<mlir::IntegerAttr>(value);
  if (!number || !number.getType().isSignlessInteger() ||
      !number.getValue().isSignedIntN(32))
    return wants("an integer that 32 bits hold");
  return mlir::IntegerAttr::get(mlir::IntegerType::get(value.getContext(), 32),
                                number.getInt());
}

absl::StatusOr<Attribute> accuracyOf(Attribute value) {
  auto accuracy = llvm::dyn_cast<stablehlo::ResultAccuracyAttr>(value);
  if (!accuracy) return wants("an accuracy");
  const bool isDefault =
      accuracy.getMode().getValue() == stablehlo::ResultAccuracyMode::DEFAULT;
  return isDefault ? Attribute() : value;
}

}  // namespace

absl::StatusOr<Attribute> convertField(Attribute value, As as) {
  mlir::MLIRContext *context = value.getContext();
  switch (as) {
    case kSame:
      return value;
    case kPart:
      return Attribute();
    case kSymbol:
      return symbolOf(value);
    case kSymbols:
      return symbolsOf(value);
    case kAccuracy:
      return accuracyOf(value);
    case kUnlessEmpty:
      return isEmpty(value) ? Attribute() : value;
    case kInt32:
      return int32Of(value);
    case kUnit:
      if (std::optional<bool> flag = readFlag(value))
        return *flag ? mlir::UnitAttr::get(context) : Attribute();
      return wants("true or false");
    case kNumbers:
      if (std::optional<SmallVector<int64_t>> list = readNumbers(value))
        return mlir::DenseI64ArrayAttr::get(context, *list);
      return wants("a list of 64-bit integers");
    case kFlags:
      if (std::optional<SmallVector<bool>> list = readFlags(value))
        return mlir::DenseBoolArrayAttr::get(context, *list);
      return wants("a list of truth values");
  }
  return value;
}

//===-- Parts -------------------------------------------------------------===//

template <typename Value>
Value Parts::of(StringRef name, StringRef kind,
                std::optional<Value> read(Attribute)) {
  if (std::optional<Value> value = read(op->getAttr(name)))
    return *std::move(value);
  if (wrong.ok())
    wrong = errorAt({}, ("`" + name + "` should be " + kind).str());
  return Value();
}

SmallVector<int64_t> Parts::numbers(StringRef name) {
  return of(name, "a list of 64-bit integers", &readNumbers);
}
int64_t Parts::number(StringRef name) {
  return of(name, "a 64-bit integer", &readNumber);
}
bool Parts::flag(StringRef name) {
  return of(name, "true or false", &readFlag);
}
mlir::Type Parts::type(StringRef name) {
  return of(name, "a type", &readTypeOf);
}

//===-- Attributes made of parts ------------------------------------------===//

// Devices exchange among themselves; 0 is no channel.
void assembleChannel(Parts &parts, mlir::NamedAttrList &attributes) {
  if (int64_t handle = parts.number("channel_id"))
    attributes.set("channel_handle", stablehlo::ChannelHandleAttr::get(
                                         parts.context(), handle, 0));
}

// A channel to the host or to another device has a kind, and may be 0.
void assembleTransfer(Parts &parts, mlir::NamedAttrList &attributes) {
  int64_t handle = parts.number("channel_id");
  attributes.set("channel_handle",
                 stablehlo::ChannelHandleAttr::get(
                     parts.context(), handle, parts.number("channel_type")));
}

void assembleConvolution(Parts &parts, mlir::NamedAttrList &attributes) {
  attributes.set("dimension_numbers",
                 stablehlo::ConvDimensionNumbersAttr::get(
                     parts.context(), parts.number("input_batch_dimension"),
                     parts.number("input_feature_dimension"),
                     parts.numbers("input_spatial_dimensions"),
                     parts.number("kernel_input_feature_dimension"),
                     parts.number("kernel_output_feature_dimension"),
                     parts.numbers("kernel_spatial_dimensions"),
                     parts.number("output_batch_dimension"),
                     parts.number("output_feature_dimension"),
                     parts.numbers("output_spatial_dimensions")));
}

// If no algorithm is given, each of its parts is a type, `none`.
void assembleDot(Parts &parts, mlir::NamedAttrList &attributes) {
  attributes.set("dot_dimension_numbers",
                 stablehlo::DotDimensionNumbersAttr::get(
                     parts.context(), parts.numbers("lhs_batching_dimensions"),
                     parts.numbers("rhs_batching_dimensions"),
                     parts.numbers("lhs_contracting_dimensions"),
                     parts.numbers("rhs_contracting_dimensions")));
  if (!parts.has("accumulation_type")) return;
  mlir::Type accumulation = parts.type("accumulation_type");
  if (!accumulation || llvm::isa<mlir::NoneType>(accumulation)) return;
  attributes.set("algorithm",
                 stablehlo::DotAlgorithmAttr::get(
                     parts.context(), parts.type("lhs_precision_type"),
                     parts.type("rhs_precision_type"), accumulation,
                     parts.number("lhs_component_count"),
                     parts.number("rhs_component_count"),
                     parts.number("num_primitive_operations"),
                     parts.flag("allow_imprecise_accumulation")));
}

// Batching dimensions came with version 2.
void assembleGather(Parts &parts, mlir::NamedAttrList &attributes) {
  SmallVector<int64_t> operandBatching, indicesBatching;
  if (parts.has("operand_batching_dims")) {
    operandBatching = parts.numbers("operand_batching_dims");
    indicesBatching = parts.numbers("start_indices_batching_dims");
  }
  attributes.set("dimension_numbers",
                 stablehlo::GatherDimensionNumbersAttr::get(
                     parts.context(), parts.numbers("offset_dims"),
                     parts.numbers("collapsed_slice_dims"), operandBatching,
                     indicesBatching, parts.numbers("start_index_map"),
                     parts.number("index_vector_dim")));
}

void assembleScatter(Parts &parts, mlir::NamedAttrList &attributes) {
  SmallVector<int64_t> inputBatching, indicesBatching;
  if (parts.has("input_batching_dims")) {
    inputBatching = parts.numbers("input_batching_dims");
    indicesBatching = parts.numbers("scatter_indices_batching_dims");
  }
  attributes.set(
      "scatter_dimension_numbers",
      stablehlo::ScatterDimensionNumbersAttr::get(
          parts.context(), parts.numbers("update_window_dims"),
          parts.numbers("inserted_window_dims"), inputBatching, indicesBatching,
          parts.numbers("scatter_dims_to_operand_dims"),
          parts.number("index_vector_dim")));
}

}  // namespace indexical::vhlo
