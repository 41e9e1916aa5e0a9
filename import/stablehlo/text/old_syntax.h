// Syntax that MLIR had once, has where more dialects are linked, or gets later,
// in words that it reads today.
//
//   tensor.expand_shape %0 [[0, 1]] : tensor<6xf32> into tensor<2x3xf32>
//   tensor.expand_shape %0 [[0, 1]] output_shape [2, 3] : …
//
//   memref<4xf32, #gpu.address_space<global>>
//   memref<4xf32, "#gpu.address_space<global>">
//
//   arith.extui %0 nneg : i32 to i64
//   arith.extui %0      : i32 to i64
//
// Each function edits what stands at a place at which MLIR reported an error,
// and returns whether it changed anything.
#ifndef INDEXICAL_IMPORT_STABLEHLO_TEXT_OLD_SYNTAX_H
#define INDEXICAL_IMPORT_STABLEHLO_TEXT_OLD_SYNTAX_H

#include <cstddef>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/import/stablehlo/text/edits.h"

namespace indexical {

/// Writes the sizes of the result of the `expand_shape` at the offset, if its
/// type has them all.
bool writeOutputShape(TextEdits &edits, size_t offset);

/// Makes a string of the memory space of the memref at or behind the offset,
/// wherever the same attribute ends a type: MLIR takes a string for a memory
/// space, and no attribute of a dialect that it does not know.
bool quoteMemorySpace(TextEdits &edits, size_t offset);

/// A part of a text: [begin, end).
struct TextPart {
  size_t begin = 0, end = 0;
};

/// Returns the promises about an op's operands that a reader does not know: the
/// one at the offset, or behind white space there, and further on in the text
/// all that begin as that one does. A promise is `nneg`, `disjoint`, `exact`,
/// `samesign` or `overflow<nsw>`, or several, and types or attributes follow
/// it. For an op in generic form, whose name begins at the offset, it is the
/// properties in angle brackets, if they are such promises alone: `<{nneg}>`.
/// Returns none if none stands at the offset.
///
/// If the promise holds, the op's result does not depend on it; if not, the
/// result is undefined. So a reader that does not know the promise may leave it
/// out.
std::vector<TextPart> promisesFrom(llvm::StringRef text, size_t offset);
/// Leaves them out. Returns whether there are any.
bool leavePromisesOut(TextEdits &edits, size_t offset);

/// Writes a `gpu.module @kernels {` whose name begins at the offset as a
/// module: its functions are the same there. Returns false, and changes
/// nothing, if it has targets or attributes.
bool writeModule(TextEdits &edits, llvm::StringRef name, size_t offset);

/// Writes `dimLevelType = ["dense", "compressed"]` of an encoding of sparse
/// tensors at or behind the offset, as they were written before 2023, as
/// `map = (d0, d1) -> (d0 : dense, d1 : compressed)`. Returns false, and
/// changes nothing, if the encoding says more, such as an order of dimensions.
bool writeLevels(TextEdits &edits, size_t offset);

/// Writes ops between tensors and memory, which name both types today:
///
///    bufferization.to_memref %0 : memref<4xf32, 1>
///    bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, 1>
///
///    bufferization.to_tensor %1 : memref<4xf32>
///    bufferization.to_tensor %1 : memref<4xf32> to tensor<4xf32>
///
/// `memref.buffer_cast` and `memref.tensor_load`, their names before 2022, are
/// written so, too. All of the text are edited. Returns false, and changes
/// nothing, if there is none, or if the type of one is an alias.
bool writeBothTypes(TextEdits &edits);

/// Writes `reduction` for the iterator type `window`, which linalg had. Its
/// dimensions were reductions. All of the text are edited.
bool writeWindows(TextEdits &edits);

/// Writes 32 bits for the `axis` of ops of TOSA, which had 64 before 2023:
///
///    "tosa.concat"(%0, %1) {axis = 0 : i64} : …
///    "tosa.concat"(%0, %1) {axis = 0 : i32} : …
///
/// A number without a type has 64. All of the text are edited. Returns false,
/// and changes nothing, if the op at or around the offset has no such axis.
bool writeAxes(TextEdits &edits, size_t offset);

/// Writes the words of TOSA's ops that were strings once (`nan_mode =
/// "IGNORE"`) as they are today. MLIR reads over such a string without a
/// message, and takes the op for one without the attribute.
void writeTosaWords(TextEdits &edits);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_TEXT_OLD_SYNTAX_H
