#ifndef INDEXICAL_OPS_REDUCTION_REDUCE_WINDOW_H
#define INDEXICAL_OPS_REDUCTION_REDUCE_WINDOW_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// One dimension of a window, as HLO's `window={…}`.
struct WindowDimension {
  int64_t size = 1, stride = 1, padLow = 0, padHigh = 0;
  int64_t baseDilation = 1, windowDilation = 1;
  bool reversed = false;

  size_t hash() const {
    return fieldHash::all(size, stride, padLow, padHigh, baseDilation,
                          windowDilation, reversed);
  }
  bool operator==(const WindowDimension &o) const {
    return std::tie(size, stride, padLow, padHigh, baseDilation, windowDilation,
                    reversed) == std::tie(o.size, o.stride, o.padLow, o.padHigh,
                                          o.baseDilation, o.windowDilation,
                                          o.reversed);
  }
};

/// N inputs, then N inits, N results.
struct ReduceWindowOp : OpDescriptor {
  llvm::SmallVector<WindowDimension, 4> window;

  static constexpr OpKind kKinds[] = {
      {"reduce-window", {}},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(window);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(ReduceWindowOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_REDUCTION_REDUCE_WINDOW_H
