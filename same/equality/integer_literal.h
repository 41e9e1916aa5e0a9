// Literals that take the place of computed values.
//
//   integerLiteral(s32[2], {3, 7})   constant({3, 7})
//   integerLiteral(u8[4,4], {0})     constant(0), which all elements are
#ifndef INDEXICAL_SAME_EQUALITY_INTEGER_LITERAL_H
#define INDEXICAL_SAME_EQUALITY_INTEGER_LITERAL_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/op.h"

namespace indexical {

/// Returns a constant of that shape. Requires known sizes, and a type of
/// integers of at most 64 bits. `elements` has the elements, row by row, or one
/// number that all of them are.
Op integerLiteral(const ArrayShape &shape, llvm::ArrayRef<int64_t> elements);

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_INTEGER_LITERAL_H
