// Ops whose sizes are known in the run. Those that differ from a static op by
// operands in the place of attributes are described as it is:
//
//   dynamic_pad(x, z, low, high, interior)     PadOp of 5 operands, no lists
#include "indexical/import/stablehlo/describe/attribute_values.h"
#include "indexical/import/stablehlo/describe/describers.h"

namespace indexical::rows {

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
