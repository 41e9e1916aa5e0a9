#ifndef INDEXICAL_OPS_REDUCTION_SELECT_AND_SCATTER_H
#define INDEXICAL_OPS_REDUCTION_SELECT_AND_SCATTER_H

#include "indexical/ops/descriptor.h"
#include "indexical/ops/reduction/reduce_window.h"

namespace indexical {

/// Each window over operand 0 selects one of its elements, to which the
/// window's element of operand 1, the source, is scattered; the result starts
/// out as operand 2, a scalar. Which element is selected depends on all of the
/// window: a result element reads, for each window that contains it, the source
/// element and the whole window.
struct SelectAndScatterOp : OpDescriptor {
  llvm::SmallVector<WindowDimension, 4> window;

  static constexpr OpKind kKinds[] = {
      {"select-and-scatter", Traits().with(KernelRole::Bytes)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(window);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(SelectAndScatterOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_REDUCTION_SELECT_AND_SCATTER_H
