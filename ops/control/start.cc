// Ops that are started and finished later: async-start, all-gather-start…
//
//   ((f32[10]), f32[5], s32[]) slice-start(f32[10]), slice={[0:5]}
//   result 0, the operand    (d0) -> (d0), d0 in [0, 9]
//   result 1, the slice      (d0) -> (d0), d0 in [0, 4]
//   result 2, the context    no pieces
#include "absl/strings/str_cat.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/inner.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {
namespace {

/// The inner op's number of the result; nothing if it has none.
std::optional<int64_t> innerResult(const StartOp &op, int64_t result) {
  const int64_t inner = result - op.forwards;
  const int64_t count = shapesOf(op.inner).results.size();
  if (inner < 0 || inner >= count) return std::nullopt;
  return inner;
}

absl::Status verifyForwards(const StartOp &op) {
  const int64_t operands = op.operands.size(), results = op.results.size();
  if (op.forwards < 0 || op.forwards > operands || op.forwards > results)
    return invalid(absl::StrCat("forwards ", op.forwards, " of ",
                                counted(operands, "operand"), " to ",
                                counted(results, "result")));
  for (int64_t r = 0; r < op.forwards; ++r)
    if (!canAgree(op.results[r], op.operands[r]))
      return invalid(absl::StrCat("result ", r, " has the shape ",
                                  textOf(op.results[r]), " and is operand ", r,
                                  ", whose shape is ", textOf(op.operands[r]),
                                  "; they would have the same sizes"));
  return absl::OkStatus();
}

/// `outer` is one of the start op's shapes, `number` its own number there.
absl::Status checkInner(llvm::StringRef what, int64_t number,
                        const ArrayShape &outer, const ArrayShape &inner) {
  if (canAgree(outer, inner)) return absl::OkStatus();
  return invalid(absl::StrCat(what.str(), " ", number, " has the shape ",
                              textOf(outer), "; the op that is started has ",
                              textOf(inner)));
}

}  // namespace

absl::Status verify(const StartOp &op) {
  if (!op.inner) return invalid("the op that is started is missing");
  INDEXICAL_RETURN_IF_ERROR(verifyForwards(op));
  const OpShapes &inner = shapesOf(op.inner);
  if (inner.operands.size() != op.operands.size() ||
      inner.results.size() + op.forwards > op.results.size())
    return invalid(absl::StrCat(
        "the op that is started has ",
        counted(inner.operands.size(), "operand"), " and ",
        counted(inner.results.size(), "result"), ", which do not fit into ",
        op.operands.size(), " and ", op.results.size(), ", the first ",
        op.forwards, " forwarded"));
  for (size_t k = 0; k < inner.operands.size(); ++k)
    INDEXICAL_RETURN_IF_ERROR(
        checkInner("operand", k, op.operands[k], inner.operands[k]));
  for (size_t r = 0; r < inner.results.size(); ++r)
    INDEXICAL_RETURN_IF_ERROR(checkInner("result", r + op.forwards,
                                         op.results[r + op.forwards],
                                         inner.results[r]));
  return indexical::verify(op.inner);
}

Answer reads(const StartOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (result < op.forwards)
    return result == operand ? sides.identity() : sides.nothing();
  if (auto inner = innerResult(op, result))
    return innerOf(op).ask(sides.direction(), *inner, operand);
  return sides.nothing();
}

void addSizeRules(const StartOp &op, SizeCollector &c) {
  for (int64_t r = 0; r < op.forwards; ++r) c.same(r, c.result(r));
  innerOf(op).addRules(c.rules);
}

}  // namespace families
}  // namespace indexical
