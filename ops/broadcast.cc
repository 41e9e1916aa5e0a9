// Broadcast: dimensions of the result that the operand does not have.
//
//   f32[20] -> f32[10,20,30], dimensions={1}
//   output to input   (d0, d1, d2) -> (d1)
//   input to output   (d0)[s0, s1] -> (s0, d0, s1), s0 in [0, 9], s1 in [0, 29]
//
// A dimension of size 1 may become one of any size; all of it reads index 0:
//
//   f32[1,20] -> f32[10,20], dimensions={0,1}
//   output to input   (d0, d1) -> (0, d1)
//   input to output   (d0, d1)[s0] -> (s0, d1), s0 in [0, 9]
#include "absl/strings/str_cat.h"

#include "ops/family.h"

namespace indexical {
namespace families {
namespace {

/// Whether all of the result's dimension reads the one index of the operand's
/// dimension k.
bool expands(const BroadcastOp &op, int64_t k) {
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  const int64_t j = op.dimensions[k];
  return operand.dimensions[k] == 1 && isFixed(operand, k) &&
         !(result.dimensions[j] == 1 && isFixed(result, j));
}

}  // namespace

absl::Status verify(const BroadcastOp &op) {
  if (auto status = checkLeaves(op, 1, 1); !status.ok()) return status;
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  if (auto status = checkOnePerDimension("dimensions", op.dimensions, operand);
      !status.ok())
    return status;
  if (auto status = checkDimensions("dimensions", op.dimensions, result);
      !status.ok())
    return status;
  for (int64_t k = 0; k < operand.rank(); ++k)
    if (!expands(op, k) && !canAgree(operand, k, result, op.dimensions[k]))
      return invalid(absl::StrCat(
          "dimensions ", textOf(op.dimensions), ": dimension ", k, " of ",
          textOf(operand), " becomes dimension ", op.dimensions[k], " of ",
          textOf(result),
          "; both would have the same size, or the operand's would be 1"));
  return absl::OkStatus();
}

Answer outputToInput(const BroadcastOp &op, int64_t, int64_t) {
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  llvm::SmallVector<Interval, 6> indices;
  for (int64_t j = 0; j < result.rank(); ++j)
    indices.push_back(indicesOf(result, j));
  for (int64_t k = 0; k < operand.rank(); ++k)
    if (!expands(op, k))
      indices[op.dimensions[k]] =
          sharedIndices(operand, k, result, op.dimensions[k]);
  IndexingMapBuilder builder;
  Exprs d;
  for (const Interval &bounds : indices) d.push_back(builder.dimension(bounds));
  for (int64_t k = 0; k < operand.rank(); ++k)
    builder.result(expands(op, k) ? builder.constant(0) : d[op.dimensions[k]]);
  return answerOf(builder);
}

Answer inputToOutput(const BroadcastOp &op, int64_t, int64_t) {
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  IndexingMapBuilder builder;
  llvm::SmallVector<std::optional<Expr>, 6> index(result.rank());
  for (int64_t k = 0; k < operand.rank(); ++k) {
    const int64_t j = op.dimensions[k];
    if (expands(op, k))
      builder.dimension(indicesOf(operand, k));
    else
      index[j] = builder.dimension(sharedIndices(operand, k, result, j));
  }
  for (int64_t j = 0; j < result.rank(); ++j)
    builder.result(index[j] ? *index[j] : builder.range(indicesOf(result, j)));
  return answerOf(builder);
}

}  // namespace families
}  // namespace indexical
