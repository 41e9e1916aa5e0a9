#include "indexical/import/stablehlo/dialect/neighbours.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

#include "indexical/import/stablehlo/dialect/format.h"
#include "indexical/import/stablehlo/dialect/text.h"

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

using stablehlo::parseAgreeingTypes;
using stablehlo::printAgreeingTypes;

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

// clang-format off: the generated code needs the code above it.
#include "indexical/import/stablehlo/dialect/check_dialect.cc.inc"
#include "indexical/import/stablehlo/dialect/enzyme_dialect.cc.inc"
#include "indexical/import/stablehlo/dialect/enzymexla_dialect.cc.inc"
#include "indexical/import/stablehlo/dialect/flow_dialect.cc.inc"
#include "indexical/import/stablehlo/dialect/interpreter_dialect.cc.inc"
#include "indexical/import/stablehlo/dialect/mhlo_dialect.cc.inc"
#include "indexical/import/stablehlo/dialect/mpmd_dialect.cc.inc"
#include "indexical/import/stablehlo/dialect/util_dialect.cc.inc"
#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/neighbours.cc.inc"
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

void MhloDialect::initialize() {
  addOperations<MhloAddDependencyOp, MhloAsyncDoneOp, MhloAsyncStartOp,
                MhloAsyncUpdateOp, MhloBitcastOp, MhloComputeReshapeShapeOp,
                MhloCopyOp, MhloCstrReshapableOp, MhloDomainOp, MhloFusionOp,
                MhloMinimumBroadcastShapesOp, MhloRngStateOp,
                MhloStochasticConvertOp, MhloTopKOp>();
  allowUnknownOperations();
}

void MpmdDialect::initialize() {
  addOperations<AssignOp, FragmentCallOp, FragmentOp, MpmdCallOp,
                MpmdNamedComputationOp, MpmdReduceOp, MpmdReturnOp, TransferOp,
                UnassignOp>();
  allowUnknownOperations();
}

//===-- Computations ------------------------------------------------------===//

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
  printRegionWithArguments(printer, op->getRegion(0));
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
