#ifndef INDEXICAL_OPS_PRODUCTS_RAGGED_DOT_H
#define INDEXICAL_OPS_PRODUCTS_RAGGED_DOT_H

#include "indexical/ops/descriptor.h"
#include "indexical/ops/products/dot.h"

namespace indexical {

/// Reads as dot does. One dimension of the lhs, the ragged one, is cut into
/// groups one behind the other, whose sizes are operand 2. If that dimension is
///  - free, a row of it is contracted with the rhs of its group; rows behind
///    the last group are zero. The rhs has a group dimension;
///  - contracting, every group has a result: they are dimension 0;
///  - a batch dimension, groups change nothing.
/// The sizes are [g], the same everywhere, or [b..., x..., g], where b are the
/// batch dimensions and x what is before the ragged dimension among those of
/// its kind: the free ones in order, or as the list has them (of the batch
/// dimensions then only those before it). Every result element reads the sizes
/// of its b and x whole. A size below 0 counts as 0, and what reaches past the
/// end of the ragged dimension is not there.
struct RaggedDotOp : OpDescriptor, DotDimensions {
  /// One dimension of the lhs; one of the rhs if that is free, else none.
  Int64s lhsRagged, rhsGroup;
  /// Above it the answer is a cover: a map for each group, with a variable for
  /// each group before it, would be too much.
  static constexpr int64_t kMostGroups = 64;

  static constexpr OpKind kKinds[] = {
      {"ragged-dot",
       Traits()
           .with(KernelRole::Bytes)
           .with(Precision::Cover,
                 "exact with up to 64 groups, each of which is a piece")},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(lhsBatch, rhsBatch, lhsContracting, rhsContracting, lhsRagged,
                rhsGroup);
  }
};
INDEXICAL_FAMILY(RaggedDotOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_PRODUCTS_RAGGED_DOT_H
