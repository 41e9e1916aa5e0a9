// Ops whose sizes are known in the run. Those that differ from a static op by
// operands in the place of attributes are described as it is:
//
//   dynamic_pad(x, z, low, high, interior)     PadOp of 5 operands, no lists
#include "llvm/ADT/STLExtras.h"

#include "indexical/stablehlo/describe/attribute_values.h"
#include "indexical/stablehlo/describe/describers.h"

namespace indexical::rows {

/// An operand's size that is not known may be 1, and expand, unless the op says
/// which of the two it is.
absl::StatusOr<Op> describeDynamicBroadcastInDim(mlir::Operation *op,
                                                 OpShapes shapes) {
  auto made = make<BroadcastOp>(std::move(shapes));
  Int64s same;
  auto dimensions = takeIntegers(op, "broadcast_dimensions", made.dimensions);
  auto expanding =
      takeOptionalIntegers(op, "known_expanding_dimensions", made.expanding);
  auto others = takeOptionalIntegers(op, "known_nonexpanding_dimensions", same);
  const ArrayShape &operand = made.operands[0];
  for (int64_t k = 0; k < operand.rank(); ++k) {
    const bool isFixed = operand.dimensions[k] != kDynamicSize &&
                         (operand.dynamic.empty() || !operand.dynamic[k]);
    if (!isFixed && !llvm::is_contained(same, k) &&
        !llvm::is_contained(made.expanding, k))
      made.maybeExpanding.push_back(k);
  }
  return finished(std::move(made), dimensions, expanding, others);
}

/// Reads no element: it is a size, which computations of sizes go on with.
absl::StatusOr<Op> describeGetDimensionSize(mlir::Operation *op,
                                            OpShapes shapes) {
  auto made = make<NullaryOp>(std::move(shapes));
  int64_t dimension = 0;
  auto status = takeInteger(op, "dimension", dimension);
  made.sizeOf = dimension;
  return finished(std::move(made), status);
}

absl::StatusOr<Op> describeDynamicReshape(mlir::Operation *, OpShapes shapes) {
  return Op(make<DynamicReshapeOp>(std::move(shapes)));
}

absl::StatusOr<Op> describeSetDimensionSize(mlir::Operation *op,
                                            OpShapes shapes) {
  auto made = make<SetDimensionSizeOp>(std::move(shapes));
  auto status = takeInteger(op, "dimension", made.dimension);
  return finished(std::move(made), status);
}

}  // namespace indexical::rows
