// Conditional: one of several branches, by a predicate or a branch index.
//
//   conditional(pred[], f32[4], f32[4]) -> f32[4]
//   output to input   operand 0   (d0) -> ()           exact
//                     operand 1   (d0)[s0] -> (s0)     cover
//
// The computation of a branch decides what it reads of its argument; program/
// looks into it.
#include "absl/strings/str_cat.h"

#include "indexical/ops/core/family.h"

namespace indexical {
namespace families {
absl::Status verify(const ConditionalOp &op) {
  if (op.operands.empty())
    return invalid("operand 0, the branch to take, is missing");
  const ArrayShape &choice = op.operands[0];
  if (choice.isScalar() && isInteger(choice.type)) return absl::OkStatus();
  return invalid(absl::StrCat("operand 0, the branch to take, has the shape ",
                              textOf(choice), "; it would be pred[] or s32[]"));
}

Answer reads(const ConditionalOp &, const Sides &sides, int64_t,
             int64_t operand) {
  return sides.everything(operand == 0 ? Precision::Exact : Precision::Cover);
}

}  // namespace families
}  // namespace indexical
