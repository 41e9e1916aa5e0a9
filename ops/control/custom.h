#ifndef INDEXICAL_OPS_CONTROL_CUSTOM_H
#define INDEXICAL_OPS_CONTROL_CUSTOM_H

#include "indexical/ops/descriptor.h"
#include "indexical/ops/op_interface.h"

namespace indexical {

/// An op that is defined outside of this library: `maps` says what it reads.
struct CustomOp : OpDescriptor {
  std::shared_ptr<const OpInterface> maps;

  static constexpr OpKind kKinds[] = {
      {"custom", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(maps);
  }
};
INDEXICAL_FAMILY(CustomOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_CONTROL_CUSTOM_H
