#ifndef INDEXICAL_OPS_MOVEMENT_TRANSPOSE_H
#define INDEXICAL_OPS_MOVEMENT_TRANSPOSE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// result dimension k is operand dimension `permutation[k]`.
struct TransposeOp : OpDescriptor {
  Int64s permutation;

  static constexpr OpKind kKinds[] = {
      {"transpose", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(permutation);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(TransposeOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_TRANSPOSE_H
