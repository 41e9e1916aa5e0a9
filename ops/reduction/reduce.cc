// Reduce: some dimensions of the inputs are gone in the results.
//
//   f32[256,10], s32[256,10] and two inits -> f32[10], s32[10], dimensions={0}
//   output to input    input  (d0)[s0] -> (s0, d0),  s0 in [0, 255]
//                      init   (d0) -> ()
//   input to output    input  (d0, d1) -> (d1)
//                      init   ()[s0] -> (s0),        s0 in [0, 9]
//
// The body may use any of its arguments for any of its results: every result
// reads every input and every init.
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {
namespace {

/// Dimensions of a result with those of the input that they are; none of an
/// init.
SharedDimensions keptDimensions(const ReduceOp &op, int64_t operand) {
  SharedDimensions kept;
  int64_t next = 0;
  for (int64_t k = 0; k < op.operands[operand].rank(); ++k)
    if (!llvm::is_contained(op.dimensions, k)) kept.push_back({next++, k});
  return kept;
}

}  // namespace

absl::Status verify(const ReduceOp &op) {
  if (auto status = checkInputsAndInits(op); !status.ok()) return status;
  const ArrayShape &input = op.operands[0];
  if (auto s = checkDimensions("dimensions", op.dimensions, input); !s.ok())
    return s;
  Int64s sizes;
  for (int64_t k = 0; k < input.rank(); ++k)
    if (!llvm::is_contained(op.dimensions, k))
      sizes.push_back(isFixed(input, k) ? input.dimensions[k] : kDynamicSize);
  for (size_t r = 0; r < op.results.size(); ++r)
    if (auto s = checkSizes(absl::StrCat("result ", r), op.results[r], sizes,
                            "dimensions " + textOf(op.dimensions));
        !s.ok())
      return s;
  return absl::OkStatus();
}

Answer reads(const ReduceOp &op, const Sides &sides, int64_t, int64_t operand) {
  return sides.sharing(keptDimensions(op, operand));
}

void addSizeRules(const ReduceOp &op, SizeCollector &c) {
  for (int64_t r = 0; r < static_cast<int64_t>(op.results.size()); ++r) {
    c.same(0, r);
    int64_t next = 0;
    for (int64_t k = 0; k < op.operands[0].rank(); ++k)
      if (!llvm::is_contained(op.dimensions, k))
        c.equal({0, k}, {c.result(r), next++});
  }
}

}  // namespace families
}  // namespace indexical
