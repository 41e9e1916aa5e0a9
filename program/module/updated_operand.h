// Which operand an instruction may update in its own memory.
//
//   f { a = f32[4] parameter(0)  v = f32[1] parameter(1)  k = s32[] parameter(2)
//       ROOT u = f32[4] dynamic-update-slice(a, v, k) }
//   r = f32[4] fusion(p, v, k), kind=kLoop, calls=f
//
// The result of r takes the place of its operand 0: the parameter of f that the
// root updates.
#ifndef INDEXICAL_PROGRAM_MODULE_UPDATED_OPERAND_H
#define INDEXICAL_PROGRAM_MODULE_UPDATED_OPERAND_H

#include <cstdint>

#include "indexical/program/module/program.h"
#include "indexical/program/module/value.h"

namespace indexical {

/// Returns whether the instruction is one kernel that calls a computation.
bool isFusedKernel(const Instruction &instruction);

/// Returns the leaf of the operands that a result of an update, of a scatter,
/// or of a fusion whose root is one of these, overwrites; -1 of anything else.
/// In a fusion it looks through tuples and up to 64 bitcasts.
int64_t updatedOperand(const Module &module, const Instruction &instruction,
                       LeafId result);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_UPDATED_OPERAND_H
