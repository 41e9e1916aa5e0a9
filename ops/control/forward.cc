// Leaves that move without computation: tuple, get-tuple-element, opt-barrier…
//
//   get-tuple-element((f32[4], s32[2,3])), index=1:   reads = {1}
//   result 0, operand 0   no pieces
//   result 0, operand 1   (d0, d1) -> (d0, d1)
#include "absl/strings/str_cat.h"

#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {

absl::Status verify(const ForwardOp &op) {
  if (op.reads.size() != op.results.size())
    return invalid(absl::StrCat(
        "reads ", textOf(op.reads), " has ", counted(op.reads.size(), "value"),
        "; the op has ", op.results.size(), " results"));
  const int64_t operands = op.operands.size();
  for (size_t r = 0; r < op.reads.size(); ++r) {
    const int64_t k = op.reads[r];
    if (k == -1) continue;
    if (k < 0 || k >= operands)
      return invalid(absl::StrCat("reads ", textOf(op.reads), ": ", k,
                                  " is not an operand; the op has ", operands,
                                  " (and -1 stands for none)"));
    if (!canAgree(op.results[r], op.operands[k]))
      return invalid(absl::StrCat("result ", r, " has the shape ",
                                  textOf(op.results[r]), " and is operand ", k,
                                  ", whose shape is ", textOf(op.operands[k]),
                                  "; they would have the same sizes"));
  }
  return absl::OkStatus();
}

Answer reads(const ForwardOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  return op.reads[result] == operand ? sides.identity() : sides.nothing();
}

void addSizeRules(const ForwardOp &op, SizeCollector &c) {
  for (size_t r = 0; r < op.reads.size(); ++r)
    if (op.reads[r] >= 0) c.same(op.reads[r], c.result(r));
}

}  // namespace families
}  // namespace indexical
