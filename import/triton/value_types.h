// Types of the values that a trace follows; private to import/triton.
//
//   tensor<128x64x!tt.ptr<f32>>    shape 128, 64; element !tt.ptr<f32>
//   !tt.ptr<tensor<128x64xf16>>    a block pointer, to a block of 128 x 64
//   tensor<64xi1>                  an integer, whose term has 1 bit
//
// A value is traced if its elements are integers, indices or pointers. Terms of
// indices and pointers have 64 bits.
#ifndef INDEXICAL_IMPORT_TRITON_VALUE_TYPES_H
#define INDEXICAL_IMPORT_TRITON_VALUE_TYPES_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace indexical::triton {

/// Returns the tensor that a piece of shared memory or a descriptor is of, and
/// null for another type.
mlir::RankedTensorType memoryOf(mlir::Type type);

/// Returns the sides of the memory that such a piece is a part of, as its type
/// says behind it (`mutable, 2x64x64`), or those of the piece itself. A leading
/// count of copies is left out.
llvm::SmallVector<int64_t, 4> wholeShapeOf(mlir::Type type);

/// Returns whether the type is a descriptor of a tensor: of a box of an array.
bool isDescriptor(mlir::Type type);
/// Returns whether the type is a descriptor of pixels (im2col), whose content
/// is the tile that a copy makes, and not a box of the array.
bool isPixelDescriptor(mlir::Type type);

/// Returns the sides of a tensor, and no sides for another type.
llvm::SmallVector<int64_t, 4> shapeOf(mlir::Type type);

/// Returns the type of a tensor's elements, or the type itself if it is not a
/// tensor.
mlir::Type elementOf(mlir::Type type);

/// Returns whether the elements are integers or indices.
bool isInteger(mlir::Type type);

/// Returns whether terms can stand for the elements: integers of at most 62 or
/// of 64 bits, and indices.
bool isTerm(mlir::Type type);

/// Returns the number that an attribute is. Returns nothing if the attribute is
/// null, no integer, or does not fit into 64 bits.
std::optional<int64_t> integerOf(mlir::Attribute attribute);

/// Returns how many bits a term of that type has; of a pointer 64.
int32_t termBits(mlir::Type type);

/// Returns the tensor that a block pointer `!tt.ptr<tensor<…>>` points to, or
/// null for another type.
mlir::RankedTensorType blockOf(mlir::Type type);

/// Returns the bits of an integer, of an index, or of an element that a pointer
/// points to or a descriptor is of. Returns 0 if the type has none.
int64_t bitsOf(mlir::Type type);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_VALUE_TYPES_H
