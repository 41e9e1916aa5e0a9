#ifndef INDEXICAL_OPS_INDEXED_GATHER_H
#define INDEXICAL_OPS_INDEXED_GATHER_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Operand 0 is gathered from at the indices of operand 1. Operand 2, if
/// there is one, holds the slice sizes.
struct GatherOp : OpDescriptor {
  Int64s offsetDims, collapsedSliceDims, startIndexMap;
  Int64s operandBatchingDims, startIndicesBatchingDims;
  int64_t indexVectorDim = 0;
  /// kDynamicSize: all of an open dimension, in which nothing starts.
  Int64s sliceSizes;

  static constexpr OpKind kKinds[] = {
      {"gather", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(offsetDims, collapsedSliceDims, startIndexMap,
                operandBatchingDims, startIndicesBatchingDims, indexVectorDim,
                sliceSizes);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(GatherOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_INDEXED_GATHER_H
