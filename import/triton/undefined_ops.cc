// Integers of which a term leaves out an op that has no result for some
// numbers.
//
//   %q = arith.divsi %a, %b        undefined where %b is 0
//   %r = arith.muli %q, %c0        its term is 0
//
// Such an integer is followed op by op, as what is loaded is: its tree has the
// division (same/kernel/kernel_terms.h).
#include <optional>
#include <set>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "mlir/IR/Operation.h"

#include "indexical/import/triton/stored_values.h"
#include "indexical/import/triton/value_ops.h"

namespace indexical::triton {

using kernels::TermKind;
using mlir::Operation;
using mlir::Value;

namespace {

/// The most ops of a value that are looked at. The rest is taken to be defined.
constexpr size_t kMostOpsOfInteger = 4096;

/// The condition on the second operand under which the op has a result.
enum class Need : uint8_t { None, Positive, LessThanBits };

Need needOf(Operation &op) {
  return llvm::StringSwitch<Need>(op.getName().getStringRef())
      .Cases({"arith.divsi", "arith.divui", "arith.remsi", "arith.remui",
              "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui"},
             Need::Positive)
      .Cases({"arith.shli", "arith.shrsi", "arith.shrui"}, Need::LessThanBits)
      .Default(Need::None);
}

/// Calls `visit` with each value of which the value is made.
void visitOperands(Value value, llvm::function_ref<void(Value)> visit) {
  Operation *op = value.getDefiningOp();
  if (!op) op = value.getParentBlock()->getParentOp();
  for (Value operand : op->getOperands()) visit(operand);
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region)
      if (!block.empty() &&
          block.back().hasTrait<mlir::OpTrait::IsTerminator>())
        for (Value operand : block.back().getOperands()) visit(operand);
}

}  // namespace

bool StoredValues::isDefined(Operation &op) {
  const Need need = needOf(op);
  if (mayBePoison(op)) return false;
  if (need == Need::None) return true;
  const Value second = op.getOperand(1);
  const auto known = trace_.known.find(second);
  const auto loops = loopsAround(&op);
  if (known == trace_.known.end() || !loops) return false;
  kernels::PieceSpace space = programs_;
  space.loops = *loops;
  space.tile = spaceOf(second).tile;
  const auto bounds =
      kernels::PieceMaker(trace_.terms, space, stop_).bounds(known->second);
  const int32_t bits = trace_.terms[known->second].bits;
  const Interval within = need == Need::Positive
                              ? Interval{1, Interval::kInfinity}
                              : Interval{0, bits - 1};
  return bounds.ok() && within.contains(*bounds);
}

bool StoredValues::leavesOutUndefined(Value value, TermId term) {
  std::optional<std::set<TermId>> parts;
  llvm::DenseSet<Value> seen;
  llvm::SmallVector<Value, 16> todo = {value};
  while (!todo.empty() && seen.size() < kMostOpsOfInteger) {
    Value at = todo.pop_back_val();
    if (!seen.insert(at).second) continue;
    Operation *op = at.getDefiningOp();
    // The content of memory is defined, or the store of it is not.
    if (op && accesses_.count(op)) continue;
    if (!op && at.getParentBlock()->getParentOp() == function_) continue;
    visitOperands(at, [&](Value operand) { todo.push_back(operand); });
    if (!op || (needOf(*op) == Need::None && !mayBePoison(*op))) continue;
    if (!parts) parts = trace_.terms.partsOf(term);
    const auto own = trace_.known.find(at);
    const bool isKept = !mayBePoison(*op) && own != trace_.known.end() &&
                        trace_.terms[own->second].operands.size() == 2 &&
                        parts->count(own->second);
    if (!isKept && !isDefined(*op)) return true;
  }
  return false;
}

bool StoredValues::mayBeNowhere(const TracedAccess &access) {
  for (Value operand : access.op->getOperands()) {
    const bool isMask =
        isInteger(operand.getType()) && bitsOf(operand.getType()) == 1;
    const auto term = trace_.known.find(operand);
    if (term == trace_.known.end() ||
        (!isMask && operand != access.op->getOperand(0)))
      continue;
    if (leavesOutUndefined(operand, term->second)) return true;
  }
  return false;
}

}  // namespace indexical::triton
