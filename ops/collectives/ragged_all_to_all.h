#ifndef INDEXICAL_OPS_COLLECTIVES_RAGGED_ALL_TO_ALL_H
#define INDEXICAL_OPS_COLLECTIVES_RAGGED_ALL_TO_ALL_H

#include "indexical/ops/collectives/collective.h"
#include "indexical/ops/descriptor.h"

namespace indexical {

/// Operands input, output, input offsets, send sizes, output offsets, receive
/// sizes; dimension 0 is ragged. There are number of offsets / group size
/// updates from one member to another. Update j from member m to position p has
/// number u = p * updates + j in m's offsets and sizes: rows [output offset,
/// output offset + send size) of the result at p are m's rows of the input,
/// from the input offset on. The other rows are those of `output`.
struct RaggedAllToAllOp : CollectiveShapes {
  static constexpr OpKind kKinds[] = {
      {"ragged-all-to-all",
       Traits()
           .with(KernelRole::Bytes)
           .with(Precision::Cover,
                 "`output`: which rows are written over is known in the run; "
                 "the others are exact")},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(groupSize);
  }
};
INDEXICAL_FAMILY(RaggedAllToAllOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_COLLECTIVES_RAGGED_ALL_TO_ALL_H
