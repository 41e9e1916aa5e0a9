// The instruction that stands in the way of an answer, found in its module.
#ifndef INDEXICAL_ANALYSIS_EQUALITY_OBSTACLE_H
#define INDEXICAL_ANALYSIS_EQUALITY_OBSTACLE_H

#include <cstdint>
#include <string>

#include "indexical/analysis/equality/module_equality.h"
#include "indexical/module/ids.h"
#include "indexical/module/program.h"

namespace indexical {

/// Returns the obstacle that an instruction of `in` is, which is the first
/// module (0) or the second one (1): its names, its line, and the reason why it
/// hinders an answer.
EqualityObstacle equalityObstacleAt(const Module &in, int32_t module,
                                    ComputationId computation,
                                    InstructionId instruction,
                                    std::string reason);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_EQUALITY_OBSTACLE_H
