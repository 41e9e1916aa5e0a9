// Set-dimension-size: the same elements, fewer of them said to be there.
//
//   f32[4,8], s32[] -> f32[4,<=8], dimensions={1}
//   operand 0   (d0, d1) -> (d0, d1) in both directions
//   operand 1   (d0, d1) -> ()
#include "absl/strings/str_cat.h"

#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {

absl::Status verify(const SetDimensionSizeOp &op) {
  if (auto status = checkLeaves(op, 2, 1); !status.ok()) return status;
  const ArrayShape &operand = op.operands[0], &size = op.operands[1];
  if (auto status = checkDimensions("dimensions", {op.dimension}, operand);
      !status.ok())
    return status;
  if (!size.isScalar() ||
      (size.type != ElementType::Unknown && !isInteger(size.type)))
    return invalid(absl::StrCat("the size has the shape ", textOf(size),
                                "; it would be an integral scalar"));
  if (canAgree(op.results[0], operand)) return absl::OkStatus();
  return invalid(absl::StrCat(
      "the result has the shape ", textOf(op.results[0]),
      "; it would have the sizes of the operand ", textOf(operand)));
}

Answer reads(const SetDimensionSizeOp &, const Sides &sides, int64_t,
             int64_t operand) {
  return operand == 0 ? sides.identity() : sides.everything();
}

void addSizeRules(const SetDimensionSizeOp &op, SizeCollector &c) {
  c.same(0, c.result(0), op.dimension);
  c.rules.define({c.result(0), op.dimension}, [](SizeContext &s) {
    return s.element(1, {}, {0, Interval::kInfinity});
  });
}

}  // namespace families
}  // namespace indexical
