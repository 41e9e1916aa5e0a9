// Literals that take the place of what a module computes.
//
//   integerLiteral(s32[2], {3, 7})   constant({3, 7})
//   integerLiteral(u8[4,4], {0})     constant(0), which all elements are
#ifndef INDEXICAL_ANALYSIS_EQUALITY_INTEGER_LITERAL_H
#define INDEXICAL_ANALYSIS_EQUALITY_INTEGER_LITERAL_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/op.h"

namespace indexical {

/// Returns a constant of that shape, whose sizes are known and whose type is an
/// integer of at most 64 bits. `elements` are its elements, row by row, or the
/// one that all of them are.
Op integerLiteral(const ArrayShape &shape, llvm::ArrayRef<int64_t> elements);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_EQUALITY_INTEGER_LITERAL_H
