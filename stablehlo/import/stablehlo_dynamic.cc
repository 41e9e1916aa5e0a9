// Ops whose sizes are known in the run.
#include "stablehlo/import/attributes.h"
#include "stablehlo/import/stablehlo_rows.h"

namespace indexical::rows {

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
