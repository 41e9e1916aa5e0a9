#ifndef INDEXICAL_OPS_MOVEMENT_SET_DIMENSION_SIZE_H
#define INDEXICAL_OPS_MOVEMENT_SET_DIMENSION_SIZE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Operand 0, whose size of the dimension becomes the scalar operand 1.
struct SetDimensionSizeOp : OpDescriptor {
  int64_t dimension = 0;

  static constexpr OpKind kKinds[] = {
      {"set-dimension-size", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(dimension);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(SetDimensionSizeOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_SET_DIMENSION_SIZE_H
