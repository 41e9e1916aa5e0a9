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
// The operand's pieces are what is left of the update's box: before it or after
// it on the first axis; inside on the first and before or after on the second;
// and so on. An axis that is updated whole has no outside.
#include "absl/strings/str_cat.h"

#include "ops/start_indices.h"

namespace indexical {
namespace families {
namespace {

StartIndices startsOf(const DynamicUpdateSliceOp &op) {
  return {op, 2, op.operands[0], op.operands[1]};
}

/// Adds the piece of elements that are inside the update on the axes before
/// `axis` and, on it, in `outside`, counted from the update's start.
absl::Status addOutside(IndexingRelation &relation,
                        const DynamicUpdateSliceOp &op, int64_t axis,
                        Interval outside) {
  const StartIndices starts = startsOf(op);
  IndexingMapBuilder builder;
  Exprs d = dimensionsOf(builder, starts.sliced);
  for (int64_t k = 0; k <= axis; ++k) {
    const int64_t size = starts.slice.dimensions[k];
    if (size == starts.sliced.dimensions[k]) continue;
    builder.constraint(d[k] - starts.start(builder, k),
                       k == axis ? outside : indicesOf(size));
  }
  for (Expr e : d) builder.result(e);
  return addPiece(relation, builder);
}

/// The elements that are not updated, each to itself. It is its own inverse.
Answer notUpdated(const DynamicUpdateSliceOp &op) {
  const StartIndices starts = startsOf(op);
  if (starts.slice.isEmpty()) return identity(op.results[0], starts.sliced);
  if (starts.precision() != Precision::Exact) {
    Answer all = identity(op.results[0], starts.sliced);
    if (all.ok()) all->weaken(Precision::Cover);
    return all;
  }
  IndexingRelation relation;
  for (int64_t k = 0; k < starts.sliced.rank(); ++k) {
    const int64_t size = starts.slice.dimensions[k];
    if (size == starts.sliced.dimensions[k]) continue;
    for (Interval outside : {Interval{Interval::kMinusInfinity, -1},
                             Interval{size, Interval::kInfinity}})
      if (auto status = addOutside(relation, op, k, outside); !status.ok())
        return status;
  }
  return relation;
}

}  // namespace

absl::Status verify(const DynamicUpdateSliceOp &op) {
  if (op.operands.size() < 2 || op.results.size() != 1)
    return invalid(absl::StrCat(
        "the op takes a tensor, its update and start indices and gives one "
        "result, not ",
        counted(op.operands.size(), "operand"), " and ",
        counted(op.results.size(), "result")));
  const ArrayShape &operand = op.operands[0], &update = op.operands[1];
  if (!canAgree(op.results[0], operand))
    return invalid(absl::StrCat(
        "the result has the shape ", textOf(op.results[0]),
        "; it would have the sizes of operand 0, ", textOf(operand)));
  bool fits = update.rank() == operand.rank();
  for (int64_t k = 0; fits && k < update.rank(); ++k)
    fits = !isFixed(update, k) || !isFixed(operand, k) ||
           update.dimensions[k] <= operand.dimensions[k];
  if (!fits)
    return invalid(absl::StrCat("the update ", textOf(update),
                                " does not fit into ", textOf(operand)));
  return startsOf(op).verify();
}

Answer outputToInput(const DynamicUpdateSliceOp &op, int64_t result,
                     int64_t operand) {
  const StartIndices starts = startsOf(op);
  if (operand == 0) return notUpdated(op);
  if (operand > 1) return starts.outputToInput(result, operand);
  IndexingMapBuilder builder;
  Exprs d = dimensionsOf(builder, starts.sliced);
  for (int64_t k = 0; k < starts.sliced.rank(); ++k) {
    Expr index = d[k] - starts.start(builder, k);
    builder.constraint(index, indicesOf(starts.slice, k));
    builder.result(index);
  }
  return answerOf(builder, starts.precision());
}

Answer inputToOutput(const DynamicUpdateSliceOp &op, int64_t result,
                     int64_t operand) {
  const StartIndices starts = startsOf(op);
  if (operand == 0) return notUpdated(op);
  if (operand > 1) return starts.inputToOutput(result, operand);
  IndexingMapBuilder builder;
  Exprs d = dimensionsOf(builder, starts.slice);
  for (int64_t k = 0; k < starts.sliced.rank(); ++k) {
    Expr index = d[k] + starts.start(builder, k);
    // Without this an open size would let the update reach past the end.
    if (!starts.isKnown(k))
      builder.constraint(index, indicesOf(starts.sliced, k));
    builder.result(index);
  }
  return answerOf(builder, starts.precision());
}

}  // namespace families
}  // namespace indexical
