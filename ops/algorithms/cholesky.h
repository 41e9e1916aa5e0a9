#ifndef INDEXICAL_OPS_ALGORITHMS_CHOLESKY_H
#define INDEXICAL_OPS_ALGORITHMS_CHOLESKY_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// The factor of the operand's last two dimensions, of which one triangle is
/// read; the other triangle of the result is undefined.
struct CholeskyOp : OpDescriptor {
  bool lower = true;

  static constexpr OpKind kKinds[] = {
      {"cholesky", Traits().with(KernelRole::Bytes)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(lower);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(CholeskyOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_ALGORITHMS_CHOLESKY_H
