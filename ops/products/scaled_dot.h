#ifndef INDEXICAL_OPS_PRODUCTS_SCALED_DOT_H
#define INDEXICAL_OPS_PRODUCTS_SCALED_DOT_H

#include "indexical/ops/descriptor.h"
#include "indexical/ops/products/dot.h"

namespace indexical {

/// Reads as dot does, and multiplies operands 0 and 1 by the scales 2 and 3. A
/// scale is a scalar, or has the rank of its operand and sizes that divide the
/// operand's: each of its elements is that of a block.
struct ScaledDotOp : OpDescriptor, DotDimensions {
  static constexpr OpKind kKinds[] = {
      {"scaled-dot", Traits().with(KernelRole::Bytes)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(lhsBatch, rhsBatch, lhsContracting, rhsContracting);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(ScaledDotOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_PRODUCTS_SCALED_DOT_H
