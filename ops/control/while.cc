// While: a state of leaves, changed by a body as long as a condition holds.
//
//   while((s32[], f32[4])) -> (s32[], f32[4])
//   output to input   (d0)[s0] -> (s0)     cover, every leaf of every leaf
//
// program/ finds the leaves that the body does not change, and the elements
// that it reads.
#include "absl/strings/str_cat.h"

#include "indexical/ops/core/family.h"

namespace indexical {
namespace families {

absl::Status verify(const WhileOp &op) {
  const int64_t operands = op.operands.size();
  if (op.captured < 0 || op.captured > operands)
    return invalid(absl::StrCat(op.captured, " captured of ",
                                counted(operands, "operand")));
  if (operands - op.captured != static_cast<int64_t>(op.results.size()))
    return invalid(absl::StrCat("the state has ",
                                counted(operands - op.captured, "array"),
                                ", the result ", op.results.size()));
  for (size_t k = 0; k < op.results.size(); ++k)
    if (!canAgree(op.results[k], op.operands[k]))
      return invalid(absl::StrCat("result ", k, " has the shape ",
                                  textOf(op.results[k]), ", the state ",
                                  textOf(op.operands[k])));
  return absl::OkStatus();
}

Answer reads(const WhileOp &, const Sides &sides, int64_t, int64_t) {
  return sides.everything(Precision::Cover);
}

}  // namespace families
}  // namespace indexical
