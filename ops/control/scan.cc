// Scan: a body runs along one dimension of the inputs and passes on its
// carries.
//
//   f32[8,1024], f32[8] -> f32[8,1024], f32[8], dimension=1, one carry
//   output to input   result 0  input  (d0, d1)[s0, s1] -> (s0, s1),
//                                      s1 - d1 in [-inf, 0]
//                               init   (d0, d1)[s0] -> (s0)
//                     result 1, the final carry: all of both
//
// A reverse scan reads the suffix. Which elements of the other dimensions the
// body reads is found by program/; ops/ itself answers with a cover.
#include <utility>

#include "absl/strings/str_cat.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {
namespace {

bool isInput(const ScanOp &op, int64_t operand) {
  return operand < op.inputs();
}

bool isOutput(const ScanOp &op, int64_t result) {
  return result < static_cast<int64_t>(op.results.size()) - op.carries;
}

/// The elements that are not past one's own place along the scan.
Answer prefix(const ScanOp &op, const Sides &sides) {
  IndexingMapBuilder builder;
  const Bounds places = indicesOf(sides.result());
  const Bounds indices = indicesOf(sides.operand());
  AccessBuilder access(sides, builder, places, indices);
  access.complete();
  builder.constraint(
      access.operandAt(op.dimension) - access.resultAt(op.dimension),
      op.reverse ? Interval{0, Interval::kInfinity}
                 : Interval{Interval::kMinusInfinity, 0});
  return access.answer(Precision::Cover);
}

}  // namespace

absl::Status verify(const ScanOp &op) {
  const int64_t operands = op.operands.size(), results = op.results.size();
  if (op.captured < 0 || op.captured > operands)
    return invalid(absl::StrCat(op.captured, " captured of ",
                                counted(operands, "operand")));
  if (op.carries < 0 || op.inputs() < 0 || op.carries > results)
    return invalid(absl::StrCat("num_carries ", op.carries, " of ",
                                counted(operands - op.captured, "operand"),
                                " and ", counted(results, "result")));
  if (op.inputs() == 0)
    return invalid("an input to scan is missing: all operands are carries");
  const ArrayShape &first = op.operands[0];
  auto check = [&](llvm::StringRef what, int64_t k, const ArrayShape &shape) {
    if (op.dimension < 0 || op.dimension >= shape.rank())
      return invalid(absl::StrCat("dimensions ", textOf({op.dimension}),
                                  " is not a dimension of ", what.str(), " ", k,
                                  ", ", textOf(shape)));
    if (canAgree(shape, op.dimension, first, op.dimension))
      return absl::OkStatus();
    return invalid(absl::StrCat(what.str(), " ", k, " has the shape ",
                                textOf(shape), "; the scan along dimension ",
                                op.dimension, " is that of operand 0, ",
                                textOf(first)));
  };
  for (int64_t k = 0; k < op.inputs(); ++k)
    INDEXICAL_RETURN_IF_ERROR(check("operand", k, op.operands[k]));
  for (int64_t r = 0; r < results - op.carries; ++r)
    INDEXICAL_RETURN_IF_ERROR(check("result", r, op.results[r]));
  for (int64_t n = 0; n < op.carries; ++n) {
    const ArrayShape &init = op.operands[op.inputs() + n];
    const ArrayShape &last = op.results[results - op.carries + n];
    if (!canAgree(init, last))
      return invalid(absl::StrCat("carry ", n, " begins as ", textOf(init),
                                  " and ends as ", textOf(last)));
  }
  return absl::OkStatus();
}

Answer reads(const ScanOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (isInput(op, operand) && isOutput(op, result)) return prefix(op, sides);
  return sides.everything(Precision::Cover);
}

/// The steps are as many for all inputs and outputs.
void addSizeRules(const ScanOp &op, SizeCollector &c) {
  const int64_t outputs = op.results.size() - op.carries;
  for (int64_t k = 1; k < op.inputs(); ++k)
    c.equal({0, op.dimension}, {k, op.dimension});
  for (int64_t r = 0; r < outputs; ++r)
    c.equal({0, op.dimension}, {c.result(r), op.dimension});
  for (int64_t n = 0; n < op.carries; ++n)
    c.same(op.inputs() + n, c.result(outputs + n));
}

}  // namespace families
}  // namespace indexical
