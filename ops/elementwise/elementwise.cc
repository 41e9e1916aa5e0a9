// Elementwise ops: add, select, clamp, map, convert, copy…
//
//   select(pred[], f32[10,20], f32[10,20])
//   operand 0      (d0, d1) -> ()       its inverse  ()[s0, s1] -> (s0, s1)
//   operands 1, 2  (d0, d1) -> (d0, d1)  in both directions
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {

absl::Status verify(const ElementwiseOp &op) {
  if (op.results.empty())
    return Broken("") << "an elementwise op must have a result, but has none";
  for (size_t k = 0; k < op.operands.size(); ++k)
    for (const ArrayShape &result : op.results)
      if (!op.operands[k].isScalar() && !canAgree(op.operands[k], result))
        return Broken("") << Name("operand")[k]
                          << " must have the shape of the result, " << result
                          << ", or rank 0, but is " << op.operands[k];
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
