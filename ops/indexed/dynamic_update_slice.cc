// Dynamic update slice: the operand, a part of it replaced by the update.
//
//   f32[20,30] updated by f32[5,10], rt0 in [0, 15], rt1 in [0, 20]
//   update   (d0, d1){rt0, rt1} -> (d0 - rt0, d1 - rt1)
//            d0 - rt0 in [0, 4], d1 - rt1 in [0, 9]
//   operand  (d0, d1) -> (d0, d1) in four pieces, where
//            d0 - rt0 in [-inf, -1]
//            d0 - rt0 in [5, inf]
//            d0 - rt0 in [0, 4], d1 - rt1 in [-inf, -1]
//            d0 - rt0 in [0, 4], d1 - rt1 in [10, inf]
//
// The operand's pieces are the outside of the update's box: before or after the
// box on the first axis; inside on the first and before or after on the second;
// and so on. An axis that is updated whole has no outside.
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/indexed/start_indices.h"

namespace indexical {
namespace families {
namespace {

StartIndices startsOf(const DynamicUpdateSliceOp &op) {
  return {op, 2, op.operands[0], op.operands[1], /*sliceTensor=*/1};
}

/// Whether the update is known to be as large as the operand along axis k.
bool isWhole(const OpSizes &sizes, int64_t k) {
  return sizes.areEqual({0, k}, {1, k});
}

/// Adds the piece of elements that are inside the update on the axes before
/// `axis` and, on it, before or behind it.
absl::Status addOutside(IndexingRelation &relation, const StartIndices &starts,
                        const OpSizes &sizes, const Variant &variant,
                        int64_t axis, bool isBehind) {
  IndexingMapBuilder builder;
  SizeVariables variables(sizes, builder);
  Exprs d = dimensionsOf(builder, starts.sliced);
  for (int64_t k = 0; k <= axis; ++k) {
    if (isWhole(sizes, k)) continue;
    Expr index = d[k] - starts.start(builder, variables, k, variant);
    const bool inside = k < axis;
    if (!inside && !isBehind) {
      builder.constraint(index, {Interval::kMinusInfinity, -1});
    } else if (isFixed(starts.slice, k)) {
      const int64_t size = starts.slice.dimensions[k];
      builder.constraint(index, inside ? indicesOf(size)
                                       : Interval{size, Interval::kInfinity});
    } else {
      Expr rest = index - variables.size({1, k});
      if (inside) builder.constraint(index, {0, Interval::kInfinity});
      builder.constraint(rest, inside ? Interval{Interval::kMinusInfinity, -1}
                                      : Interval{0, Interval::kInfinity});
    }
  }
  for (Expr e : d) builder.result(e);
  return addPiece(relation, builder);
}

/// The elements that are not updated, each to itself. It is its own inverse.
Answer notUpdated(const DynamicUpdateSliceOp &op) {
  const StartIndices starts = startsOf(op);
  if (starts.slice.isEmpty()) return identity(op.results[0], starts.sliced);
  const OpSizes sizes(op);
  const Int64s open = starts.openDimensions();
  if (!areFewVariants(open.size())) {
    Answer all = identity(op.results[0], starts.sliced);
    if (all.ok()) all->weaken(Precision::Cover);
    return all;
  }
  IndexingRelation relation;
  for (int64_t k = 0; k < starts.sliced.rank(); ++k) {
    if (isWhole(sizes, k)) continue;
    // The variants of later axes do not matter here.
    const size_t questions =
        llvm::count_if(open, [&](int64_t o) { return o <= k; });
    for (bool isBehind : {false, true})
      INDEXICAL_RETURN_IF_ERROR(
          forEachVariant(questions, [&](const Variant &variant) {
            return addOutside(relation, starts, sizes, variant, k, isBehind);
          }));
  }
  return relation;
}

}  // namespace

/// C1, C3–C6; C2 is of types.
absl::Status verify(const DynamicUpdateSliceOp &op) {
  if (op.operands.size() < 2 || op.results.size() != 1)
    return invalid(absl::StrCat(
        "the op takes a tensor, its update and start indices and gives one "
        "result, not ",
        counted(op.operands.size(), "operand"), " and ",
        counted(op.results.size(), "result")));
  const ArrayShape &operand = op.operands[0], &update = op.operands[1];
  INDEXICAL_RETURN_IF_ERROR(
      checkSameShape("C1", "operand", operand, "result", op.results[0]));
  if (update.rank() != operand.rank())
    return Broken("C3") << "update must have the rank of operand, "
                        << operand.rank() << ", but has " << update.rank();
  INDEXICAL_RETURN_IF_ERROR(startsOf(op).verify("C4", "C5"));
  for (int64_t k = 0; k < update.rank(); ++k)
    if (isFixed(update, k) && operand.dimensions[k] != kDynamicSize &&
        update.dimensions[k] > operand.dimensions[k])
      return Broken("C6") << "update must be no larger than operand, "
                          << operand.dimensions[k] << " in dimension " << k
                          << ", but is " << update.dimensions[k];
  return absl::OkStatus();
}

Answer reads(const DynamicUpdateSliceOp &op, const Sides &sides, int64_t,
             int64_t operand) {
  if (operand == 0) return notUpdated(op);
  if (operand > 1) return sides.everything();
  const StartIndices starts = startsOf(op);
  const Bounds places = indicesOf(starts.sliced);
  const Bounds indices = indicesOf(starts.slice);
  auto make = [&](const Variant &variant, IndexingMapBuilder &builder,
                  SizeVariables &variables) {
    AccessBuilder access(sides, builder, places, indices);
    for (size_t k = 0; k < indices.size(); ++k) {
      const Loop l = access.loop(indices[k]);
      access.operand(k, l);
      access.result(k, l + starts.start(builder, variables, k, variant));
    }
    access.finish();
  };
  return starts.pieces(Sides(sides.direction(), starts.sliced, starts.slice),
                       OpSizes(op), make);
}

void addSizeRules(const DynamicUpdateSliceOp &, SizeCollector &c) {
  c.same(0, c.result(0));
}

}  // namespace families
}  // namespace indexical
