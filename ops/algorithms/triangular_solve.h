#ifndef INDEXICAL_OPS_ALGORITHMS_TRIANGULAR_SOLVE_H
#define INDEXICAL_OPS_ALGORITHMS_TRIANGULAR_SOLVE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// op(operand 0) * x = operand 1, or x * op(operand 0) = operand 1 if not
/// `leftSide`, in the last two dimensions. `lower` says which triangle of
/// operand 0 is read, `transposed` whether op is a transpose or an adjoint.
struct TriangularSolveOp : OpDescriptor {
  bool leftSide = true, lower = true, unitDiagonal = false, transposed = false;

  static constexpr OpKind kKinds[] = {
      {"triangular-solve", Traits().with(KernelRole::Bytes)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(leftSide, lower, unitDiagonal, transposed);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(TriangularSolveOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_ALGORITHMS_TRIANGULAR_SOLVE_H
