// Sort: every element of a line is chosen among all of them.
//
//   f32[4,8], s32[4,8] -> f32[4,8], s32[4,8], dimensions={1}
//   both operands, both directions   (d0, d1)[s0] -> (d0, s0),  s0 in [0, 7]
//
// The order may follow from any of the operands: every result reads all.
#include "absl/strings/str_cat.h"

#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {

absl::Status verify(const SortOp &op) {
  if (op.operands.empty() || op.operands.size() != op.results.size())
    return invalid(absl::StrCat("the op takes an operand for each result, not ",
                                counted(op.operands.size(), "operand"), " for ",
                                counted(op.results.size(), "result")));
  for (size_t k = 0; k < op.operands.size(); ++k) {
    if (!canAgree(op.operands[k], op.operands[0]))
      return invalid(absl::StrCat(
          "operand ", k, " has the shape ", textOf(op.operands[k]),
          "; all operands have the sizes of ", textOf(op.operands[0])));
    if (!canAgree(op.results[k], op.operands[k]))
      return invalid(absl::StrCat("result ", k, " has the shape ",
                                  textOf(op.results[k]),
                                  "; it would have the sizes of operand ", k,
                                  ", ", textOf(op.operands[k])));
  }
  return checkDimensions("dimensions", {op.dimension}, op.operands[0]);
}

Answer reads(const SortOp &op, const Sides &sides, int64_t, int64_t) {
  return sides.sharing(allBut(sides.operand(), {op.dimension}));
}

void addSizeRules(const SortOp &, SizeCollector &c) { c.allSame(0); }

}  // namespace families
}  // namespace indexical
