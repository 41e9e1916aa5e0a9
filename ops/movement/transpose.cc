// Transpose: the dimensions in another order.
//
//   f32[3,12288,6,128] -> f32[3,6,128,12288], permutation {0, 2, 3, 1}
//   output to input   (d0, d1, d2, d3) -> (d0, d3, d1, d2)
//   input to output   (d0, d1, d2, d3) -> (d0, d2, d3, d1)
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {

/// C2: the permutation. C3: the result's sizes. C1 and C4 are of types.
absl::Status verify(const TransposeOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 1, 1));
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  Int64s sorted = op.permutation;
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, operand.rank())))
    return Broken("C2") << Name{"dimensions", "dims"}
                        << " must be a permutation of the " << operand.rank()
                        << " dimensions of operand, counted from 0, but is "
                        << op.permutation;
  bool agree = result.rank() == operand.rank();
  for (int64_t k = 0; agree && k < result.rank(); ++k)
    agree = canAgree(result, k, operand, op.permutation[k]);
  if (agree) return absl::OkStatus();
  Int64s sizes;
  for (int64_t k : op.permutation) sizes.push_back(fixedSize(operand, k));
  return Broken("C3") << "result must have the shape " << sizes
                      << ", that of operand, permuted"
                      << Name{" by dimensions", ""} << ", but has " << result;
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
