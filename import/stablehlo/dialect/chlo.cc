#include "indexical/import/stablehlo/dialect/chlo.h"

#include "llvm/ADT/TypeSwitch.h"

#include "indexical/import/stablehlo/dialect/chlo_dialect.cc.inc"
#include "indexical/import/stablehlo/dialect/chlo_enums.cc.inc"
#include "indexical/import/stablehlo/dialect/fields.h"
#define GET_ATTRDEF_CLASSES
#include "indexical/import/stablehlo/dialect/chlo_attributes.cc.inc"
#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/chlo.cc.inc"

namespace indexical::chlo {

using stablehlo::FieldPrinter;

void ChloDialect::initialize() {
  addAttributes();
  addOps();
}

void ChloDialect::addAttributes() {
  ::mlir::Dialect::addAttributes<
#define GET_ATTRDEF_LIST
#include "indexical/import/stablehlo/dialect/chlo_attributes.cc.inc"
      >();
}

void ChloDialect::addOps() {
  addOperations<
#define GET_OP_LIST
#include "indexical/import/stablehlo/dialect/chlo.cc.inc"
      >();
}

mlir::Attribute RaggedDotDimensionNumbersAttr::parse(mlir::AsmParser &parser,
                                                     mlir::Type) {
  llvm::SmallVector<int64_t> lhsBatching, rhsBatching, lhsContracting,
      rhsContracting, lhsRagged, rhsGroup;
  if (stablehlo::parseFields(parser,
                             {{"lhs_batching_dimensions", &lhsBatching},
                              {"rhs_batching_dimensions", &rhsBatching},
                              {"lhs_contracting_dimensions", &lhsContracting},
                              {"rhs_contracting_dimensions", &rhsContracting},
                              {"lhs_ragged_dimensions", &lhsRagged},
                              {"rhs_group_dimensions", &rhsGroup}}))
    return {};
  return get(parser.getContext(), lhsBatching, rhsBatching, lhsContracting,
             rhsContracting, lhsRagged, rhsGroup);
}

void RaggedDotDimensionNumbersAttr::print(mlir::AsmPrinter &printer) const {
  printer << '<';
  FieldPrinter(printer)
      .list("lhs_batching_dimensions", getLhsBatchingDimensions())
      .list("rhs_batching_dimensions", getRhsBatchingDimensions())
      .list("lhs_contracting_dimensions", getLhsContractingDimensions())
      .list("rhs_contracting_dimensions", getRhsContractingDimensions())
      .list("lhs_ragged_dimensions", getLhsRaggedDimensions())
      .list("rhs_group_dimensions", getRhsGroupDimensions());
  printer << '>';
}

// chlo.scan(%x, …) inits(%c, …) dimension = 0 attributes {…} {
//   ^bb0(%x: slices, %c: carries): …
// } : (types) -> (outputs, carries)
mlir::ParseResult ScanOp::parse(mlir::OpAsmParser &parser,
                                mlir::OperationState &result) {
  using Operand = mlir::OpAsmParser::UnresolvedOperand;
  llvm::SmallVector<Operand> operands, inits;
  mlir::IntegerAttr dimension;
  mlir::FunctionType type;
  auto paren = mlir::OpAsmParser::Delimiter::Paren;
  llvm::SMLoc start = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, paren) ||
      parser.parseKeyword("inits") || parser.parseOperandList(inits, paren) ||
      parser.parseKeyword("dimension") || parser.parseEqual() ||
      parser.parseAttribute(dimension, parser.getBuilder().getI64Type()) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion()) || parser.parseColonType(type))
    return mlir::failure();
  if (type.getNumResults() < inits.size())
    return parser.emitError(start)
           << "expects a result for each of the " << inits.size()
           << " carries, not " << type.getNumResults() << " results";
  auto &properties = result.getOrAddProperties<Properties>();
  properties.dimension = dimension;
  int32_t outputs = type.getNumResults() - inits.size();
  properties.operandSegmentSizes = {static_cast<int32_t>(operands.size()),
                                    static_cast<int32_t>(inits.size())};
  properties.resultSegmentSizes = {outputs, static_cast<int32_t>(inits.size())};
  operands.append(inits);
  result.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), start,
                                result.operands);
}

void ScanOp::print(mlir::OpAsmPrinter &printer) {
  printer << '(' << getInputs() << ") inits (" << getInits()
          << ") dimension = " << getDimension();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {"dimension", "operandSegmentSizes", "resultSegmentSizes"});
  printer << ' ';
  printer.printRegion(getBody());
  printer << " : ";
  printer.printFunctionalType(*this);
}

}  // namespace indexical::chlo
