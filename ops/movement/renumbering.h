// Helpers of reshapes, whether attributes or operands say their sizes.
#ifndef INDEXICAL_OPS_MOVEMENT_RENUMBERING_H
#define INDEXICAL_OPS_MOVEMENT_RENUMBERING_H

#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {

/// Returns what a reshape reads: each element of the result reads the element
/// of the operand that has the same place in row major order. `operandTensor`
/// and `resultTensor` are the numbers of both tensors among the op's.
Answer renumbered(OpView op, const Sides &sides, int64_t operandTensor,
                  int64_t resultTensor);

/// Adds, for a reshape of operand 0 to result 0, that their open sizes are
/// equal if each tensor has one and the products of the other sizes are equal
/// and positive.
void addReshapedSizes(SizeCollector &collect);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_RENUMBERING_H
