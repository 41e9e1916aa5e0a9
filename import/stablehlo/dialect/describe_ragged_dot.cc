#include "indexical/import/stablehlo/dialect/describe_ragged_dot.h"

#include <utility>

#include "indexical/import/stablehlo/dialect/chlo.h"

namespace indexical::rows {

absl::StatusOr<Op> describeRaggedDot(mlir::Operation *op, OpShapes shapes) {
  auto made = make<RaggedDotOp>(std::move(shapes));
  auto numbers = op->getAttrOfType<chlo::RaggedDotDimensionNumbersAttr>(
      "ragged_dot_dimension_numbers");
  if (!numbers)
    return absl::InvalidArgumentError(
        "the attribute `ragged_dot_dimension_numbers` is missing");
  takeDotDimensions(numbers, made);
  made.lhsRagged = listOf(numbers.getLhsRaggedDimensions());
  made.rhsGroup = listOf(numbers.getRhsGroupDimensions());
  return Op(std::move(made));
}

}  // namespace indexical::rows
