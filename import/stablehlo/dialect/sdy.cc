#include "indexical/import/stablehlo/dialect/sdy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "indexical/import/stablehlo/dialect/sdy_bytecode.h"
#include "indexical/import/stablehlo/dialect/sdy_text.h"
#include "indexical/import/stablehlo/dialect/text.h"

namespace indexical::sdy {

using mlir::AsmParser;
using mlir::AsmPrinter;
using mlir::Attribute;
using mlir::failed;
using mlir::failure;
using mlir::OpAsmParser;
using mlir::OpAsmPrinter;
using mlir::Operation;
using mlir::ParseResult;
using mlir::succeeded;
using mlir::success;

namespace {

//===-- Attributes of ops -------------------------------------------------===//

template <typename Attr>
ParseResult parseAngled(OpAsmParser &parser, Attr &attribute) {
  attribute = sdy::parseAngled<Attr>(parser);
  return success(attribute != nullptr);
}

template <typename Attr>
void printAngled(OpAsmPrinter &printer, Operation *, Attr attribute) {
  sdy::printAngled(printer, attribute);
}

// `<@mesh, [{"a"}]>`, or nothing. Edges write `sharding=` before it.
ParseResult parseOptionalSharding(OpAsmParser &parser,
                                  TensorShardingAttr &sharding) {
  if (succeeded(parser.parseOptionalKeyword("sharding")))
    return failure(parser.parseEqual() || parseAngled(parser, sharding));
  if (failed(parser.parseOptionalLess())) return success();
  sharding = TensorShardingAttr::parseBody(parser);
  return failure(!sharding || parser.parseGreater());
}

void printOptionalSharding(OpAsmPrinter &printer, Operation *op,
                           TensorShardingAttr sharding) {
  if (sharding) printAngled(printer, op, sharding);
}

// `[{"a"}, {}]`, without the angles of the attribute. An op in generic form may
// have none; then an empty one is printed.
template <typename Attr>
ParseResult parseBody(OpAsmParser &parser, Attr &attribute) {
  attribute = Attr::parseBody(parser);
  return success(attribute != nullptr);
}

template <typename Attr>
void printBody(OpAsmPrinter &printer, Operation *op, Attr attribute) {
  if (!attribute) attribute = Attr::get(op->getContext(), {});
  attribute.printBody(printer);
}

ParseResult parseMesh(OpAsmParser &parser, MeshAttr &mesh) {
  if (failed(parser.parseOptionalEqual())) return success();
  return parseAngled(parser, mesh);
}

void printMesh(OpAsmPrinter &printer, Operation *op, MeshAttr mesh) {
  if (!mesh) return;
  printer << "= ";
  printAngled(printer, op, mesh);
}

// `max`, or nothing. What is no such word is `reduction_op = ATTRIBUTE`.
ParseResult parseReductionWord(OpAsmParser &parser, Attribute &reduction) {
  llvm::StringRef word;
  const llvm::SMLoc place = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&word))) return success();
  if (word == "reduction_op")
    return failure(parser.parseEqual() || parser.parseAttribute(reduction));
  std::optional<Reduction> known = symbolizeReduction(word);
  if (!known)
    return parser.emitError(place)
           << "`" << word << "` is not a reduction: sum, max or min";
  reduction =
      parser.getBuilder().getI32IntegerAttr(static_cast<int32_t>(*known));
  return success();
}

void printReductionWord(OpAsmPrinter &printer, Operation *,
                        Attribute reduction) {
  if (!reduction) return;
  auto number = llvm::dyn_cast<mlir::IntegerAttr>(reduction);
  std::optional<Reduction> known;
  if (number && number.getType().isSignlessInteger(32))
    known = symbolizeReduction(static_cast<uint32_t>(number.getInt()));
  if (known)
    printer << stringifyReduction(*known);
  else
    printer << "reduction_op = " << reduction;
}

