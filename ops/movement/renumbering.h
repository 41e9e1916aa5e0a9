// What reshapes have in common, whatever says their sizes.
#ifndef INDEXICAL_OPS_MOVEMENT_RENUMBERING_H
#define INDEXICAL_OPS_MOVEMENT_RENUMBERING_H

#include "indexical/ops/core/family.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {

/// The elements of the operand as those of the result, in row major order.
/// `operandTensor` and `resultTensor` are their numbers in `sizes`.
Answer renumbered(const OpSizes &sizes, const Sides &sides,
                  int64_t operandTensor, int64_t resultTensor);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_RENUMBERING_H
