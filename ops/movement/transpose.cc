// Transpose: the dimensions in another order.
//
//   f32[3,12288,6,128] -> f32[3,6,128,12288], permutation {0, 2, 3, 1}
//   output to input   (d0, d1, d2, d3) -> (d0, d3, d1, d2)
//   input to output   (d0, d1, d2, d3) -> (d0, d2, d3, d1)
#include "absl/strings/str_cat.h"

#include "indexical/ops/core/family.h"

namespace indexical {
namespace families {

absl::Status verify(const TransposeOp &op) {
  if (auto status = checkLeaves(op, 1, 1); !status.ok()) return status;
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  if (auto status = checkOnePerDimension("dimensions", op.permutation, operand);
      !status.ok())
    return status;
  if (auto status = checkDimensions("dimensions", op.permutation, operand);
      !status.ok())
    return status;
  bool agree = result.rank() == operand.rank();
  for (int64_t k = 0; agree && k < result.rank(); ++k)
    agree = canAgree(result, k, operand, op.permutation[k]);
  if (agree) return absl::OkStatus();
  Int64s sizes;
  for (int64_t dimension : op.permutation)
    sizes.push_back(operand.dimensions[dimension]);
  return checkSizes("the result", result, sizes,
                    "dimensions " + textOf(op.permutation));
}

Answer outputToInput(const TransposeOp &op, int64_t, int64_t) {
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  IndexingMapBuilder builder;
  Exprs index(operand.rank());
  for (int64_t k = 0; k < result.rank(); ++k)
    index[op.permutation[k]] =
        builder.dimension(sharedIndices(operand, op.permutation[k], result, k));
  for (Expr e : index) builder.result(e);
  return answerOf(builder);
}

Answer inputToOutput(const TransposeOp &op, int64_t, int64_t) {
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  Int64s place(operand.rank());
  for (int64_t k = 0; k < result.rank(); ++k) place[op.permutation[k]] = k;
  IndexingMapBuilder builder;
  Exprs d;
  for (int64_t j = 0; j < operand.rank(); ++j)
    d.push_back(builder.dimension(sharedIndices(operand, j, result, place[j])));
  for (int64_t dimension : op.permutation) builder.result(d[dimension]);
  return answerOf(builder);
}

}  // namespace families
}  // namespace indexical
