// The syntax of `stablehlo.constant dense<[1, 2]> : tensor<2xi32>`.
#include "indexical/import/stablehlo/dialect/movement.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::succeeded;

// Quantized values are written with the type of their storage, as
// `stablehlo.constant() <{value = dense<1> : tensor<2xi8>}> : () ->
// tensor<2x!quant.uniform<i8:f32, 2.0>>`.
mlir::ParseResult ConstantOp::parse(mlir::OpAsmParser &parser,
                                    mlir::OperationState &result) {
  mlir::ElementsAttr value;
  llvm::SMLoc start = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalLParen())) {
    mlir::NamedAttrList own;
    mlir::FunctionType type;
    if (parser.parseRParen()) return failure();
    if (succeeded(parser.parseOptionalLess()) &&
        (parser.parseOptionalAttrDict(own) || parser.parseGreater()))
      return failure();
    if (parser.parseOptionalAttrDict(result.attributes) ||
        parser.parseColonType(type))
      return failure();
    mlir::Attribute written = own.erase("value");
    if (!written) written = result.attributes.erase("value");
    value = llvm::dyn_cast_or_null<mlir::ElementsAttr>(written);
    if (!value)
      return parser.emitError(start)
             << "expects `value`, the elements of the constant";
    if (type.getNumInputs() != 0 || type.getNumResults() != 1)
      return parser.emitError(start)
             << "expects no operand and one result, not " << type;
    result.addTypes(type.getResults());
  } else {
    if (parser.parseOptionalAttrDict(result.attributes) ||
        parser.parseAttribute(value))
      return failure();
    result.addTypes(value.getType());
  }
  result.getOrAddProperties<Properties>().value = value;
  return mlir::success();
}

void ConstantOp::print(mlir::OpAsmPrinter &printer) {
  if (getValue().getType() == getType()) {
    printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
    printer << ' ' << getValue();
    return;
  }
  printer << "() <{value = " << getValue() << "}>";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
  printer << " : ";
  printer.printFunctionalType(*this);
}

void ConstantOp::getAsmResultNames(mlir::OpAsmSetValueNameFn setName) {
  bool whole = llvm::isa<mlir::IntegerType>(getType().getElementType());
  setName(getResult(), whole ? "c" : "cst");
}

}  // namespace indexical::stablehlo
