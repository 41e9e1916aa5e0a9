#ifndef INDEXICAL_OPS_ALGORITHMS_SORT_H
#define INDEXICAL_OPS_ALGORITHMS_SORT_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// N operands and N results of one shape, all sorted by all of them along the
/// dimension.
struct SortOp : OpDescriptor {
  int64_t dimension = 0;

  static constexpr OpKind kKinds[] = {
      {"sort", Traits().with(KernelRole::Bytes)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(dimension);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(SortOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_ALGORITHMS_SORT_H
