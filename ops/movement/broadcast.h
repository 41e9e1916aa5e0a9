#ifndef INDEXICAL_OPS_MOVEMENT_BROADCAST_H
#define INDEXICAL_OPS_MOVEMENT_BROADCAST_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Operand dimension k is result dimension `dimensions[k]`. If the operand's
/// size is known to be 1, its one index is read for every index of the result's
/// dimension, whatever that one's size; an operand's size that is not known is
/// that of the result, unless `expanding` holds its dimension: then it is known
/// to be 1; or `maybeExpanding` does: then it may be 1.
/// Operand 1, if there is one, holds the sizes of the result.
struct BroadcastOp : OpDescriptor {
  Int64s dimensions;
  Int64s expanding, maybeExpanding;

  static constexpr OpKind kKinds[] = {
      {"broadcast", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(dimensions, expanding, maybeExpanding);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(BroadcastOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_BROADCAST_H
