#ifndef INDEXICAL_OPS_REDUCTION_REDUCE_H
#define INDEXICAL_OPS_REDUCTION_REDUCE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// N inputs, then N inits, N results.
struct ReduceOp : OpDescriptor {
  Int64s dimensions;

  static constexpr OpKind kKinds[] = {
      {"reduce", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(dimensions);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(ReduceOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_REDUCTION_REDUCE_H
