#ifndef INDEXICAL_OPS_CONTROL_START_H
#define INDEXICAL_OPS_CONTROL_START_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// An op that is started and finished later: the result holds, from the first
/// leaf on, operand leaves 0 to `forwards` - 1 as they are, then the results of
/// `inner`, which has the same operands, then contexts, which read nothing.
///
///   ((f32[10]), f32[5], s32[]) slice-start(f32[10]), slice={[0:5]}
///   forwards = 1, inner = SliceOp: f32[10] -> f32[5]
struct StartOp : OpDescriptor {
  int64_t forwards = 0;
  Op inner = Op::none();

  static constexpr OpKind kKinds[] = {
      {"async-start",
       Traits()
           .with(KernelRole::Bytes)
           .withNote("as the op or computation that is started")},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(forwards, inner);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(StartOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_CONTROL_START_H
