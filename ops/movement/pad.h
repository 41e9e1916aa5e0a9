#ifndef INDEXICAL_OPS_MOVEMENT_PAD_H
#define INDEXICAL_OPS_MOVEMENT_PAD_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Operand 0 is padded with the scalar operand 1. Low and high may be negative.
/// Operands 2, 3 and 4, if there are such, hold low, high and interior.
struct PadOp : OpDescriptor {
  Int64s low, high, interior;

  static constexpr OpKind kKinds[] = {
      {"pad", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(low, high, interior);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(PadOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_PAD_H
