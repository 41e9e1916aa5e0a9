#include "indexical/stablehlo/dialect/neighbours.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

#include "indexical/stablehlo/dialect/text.h"

namespace indexical::neighbours {

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

// `%0, dense<1> : tensor<2xi64>`; older files write `(%0, dense<1> : …) : …`.
ParseResult parseExpectedConstant(OpAsmParser &parser,
                                  OpAsmParser::UnresolvedOperand &operand,
                                  mlir::Type &type, mlir::ElementsAttr &value) {
  bool older = succeeded(parser.parseOptionalLParen());
  if (parser.parseOperand(operand) || parser.parseComma() ||
      parser.parseAttribute(value))
    return failure();
  type = value.getType();
  if (!older) return success();
  return failure(parser.parseRParen() || parser.parseColonType(type));
}

void printExpectedConstant(OpAsmPrinter &printer, Operation *,
                           mlir::Value operand, mlir::Type type,
                           mlir::ElementsAttr value) {
  bool older = type != value.getType();
  if (older) printer << '(';
  printer << operand << ", " << value;
  if (older) printer << ") : " << type;
}

ParseResult parseWord(OpAsmParser &parser, mlir::StringAttr &word) {
  llvm::StringRef text;
  if (parser.parseKeyword(&text)) return failure();
  word = parser.getBuilder().getStringAttr(text);
  return success();
}

void printWord(OpAsmPrinter &printer, Operation *, mlir::StringAttr word) {
  printer << word.getValue();
}

ParseResult parseOptionalWord(OpAsmParser &parser, mlir::StringAttr &word) {
  llvm::StringRef text;
  if (succeeded(parser.parseOptionalKeyword(&text)))
    word = parser.getBuilder().getStringAttr(text);
  return success();
}

void printOptionalWord(OpAsmPrinter &printer, Operation *,
                       mlir::StringAttr word) {
  if (word) printer << word.getValue();
}

ParseResult parseMeshText(OpAsmParser &parser, Attribute &mesh) {
  if (failed(parser.parseOptionalEqual())) return success();
  return parseText(parser, "<", "sdy", "mesh", mesh);
}

void printMeshText(OpAsmPrinter &printer, Operation *, Attribute mesh) {
  if (!mesh) return;
  auto opaque = llvm::dyn_cast<mlir::OpaqueAttr>(mesh);
  llvm::StringRef text = opaque ? opaque.getAttrData() : "";
  if (text.consume_front("mesh"))
    printer << "= " << text;
  else
    printer << "= " << mesh;
}

ParseResult parseShardingText(OpAsmParser &parser, Attribute &sharding) {
  return parseText(parser, "<", "sdy", "sharding", sharding);
}

void printShardingText(OpAsmPrinter &printer, Operation *, Attribute sharding) {
  if (sharding) printText(printer, "sharding", sharding);
}

ParseResult parseAxesText(OpAsmParser &parser, Attribute &axes) {
  return parseText(parser, "[{", "sdy", "axes", axes);
}

void printAxesText(OpAsmPrinter &printer, Operation *, Attribute axes) {
  if (axes) printText(printer, "axes", axes);
}

ParseResult parseOutShardingText(OpAsmParser &parser, Attribute &sharding) {
  if (failed(parser.parseOptionalKeyword("out_sharding"))) return success();
  return failure(parser.parseEqual() ||
                 parseText(parser, "<", "sdy", "sharding", sharding));
}

void printOutShardingText(OpAsmPrinter &printer, Operation *,
                          Attribute sharding) {
  if (sharding) printText(printer << "out_sharding=", "sharding", sharding);
}

ParseResult parseReductionText(OpAsmParser &parser, Attribute &reduction) {
  return parseText(parser, "<", "mpmd", "reduction", reduction);
}

void printReductionText(OpAsmPrinter &printer, Operation *,
                        Attribute reduction) {
  if (reduction) printText(printer, "reduction", reduction);
}

ParseResult parseFragmentText(OpAsmParser &parser, Attribute &target) {
  return parseText(parser, "<", "mpmd", "fragment", target);
}

void printFragmentText(OpAsmPrinter &printer, Operation *, Attribute target) {
  if (target) printText(printer, "fragment", target);
}

}  // namespace

}  // namespace indexical::neighbours