// `BACKWARD`; its number in bytecode.
ParseResult parseWord(OpAsmParser &parser, Attribute &word) {
  llvm::StringRef text;
  if (failed(parser.parseOptionalKeyword(&text)))
    return parser.parseAttribute(word);
  word = parser.getBuilder().getStringAttr(text);
  return success();
}

void printWord(OpAsmPrinter &printer, Operation *, Attribute word) {
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(word))
    printer << text.getValue();
  else
    printer << word;
}

}  // namespace

}  // namespace indexical::sdy

#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/sdy.cc.inc"
#include "indexical/import/stablehlo/dialect/sdy_dialect.cc.inc"

namespace indexical::sdy {

void SdyDialect::initialize() {
  addAttributes();
  addBytecode();
  addOperations<
#define GET_OP_LIST
#include "indexical/import/stablehlo/dialect/sdy.cc.inc"
      >();
  allowUnknownOperations();
}

//===-- Computations ------------------------------------------------------===//

namespace {

// ` in_shardings=[…]`, if it is there.
template <typename Attr>
ParseResult parseNamed(OpAsmParser &parser, llvm::StringRef name,
                       Attr &attribute) {
  if (failed(parser.parseOptionalKeyword(name))) return success();
  return failure(parser.parseEqual() || parseBody(parser, attribute));
}

template <typename Attr>
void printNamed(OpAsmPrinter &printer, llvm::StringRef name, Attr attribute) {
  if (!attribute) return;
  printer << ' ' << name << '=';
  attribute.printBody(printer);
}

// (%0) ATTRIBUTES (%a: t) { … } {attributes} : (t) -> t
ParseResult parseComputation(
    OpAsmParser &parser, mlir::OperationState &result,
    llvm::function_ref<ParseResult()> parseAttributes) {
  llvm::SMLoc start = parser.getCurrentLocation();
  llvm::SmallVector<OpAsmParser::UnresolvedOperand> operands;
  llvm::SmallVector<OpAsmParser::Argument> arguments;
  mlir::FunctionType type;
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parseAttributes() ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseRegion(*result.addRegion(), arguments) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  result.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), start,
                                result.operands);
}

void printBodyAndType(OpAsmPrinter &printer, Operation *op) {
  printRegionWithArguments(printer, op->getRegion(0));
  printer.printOptionalAttrDict(
      op->getAttrs(), {"name", "in_shardings", "out_shardings", "manual_axes"});
  printer << " : ";
  printer.printFunctionalType(op);
}

}  // namespace

ParseResult ManualComputationOp::parse(OpAsmParser &parser,
                                       mlir::OperationState &result) {
  auto &own = result.getOrAddProperties<Properties>();
  return parseComputation(parser, result, [&] {
    return failure(parseNamed(parser, "in_shardings", own.in_shardings) ||
                   parseNamed(parser, "out_shardings", own.out_shardings) ||
                   parseNamed(parser, "manual_axes", own.manual_axes));
  });
}

void ManualComputationOp::print(OpAsmPrinter &printer) {
  printer << '(' << getOperands() << ')';
  printNamed(printer, "in_shardings", getInShardingsAttr());
  printNamed(printer, "out_shardings", getOutShardingsAttr());
  printNamed(printer, "manual_axes", getManualAxesAttr());
  printBodyAndType(printer, *this);
}

ParseResult NamedComputationOp::parse(OpAsmParser &parser,
                                      mlir::OperationState &result) {
  auto &own = result.getOrAddProperties<Properties>();
  if (parser.parseLess() || parser.parseAttribute(own.name) ||
      parser.parseGreater())
    return failure();
  return parseComputation(parser, result, [&] {
    return failure(parseNamed(parser, "in_shardings", own.in_shardings) ||
                   parseNamed(parser, "out_shardings", own.out_shardings));
  });
}

void NamedComputationOp::print(OpAsmPrinter &printer) {
  printer << '<' << getNameAttr() << ">(" << getOperands() << ')';
  printNamed(printer, "in_shardings", getInShardingsAttr());
  printNamed(printer, "out_shardings", getOutShardingsAttr());
  printBodyAndType(printer, *this);
}

}  // namespace indexical::sdy
