// Ops whose regions use values that are defined around them.
//
//   reduce(x, zero) with a body that uses c, a scalar
//   result 0   x, zero   as of a reduce
//              c         (d0) -> ()            exact
//
// The region may use a part of a captured tensor. If only some elements of
// the result go through the region, only these use what it captures: of a
// scatter, those that an element of the update lands on.
#include "absl/strings/str_cat.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/inner.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace families {
namespace {

int64_t innerOperands(const CapturingOp &op) {
  return shapesOf(op.inner).operands.size();
}

/// An operand that a result element reads if and only if the element goes
/// through the region. Nothing if all elements do.
std::optional<int64_t> steering(const Op &inner) {
  if (auto *scatter = inner.as<ScatterOp>()) return scatter->results.size() + 1;
  if (inner.is<SelectAndScatterOp>()) return 1;
  if (inner.is<ReduceOp>()) return 0;
  return std::nullopt;
}

Answer captured(const CapturingOp &op, const Sides &sides, int64_t result) {
  const ArrayShape &value = sides.operand();
  const Precision precision =
      value.isScalar() ? Precision::Exact : Precision::Cover;
  const auto through = steering(op.inner);
  if (!through) return sides.everything(precision);
  const ArrayShape &between = op.operands[*through];
  if (between.isEmpty()) return sides.nothing();
  INDEXICAL_ASSIGN_OR_RETURN(
      auto own, innerOf(op).ask(sides.direction(), result, *through));
  INDEXICAL_ASSIGN_OR_RETURN(
      auto rest,
      Sides(sides.direction(), between, value).everything(precision));
  const auto [first, second] = sides.ordered(own, rest);
  return compose(first, second);
}

}  // namespace

absl::Status verify(const CapturingOp &op) {
  if (!op.inner) return invalid("the op whose regions capture is missing");
  const OpShapes &inner = shapesOf(op.inner);
  if (inner.operands.size() > op.operands.size() ||
      inner.results.size() != op.results.size())
    return invalid(absl::StrCat(
        "the op whose regions capture has ",
        counted(inner.operands.size(), "operand"), " and ",
        counted(inner.results.size(), "result"), ", which do not fit into ",
        op.operands.size(), " and ", op.results.size()));
  auto check = [](llvm::StringRef what, size_t number, const ArrayShape &outer,
                  const ArrayShape &wanted) {
    if (canAgree(outer, wanted)) return absl::OkStatus();
    return invalid(absl::StrCat(what.str(), " ", number, " has the shape ",
                                textOf(outer), "; the op itself has ",
                                textOf(wanted)));
  };
  for (size_t k = 0; k < inner.operands.size(); ++k)
    INDEXICAL_RETURN_IF_ERROR(
        check("operand", k, op.operands[k], inner.operands[k]));
  for (size_t r = 0; r < inner.results.size(); ++r)
    INDEXICAL_RETURN_IF_ERROR(
        check("result", r, op.results[r], inner.results[r]));
  return indexical::verify(op.inner);
}

Answer reads(const CapturingOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (operand < innerOperands(op))
    return innerOf(op).ask(sides.direction(), result, operand);
  return captured(op, sides, result);
}

void addSizeRules(const CapturingOp &op, SizeCollector &c) {
  innerOf(op).addRules(c.rules);
}

}  // namespace families
}  // namespace indexical
