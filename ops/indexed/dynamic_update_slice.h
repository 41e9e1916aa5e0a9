#ifndef INDEXICAL_OPS_INDEXED_DYNAMIC_UPDATE_SLICE_H
#define INDEXICAL_OPS_INDEXED_DYNAMIC_UPDATE_SLICE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Operand 0 is updated by operand 1 at the start indices of operands 2…
struct DynamicUpdateSliceOp : OpDescriptor {
  static constexpr OpKind kKinds[] = {
      {"dynamic-update-slice", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take();
  }
};
INDEXICAL_FAMILY_WITH_SIZES(DynamicUpdateSliceOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_INDEXED_DYNAMIC_UPDATE_SLICE_H
