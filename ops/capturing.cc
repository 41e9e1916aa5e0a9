// Ops whose regions use values that are defined around them.
//
//   reduce(x, zero) with a body that uses c, a scalar
//   result 0   x, zero   as of a reduce
//              c         (d0) -> ()            exact
//
// Of a captured tensor the region may use a part.
#include "absl/strings/str_cat.h"

#include "ops/family.h"

namespace indexical {
namespace families {
namespace {

int64_t innerOperands(const CapturingOp &op) {
  return shapesOf(op.inner->op).operands.size();
}

Answer captured(const ArrayShape &from, const ArrayShape &to,
                const ArrayShape &value) {
  return everything(from, to,
                    value.isScalar() ? Precision::Exact : Precision::Cover);
}

}  // namespace

absl::Status verify(const CapturingOp &op) {
  if (!op.inner) return invalid("the op whose regions capture is missing");
  const OpShapes &inner = shapesOf(op.inner->op);
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
    if (auto s = check("operand", k, op.operands[k], inner.operands[k]);
        !s.ok())
      return s;
  for (size_t r = 0; r < inner.results.size(); ++r)
    if (auto s = check("result", r, op.results[r], inner.results[r]); !s.ok())
      return s;
  return indexical::verify(op.inner->op);
}

Answer outputToInput(const CapturingOp &op, int64_t result, int64_t operand) {
  if (operand < innerOperands(op))
    return indexing(op.inner->op, Direction::OutputToInput, result, operand);
  const ArrayShape &value = op.operands[operand];
  return captured(op.results[result], value, value);
}

Answer inputToOutput(const CapturingOp &op, int64_t result, int64_t operand) {
  if (operand < innerOperands(op))
    return indexing(op.inner->op, Direction::InputToOutput, result, operand);
  const ArrayShape &value = op.operands[operand];
  return captured(value, op.results[result], value);
}

}  // namespace families
}  // namespace indexical
