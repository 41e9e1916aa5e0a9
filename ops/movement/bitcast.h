#ifndef INDEXICAL_OPS_MOVEMENT_BITCAST_H
#define INDEXICAL_OPS_MOVEMENT_BITCAST_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Physical order is kept: the layouts of operand and result decide. If the
/// element widths differ, the most minor physical dimension grows or shrinks.
struct BitcastOp : OpDescriptor {
  static constexpr OpKind kKinds[] = {
      {"bitcast", Traits().with(KernelRole::None)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take();
  }
};
INDEXICAL_FAMILY(BitcastOp)

/// Reads as an elementwise op does if the widths are equal. Otherwise the
/// trailing dimension, whose size is the ratio of the widths, appears or
/// disappears.
struct BitcastConvertOp : OpDescriptor {
  static constexpr OpKind kKinds[] = {
      {"bitcast-convert", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take();
  }
};
INDEXICAL_FAMILY_WITH_SIZES(BitcastConvertOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_BITCAST_H
