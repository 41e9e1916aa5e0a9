// The instructions that prevent an answer about devices: private to
// same/partitioned/.
//
//   o = token[] outfeed(x, t)    line 7: its effects are not compared
#ifndef INDEXICAL_SAME_PARTITIONED_OBSTACLES_H
#define INDEXICAL_SAME_PARTITIONED_OBSTACLES_H

#include <cstdint>
#include <optional>

#include "indexical/program/module/program.h"
#include "indexical/same/partitioned/partitioned_equality.h"
#include "indexical/same/partitioned/stacker.h"

namespace indexical {

/// Returns the obstacle at a place of a program, which is module 0 or 1 of the
/// comparison.
PartitionedObstacle obstacleIn(const Program &program, int module,
                               const Stacker::Cause &cause, int64_t device);

/// Returns an instruction of the program with an effect outside of the module,
/// which the comparison does not cover. Returns std::nullopt if there is no
/// such instruction.
std::optional<PartitionedObstacle> effectOf(const Program &program, int module);

/// Sets the answer for all results, with its witness, to the worst one of a
/// result.
void sumUp(const Program &first, const Program &second,
           PartitionedEquality &equality);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_OBSTACLES_H
