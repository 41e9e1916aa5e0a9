// Dot: two operands contracted. The result has the batch dimensions, then what
// is left of operand 0, then of operand 1.
//
//   f32[4,128,256] dot f32[4,256,64], batch {0} {0}, contracting {2} {1}
//   output to input  operand 0  (d0, d1, d2)[s0] -> (d0, d1, s0)
//                    operand 1  (d0, d1, d2)[s0] -> (d0, s0, d2)
//                               s0 in [0, 255]
//   input to output  operand 0  (d0, d1, d2)[s0] -> (d0, d1, s0)
//                               s0 in [0, 63]
//                    operand 1  (d0, d1, d2)[s0] -> (d0, s0, d2)
//                               s0 in [0, 127]
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/products/contraction.h"

namespace indexical {
namespace families {
namespace {

Contraction contractionOf(const DotOp &op) {
  Contraction contraction(op, op);
  contraction.meet(contraction.result, op.results[0]);
  return contraction;
}

}  // namespace

/// C1–C10: the dimensions. C12: the result. C11 and C13–C20 are of precision,
/// of types and of scales.
absl::Status verify(const DotOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 2, 1));
  const DotRules rules = {"C1", "C2", "C3", "C4", "C5",
                          "C6", "C7", "C8", "C9", "C10"};
  INDEXICAL_RETURN_IF_ERROR(verifyDimensions(op, op, rules));
  const Contraction contraction(op, op);
  return checkShape("C12", "result", op.results[0],
                    contraction.sizesOf(contraction.result),
                    "batching dimensions, then those of lhs and of rhs that "
                    "are not contracted");
}

Answer reads(const DotOp &op, const Sides &sides, int64_t, int64_t operand) {
  const Contraction contraction = contractionOf(op);
  return contracted(sides, contraction, contraction.operands[operand]);
}

void addSizeRules(const DotOp &op, SizeCollector &c) {
  addContractionSizes(c, op, op);
}

}  // namespace families
}  // namespace indexical
