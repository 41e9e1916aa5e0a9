// Elementwise ops that broadcast their operands themselves.
//
//   f32[2,1], f32[3] -> f32[2,3], dimensions {0,1} and {1}
//   output to input   operand 0   (d0, d1) -> (d0, 0)
//                     operand 1   (d0, d1) -> (d1)
#include "absl/strings/str_cat.h"

#include "ops/family.h"

namespace indexical {
namespace families {
namespace {

BroadcastOp broadcastOf(const BroadcastingOp &op, int64_t operand) {
  BroadcastOp broadcast;
  ArrayShape shape = op.operands[operand];
  // One that may be 1 in the run goes with any size, whatever its bound.
  for (int64_t k = 0; k < shape.rank(); ++k)
    if (!isFixed(shape, k)) shape.dimensions[k] = kDynamicSize;
  broadcast.operands = {std::move(shape)};
  broadcast.results = {op.results[0]};
  broadcast.dimensions = op.dimensions[operand];
  return broadcast;
}

/// Whether a size may turn out to be 1, which is then expanded.
bool mayExpand(const BroadcastingOp &op, int64_t operand) {
  const ArrayShape &shape = op.operands[operand];
  for (int64_t k = 0; k < shape.rank(); ++k)
    if (!isFixed(shape, k)) return true;
  return false;
}

}  // namespace

absl::Status verify(const BroadcastingOp &op) {
  if (op.results.size() != 1)
    return invalid(
        absl::StrCat(counted(op.results.size(), "result"), "; the op has one"));
  if (op.dimensions.size() != op.operands.size())
    return invalid(absl::StrCat(counted(op.dimensions.size(), "list"),
                                " of dimensions for ",
                                counted(op.operands.size(), "operand")));
  for (size_t k = 0; k < op.operands.size(); ++k)
    if (auto s = verify(broadcastOf(op, k)); !s.ok()) return s;
  return absl::OkStatus();
}

Answer outputToInput(const BroadcastingOp &op, int64_t, int64_t operand) {
  if (mayExpand(op, operand))
    return everything(op.results[0], op.operands[operand], Precision::Cover);
  return outputToInput(broadcastOf(op, operand), 0, 0);
}

Answer inputToOutput(const BroadcastingOp &op, int64_t, int64_t operand) {
  if (mayExpand(op, operand))
    return everything(op.operands[operand], op.results[0], Precision::Cover);
  return inputToOutput(broadcastOf(op, operand), 0, 0);
}

}  // namespace families
}  // namespace indexical
