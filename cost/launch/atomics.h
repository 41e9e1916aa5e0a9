// Atomic updates: elements that a scatter combines with what is there, one
// after another where indices meet.
//
//   scatter(x, i, u), u f32[1000,8], an add                  8000
//   the same, unique_indices=true                            0: none can meet
//   the same, whose computation returns the update           0: only written
#ifndef INDEXICAL_COST_LAUNCH_ATOMICS_H
#define INDEXICAL_COST_LAUNCH_ATOMICS_H

#include <cstdint>

#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the atomic updates of one run of the instruction, and of what a
/// fusion or a call runs. Those of arrays whose sizes are not known are left
/// out.
int64_t atomicUpdatesOf(const Module &module, const Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_ATOMICS_H
