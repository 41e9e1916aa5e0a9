// The syntax of while, whose regions have no block labels.
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/stablehlo/dialect/control.h"

namespace indexical::stablehlo {

using mlir::failure;
using mlir::OpAsmParser;
using mlir::ParseResult;
using Operand = OpAsmParser::UnresolvedOperand;

// stablehlo.while(%i = %0, %x = %1) : tensor<i64>, tensor<4xf32>
//   cond { … } do { … }
ParseResult WhileOp::parse(OpAsmParser &parser, mlir::OperationState &result) {
  llvm::SMLoc start = parser.getCurrentLocation();
  llvm::SmallVector<Operand> operands;
  llvm::SmallVector<OpAsmParser::Argument> arguments;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parsePair))
    return failure();
  llvm::SmallVector<mlir::Type> types;
  if (mlir::succeeded(parser.parseOptionalColon()) &&
      parser.parseTypeList(types))
    return failure();
  // Results may be known less well than operands: `(t, u) -> (v, w)`.
  llvm::SmallVector<mlir::Type> results = types;
  auto function = types.size() == 1
                      ? llvm::dyn_cast<mlir::FunctionType>(types[0])
                      : nullptr;
  if (function) {
    types.assign(function.getInputs().begin(), function.getInputs().end());
    results.assign(function.getResults().begin(), function.getResults().end());
  }
  if (types.size() != arguments.size())
    return parser.emitError(start)
           << "expects a type for each of the " << arguments.size()
           << " values, not " << types.size();
  for (auto [argument, type] : llvm::zip(arguments, types))
    argument.type = type;
  mlir::Region *condition = result.addRegion(), *body = result.addRegion();
  result.addTypes(results);
  return failure(
      parser.resolveOperands(operands, types, start, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseKeyword("cond") ||
      parser.parseRegion(*condition, arguments) || parser.parseKeyword("do") ||
      parser.parseRegion(*body, arguments));
}

// Both regions name their arguments alike, so those of the body serve.
void WhileOp::print(mlir::OpAsmPrinter &printer) {
  printer << '(';
  llvm::interleaveComma(
      llvm::zip(getBody().getArguments(), getOperation()->getOperands()),
      printer, [&](auto pair) {
        printer.printOperand(std::get<0>(pair));
        printer << " = ";
        printer.printOperand(std::get<1>(pair));
      });
  printer << ')';
  if (getOperandTypes() != getResultTypes()) {
    printer << " : ";
    printer.printFunctionalType(*this);
  } else if (getNumOperands() != 0) {
    printer << " : ";
    llvm::interleaveComma(getOperandTypes(), printer);
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printNewline();
  printer << " cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

void WhileOp::getAsmBlockArgumentNames(mlir::Region &region,
                                       mlir::OpAsmSetValueNameFn setName) {
  for (mlir::BlockArgument argument : region.getArguments())
    setName(argument, "iterArg");
}

}  // namespace indexical::stablehlo
