#ifndef INDEXICAL_OPS_CONTROL_WHILE_H
#define INDEXICAL_OPS_CONTROL_WHILE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// The first operands are the state, the results the final state. The other
/// operands are those that the body and the condition capture. program/ finds
/// the reads of all of them; ops/ itself answers with a cover.
struct WhileOp : OpDescriptor {
  int64_t captured = 0;  ///< the last operands, which are not in the state

  static constexpr OpKind kKinds[] = {
      {"while", Traits()
                    .with(KernelRole::Runs)
                    .with(Precision::Cover,
                          "what the body leaves unchanged is exact, the rest "
                          "is closed over any number of trips")},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(captured);
  }
};
INDEXICAL_FAMILY(WhileOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_CONTROL_WHILE_H
