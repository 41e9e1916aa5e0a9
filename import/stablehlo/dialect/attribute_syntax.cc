#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"

#include "indexical/import/stablehlo/dialect/conv_numbers.h"
#include "indexical/import/stablehlo/dialect/fields.h"
#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "indexical/import/stablehlo/dialect/enums.cc.inc"
#define GET_ATTRDEF_CLASSES
#include "indexical/import/stablehlo/dialect/attributes.cc.inc"

namespace indexical::stablehlo {

using Numbers = llvm::SmallVector<int64_t>;

void StablehloDialect::addAttributes() {
  ::mlir::Dialect::addAttributes<
#define GET_ATTRDEF_LIST
#include "indexical/import/stablehlo/dialect/attributes.cc.inc"
      >();
}

//===-- gather, scatter, dot ----------------------------------------------===//

mlir::Attribute GatherDimensionNumbersAttr::parse(mlir::AsmParser &parser,
                                                  mlir::Type) {
  Numbers offset, collapsed, operandBatching, indicesBatching, indexMap;
  int64_t vector = 0;
  if (parseFields(parser, {{"offset_dims", &offset},
                           {"collapsed_slice_dims", &collapsed},
                           {"operand_batching_dims", &operandBatching},
                           {"start_indices_batching_dims", &indicesBatching},
                           {"start_index_map", &indexMap},
                           {"index_vector_dim", &vector}}))
    return {};
  return get(parser.getContext(), offset, collapsed, operandBatching,
             indicesBatching, indexMap, vector);
}

void GatherDimensionNumbersAttr::print(mlir::AsmPrinter &printer) const {
  printer << '<';
  FieldPrinter(printer)
      .list("offset_dims", getOffsetDims())
      .list("collapsed_slice_dims", getCollapsedSliceDims())
      .list("operand_batching_dims", getOperandBatchingDims())
      .list("start_indices_batching_dims", getStartIndicesBatchingDims())
      .list("start_index_map", getStartIndexMap())
      .number("index_vector_dim", getIndexVectorDim());
  printer << '>';
}

mlir::Attribute ScatterDimensionNumbersAttr::parse(mlir::AsmParser &parser,
                                                   mlir::Type) {
  Numbers window, inserted, inputBatching, indicesBatching, operandDims;
  int64_t vector = 0;
  if (parseFields(parser, {{"update_window_dims", &window},
                           {"inserted_window_dims", &inserted},
                           {"input_batching_dims", &inputBatching},
                           {"scatter_indices_batching_dims", &indicesBatching},
                           {"scatter_dims_to_operand_dims", &operandDims},
                           {"index_vector_dim", &vector}}))
    return {};
  return get(parser.getContext(), window, inserted, inputBatching,
             indicesBatching, operandDims, vector);
}

void ScatterDimensionNumbersAttr::print(mlir::AsmPrinter &printer) const {
  printer << '<';
  FieldPrinter(printer)
      .list("update_window_dims", getUpdateWindowDims())
      .list("inserted_window_dims", getInsertedWindowDims())
      .list("input_batching_dims", getInputBatchingDims())
      .list("scatter_indices_batching_dims", getScatterIndicesBatchingDims())
      .list("scatter_dims_to_operand_dims", getScatterDimsToOperandDims())
      .number("index_vector_dim", getIndexVectorDim());
  printer << '>';
}

mlir::Attribute DotDimensionNumbersAttr::parse(mlir::AsmParser &parser,
                                               mlir::Type) {
  Numbers lhsBatching, rhsBatching, lhsContracting, rhsContracting;
  if (parseFields(parser, {{"lhs_batching_dimensions", &lhsBatching},
                           {"rhs_batching_dimensions", &rhsBatching},
                           {"lhs_contracting_dimensions", &lhsContracting},
                           {"rhs_contracting_dimensions", &rhsContracting}}))
    return {};
  return get(parser.getContext(), lhsBatching, rhsBatching, lhsContracting,
             rhsContracting);
}

void DotDimensionNumbersAttr::print(mlir::AsmPrinter &printer) const {
  printer << '<';
  FieldPrinter(printer)
      .list("lhs_batching_dimensions", getLhsBatchingDimensions())
      .list("rhs_batching_dimensions", getRhsBatchingDimensions())
      .list("lhs_contracting_dimensions", getLhsContractingDimensions())
      .list("rhs_contracting_dimensions", getRhsContractingDimensions());
  printer << '>';
}

mlir::Attribute OutputOperandAliasAttr::parse(mlir::AsmParser &parser,
                                              mlir::Type) {
  Numbers output, operand;
  int64_t index = 0;
  if (parseFields(parser, {{"output_tuple_indices", &output},
                           {"operand_index", &index},
                           {"operand_tuple_indices", &operand}}))
    return {};
  return get(parser.getContext(), output, index, operand);
}

void OutputOperandAliasAttr::print(mlir::AsmPrinter &printer) const {
  printer << "<output_tuple_indices = ";
  printBracketed(printer, getOutputTupleIndices());
  printer << ", operand_index = " << getOperandIndex()
          << ", operand_tuple_indices = ";
  printBracketed(printer, getOperandTupleIndices());
  printer << '>';
}

mlir::Attribute ConvDimensionNumbersAttr::parse(mlir::AsmParser &parser,
                                                mlir::Type) {
  return parseConvNumbersInAngles(parser);
}

void ConvDimensionNumbersAttr::print(mlir::AsmPrinter &printer) const {
  printConvNumbersInAngles(printer, *this);
}

//===-- Bounds ------------------------------------------------------------===//

namespace {

// `16, ?` between the delimiters.
mlir::Attribute parseBounds(mlir::AsmParser &parser,
                            mlir::AsmParser::Delimiter delimiter) {
  Numbers bounds;
  auto parseBound = [&]() -> mlir::ParseResult {
    if (mlir::succeeded(parser.parseOptionalQuestion())) {
      bounds.push_back(mlir::ShapedType::kDynamic);
      return mlir::success();
    }
    llvm::SMLoc place = parser.getCurrentLocation();
    if (parser.parseInteger(bounds.emplace_back())) return mlir::failure();
    if (bounds.back() < 0)
      return parser.emitError(place)
             << "a bound is a size or `?`, not " << bounds.back();
    return mlir::success();
  };
  if (parser.parseCommaSeparatedList(delimiter, parseBound)) return {};
  return BoundsAttr::get(parser.getContext(), bounds);
}

// `<bounds = [16, ?]>`, the older spelling.
mlir::Attribute parseTypeExtensions(mlir::AsmParser &parser) {
  if (parser.parseLess() || parser.parseKeyword("bounds") ||
      parser.parseEqual())
    return {};
  mlir::Attribute bounds =
      parseBounds(parser, mlir::AsmParser::Delimiter::Square);
  if (!bounds || parser.parseGreater()) return {};
  return bounds;
}

}  // namespace

mlir::Attribute BoundsAttr::parse(mlir::AsmParser &parser, mlir::Type) {
  return parseBounds(parser, mlir::AsmParser::Delimiter::LessGreater);
}

void BoundsAttr::print(mlir::AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getBounds(), printer.getStream(), [&](int64_t bound) {
    if (mlir::ShapedType::isDynamic(bound))
      printer << '?';
    else
      printer << bound;
  });
  printer << '>';
}

