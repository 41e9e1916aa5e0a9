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
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/rules.h"
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

/// C1: shapes of the inputs. C2: the inits. C3: their numbers. C4, C5: the
/// dimensions. C7: the results. C6, C8 and types are the front end's.
absl::Status verify(const ReduceOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkInputsAndInits(op, "C3", "C1", "C2"));
  const ArrayShape &input = op.operands[0];
  INDEXICAL_RETURN_IF_ERROR(
      checkRange("C4", "dimensions", op.dimensions, input.rank(),
                 {"the rank of the inputs", "rank(inputs[0])"}));
  INDEXICAL_RETURN_IF_ERROR(checkUnique("C5", "dimensions", op.dimensions));
  Int64s sizes;
  for (int64_t k = 0; k < input.rank(); ++k)
    if (!llvm::is_contained(op.dimensions, k))
      sizes.push_back(fixedSize(input, k));
  for (size_t r = 0; r < op.results.size(); ++r)
    INDEXICAL_RETURN_IF_ERROR(
        checkShape("C7", Name{"result", "results"}[r], op.results[r], sizes,
                   "that of the inputs without dimensions"));
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
