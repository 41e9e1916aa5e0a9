#ifndef INDEXICAL_OPS_CONTROL_CAPTURING_H
#define INDEXICAL_OPS_CONTROL_CAPTURING_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// An op whose regions use values that are defined around it: operands behind
/// those of `inner`. Every result reads them, a scalar exactly.
struct CapturingOp : OpDescriptor {
  Op inner = Op::none();

  static constexpr OpKind kKinds[] = {
      {"capturing", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(inner);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(CapturingOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_CONTROL_CAPTURING_H
