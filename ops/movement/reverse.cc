// Reverse: some dimensions run backward. It is its own inverse.
//
//   f32[17,9], dimensions={0}      (d0, d1) -> (-d0 + 16, d1)
//
// An open size is a variable: (d0, d1){rt0} -> (rt0 - d0 - 1, d1).
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {
namespace {

Answer reversed(const ReverseOp &op) {
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  if (isFixed(operand) && isFixed(result)) {
    llvm::SmallVector<Interval, 6> bounds;
    llvm::SmallVector<PlainResult, 6> results;
    for (int64_t k = 0; k < operand.rank(); ++k) {
      bounds.push_back(sharedIndices(operand, k, result, k));
      results.push_back(llvm::is_contained(op.dimensions, k)
                            ? plainDimension(k, -1, operand.dimensions[k] - 1)
                            : plainDimension(k));
    }
    if (auto answer = plainAnswer(bounds, {}, results))
      return *std::move(answer);
  }
  IndexingMapBuilder builder;
  const OpSizes sizes(op);
  SizeVariables variables(sizes, builder);
  for (int64_t k = 0; k < operand.rank(); ++k) {
    const Interval indices = sharedIndices(operand, k, result, k);
    Expr d = builder.dimension(indices);
    if (!llvm::is_contained(op.dimensions, k)) {
      builder.result(d);
    } else {
      builder.result(variables.size({0, k}) - d - 1);
    }
  }
  return answerOf(builder);
}

}  // namespace

/// C1: the shapes. C2, C3: the dimensions.
absl::Status verify(const ReverseOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 1, 1));
  const ArrayShape &operand = op.operands[0];
  INDEXICAL_RETURN_IF_ERROR(
      checkSameShape("C1", "operand", operand, "result", op.results[0]));
  INDEXICAL_RETURN_IF_ERROR(checkUnique("C2", "dimensions", op.dimensions));
  return checkRange("C3", "dimensions", op.dimensions, operand.rank(),
                    "rank(result)");
}

Answer reads(const ReverseOp &op, const Sides &, int64_t, int64_t) {
  return reversed(op);
}

void addSizeRules(const ReverseOp &, SizeCollector &c) { c.same(0, 1); }

}  // namespace families
}  // namespace indexical
