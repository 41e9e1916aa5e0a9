// Reverse: some dimensions run backward. It is its own inverse.
//
//   f32[17,9], dimensions={0}      (d0, d1) -> (-d0 + 16, d1)
//
// An open size is a variable: (d0, d1){rt0} -> (rt0 - d0 - 1, d1).
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {
namespace {

Answer reversed(const ReverseOp &op) {
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
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

absl::Status verify(const ReverseOp &op) {
  if (auto status = checkLeaves(op, 1, 1); !status.ok()) return status;
  if (auto status =
          checkDimensions("dimensions", op.dimensions, op.operands[0]);
      !status.ok())
    return status;
  if (canAgree(op.operands[0], op.results[0])) return absl::OkStatus();
  return invalid(absl::StrCat(
      "the result of a reverse of ", textOf(op.operands[0]), " has the shape ",
      textOf(op.results[0]), "; it would have the same sizes"));
}

Answer reads(const ReverseOp &op, const Sides &, int64_t, int64_t) {
  return reversed(op);
}

void addSizeRules(const ReverseOp &, SizeCollector &c) { c.same(0, 1); }

}  // namespace families
}  // namespace indexical
