// Reshape: the elements in row major order, under other sizes.
//
//   f32[4,8] -> f32[2,4,4]
//   output to input
//     (d0, d1, d2) -> (d0 * 2 + d1 floordiv 2, d2 + (d1 mod 2) * 4)
//   input to output
//     (d0, d1) -> (d0 floordiv 2, d1 floordiv 4 + (d0 mod 2) * 2, d1 mod 4)
#include "absl/strings/str_cat.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/linear_order.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/movement/renumbering.h"
#include "indexical/simplifier/shortcuts/renumber.h"

namespace indexical {
namespace families {
namespace {

Axes axesOf(const ArrayShape &shape) {
  Axes axes;
  for (int64_t k = 0; k < shape.rank(); ++k)
    axes.push_back({shape.dimensions[k], isFixed(shape, k)});
  return axes;
}

}  // namespace

Answer renumbered(OpView op, const Sides &sides, int64_t operandTensor,
                  int64_t resultTensor) {
  const ArrayShape &from = sides.from(), &to = sides.to();
  if (isFixed(from) && isFixed(to))
    if (auto map = renumberedAtOnce(from.dimensions, to.dimensions))
      return IndexingRelation(*std::move(map));
  const auto [fromTensor, toTensor] =
      sides.ordered(resultTensor, operandTensor);
  IndexingMapBuilder builder;
  const OpSizes sizes(op);
  SizeVariables variables(sizes, builder, /*least=*/1);
  auto withSizes = [&](const ArrayShape &shape, int64_t tensor) {
    Axes axes = axesOf(shape);
    // The sizes of tensors whose elements all have a number of 64 bits.
    for (size_t k = 0; k < axes.size(); ++k)
      if (!axes[k].fixed) {
        const SizeRef ref = {tensor, static_cast<int64_t>(k)};
        setExpression(axes[k], builder, variables.size(ref));
        // A sum is no divisor, since it is not seen to be at least 1.
        if (!axes[k].isProduct) axes[k].expression = variables.ownSize(ref);
      }
    return axes;
  };
  Exprs d = dimensionsOf(builder, from), index;
  const Axes fromAxes = withSizes(from, fromTensor);
  const Axes toAxes = withSizes(to, toTensor);
  const auto groups = matchAxes(fromAxes, toAxes);
  if (!groups)
    return invalid(absl::StrCat("a reshape of ", textOf(from), " to ",
                                textOf(to),
                                " would keep the number of "
                                "elements"));
  Precision precision =
      relinearize(builder, fromAxes, d, toAxes, *groups, index);
  for (Expr e : index) builder.result(e);
  return simplified(builder, precision);
}

/// C2: the number of elements. C1 and C3 are of types.
absl::Status verify(const ReshapeOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 1, 1));
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  const bool fixed = isFixed(operand) && isFixed(result);
  const bool equal =
      operand.isEmpty() || result.isEmpty()
          ? operand.isEmpty() == result.isEmpty() || !fixed
          : matchAxes(axesOf(operand), axesOf(result)).has_value();
  if (equal) return absl::OkStatus();
  const auto had = operand.elementCount(), has = result.elementCount();
  if (had && has)
    return Broken("C2") << "operand and result must have the same number of "
                           "elements, but have "
                        << *had << " and " << *has
                        << Name{"; a reshape keeps it", ""};
  return Broken("C2") << "operand and result must have the same number of "
                         "elements, of 64 bits, but are "
                      << operand << " and " << result;
}

void addReshapedSizes(SizeCollector &c) {
  struct OpenSizes {
    Checked others = 1;
    int64_t open = 0, dimension = 0;
  };
  auto sideOf = [](const ArrayShape &shape) {
    OpenSizes side;
    for (int64_t k = 0; k < shape.rank(); ++k) {
      if (isFixed(shape, k)) {
        side.others = side.others * shape.dimensions[k];
      } else {
        ++side.open;
        side.dimension = k;
      }
    }
    return side;
  };
  const OpenSizes from = sideOf(c.shapes.operands[0]);
  const OpenSizes to = sideOf(c.shapes.results[0]);
  const auto others = from.others.value();
  if (from.open == 1 && to.open == 1 && others && *others > 0 &&
      others == to.others.value())
    c.equal({0, from.dimension}, {c.result(0), to.dimension});
}

void addSizeRules(const ReshapeOp &, SizeCollector &c) { addReshapedSizes(c); }

Answer reads(const ReshapeOp &op, const Sides &sides, int64_t, int64_t) {
  return renumbered(op, sides, 0, 1);
}

}  // namespace families
}  // namespace indexical
