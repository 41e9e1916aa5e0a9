#ifndef INDEXICAL_OPS_CONTROL_WHILE_H
#define INDEXICAL_OPS_CONTROL_WHILE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// The first operands are the state, the results what it is in the end; behind
/// them stands what the body and the condition read beside it. What is read of
/// them is found by program/; ops/ itself answers with a cover.
struct WhileOp : OpDescriptor {
  int64_t captured = 0;  ///< so many of the last operands are no state

  static constexpr OpKind kKinds[] = {
      {"while", Traits()
                    .with(KernelRole::Runs)
                    .with(Precision::Cover,
                          "what the body leaves unchanged is exact, the rest "
                          "is closed over any number of trips")},
  };
  auto fields() const { return std::tie(captured); }
};
INDEXICAL_FAMILY(WhileOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_CONTROL_WHILE_H
