#ifndef INDEXICAL_OPS_PRODUCTS_DOT_H
#define INDEXICAL_OPS_PRODUCTS_DOT_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// The roles of the dimensions of two operands in a contraction. Dimensions
/// that are not named are free.
struct DotDimensions {
  Int64s lhsBatch, rhsBatch, lhsContracting, rhsContracting;
};

/// Operands 0 and 1 are contracted. Result: batch, free of 0, free of 1.
struct DotOp : OpDescriptor, DotDimensions {
  static constexpr OpKind kKinds[] = {
      {"dot", Traits().with(KernelRole::Bytes)},
      {"einsum",
       Traits().with(KernelRole::Bytes).withNote("a cover with ellipses")},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(lhsBatch, rhsBatch, lhsContracting, rhsContracting);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(DotOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_PRODUCTS_DOT_H
