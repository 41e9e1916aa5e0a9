#ifndef INDEXICAL_OPS_CONTROL_SCAN_H
#define INDEXICAL_OPS_CONTROL_SCAN_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// A body runs along `dimension` of the inputs: N inputs and `carries` inits
/// give M outputs and the final carries. The body takes slices of the inputs,
/// without the dimension, and the carries, and gives slices of the outputs and
/// the carries. The operands behind the inits are those that the body captures;
/// each step has them whole. ops/ itself answers with a cover, program/ looks
/// into the body.
struct ScanOp : OpDescriptor {
  int64_t dimension = 0;
  int64_t carries = 0;
  bool reverse = false;  ///< from the last index to the first
  int64_t captured = 0;  ///< so many of the last operands

  int64_t inputs() const {
    return static_cast<int64_t>(operands.size()) - carries - captured;
  }

  static constexpr OpKind kKinds[] = {
      {"scan", Traits()
                   .with(KernelRole::Bytes)
                   .withNote("as the body; a cover where its carries do not "
                             "settle, or it has runtime variables")},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(dimension, carries, reverse, captured);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(ScanOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_CONTROL_SCAN_H
