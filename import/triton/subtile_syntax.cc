#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/triton/op_syntax.h"
#include "indexical/import/triton/op_typing.h"

namespace indexical::triton {

using llvm::StringRef;
using mlir::failure;
using mlir::OpAsmParser;
using mlir::OperationState;
using mlir::ParseResult;
using mlir::success;

namespace {

/// Reads `(%a, %b : T, U)` and appends the operands. Returns failure if there
/// is no parenthesis.
ParseResult parseValues(OpAsmParser &parser, OperationState &state) {
  OpOperands operands;
  OpTypes types;
  const auto at = parser.getCurrentLocation();
  return mlir::failure(
      parser.parseLParen() ||
      parser.parseOperandList(operands, OpAsmParser::Delimiter::None) ||
      parser.parseColonTypeList(types) || parser.parseRParen() ||
      parser.resolveOperands(operands, types, at, state.operands));
}

/// Reads `tile(%a: T, %b: U) {…}`, whose arguments may stand in the region.
ParseResult parsePart(OpAsmParser &parser, OperationState &state) {
  llvm::SmallVector<OpAsmParser::Argument> arguments;
  return mlir::failure(
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::OptionalParen,
                               /*allowType=*/true) ||
      parser.parseRegion(*state.addRegion(), arguments));
}

}  // namespace

ParseResult parseSubtiles(OpAsmParser &parser, OperationState &state) {
  mlir::Builder &b = parser.getBuilder();
  int32_t inputs = 0;
  StringRef word;
  // Values, attributes and `{…}`, in any order, as far as the first region.
  while (true) {
    if (failed(parser.parseOptionalKeyword(&word))) {
      const size_t before = state.attributes.getAttrs().size();
      if (parser.parseOptionalAttrDict(state.attributes)) return failure();
      if (state.attributes.getAttrs().size() != before) continue;
      if (parser.parseKeyword(&word)) return failure();
    }
    if (word == "setup") break;
    if (succeeded(parser.parseOptionalEqual())) {
      mlir::Attribute value;
      if (parser.parseAttribute(value)) return failure();
      state.attributes.set(word, value);
      continue;
    }
    const size_t before = state.operands.size();
    // The inputs come first. Barriers and their counts are not followed.
    if (word == "inputs" && before > 0)
      return parser.emitError(parser.getCurrentLocation(),
                              "expected the inputs first");
    if (parseValues(parser, state)) return failure();
    if (word == "inputs") inputs = static_cast<int32_t>(state.operands.size());
  }
  state.attributes.set(kSubtileInputs, b.getI32IntegerAttr(inputs));
  if (parsePart(parser, state) || parser.parseKeyword("tile") ||
      parsePart(parser, state))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("teardown")) &&
      parsePart(parser, state))
    return failure();
  OpTypes results;
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseOptionalArrowTypeList(results))
    return failure();
  state.addTypes(results);
  return success();
}

}  // namespace indexical::triton
