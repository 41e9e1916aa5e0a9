#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/movement/pad_amounts.h"

namespace indexical {
namespace families {
namespace {

constexpr int64_t kInfinity = Interval::kInfinity;
constexpr int64_t kMinusInfinity = Interval::kMinusInfinity;

/// One dimension of the pad: element i is at place low + i * step.
struct OpenAxis {
  Expr low, high, step, size;
};

OpenAxis axisOf(const PadOp &op, SizeVariables &variables, int64_t k) {
  const PadAmounts pad = padAmounts(op, variables, k);
  return {pad.low, pad.high, pad.interior + 1, variables.size({0, k})};
}

/// The kinds of places that the result has along one dimension.
enum class Place { Before, After, Between, Element };

/// Restricts `place`, an index of the result, to places of that kind. Returns
/// false if there are none.
bool keep(IndexingMapBuilder &b, const OpenAxis &axis, Expr place, Place kind) {
  Expr distance = place - axis.low;
  // Negative if there is no element.
  Expr behindLast = distance - (axis.size - 1) * axis.step;
  const auto low = b.valueOf(axis.low), high = b.valueOf(axis.high);
  const bool dense = b.valueOf(axis.step) == 1;
  switch (kind) {
    case Place::Before:
      if (low && *low <= 0) return false;
      b.constraint(distance, {kMinusInfinity, -1});
      return true;
    case Place::After:
      if (high && *high <= 0) return false;
      b.constraint(distance, {0, kInfinity});
      b.constraint(behindLast, {1, kInfinity});
      return true;
    case Place::Between:
      if (dense) return false;
      b.constraint(mod(distance, axis.step), {1, kInfinity});
      break;
    case Place::Element:
      if (!dense) b.constraint(mod(distance, axis.step), Interval::point(0));
      break;
  }
  b.constraint(distance, {0, kInfinity});
  b.constraint(behindLast, {kMinusInfinity, 0});
  return true;
}

}  // namespace

PadAmounts padAmounts(const PadOp &op, SizeContext &context, int64_t k) {
  if (op.operands.size() == 2)
    return {context.constant(op.low[k]), context.constant(op.high[k]),
            context.constant(op.interior[k])};
  return {context.element(2, {k}, Interval::all()),
          context.element(3, {k}, Interval::all()),
          context.element(4, {k}, {0, kInfinity})};
}

bool isOpen(const PadOp &op) {
  return op.operands.size() > 2 || !isFixed(op.operands[0]) ||
         !isFixed(op.results[0]);
}

Answer readsOfOpenOperand(const PadOp &op, const Sides &sides) {
  IndexingMapBuilder builder;
  const OpSizes sizes(op);
  SizeVariables variables(sizes, builder);
  const Bounds places = indicesOf(sides.result());
  const Bounds indices = indicesOf(sides.operand());
  AccessBuilder access(sides, builder, places, indices);
  for (size_t k = 0; k < places.size(); ++k) {
    const OpenAxis axis = axisOf(op, variables, k);
    const Loop l = access.loop(Interval::all());
    access.operand(k, l);
    access.result(k, l * axis.step + axis.low);
  }
  return access.answer();
}

Answer readsOfOpenValue(const PadOp &op, const Sides &sides) {
  const OpSizes sizes(op);
  const Bounds places = indicesOf(sides.result());
  IndexingRelation relation;
  // Each piece has the indices whose first dimension without an element is k.
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    for (Place kind : {Place::Before, Place::After, Place::Between}) {
      IndexingMapBuilder builder;
      SizeVariables variables(sizes, builder);
      AccessBuilder access(sides, builder, places, {});
      access.complete();
      bool any = true;
      for (int64_t i = 0; i <= k; ++i)
        any &= keep(builder, axisOf(op, variables, i), access.resultAt(i),
                    i == k ? kind : Place::Element);
      if (!any) continue;
      access.finish();
      INDEXICAL_RETURN_IF_ERROR(addPiece(relation, builder));
    }
  return relation;
}

}  // namespace families
}  // namespace indexical
