#include "indexical/ops/collectives/along.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/linear_order.h"

namespace indexical {
namespace families {

absl::Status checkPairs(const OpShapes &op) {
  if (op.results.size() == op.operands.size()) return absl::OkStatus();
  return Broken("") << "there must be a result for each operand, but there are "
                    << op.operands.size() << " operands and "
                    << op.results.size() << " results";
}

Name oneOf(const ShapeList &list, Name name, size_t k) {
  return list.size() == 1 ? name : name[k];
}

absl::Status checkSameShapes(const OpShapes &op, Rule rule) {
  INDEXICAL_RETURN_IF_ERROR(checkPairs(op));
  for (size_t k = 0; k < op.operands.size(); ++k)
    INDEXICAL_RETURN_IF_ERROR(
        checkSameShape(rule, oneOf(op.operands, kOperand, k), op.operands[k],
                       oneOf(op.results, kResult, k), op.results[k]));
  return absl::OkStatus();
}

Bounds indicesBut(const ArrayShape &shape, const ArrayShape &other,
                  int64_t axis, int64_t secondAxis) {
  Bounds bounds;
  for (int64_t k = 0; k < shape.rank(); ++k)
    bounds.push_back(k == axis || k == secondAxis
                         ? indicesOf(shape, k)
                         : sharedIndices(shape, k, other, k));
  return bounds;
}

std::optional<int64_t> partSize(const ArrayShape &whole, const ArrayShape &part,
                                int64_t axis) {
  if (!isFixed(whole, axis) || !isFixed(part, axis)) return std::nullopt;
  return part.dimensions[axis];
}

Expr OpenSizes::divisor(int64_t tensor, int64_t axis) {
  Axis of;
  const Expr whole = size(tensor, axis);
  if (builder_.valueOf(whole)) return whole;
  setExpression(of, builder_, whole);
  return of.isProduct ? whole : variables_.ownSize({tensor, axis});
}

void addScaled(const CollectiveShapes &op, SizeCollector &c, int64_t k,
               int64_t axis) {
  const auto members = membersOf(op);
  if (!members) return;
  const ArrayShape &operand = op.operands[k], &result = op.results[k];
  // The size of an operand follows from nothing but a number.
  if (isFixed(result, axis) && !isFixed(operand, axis) &&
      result.dimensions[axis] % *members == 0)
    c.rules.define({k, axis}, [part = result.dimensions[axis] / *members](
                                  SizeContext &s) { return s.constant(part); });
  c.rules.define({c.result(k), axis}, [k, axis, n = *members](SizeContext &s) {
    return s.size({k, axis}) * n;
  });
}
void addDivided(const CollectiveShapes &op, SizeCollector &c, int64_t k,
                int64_t axis) {
  const auto members = membersOf(op);
  if (!members) return;
  const ArrayShape &operand = op.operands[k], &result = op.results[k];
  const auto whole = isFixed(result, axis)
                         ? checkedMul(result.dimensions[axis], *members)
                         : std::nullopt;
  if (whole && !isFixed(operand, axis))
    c.rules.define({k, axis}, [size = *whole](SizeContext &s) {
      return s.constant(size);
    });
  c.rules.define({c.result(k), axis}, [k, axis, n = *members](SizeContext &s) {
    return floorDiv(s.size({k, axis}), n);
  });
}

}  // namespace families
}  // namespace indexical
