#ifndef INDEXICAL_OPS_CONTROL_FORWARD_H
#define INDEXICAL_OPS_CONTROL_FORWARD_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Leaf moves without computation: tuple, get-tuple-element, opt-barrier…
/// `reads[r]` is the operand leaf that result leaf r is, or -1 for none.
struct ForwardOp : OpDescriptor {
  llvm::SmallVector<int64_t, 2> reads;

  static constexpr OpKind kKinds[] = {
      {"forward", Traits().with(KernelRole::None)},
      {"tuple", Traits().with(KernelRole::None)},
      {"get-tuple-element", Traits().with(KernelRole::None)},
      {"add-dependency", Traits().with(KernelRole::None)},
      {"domain", Traits().with(KernelRole::None)},
      {"opt-barrier", Traits().with(KernelRole::None)},
      {"copy-done", Traits().with(KernelRole::None)},
      {"async-update", Traits().with(KernelRole::None)},
      {"async-done", Traits().with(KernelRole::None)},
      {"recv-done", Traits().with(KernelRole::None)},
      {"copy-start", Traits().with(KernelRole::Bytes)},
      {"send", Traits().with(KernelRole::Bytes).withSideEffects()},
      {"unrealized-conversion-cast",
       Traits().with(Precision::Cover, "exact where types keep their sizes")},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(reads);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(ForwardOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_CONTROL_FORWARD_H
