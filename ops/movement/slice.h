#ifndef INDEXICAL_OPS_MOVEMENT_SLICE_H
#define INDEXICAL_OPS_MOVEMENT_SLICE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Operands 1, 2 and 3, if there are such, hold starts, limits and strides.
struct SliceOp : OpDescriptor {
  Int64s starts, limits, strides;

  static constexpr OpKind kKinds[] = {
      {"slice", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(starts, limits, strides);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(SliceOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_SLICE_H
