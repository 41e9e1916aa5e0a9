#ifndef INDEXICAL_OPS_MOVEMENT_DYNAMIC_RESHAPE_H
#define INDEXICAL_OPS_MOVEMENT_DYNAMIC_RESHAPE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Operand 0 in row major order; operands 1… say the sizes: a scalar a
/// dimension, or a tensor of rank 1 of them all.
struct DynamicReshapeOp : OpDescriptor {
  static constexpr OpKind kKinds[] = {
      {"dynamic-reshape", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take();
  }
};
INDEXICAL_FAMILY_WITH_SIZES(DynamicReshapeOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_DYNAMIC_RESHAPE_H
