// Top-k: the first of a line, were it sorted, and where they stood.
//
//   f32[4,100] -> f32[4,5], s32[4,5], k=5
//   output to input, both results   (d0, d1)[s0] -> (d0, s0),  s0 in [0, 99]
//   input to output                 (d0, d1)[s0] -> (d0, s0),  s0 in [0, 4]
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {

absl::Status verify(const TopKOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 1, 2));
  const ArrayShape &operand = op.operands[0];
  const int64_t last = operand.rank() - 1;
  if (last < 0)
    return Broken("") << "operand must have a last dimension, of which the "
                         "first k are taken, but is "
                      << operand;
  INDEXICAL_RETURN_IF_ERROR(checkLeast("", "k", {op.k}, 0));
  if (const int64_t most = operand.dimensions[last];
      most != kDynamicSize && op.k > most)
    return Broken("") << "k must be at most the last size of operand, " << most
                      << ", but is " << op.k;
  Int64s sizes = fixedSizes(operand);
  sizes.back() = op.k;
  const Name names[] = {{"result 0", "values"}, {"result 1", "indices"}};
  for (size_t r = 0; r < op.results.size(); ++r)
    INDEXICAL_RETURN_IF_ERROR(checkShape("", names[r], op.results[r], sizes,
                                         "operand's with k as its last size"));
  return absl::OkStatus();
}

Answer reads(const TopKOp &, const Sides &sides, int64_t, int64_t) {
  const ArrayShape &operand = sides.operand();
  return sides.sharing(allBut(operand, {operand.rank() - 1}));
}

void addSizeRules(const TopKOp &op, SizeCollector &c) {
  const int64_t last = op.operands[0].rank() - 1;
  for (int64_t r = 0; r < 2; ++r) c.same(0, c.result(r), last);
  for (int64_t r = 0; r < 2; ++r)
    c.rules.define({c.result(r), last},
                   [k = op.k](SizeContext &s) { return s.constant(k); });
}

}  // namespace families
}  // namespace indexical
