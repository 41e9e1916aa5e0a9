// The syntax of reduce, whose body may be the name of an op.
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/stablehlo/dialect/control.h"
#include "indexical/import/stablehlo/dialect/fields.h"
#include "indexical/import/stablehlo/dialect/reduction.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::OpAsmParser;
using mlir::ParseResult;
using mlir::succeeded;
using mlir::success;
using Operand = OpAsmParser::UnresolvedOperand;

namespace {

// `applies` leaves the order of the operands open, so only these are written
// so.
bool isCommutative(mlir::OperationName name) {
  static constexpr llvm::StringLiteral kNames[] = {
      "stablehlo.add", "stablehlo.and",     "stablehlo.maximum",
      "stablehlo.or",  "stablehlo.minimum", "stablehlo.multiply",
      "stablehlo.xor"};
  return llvm::is_contained(kNames, name.getStringRef());
}

// The op of a body that is nothing but that op of its two arguments, or null.
mlir::Operation *onlyOp(ReduceOp reduce) {
  mlir::Region &body = reduce.getBody();
  if (reduce.getNumOperands() != 2 || reduce.getNumResults() != 1 ||
      !body.hasOneBlock())
    return nullptr;
  mlir::Block &block = body.front();
  auto input =
      llvm::dyn_cast<mlir::RankedTensorType>(reduce.getOperand(0).getType());
  if (!input || block.getNumArguments() != 2 ||
      !llvm::hasNItems(block.getOperations(), 2))
    return nullptr;
  mlir::Operation &op = block.front(), &last = block.back();
  mlir::Type element = mlir::RankedTensorType::get({}, input.getElementType());
  bool plain = op.getNumOperands() == 2 && op.getNumResults() == 1 &&
               op.getNumRegions() == 0 && op.getNumSuccessors() == 0 &&
               op.getAttrs().empty() && isCommutative(op.getName()) &&
               op.getOperand(0) == block.getArgument(0) &&
               op.getOperand(1) == block.getArgument(1) &&
               op.getOperand(0).getType() == element &&
               op.getOperand(1).getType() == element &&
               op.getResult(0).getType() == element;
  bool returned = llvm::isa<ReturnOp>(last) && last.getAttrs().empty() &&
                  last.getNumOperands() == 1 &&
                  last.getOperand(0) == op.getResult(0);
  return plain && returned ? &op : nullptr;
}

ParseResult parseDimensions(OpAsmParser &parser, mlir::Attribute &dimensions) {
  llvm::SmallVector<int64_t> numbers;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() || parseBracketed(parser, numbers))
    return failure();
  dimensions = integerList(parser.getContext(), numbers);
  return success();
}

// The body that `applies NAME` stands for.
ParseResult buildBody(OpAsmParser &parser, llvm::SMLoc place,
                      mlir::OperationName name, mlir::Type input,
                      mlir::Region &region) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(input);
  if (!tensor)
    return parser.emitError(place)
           << "expects ranked tensors to reduce, not " << input;
  mlir::Location location = parser.getEncodedSourceLoc(place);
  mlir::Type element = mlir::RankedTensorType::get({}, tensor.getElementType());
  mlir::Block &block = region.emplaceBlock();
  block.addArguments({element, element}, {location, location});
  mlir::OpBuilder builder(parser.getContext());
  builder.setInsertionPointToStart(&block);
  mlir::OperationState inner(location, name);
  inner.addOperands(block.getArguments());
  inner.addTypes(element);
  mlir::Operation *op = builder.create(inner);
  ReturnOp::create(builder, location, mlir::TypeRange{}, op->getResults());
  return success();
}

// `reducer(%a: t, %b: t) (%c: u, %d: u) { … }`: left and right of each input.
ParseResult parseReducer(OpAsmParser &parser, mlir::Region &region) {
  llvm::SmallVector<OpAsmParser::Argument> left, right;
  if (parser.parseKeyword("reducer")) return failure();
  while (succeeded(parser.parseOptionalLParen()))
    if (parser.parseArgument(left.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(right.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  left.append(right);
  return parser.parseRegion(region, left);
}

}  // namespace

ParseResult ReduceOp::parse(OpAsmParser &parser, mlir::OperationState &result) {
  llvm::SMLoc start = parser.getCurrentLocation();
  llvm::SmallVector<Operand> inputs, inits;
  do {
    if (parser.parseLParen() || parser.parseOperand(inputs.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  inputs.append(inits);

  std::optional<mlir::OperationName> applied;
  llvm::SMLoc place;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    place = parser.getCurrentLocation();
    mlir::FailureOr<mlir::OperationName> name =
        parser.parseCustomOperationName();
    if (failed(name)) return failure();
    applied = *name;
    if (inits.size() != 1)
      return parser.emitError(place)
             << "one op cannot be applied to " << inits.size() << " inputs";
    if (!isCommutative(*applied))
      return parser.emitError(place)
             << "`" << *applied
             << "` cannot be applied, only add, and, maximum, minimum, "
                "multiply, or and xor of StableHLO";
  }
  mlir::Attribute dimensions;
  mlir::FunctionType type;
  mlir::Region *body = result.addRegion();
  if (parseDimensions(parser, dimensions) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(inputs, type.getInputs(), start, result.operands))
    return failure();
  result.getOrAddProperties<Properties>().dimensions = dimensions;
  result.addTypes(type.getResults());
  if (applied)
    return buildBody(parser, place, *applied, type.getInput(0), *body);
  return parseReducer(parser, *body);
}

void ReduceOp::print(mlir::OpAsmPrinter &printer) {
  size_t inputs = getNumOperands() / 2;
  for (size_t i = 0; i < inputs; ++i) {
    printer << (i == 0 ? "(" : ", (");
    printer.printOperand(getOperand(i));
    printer << " init: ";
    printer.printOperand(getOperand(inputs + i));
    printer << ')';
  }
  mlir::Operation *applied = onlyOp(*this);
  if (applied) printer << " applies " << applied->getName();
  printer << " across dimensions = ";
  printBracketed(printer, getDimensions());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"dimensions"});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (applied) return;
  printer.printNewline();
  printer << " reducer";
  mlir::Block::BlockArgListType arguments = getBody().getArguments();
  for (size_t i = 0; i < arguments.size() / 2; ++i) {
    printer << '(';
    printer.printRegionArgument(arguments[i]);
    printer << ", ";
    printer.printRegionArgument(arguments[arguments.size() / 2 + i]);
    printer << ") ";
  }
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

}  // namespace indexical::stablehlo
