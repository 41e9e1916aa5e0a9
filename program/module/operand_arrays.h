// Which operands of an instruction are one array.
//
//   r = f32[4] fusion(a, c, a), kind=kLoop, calls=f
//
//   arraysOfOperands(r)    0, 1, 0: operand 2 is operand 0 again
#ifndef INDEXICAL_PROGRAM_MODULE_OPERAND_ARRAYS_H
#define INDEXICAL_PROGRAM_MODULE_OPERAND_ARRAYS_H

#include <cstddef>
#include <vector>

#include "indexical/program/module/program.h"

namespace indexical {

/// Returns, for each leaf of an instruction's operands, the first leaf that is
/// the same value, behind tuples, copies and calls (originOf()).
std::vector<size_t> arraysOfOperands(const Module &module,
                                     ComputationId computation,
                                     InstructionId instruction);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_OPERAND_ARRAYS_H
