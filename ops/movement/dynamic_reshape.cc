// Dynamic reshape: a reshape whose sizes are operands.
//
//   f32[4,8], s32[], s32[] -> f32[<=32,4]
//   operand 0      (d0, d1) -> (d0 floordiv 2, d1 + (d0 mod 2) * 4)
//   operands 1, 2  (d0, d1) -> ()
//
// If more than the most major size is open, the others are factors:
//
//   f32[?,?], s64[2] -> f32[?,?]
//   operand 0  (d0, d1){rt0, rt1} -> ((d0 * rt1 + d1) floordiv rt0,
//                                     (d0 * rt1 + d1) mod rt0)
//              rt0 the operand's size of dimension 1, rt1 the element (1) of
//              operand 1
#include "absl/strings/str_cat.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/movement/renumbering.h"

namespace indexical {
namespace families {
namespace {

ReshapeOp reshapeOf(const DynamicReshapeOp &op) {
  ReshapeOp reshape;
  reshape.operands = {op.operands[0]};
  reshape.results = op.results;
  return reshape;
}

}  // namespace

/// C2, as of reshape. C4: the sizes. C1 and C3 are of types.
absl::Status verify(const DynamicReshapeOp &op) {
  if (op.operands.empty() || op.results.size() != 1)
    return invalid(absl::StrCat(
        "the op takes a tensor and its new sizes and gives one result, not ",
        counted(op.operands.size(), "operand"), " and ",
        counted(op.results.size(), "result")));
  const int64_t rank = op.results[0].rank(), sizes = op.operands.size() - 1;
  const Name size = {"size", "output_shape"};
  if (sizes == 1 && op.operands[1].rank() == 1) {
    INDEXICAL_RETURN_IF_ERROR(
        checkList("C4", size, op.operands[1], rank, "the rank of the result"));
    return verify(reshapeOf(op));
  }
  if (sizes != rank)
    return Broken("C4") << size << " must have " << rank
                        << " entries, the rank of the result, but has "
                        << sizes;
  for (int64_t k = 0; k < sizes; ++k) {
    const ArrayShape &given = op.operands[1 + k];
    if (given.type != ElementType::Unknown && !isInteger(given.type))
      return Broken("") << size[k] << " must be an integer, but is " << given;
    INDEXICAL_RETURN_IF_ERROR(checkScalar("", size[k], given));
  }
  return verify(reshapeOf(op));
}

Answer reads(const DynamicReshapeOp &op, const Sides &sides, int64_t,
             int64_t operand) {
  if (operand > 0) return sides.everything();
  return renumbered(op, sides, 0, op.operands.size());
}

void addSizeRules(const DynamicReshapeOp &op, SizeCollector &c) {
  addReshapedSizes(c);
  if (op.operands.size() == 2 && op.operands[1].rank() == 1) return c.given(1);
  for (int64_t k = 0; k < op.results[0].rank(); ++k)
    c.rules.define({c.result(0), k}, [k](SizeContext &s) {
      return s.element(k + 1, {}, {0, Interval::kInfinity});
    });
}

}  // namespace families
}  // namespace indexical
