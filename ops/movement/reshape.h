// What reshapes have in common, whatever says their sizes.
#ifndef INDEXICAL_OPS_MOVEMENT_RESHAPE_H
#define INDEXICAL_OPS_MOVEMENT_RESHAPE_H

#include "indexical/ops/core/family.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {

/// The elements of one tensor as those of another, in row major order.
Answer renumbered(const OpSizes &sizes, const ArrayShape &from,
                  int64_t fromTensor, const ArrayShape &to, int64_t toTensor);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_RESHAPE_H
