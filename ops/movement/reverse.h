#ifndef INDEXICAL_OPS_MOVEMENT_REVERSE_H
#define INDEXICAL_OPS_MOVEMENT_REVERSE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

struct ReverseOp : OpDescriptor {
  Int64s dimensions;

  static constexpr OpKind kKinds[] = {
      {"reverse", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(dimensions);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(ReverseOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_REVERSE_H
