// Ops that keep the index, that read nothing, and that read all.
#include <algorithm>

#include "absl/strings/str_cat.h"

#include "indexical/import/stablehlo/describe/attribute_values.h"
#include "indexical/import/stablehlo/describe/describers.h"

namespace indexical::rows {

absl::StatusOr<Op> describeElementwise(mlir::Operation *, OpShapes shapes) {
  return Op(make<ElementwiseOp>(std::move(shapes)));
}

absl::StatusOr<Op> describeConvert(mlir::Operation *, OpShapes shapes) {
  auto op = make<ElementwiseOp>(std::move(shapes));
  op.opKind = kindOf<ElementwiseOp>("convert");
  return Op(std::move(op));
}

/// Operands are broadcast to the result first: all of them along its last
/// dimensions, or the one of lower rank along `broadcast_dimensions`.
absl::StatusOr<Op> describeBroadcasting(mlir::Operation *op, OpShapes shapes) {
  auto made = make<BroadcastingOp>(std::move(shapes));
  if (made.results.size() != 1)
    return absl::InvalidArgumentError("the op has one result");
  const int64_t rank = made.results[0].rank();
  Int64s given;
  const bool listed = op->hasAttr("broadcast_dimensions");
  auto status = takeOptionalIntegers(op, "broadcast_dimensions", given);
  int64_t least = rank;
  for (const ArrayShape &operand : made.operands)
    least = std::min(least, operand.rank());
  if (status.ok() && listed && static_cast<int64_t>(given.size()) != least)
    status = Broken("") << "broadcast_dimensions must have " << least
                        << " entries, the lower rank of the operands, but is "
                        << given;
  for (const ArrayShape &operand : made.operands) {
    Int64s &dimensions = made.dimensions.emplace_back();
    if (listed && operand.rank() == static_cast<int64_t>(given.size()) &&
        operand.rank() < rank) {
      dimensions = given;
      continue;
    }
    for (int64_t k = 0; k < operand.rank(); ++k)
      dimensions.push_back(rank - operand.rank() + k);
  }
  return finished(std::move(made), status);
}

absl::StatusOr<Op> describeNullary(mlir::Operation *, OpShapes shapes) {
  return Op(make<NullaryOp>(std::move(shapes)));
}

absl::StatusOr<Op> describeConstant(mlir::Operation *op, OpShapes shapes) {
  auto made = make<ConstantOp>(std::move(shapes));
  takeBits(op->getAttr("value"), made);
  if (made.results.size() == 1 && isInteger(made.results[0].type))
    made.values = constantValues(op->getAttr("value"));
  return Op(std::move(made));
}

absl::StatusOr<Op> describeCover(mlir::Operation *op, OpShapes shapes) {
  auto made = make<CoverOp>(std::move(shapes));
  made.reason =
      absl::StrCat("the maps of `", op->getName().getStringRef().str(),
                   "` are not known exactly");
  return Op(std::move(made));
}

/// Scalar limits, and the sizes of the result, which every element reads.
absl::StatusOr<Op> describeRng(mlir::Operation *, OpShapes shapes) {
  return Op(make<ReadAllOp>(std::move(shapes)));
}

}  // namespace indexical::rows
