// The instruction that stands in the way of an answer, found in its module.
#ifndef INDEXICAL_SAME_EQUALITY_OBSTACLE_H
#define INDEXICAL_SAME_EQUALITY_OBSTACLE_H

#include <cstdint>
#include <string>

#include "indexical/program/module/ids.h"
#include "indexical/program/module/program.h"
#include "indexical/same/equality/module_equality.h"

namespace indexical {

/// Returns the obstacle that an instruction of `in` is, which is the first
/// module (0) or the second one (1): its names, its line, and the reason why it
/// hinders an answer.
EqualityObstacle equalityObstacleAt(const Module &in, int32_t module,
                                    ComputationId computation,
                                    InstructionId instruction,
                                    std::string reason);

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_OBSTACLE_H
