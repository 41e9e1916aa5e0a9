// What reshapes have in common, whatever says their sizes.
#ifndef INDEXICAL_OPS_MOVEMENT_RENUMBERING_H
#define INDEXICAL_OPS_MOVEMENT_RENUMBERING_H

#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {

/// The elements of the operand as those of the result, in row major order.
/// `operandTensor` and `resultTensor` are their numbers in `sizes`.
Answer renumbered(const OpSizes &sizes, const Sides &sides,
                  int64_t operandTensor, int64_t resultTensor);

/// A reshape of operand 0 to result 0 may have one open size each, and one
/// product of the others: then the open ones are equal.
void addReshapedSizes(SizeCollector &collect);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_RENUMBERING_H