mlir::LogicalResult BoundsAttr::verifyEncoding(
    llvm::ArrayRef<int64_t> shape, mlir::Type,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const {
  if (getBounds().size() != shape.size())
    return emitError() << "expects one bound for each of the " << shape.size()
                       << " dimensions, not " << getBounds().size();
  for (auto [dimension, bound] : llvm::enumerate(getBounds()))
    if (!mlir::ShapedType::isDynamic(bound) &&
        !mlir::ShapedType::isDynamic(shape[dimension]))
      return emitError() << "dimension " << dimension << " has the size "
                         << shape[dimension] << " and can have no bound, not "
                         << bound << ": `?` is expected there";
  return mlir::success();
}

int64_t boundOf(mlir::RankedTensorType type, int64_t dimension) {
  auto bounds = llvm::dyn_cast_or_null<BoundsAttr>(type.getEncoding());
  if (!bounds || dimension < 0 ||
      dimension >= static_cast<int64_t>(bounds.getBounds().size()))
    return mlir::ShapedType::kDynamic;
  return bounds.getBounds()[dimension];
}

//===-- Accuracies --------------------------------------------------------===//

mlir::Attribute ResultAccuracyAttr::parse(mlir::AsmParser &parser, mlir::Type) {
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  ResultAccuracyModeAttr mode;
  auto parseField = [&]() -> mlir::ParseResult {
    if (mlir::succeeded(parser.parseOptionalKeyword("atol")))
      return mlir::failure(parser.parseEqual() || parser.parseFloat(atol));
    if (mlir::succeeded(parser.parseOptionalKeyword("rtol")))
      return mlir::failure(parser.parseEqual() || parser.parseFloat(rtol));
    if (mlir::succeeded(parser.parseOptionalKeyword("ulps")))
      return mlir::failure(parser.parseEqual() || parser.parseInteger(ulps));
    return mlir::failure(parser.parseKeyword("mode") || parser.parseEqual() ||
                         parser.parseAttribute(mode));
  };
  llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::LessGreater,
                                     parseField))
    return {};
  if (!mode) {
    parser.emitError(place) << "a result accuracy names its mode, as in `mode "
                               "= #stablehlo.result_accuracy_mode<DEFAULT>`";
    return {};
  }
  return get(parser.getContext(), llvm::APFloat(atol), llvm::APFloat(rtol),
             ulps, mode);
}

