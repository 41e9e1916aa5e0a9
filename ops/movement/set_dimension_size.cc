// Set-dimension-size: the same elements, fewer of them said to be there.
//
//   f32[4,8], s32[] -> f32[4,<=8], dimensions={1}
//   operand 0   (d0, d1) -> (d0, d1) in both directions
//   operand 1   (d0, d1) -> ()
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {

absl::Status verify(const SetDimensionSizeOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 2, 1));
  const ArrayShape &operand = op.operands[0], &size = op.operands[1];
  INDEXICAL_RETURN_IF_ERROR(checkRange("", {"dimensions", "dimension"},
                                       {op.dimension}, operand.rank(),
                                       "rank(operand)"));
  if (!size.isScalar() ||
      (size.type != ElementType::Unknown && !isInteger(size.type)))
    return Broken("") << Name{"operand 1", "size"}
                      << " must be an integer of rank 0, but is " << size;
  return checkSameShape("", Name{"operand 0", "operand"}, operand, "result",
                        op.results[0]);
}

Answer reads(const SetDimensionSizeOp &, const Sides &sides, int64_t,
             int64_t operand) {
  return operand == 0 ? sides.identity() : sides.everything();
}

void addSizeRules(const SetDimensionSizeOp &op, SizeCollector &c) {
  c.same(0, c.result(0), op.dimension);
  c.rules.define({c.result(0), op.dimension},
                 [sizes = c.sizesOf(0, op.dimension)](SizeContext &s) {
                   return s.element(1, {}, sizes);
                 });
}

}  // namespace families
}  // namespace indexical