// clang-format off: what is generated wants what stands above.
#include "indexical/stablehlo/dialect/check_dialect.cc.inc"
#include "indexical/stablehlo/dialect/enzyme_dialect.cc.inc"
#include "indexical/stablehlo/dialect/enzymexla_dialect.cc.inc"
#include "indexical/stablehlo/dialect/flow_dialect.cc.inc"
#include "indexical/stablehlo/dialect/interpreter_dialect.cc.inc"
#include "indexical/stablehlo/dialect/mpmd_dialect.cc.inc"
#include "indexical/stablehlo/dialect/sdy_dialect.cc.inc"
#include "indexical/stablehlo/dialect/util_dialect.cc.inc"
#define GET_OP_CLASSES
#include "indexical/stablehlo/dialect/neighbours.cc.inc"
// clang-format on

namespace indexical::neighbours {

//===-- Dialects ----------------------------------------------------------===//

void CheckDialect::initialize() {
  addOperations<ExpectAlmostEqConstOp, ExpectAlmostEqOp, ExpectCloseOp,
                ExpectEqConstOp, ExpectEqOp>();
  allowUnknownOperations();
}

void InterpreterDialect::initialize() {
  addOperations<PrintOp>();
  allowUnknownOperations();
}

void UtilDialect::initialize() {
  addOperations<UnfoldableConstantOp, UtilBarrierOp>();
  allowUnknownOperations();
}

void FlowDialect::initialize() {
  addOperations<DynamicConstantOp>();
  allowUnknownOperations();
}

void EnzymeDialect::initialize() {
  addOperations<AutoDiffOp, BatchOp, ForwardDiffOp>();
  allowUnknownOperations();
}

void EnzymexlaDialect::initialize() {
  addOperations<MpiAllreduceOp, MpiBroadcastOp, MpiIsendOp, MpiSendOp,
                MpiWaitOp, SincOp, SyrkOp>();
  allowUnknownOperations();
}

void MpmdDialect::initialize() {
  addOperations<AssignOp, FragmentCallOp, FragmentOp, MpmdCallOp,
                MpmdNamedComputationOp, MpmdReduceOp, MpmdReturnOp, TransferOp,
                UnassignOp>();
  allowUnknownOperations();
}

void SdyDialect::initialize() {
  addOperations<AllGatherOp, AllReduceOp, AllSliceOp, AllToAllOp,
                CollectivePermuteOp, DataFlowEdgeOp, FuncDataFlowEdgeOp,
                ManualComputationOp, MeshOp, NamedComputationOp,
                PropagationBarrierOp, ReduceScatterOp, ReshardOp, SdyConstantOp,
                SdyReturnOp, ShardingConstraintOp, ShardingGroupOp>();
  allowUnknownOperations();
}

//===-- Computations ------------------------------------------------------===//

namespace {

// ` (%a: t) { … }`.
void printArguments(OpAsmPrinter &printer, mlir::Region &region) {
  printer << " (";
  llvm::interleaveComma(region.getArguments(), printer,
                        [&](mlir::BlockArgument argument) {
                          printer.printRegionArgument(argument);
                        });
  printer << ") ";
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

struct NamedText {
  llvm::StringRef name;
  Attribute *attribute;
};

// (%0) in_shardings=[…] … (%a: t) { … } {attributes} : (t) -> t
ParseResult parseComputation(OpAsmParser &parser, mlir::OperationState &result,
                             llvm::ArrayRef<NamedText> texts) {
  llvm::SMLoc start = parser.getCurrentLocation();
  llvm::SmallVector<OpAsmParser::UnresolvedOperand> operands;
  llvm::SmallVector<OpAsmParser::Argument> arguments;
  mlir::FunctionType type;
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren))
    return failure();
  for (NamedText text : texts)
    if (succeeded(parser.parseOptionalKeyword(text.name)) &&
        (parser.parseEqual() ||
         parseText(parser, "[{", "sdy", text.name, *text.attribute)))
      return failure();
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseRegion(*result.addRegion(), arguments) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  result.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), start,
                                result.operands);
}

