// Syntax that MLIR had once, or has where more dialects are linked, in words
// that it reads today.
//
//   tensor.expand_shape %0 [[0, 1]] : tensor<6xf32> into tensor<2x3xf32>
//   tensor.expand_shape %0 [[0, 1]] output_shape [2, 3] : …
//
//   memref<4xf32, #gpu.address_space<global>>
//   memref<4xf32, "#gpu.address_space<global>">
//
// Each function edits what stands at a place at which MLIR reported an error,
// and returns whether it changed anything.
#ifndef INDEXICAL_STABLEHLO_TEXT_OLD_SYNTAX_H
#define INDEXICAL_STABLEHLO_TEXT_OLD_SYNTAX_H

#include <cstddef>

#include "indexical/stablehlo/text/edits.h"

namespace indexical {

/// Writes the sizes of the result of the `expand_shape` at the offset, if its
/// type has them all.
bool writeOutputShape(TextEdits &edits, size_t offset);

/// Makes a string of the memory space of the memref at or behind the offset,
/// wherever the same attribute ends a type: MLIR takes a string for a memory
/// space, and no attribute of a dialect that it does not know.
bool quoteMemorySpace(TextEdits &edits, size_t offset);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_TEXT_OLD_SYNTAX_H
