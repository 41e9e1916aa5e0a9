// Elementwise ops: add, select, clamp, map, convert, copy…
//
//   select(pred[], f32[10,20], f32[10,20])
//   operand 0      (d0, d1) -> ()       its inverse  ()[s0, s1] -> (s0, s1)
//   operands 1, 2  (d0, d1) -> (d0, d1)  in both directions
#include "absl/strings/str_cat.h"

#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {

absl::Status verify(const ElementwiseOp &op) {
  if (op.results.empty())
    return invalid("an elementwise op without a result; it would have one");
  for (size_t k = 0; k < op.operands.size(); ++k) {
    const ArrayShape &operand = op.operands[k];
    for (const ArrayShape &result : op.results)
      if (!operand.isScalar() && !canAgree(operand, result))
        return invalid(absl::StrCat(
            "operand ", k, " of an elementwise op has the shape ",
            textOf(operand), "; it would have the sizes of the result ",
            textOf(result), ", or be a scalar"));
  }
  return absl::OkStatus();
}

Answer reads(const ElementwiseOp &, const Sides &sides, int64_t, int64_t) {
  return sides.operand().isScalar() ? sides.everything() : sides.identity();
}

void addSizeRules(const ElementwiseOp &, SizeCollector &c) {
  c.allSame(c.result(0));
}

}  // namespace families
}  // namespace indexical
