// Functions on memory (memref) as functions on the values that it holds.
//
//   func.func @f(%a: memref<8xf32>, %i: index) -> f32 {
//     %b = memref.alloc() : memref<8xf32>
//     memref.copy %a, %b : …             what %b holds:  %a
//     memref.store %one, %b[%i] : …                      insert %one into %a
//     %x = memref.load %b[%i] : …        %x = extract of that
//     return %x : f32
//   }
//
// Each buffer has a value at each time, a tensor. A store or a copy gives it
// another one; an op of linalg on buffers is that op on tensors; a view
// (subview, expand_shape, collapse_shape, cast) is a part of the value. An
// argument that a function writes has its last value at the end: the op
// `indexical.written` has that effect.
//
// A function is written so if all of it is understood, and stays as it is
// otherwise. It stays if
//
//   - it has several blocks, calls, loops that write, or unknown ops on memory,
//   - it writes two arguments, which may be one piece of memory,
//   - it writes to what a tensor became (`to_buffer`), to a constant, to what
//     `to_tensor` was given or `clone` has shared, or behind a `dealloc`,
//   - it returns memory of its own, or is called.
//
// Another argument that is read after one was written may overlap it. The op
// `indexical.overlaid` is its value then: a function that is not known of its
// first value and of the written one's. Where both overlap does not change.
//
// It is taken for granted that an index is within its memref, and that the
// output of an op of linalg does not overlap another argument that it reads.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_MEMORY_FORMS_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_MEMORY_FORMS_H

#include "llvm/ADT/StringRef.h"

#include "indexical/import/stablehlo/dialect/parse.h"

namespace indexical {

/// The op whose effect is that memory, its first operand, holds the second one
/// when the function returns.
inline constexpr llvm::StringLiteral kWrittenMemory = "indexical.written";

/// The op whose result is what an argument holds, once another one was written:
/// of what it held at first, and what the other one holds. The attributes
/// `arguments` and `types` have the numbers of both and their types of memory,
/// by which their elements lie where they do.
inline constexpr llvm::StringLiteral kOverlaidMemory = "indexical.overlaid";

/// Writes the functions of the module so. Ops of bufferization on tensors
/// become those of tensor in every function.
void writeMemory(MlirModule &parsed);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_MEMORY_FORMS_H
