// Concatenate: each operand is a stretch of the result along one dimension.
//
//   f32[2,5,7], f32[2,11,7], f32[2,17,7] -> f32[2,33,7], dimensions={1}
//   operand 1     (d0, d1, d2) -> (d0, d1 - 5, d2),  d1 in [5, 15]
//   its inverse   (d0, d1, d2) -> (d0, d1 + 5, d2),  d1 in [0, 10]
//
// After an operand whose size is open it is not known where the next one
// begins: then a cover, which knows the least and the greatest beginning.
#include "absl/strings/str_cat.h"

#include "ops/family.h"

namespace indexical {
namespace families {
namespace {

/// Where an operand lies along the dimension.
struct Stretch {
  Interval begin;    ///< where it begins
  Interval indices;  ///< its own indices
  Precision precision = Precision::Exact;
};

Stretch stretchOf(const ConcatenateOp &op, int64_t operand) {
  Stretch stretch;
  stretch.begin = Interval::point(0);
  for (int64_t k = 0; k < operand; ++k) {
    const ArrayShape &before = op.operands[k];
    const int64_t size = before.dimensions[op.dimension];
    if (isFixed(before, op.dimension))
      stretch.begin = stretch.begin + Interval::point(size);
    else if (size == kDynamicSize)
      stretch.begin = stretch.begin + Interval{0, Interval::kInfinity};
    else
      stretch.begin = stretch.begin + Interval{0, size};
  }
  stretch.indices = indicesOf(op.operands[operand], op.dimension);
  const bool last = operand + 1 == static_cast<int64_t>(op.operands.size());
  if (!stretch.begin.isPoint() ||
      (!last && !isFixed(op.operands[operand], op.dimension)))
    stretch.precision = Precision::Cover;
  return stretch;
}

/// Bounds of the dimension that is not concatenated.
Interval boundsOf(const ConcatenateOp &op, int64_t operand, int64_t k) {
  return sharedIndices(op.operands[operand], k, op.results[0], k);
}

}  // namespace

absl::Status verify(const ConcatenateOp &op) {
  if (op.operands.empty() || op.results.size() != 1)
    return invalid(
        absl::StrCat("the op takes at least one operand and gives "
                     "one result, not ",
                     op.operands.size(), " and ", op.results.size()));
  const ArrayShape &result = op.results[0];
  if (auto s = checkDimensions("dimensions", {op.dimension}, result); !s.ok())
    return s;
  Checked total = 0;
  bool fixed = true;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const ArrayShape &operand = op.operands[i];
    bool agree = operand.rank() == result.rank();
    for (int64_t k = 0; agree && k < result.rank(); ++k)
      agree = k == op.dimension || canAgree(operand, k, result, k);
    if (!agree)
      return invalid(absl::StrCat("operand ", i, ", ", textOf(operand),
                                  ", would have the sizes of the result ",
                                  textOf(result), " but along dimension ",
                                  op.dimension));
    fixed = fixed && isFixed(operand, op.dimension);
    if (operand.dimensions[op.dimension] != kDynamicSize)
      total = total + operand.dimensions[op.dimension];
  }
  if (!total.value())
    return invalid(
        "the sizes of the operands add up to more than 64 bits "
        "hold");
  if (!fixed || canHaveSize(result, op.dimension, *total.value()))
    return absl::OkStatus();
  return invalid(absl::StrCat(
      "the result ", textOf(result), " would have size ", *total.value(),
      " along dimension ", op.dimension, ", the sum of the operands'"));
}

Answer outputToInput(const ConcatenateOp &op, int64_t, int64_t operand) {
  const Stretch stretch = stretchOf(op, operand);
  IndexingMapBuilder builder;
  for (int64_t k = 0; k < op.results[0].rank(); ++k) {
    if (k != op.dimension) {
      builder.result(builder.dimension(boundsOf(op, operand, k)));
      continue;
    }
    Expr d = builder.dimension((stretch.indices + stretch.begin)
                                   .intersect(indicesOf(op.results[0], k)));
    if (stretch.begin.isPoint()) {
      builder.result(d - stretch.begin.lower);
      continue;
    }
    Expr s = builder.range(stretch.indices);
    builder.constraint(d - s, stretch.begin);
    builder.result(s);
  }
  return answerOf(builder, stretch.precision);
}

Answer inputToOutput(const ConcatenateOp &op, int64_t, int64_t operand) {
  const Stretch stretch = stretchOf(op, operand);
  const Interval resultIndices = indicesOf(op.results[0], op.dimension);
  IndexingMapBuilder builder;
  for (int64_t k = 0; k < op.results[0].rank(); ++k) {
    if (k != op.dimension) {
      builder.result(builder.dimension(boundsOf(op, operand, k)));
      continue;
    }
    if (stretch.begin.isPoint()) {
      Expr d = builder.dimension(
          stretch.indices.intersect(resultIndices - stretch.begin));
      builder.result(d + stretch.begin.lower);
      continue;
    }
    Expr d = builder.dimension(stretch.indices);
    Expr s =
        builder.range(resultIndices.intersect(stretch.indices + stretch.begin));
    builder.constraint(s - d, stretch.begin);
    builder.result(s);
  }
  return answerOf(builder, stretch.precision);
}

}  // namespace families
}  // namespace indexical