void ResultAccuracyAttr::print(mlir::AsmPrinter &printer) const {
  printer << '<';
  if (!getAtol().isZero()) printer << "atol = " << getAtol() << ", ";
  if (!getRtol().isZero()) printer << "rtol = " << getRtol() << ", ";
  if (getUlps()) printer << "ulps = " << getUlps() << ", ";
  printer << "mode = " << getMode() << '>';
}

//===-- Dot algorithms ----------------------------------------------------===//

mlir::Attribute DotAlgorithmAttr::parse(mlir::AsmParser &parser, mlir::Type) {
  mlir::Type lhs, rhs, accumulation;
  int64_t lhsParts = 0, rhsParts = 0, operations = 0;
  bool imprecise = false;
  auto parseField = [&]() -> mlir::ParseResult {
    llvm::SMLoc place = parser.getCurrentLocation();
    llvm::StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return mlir::failure();
    if (name == "lhs_precision_type") return parser.parseType(lhs);
    if (name == "rhs_precision_type") return parser.parseType(rhs);
    if (name == "accumulation_type") return parser.parseType(accumulation);
    if (name == "lhs_component_count") return parser.parseInteger(lhsParts);
    if (name == "rhs_component_count") return parser.parseInteger(rhsParts);
    if (name == "num_primitive_operations")
      return parser.parseInteger(operations);
    if (name == "allow_imprecise_accumulation") {
      imprecise = mlir::succeeded(parser.parseOptionalKeyword("true"));
      return imprecise ? mlir::success() : parser.parseKeyword("false");
    }
    return parser.emitError(place)
           << "`" << name << "` is not a field of a dot algorithm";
  };
  llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::LessGreater,
                                     parseField))
    return {};
  if (!lhs || !rhs || !accumulation) {
    parser.emitError(place) << "a dot algorithm has lhs_precision_type, "
                               "rhs_precision_type and accumulation_type";
    return {};
  }
  return get(parser.getContext(), lhs, rhs, accumulation, lhsParts, rhsParts,
             operations, imprecise);
}

void DotAlgorithmAttr::print(mlir::AsmPrinter &printer) const {
  printer << "<lhs_precision_type = " << getLhsPrecisionType()
          << ", rhs_precision_type = " << getRhsPrecisionType()
          << ", accumulation_type = " << getAccumulationType()
          << ", lhs_component_count = " << getLhsComponentCount()
          << ", rhs_component_count = " << getRhsComponentCount()
          << ", num_primitive_operations = " << getNumPrimitiveOperations()
          << ", allow_imprecise_accumulation = "
          << (getAllowImpreciseAccumulation() ? "true" : "false") << '>';
}

//===-- The dialect's own syntax ------------------------------------------===//

mlir::Attribute StablehloDialect::parseAttribute(mlir::DialectAsmParser &parser,
                                                 mlir::Type type) const {
  llvm::SMLoc place = parser.getCurrentLocation();
  llvm::StringRef name;
  mlir::Attribute attribute;
  mlir::OptionalParseResult result =
      generatedAttributeParser(parser, &name, type, attribute);
  if (result.has_value()) return attribute;
  if (name == "type_extensions") return parseTypeExtensions(parser);
  parser.emitError(place) << "`" << name
                          << "` is not the name of a StableHLO attribute";
  return {};
}

void StablehloDialect::printAttribute(mlir::Attribute attribute,
                                      mlir::DialectAsmPrinter &printer) const {
  if (mlir::failed(generatedAttributePrinter(attribute, printer)))
    printer << "unknown";
}

}  // namespace indexical::stablehlo
