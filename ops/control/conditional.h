#ifndef INDEXICAL_OPS_CONTROL_CONDITIONAL_H
#define INDEXICAL_OPS_CONTROL_CONDITIONAL_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Operand 0, a scalar, chooses the branch; the other operands are the leaves
/// of the branches' arguments. Every result reads the choice whole. program/
/// finds the reads of the arguments; ops/ itself answers with a cover.
struct ConditionalOp : OpDescriptor {
  static constexpr OpKind kKinds[] = {
      {"conditional",
       Traits().with(KernelRole::Runs).withNote("as the branches")},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take();
  }
};
INDEXICAL_FAMILY(ConditionalOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_CONTROL_CONDITIONAL_H
