// Ops that compute nothing: each element of the result is one of an operand.
//
//   f32[3,2] transpose(f32[2,3] x)                          1: x
//   tensor.insert_slice %s into %d[2] [4] [1]               2: %s, %d
//   tensor.extract_slice %x[%i] [4] [1]                     1: %x, and not %i
//
// Which element it is, the maps of the op say.
#ifndef INDEXICAL_ANALYSIS_VALUES_MOVED_OPERANDS_H
#define INDEXICAL_ANALYSIS_VALUES_MOVED_OPERANDS_H

#include <cstddef>

#include "indexical/module/program.h"

namespace indexical {

/// Returns the number of operands, from the first, of which each element of the
/// result is one; 0 for an op that does more than move elements, and of several
/// results.
size_t movedOperands(const Module &module, const Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_VALUES_MOVED_OPERANDS_H
