#ifndef INDEXICAL_OPS_ELEMENTWISE_BROADCASTING_H
#define INDEXICAL_OPS_ELEMENTWISE_BROADCASTING_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Reads as an elementwise op whose operands are broadcast to the result first:
/// dimension j of operand k is dimension `dimensions[k][j]` of the result
/// (BroadcastOp). A size that is not known may be 1 in the run. Of the operands
/// that have a dimension of the result, one has its size.
struct BroadcastingOp : OpDescriptor {
  llvm::SmallVector<Int64s, 2> dimensions;

  static constexpr OpKind kKinds[] = {
      {"broadcasting", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(dimensions);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(BroadcastingOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_ELEMENTWISE_BROADCASTING_H
