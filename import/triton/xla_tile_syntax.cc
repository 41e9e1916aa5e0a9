#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/op_syntax.h"

namespace indexical::triton {
namespace {

using llvm::StringRef;
using mlir::failure;
using mlir::OpAsmParser;
using mlir::OperationState;
using mlir::ParseResult;
using mlir::success;
using TileOperands = llvm::SmallVector<OpAsmParser::UnresolvedOperand, 4>;
using Numbers = llvm::SmallVector<int64_t, 4>;

/// Reads `memref<16x1024xf32, #xtile.layout<[1, 0]>>`, whose layout MLIR's own
/// parser would refuse. Without a layout the last dimension is the minor one.
ParseResult parseBuffer(OpAsmParser &parser, OperationState &state,
                        mlir::Type &element) {
  Numbers shape, minorToMajor;
  if (parser.parseKeyword("memref") || parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element))
    return failure();
  for (size_t k = shape.size(); k-- > 0;)
    minorToMajor.push_back(static_cast<int64_t>(k));
  if (succeeded(parser.parseOptionalComma())) {
    const auto at = parser.getCurrentLocation();
    mlir::Attribute layout;
    if (parser.parseAttribute(layout)) return failure();
    const auto named = llvm::dyn_cast<NamedAttr>(layout);
    StringRef text = named ? named.body().trim() : StringRef();
    if (!text.consume_front("[") || !text.consume_back("]"))
      return parser.emitError(at,
                              "expected a layout such as "
                              "#xtile.layout<[1, 0]>");
    minorToMajor.clear();
    llvm::SmallVector<StringRef> words;
    text.split(words, ',', -1, /*KeepEmpty=*/false);
    for (StringRef word : words)
      if (word.trim().getAsInteger(10, minorToMajor.emplace_back()))
        return parser.emitError(at, "expected numbers of dimensions");
  }
  mlir::Builder &b = parser.getBuilder();
  state.addAttribute(kTileBuffer, b.getDenseI64ArrayAttr(shape));
  state.addAttribute(kTileLayout, b.getDenseI64ArrayAttr(minorToMajor));
  return parser.parseGreater();
}

/// Reads `[%i, 0, 16]`: what is an operand has the number kTileOperand.
ParseResult parseNumbers(OpAsmParser &parser, StringRef name,
                         OperationState &state, TileOperands &operands) {
  Numbers numbers;
  const auto one = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand operand;
    if (const auto isOperand = parser.parseOptionalOperand(operand);
        isOperand.has_value()) {
      operands.push_back(operand);
      numbers.push_back(kTileOperand);
      return *isOperand;
    }
    return parser.parseInteger(numbers.emplace_back());
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, one))
    return failure();
  state.addAttribute(name, parser.getBuilder().getDenseI64ArrayAttr(numbers));
  return success();
}

}  // namespace

ParseResult parseTileSyntax(OpAsmParser &parser, OperationState &state) {
  const bool isStore = state.name.getStringRef().ends_with(".insert");
  OpAsmParser::UnresolvedOperand value, buffer;
  const auto at = parser.getCurrentLocation();
  if (isStore && parser.parseOperand(value)) return failure();
  (void)parser.parseOptionalKeyword(isStore ? "into" : "from");
  mlir::Type element, tile;
  TileOperands numbers;
  if (parser.parseOperand(buffer) || parser.parseKeyword("as") ||
      parseBuffer(parser, state, element) ||
      parseNumbers(parser, kTileOffsets, state, numbers) ||
      parseNumbers(parser, kTileSizes, state, numbers) ||
      parseNumbers(parser, kTileStrides, state, numbers) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(tile))
    return failure();
  const auto pointer = NamedType::get(parser.getContext(), StringRef("tt.ptr"),
                                      StringRef(), element);
  if (parser.resolveOperand(buffer, pointer, state.operands) ||
      (isStore && parser.resolveOperand(value, tile, state.operands)) ||
      parser.resolveOperands(
          numbers,
          llvm::SmallVector<mlir::Type>(numbers.size(),
                                        parser.getBuilder().getIndexType()),
          at, state.operands))
    return failure();
  if (!isStore) state.addTypes(tile);
  return success();
}

}  // namespace indexical::triton
