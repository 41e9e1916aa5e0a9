#ifndef INDEXICAL_OPS_MOVEMENT_RESHAPE_H
#define INDEXICAL_OPS_MOVEMENT_RESHAPE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Row major order is kept.
struct ReshapeOp : OpDescriptor {
  static constexpr OpKind kKinds[] = {
      {"reshape", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take();
  }
};
INDEXICAL_FAMILY_WITH_SIZES(ReshapeOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_RESHAPE_H
