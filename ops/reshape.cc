// Reshape: the elements in row major order, under other sizes.
//
//   f32[4,8] -> f32[2,4,4]
//   output to input
//     (d0, d1, d2) -> (d0 * 2 + d1 floordiv 2, d2 + (d1 mod 2) * 4)
//   input to output
//     (d0, d1) -> (d0 floordiv 2, d1 floordiv 4 + (d0 mod 2) * 2, d1 mod 4)
#include "absl/strings/str_cat.h"

#include "ops/linear_order.h"

namespace indexical {
namespace families {
namespace {

Axes axesOf(const ArrayShape &shape) {
  Axes axes;
  for (int64_t k = 0; k < shape.rank(); ++k)
    axes.push_back({shape.dimensions[k], isFixed(shape, k)});
  return axes;
}

Answer renumbered(const ArrayShape &from, const ArrayShape &to) {
  const Axes fromAxes = axesOf(from), toAxes = axesOf(to);
  const auto groups = matchAxes(fromAxes, toAxes);
  if (!groups)
    return invalid(absl::StrCat("a reshape of ", textOf(from), " to ",
                                textOf(to),
                                " would keep the number of "
                                "elements"));
  IndexingMapBuilder builder;
  Exprs d = dimensionsOf(builder, from), index;
  Precision precision =
      relinearize(builder, fromAxes, d, toAxes, *groups, index);
  for (Expr e : index) builder.result(e);
  return simplified(builder, precision);
}

}  // namespace

absl::Status verify(const ReshapeOp &op) {
  if (auto status = checkLeaves(op, 1, 1); !status.ok()) return status;
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  const bool fixed = isFixed(operand) && isFixed(result);
  const bool equal =
      operand.isEmpty() || result.isEmpty()
          ? operand.isEmpty() == result.isEmpty() || !fixed
          : matchAxes(axesOf(operand), axesOf(result)).has_value();
  if (equal) return absl::OkStatus();
  const auto had = operand.elementCount(), has = result.elementCount();
  if (had && has)
    return invalid(absl::StrCat("the number of elements is ", *has,
                                " in the result ", textOf(result), " and ",
                                *had, " in the operand ", textOf(operand),
                                "; a reshape keeps it"));
  return invalid(absl::StrCat("the numbers of elements of ", textOf(operand),
                              " and ", textOf(result),
                              " differ, or need more than 64 bits"));
}

Answer outputToInput(const ReshapeOp &op, int64_t, int64_t) {
  return renumbered(op.results[0], op.operands[0]);
}

Answer inputToOutput(const ReshapeOp &op, int64_t, int64_t) {
  return renumbered(op.operands[0], op.results[0]);
}

}  // namespace families
}  // namespace indexical
