// Ops that compute nothing: each element of the result is one of an operand.
//
//   f32[3,2] transpose(f32[2,3] x)                          1: x
//   tensor.insert_slice %s into %d[2] [4] [1]               2: %s, %d
//   tensor.extract_slice %x[%i] [4] [1]                     1: %x, and not %i
//   vector.transfer_read %x[%i], %pad                       2: %x, %pad
//
// The maps of the op say which element it is.
#ifndef INDEXICAL_SAME_VALUES_MOVED_OPERANDS_H
#define INDEXICAL_SAME_VALUES_MOVED_OPERANDS_H

#include <cstddef>

#include "llvm/ADT/SmallVector.h"

#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the operands of which each element of the result is one; none for an
/// op that does more than move elements, and of several results.
llvm::SmallVector<size_t, 4> movedOperands(const Module &module,
                                           const Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_MOVED_OPERANDS_H
