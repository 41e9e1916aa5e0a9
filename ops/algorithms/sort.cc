// Sort: every element of a line is chosen among all of them.
//
//   f32[4,8], s32[4,8] -> f32[4,8], s32[4,8], dimensions={1}
//   both operands, both directions   (d0, d1)[s0] -> (d0, s0),  s0 in [0, 7]
//
// The order may follow from any of the operands: every result reads all.
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {

/// C1, C2: as many results as inputs. C3: their shapes. C4: the dimension. C2
/// of types, and C5, are the front end's.
absl::Status verify(const SortOp &op) {
  const Name inputs = {"operand", "inputs"}, results = {"result", "results"};
  if (op.operands.empty())
    return Broken("C1") << "there must be at least one "
                        << Name{"operand", "input"};
  if (op.operands.size() != op.results.size())
    return Broken("C2") << "there must be a result for each of the "
                        << op.operands.size() << Name{" operands", " inputs"}
                        << ", not " << op.results.size();
  for (size_t k = 0; k < op.operands.size(); ++k) {
    absl::Status status = checkSameShape("C3", inputs[0], op.operands[0],
                                         inputs[k], op.operands[k]);
    status.Update(checkSameShape("C3", inputs[0], op.operands[0], results[k],
                                 op.results[k]));
    INDEXICAL_RETURN_IF_ERROR(status);
  }
  return checkRange("C4", {"dimensions", "dimension"}, {op.dimension},
                    op.operands[0].rank(), {"the rank", "rank(inputs[0])"});
}

Answer reads(const SortOp &op, const Sides &sides, int64_t, int64_t) {
  return sides.sharing(allBut(sides.operand(), {op.dimension}));
}

void addSizeRules(const SortOp &, SizeCollector &c) { c.allSame(0); }

}  // namespace families
}  // namespace indexical
