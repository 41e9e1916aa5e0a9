#ifndef INDEXICAL_OPS_ALGORITHMS_TOP_K_H
#define INDEXICAL_OPS_ALGORITHMS_TOP_K_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// The k largest or smallest of the last dimension; two results, the values and
/// their indices.
struct TopKOp : OpDescriptor {
  int64_t k = 0;

  static constexpr OpKind kKinds[] = {
      {"topk", Traits().with(KernelRole::Bytes)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(k);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(TopKOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_ALGORITHMS_TOP_K_H
