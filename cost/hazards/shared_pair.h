// The result and the operand that a question names, as arrays of a module. Not
// part of the public surface.
//
//   f{1}=0{}    array 1 of `f`, in the memory of its operand 0
#ifndef INDEXICAL_COST_HAZARDS_SHARED_PAIR_H
#define INDEXICAL_COST_HAZARDS_SHARED_PAIR_H

#include "absl/status/statusor.h"

#include "indexical/cost/hazards/hazards.h"
#include "indexical/program/module/memory_marks.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the pair as a mark of the module. Returns NotFoundError if the
/// module has no such instruction, or the instruction no such array. If several
/// computations have the instruction, the entry's counts.
absl::StatusOr<MemoryMarks::Operand> sharedPair(const Module &module,
                                                const HazardShare &share);

}  // namespace indexical

#endif  // INDEXICAL_COST_HAZARDS_SHARED_PAIR_H
