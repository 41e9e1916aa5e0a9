// Control flow, tuples, calls: what their computations read is found by
// program/.
#include <numeric>

#include "absl/strings/str_cat.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/stablehlo/describe/attribute_values.h"
#include "indexical/import/stablehlo/describe/describers.h"
#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::rows {

absl::StatusOr<Op> describeCall(mlir::Operation *, OpShapes shapes) {
  return Op(make<CallOp>(std::move(shapes)));
}

absl::StatusOr<Op> describeConditional(mlir::Operation *, OpShapes shapes) {
  return Op(make<ConditionalOp>(std::move(shapes)));
}

absl::StatusOr<Op> describeWhile(mlir::Operation *, OpShapes shapes) {
  return Op(make<WhileOp>(std::move(shapes)));
}

/// Result leaf r is operand leaf r: tuple, optimization_barrier, async_done.
absl::StatusOr<Op> describeForward(mlir::Operation *, OpShapes shapes) {
  auto made = make<ForwardOp>(std::move(shapes));
  made.reads.resize(made.results.size());
  std::iota(made.reads.begin(), made.reads.end(), 0);
  return Op(std::move(made));
}

absl::StatusOr<Op> describeTupleElement(mlir::Operation *op, OpShapes shapes) {
  int64_t index = 0;
  INDEXICAL_RETURN_IF_ERROR(takeInteger(op, "index", index));
  INDEXICAL_ASSIGN_OR_RETURN(auto tuple, shapeOf(op->getOperand(0).getType()));
  const int64_t count = tuple.elements.size();
  if (index < 0 || index >= count)
    return absl::InvalidArgumentError(absl::StrCat(
        "there is no element ", index, " in a tuple of ", count, " elements"));
  int64_t first = 0;
  for (int64_t k = 0; k < index; ++k) first += tuple.elements[k].leafCount();
  auto made = make<ForwardOp>(std::move(shapes));
  made.reads.resize(made.results.size());
  std::iota(made.reads.begin(), made.reads.end(), first);
  return Op(std::move(made));
}

/// A custom call whose target is not registered.
absl::StatusOr<Op> describeCustomCall(mlir::Operation *op, OpShapes shapes) {
  auto made = make<CoverOp>(std::move(shapes));
  made.precision = Precision::Opaque;
  auto target = op->getAttrOfType<mlir::StringAttr>("call_target_name");
  made.reason =
      absl::StrCat("the meaning of the custom call to `",
                   target ? target.getValue().str() : "", "` is not known");
  return Op(std::move(made));
}

}  // namespace indexical::rows
