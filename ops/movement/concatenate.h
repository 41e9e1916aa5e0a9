#ifndef INDEXICAL_OPS_MOVEMENT_CONCATENATE_H
#define INDEXICAL_OPS_MOVEMENT_CONCATENATE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

struct ConcatenateOp : OpDescriptor {
  int64_t dimension = 0;

  static constexpr OpKind kKinds[] = {
      {"concatenate", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(dimension);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(ConcatenateOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_CONCATENATE_H
