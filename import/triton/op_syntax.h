// The custom syntax of Triton's ops, private to import/triton: see dialect.h.
#ifndef INDEXICAL_IMPORT_TRITON_OP_SYNTAX_H
#define INDEXICAL_IMPORT_TRITON_OP_SYNTAX_H

#include <cstdint>
#include <limits>

#include "mlir/IR/OpImplementation.h"

namespace indexical::triton {

/// Reads the rest of the op that `state` names, from behind its name.
mlir::ParseResult parseOpSyntax(mlir::OpAsmParser &parser,
                                mlir::OperationState &state);

/// Reads the text behind the name of XLA's `extract`, `from %buffer as
/// memref<…> [offsets] [sizes] [strides] : tensor<…>`, or `insert`, which
/// begins with `%tile into %buffer`. The operands become the buffer, the tile
/// of an `insert`, and the numbers in brackets that are not constants, in this
/// order. Returns failure, with an error noted, for any other text.
mlir::ParseResult parseTileSyntax(mlir::OpAsmParser &parser,
                                  mlir::OperationState &state);

/// Reads the text behind `ttng.subtiled_region` (subtiles.h). The operands are
/// the inputs, and behind them barriers and counts. Returns failure, with an
/// error noted, for a text in another form.
mlir::ParseResult parseSubtiles(mlir::OpAsmParser &parser,
                                mlir::OperationState &state);

/// The names of the attributes of such an op: which values a part takes, and
/// how many operands are inputs.
inline constexpr llvm::StringLiteral kTileMappings = "tile_mappings";
inline constexpr llvm::StringLiteral kSubtileInputs = "indexical.inputs";

/// The names of the attributes of a tile: the shape of its buffer and its
/// dimensions from minor to major, and the three lists.
inline constexpr llvm::StringLiteral kTileBuffer = "indexical.buffer";
inline constexpr llvm::StringLiteral kTileLayout = "indexical.layout";
inline constexpr llvm::StringLiteral kTileOffsets = "indexical.offsets";
inline constexpr llvm::StringLiteral kTileSizes = "indexical.sizes";
inline constexpr llvm::StringLiteral kTileStrides = "indexical.strides";
/// Marks the place in a list of a number that is an operand.
inline constexpr int64_t kTileOperand = std::numeric_limits<int64_t>::min();

/// The name of the attribute that marks an op whose operands were not read.
inline constexpr llvm::StringLiteral kUnknownAttribute = "indexical.unknown";
/// The name of the op that stands in place of one whose text cannot be read,
/// `tt.passed_over "ttx.later"`, and of the attribute with that op's name.
inline constexpr llvm::StringLiteral kPassedOver = "tt.passed_over";
inline constexpr llvm::StringLiteral kPassedOverAttribute = "indexical.name";
/// The name of the attribute that says what an `atomic_rmw` does: `fadd`.
inline constexpr llvm::StringLiteral kOperationAttribute =
    "indexical.operation";
/// The name of the attribute with the last word of a barrier: `all`.
inline constexpr llvm::StringLiteral kWordAttribute = "indexical.word";
/// The name of the attribute that says how many operands each bracket of an op
/// has.
inline constexpr llvm::StringLiteral kListsAttribute = "indexical.lists";
/// The names of Triton's attributes with the warps of each partition, and with
/// the place of a slice.
inline constexpr llvm::StringLiteral kPartitionWarps = "partitionNumWarps";
inline constexpr llvm::StringLiteral kOffsetsAttribute = "static_offsets";

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_OP_SYNTAX_H