void printComputation(OpAsmPrinter &printer, Operation *op,
                      llvm::ArrayRef<NamedText> texts) {
  printer << '(' << op->getOperands() << ')';
  llvm::SmallVector<llvm::StringRef> printed = {"name"};
  for (NamedText text : texts) {
    printed.push_back(text.name);
    if (!*text.attribute) continue;
    printer << ' ' << text.name << '=';
    printText(printer, text.name, *text.attribute);
  }
  printArguments(printer, op->getRegion(0));
  printer.printOptionalAttrDict(op->getAttrs(), printed);
  printer << " : ";
  printer.printFunctionalType(op);
}

}  // namespace

ParseResult ManualComputationOp::parse(OpAsmParser &parser,
                                       mlir::OperationState &result) {
  auto &own = result.getOrAddProperties<Properties>();
  return parseComputation(parser, result,
                          {{"in_shardings", &own.in_shardings},
                           {"out_shardings", &own.out_shardings},
                           {"manual_axes", &own.manual_axes}});
}

void ManualComputationOp::print(OpAsmPrinter &printer) {
  Attribute in = getInShardingsAttr(), out = getOutShardingsAttr(),
            axes = getManualAxesAttr();
  printComputation(
      printer, *this,
      {{"in_shardings", &in}, {"out_shardings", &out}, {"manual_axes", &axes}});
}

ParseResult NamedComputationOp::parse(OpAsmParser &parser,
                                      mlir::OperationState &result) {
  auto &own = result.getOrAddProperties<Properties>();
  if (parser.parseLess() || parser.parseAttribute(own.name) ||
      parser.parseGreater())
    return failure();
  return parseComputation(parser, result,
                          {{"in_shardings", &own.in_shardings},
                           {"out_shardings", &own.out_shardings}});
}

void NamedComputationOp::print(OpAsmPrinter &printer) {
  Attribute in = getInShardingsAttr(), out = getOutShardingsAttr();
  printer << '<' << getNameAttr() << '>';
  printComputation(printer, *this,
                   {{"in_shardings", &in}, {"out_shardings", &out}});
}

namespace {

ParseResult parseFragment(OpAsmParser &parser, mlir::OperationState &result,
                          Attribute &target) {
  llvm::SMLoc start = parser.getCurrentLocation();
  llvm::SmallVector<OpAsmParser::UnresolvedOperand> operands;
  llvm::SmallVector<OpAsmParser::Argument> arguments;
  mlir::FunctionType type;
  if (parseFragmentText(parser, target) ||
      parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseRegion(*result.addRegion(), arguments) ||
      parser.parseColonType(type))
    return failure();
  result.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), start,
                                result.operands);
}

void printFragment(OpAsmPrinter &printer, Operation *op, Attribute target) {
  printFragmentText(printer, op, target);
  printer << " (" << op->getOperands() << ')';
  printer.printOptionalAttrDict(op->getAttrs(), {"target"});
  printArguments(printer, op->getRegion(0));
  printer << " : ";
  printer.printFunctionalType(op);
}

}  // namespace

ParseResult FragmentOp::parse(OpAsmParser &parser,
                              mlir::OperationState &result) {
  return parseFragment(parser, result,
                       result.getOrAddProperties<Properties>().target);
}

void FragmentOp::print(OpAsmPrinter &printer) {
  printFragment(printer, *this, getTargetAttr());
}

ParseResult MpmdNamedComputationOp::parse(OpAsmParser &parser,
                                          mlir::OperationState &result) {
  return parseFragment(parser, result,
                       result.getOrAddProperties<Properties>().target);
}

void MpmdNamedComputationOp::print(OpAsmPrinter &printer) {
  printFragment(printer, *this, getTargetAttr());
}

}  // namespace indexical::neighbours
