#ifndef INDEXICAL_OPS_INDEXED_DYNAMIC_SLICE_H
#define INDEXICAL_OPS_INDEXED_DYNAMIC_SLICE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Operand 0 is sliced; operands 1… are the start indices, one scalar a
/// dimension, or a single rank-1 tensor of them (the older form).
struct DynamicSliceOp : OpDescriptor {
  Int64s sizes;

  static constexpr OpKind kKinds[] = {
      {"dynamic-slice", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(sizes);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(DynamicSliceOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_INDEXED_DYNAMIC_SLICE_H
