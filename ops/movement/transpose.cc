// Transpose: the dimensions in another order.
//
//   f32[3,12288,6,128] -> f32[3,6,128,12288], permutation {0, 2, 3, 1}
//   output to input   (d0, d1, d2, d3) -> (d0, d3, d1, d2)
//   input to output   (d0, d1, d2, d3) -> (d0, d2, d3, d1)
#include "absl/strings/str_cat.h"

#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"

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

Answer reads(const TransposeOp &op, const Sides &sides, int64_t, int64_t) {
  SharedDimensions pairs;
  for (size_t k = 0; k < op.permutation.size(); ++k)
    pairs.push_back({static_cast<int64_t>(k), op.permutation[k]});
  return sides.sharing(pairs);
}

void addSizeRules(const TransposeOp &op, SizeCollector &c) {
  for (size_t k = 0; k < op.permutation.size(); ++k)
    c.equal({0, op.permutation[k]}, {1, static_cast<int64_t>(k)});
}

}  // namespace families
}  // namespace indexical
