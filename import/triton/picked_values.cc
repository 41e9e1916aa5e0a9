// Picks of loops by order: argmax and argmin over tiles.
//
//   for … iter_args(%m = -inf, %i = 0)
//     %better = arith.cmpf ogt, %x, %m
//     %m' = arith.select %better, %x, %m
//     %i' = arith.select %better, %j, %i
//   one pair of all (%x, %j), by a function of two pairs
//
// The function is made of comparisons, choices and truth values alone. Its
// arguments are the carried pair and the one pair of an iteration that does not
// depend on what is carried.
#include <optional>
#include <vector>

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include "indexical/import/triton/looped_values.h"
#include "indexical/import/triton/stored_values.h"
#include "indexical/import/triton/value_ops.h"
#include "indexical/import/triton/value_types.h"

namespace indexical::triton {

using kernels::KernelValue;
using mlir::Operation;
using mlir::Value;

namespace {

bool isTruth(Value value) {
  return isInteger(value.getType()) && bitsOf(value.getType()) == 1;
}

/// Whether the op compares or chooses, or is of truth values.
bool isOfOrder(Operation *op) {
  if (llvm::isa<mlir::arith::CmpFOp, mlir::arith::CmpIOp,
                mlir::arith::SelectOp>(op))
    return !hasFastMath(*op);
  return llvm::isa<mlir::arith::AndIOp, mlir::arith::OrIOp,
                   mlir::arith::XOrIOp>(op) &&
         isTruth(op->getResult(0));
}

/// Collects the values of which comparisons and choices in the block make the
/// value.
void addLeaves(Value value, mlir::Block *block, llvm::DenseSet<Value> &seen,
               llvm::SetVector<Value> &leaves) {
  if (!seen.insert(value).second) return;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block || !isOfOrder(op)) {
    leaves.insert(value);
    return;
  }
  for (Value operand : op->getOperands())
    addLeaves(operand, block, seen, leaves);
}

}  // namespace

int64_t StoredValues::givenOf(Value value,
                              const llvm::DenseMap<Value, int64_t> &given) {
  KernelValue made;
  made.type = valueTypeOf(value.getType());
  if (const auto known = given.find(value); known != given.end()) {
    made.kind = KernelValue::Kind::Given;
    made.axis = known->second;
    return add(std::move(made));
  }
  Operation *op = value.getDefiningOp();
  made.line = lineOf_(op);
  const auto found = valueOpOf(*op);
  if (!found) return add(unknown(made, "a choice is not followed"));
  made.kind =
      found->isForeign ? KernelValue::Kind::Foreign : KernelValue::Kind::Apply;
  made.text = found->name;
  for (Value operand : op->getOperands())
    made.operands.push_back(givenOf(operand, given));
  return add(std::move(made));
}

std::optional<KernelValue> StoredValues::pickedBy(const KernelValue &value,
                                                  mlir::scf::ForOp loop,
                                                  unsigned k) {
  mlir::Block *body = loop.getBody();
  const auto yields = body->getTerminator()->getOperands();
  const auto carried = loop.getRegionIterArgs();
  // Which values are carried in what makes this one, and in what makes these.
  auto leavesOf = [&](unsigned of) {
    llvm::DenseSet<Value> seen;
    llvm::SetVector<Value> leaves;
    addLeaves(yields[of], body, seen, leaves);
    return leaves;
  };
  llvm::SetVector<Value> leaves = leavesOf(k);
  auto numberOf = [&](Value leaf) {
    return static_cast<unsigned>(llvm::find(carried, leaf) - carried.begin());
  };
  std::optional<unsigned> other;
  for (unsigned m = 0; m < carried.size() && !other; ++m)
    if (m != k &&
        (leaves.contains(carried[m]) || leavesOf(m).contains(carried[k])))
      other = m;
  if (!other) return std::nullopt;
  const llvm::SetVector<Value> others = leavesOf(*other);
  leaves.insert(others.begin(), others.end());
  // Floats are compared, and of integers those that are made of themselves.
  auto isCompared = [&](unsigned of, unsigned beside) {
    if (llvm::isa<mlir::FloatType>(elementOf(carried[of].getType())))
      return isInteger(carried[beside].getType());
    return isInteger(carried[of].getType()) &&
           isInteger(carried[beside].getType()) &&
           !leavesOf(of).contains(carried[beside]);
  };
  const bool isNumber = isCompared(k, *other);
  if (!isNumber && !isCompared(*other, k)) return std::nullopt;
  const unsigned number = isNumber ? k : *other, index = isNumber ? *other : k;
  if (shapeOf(carried[number].getType()) != shapeOf(carried[index].getType()))
    return std::nullopt;
  llvm::DenseMap<Value, int64_t> given = {{carried[number], 0},
                                          {carried[index], 1}};
  Value pair[2];
  for (Value leaf : leaves) {
    if (given.count(leaf)) continue;
    if (numberOf(leaf) < carried.size()) return std::nullopt;
    const bool isOfNumber = leaf.getType() == carried[number].getType();
    const bool isOfIndex = leaf.getType() == carried[index].getType();
    if (!isOfNumber && !isOfIndex) return std::nullopt;
    // Of integers the one that is compared is the number.
    int side = isOfNumber ? 0 : 1;
    if (isOfNumber && isOfIndex) side = leavesOf(number).contains(leaf) ? 0 : 1;
    if (pair[side] || dependsOn(leaf, carried[number], loop) ||
        dependsOn(leaf, carried[index], loop))
      return std::nullopt;
    pair[side] = leaf;
    given[leaf] = 2 + side;
  }
  const auto traced = trace_.loops.find(loop);
  if (!pair[0] || !pair[1] || traced == trace_.loops.end()) return std::nullopt;
  const kernels::TermNode &trips = trace_.terms[traced->second.trips];
  if (trips.kind != kernels::TermKind::Constant || trips.value < 1)
    return std::nullopt;
  // Both sides of a pair have one function.
  const auto [pick, isNew] =
      picks_.try_emplace({carried[number].getAsOpaquePointer(),
                          carried[index].getAsOpaquePointer()});
  if (isNew)
    pick->second = {givenOf(yields[number], given),
                    givenOf(yields[index], given)};
  KernelValue made = value;
  made.kind = KernelValue::Kind::LoopPick;
  made.text = isNumber ? "0" : "1";
  made.axis = trips.value;
  made.operands = {of(loop.getInitArgs()[number]),
                   of(loop.getInitArgs()[index]),
                   of(pair[0]),
                   of(pair[1]),
                   pick->second.first,
                   pick->second.second};
  return made;
}

}  // namespace indexical::triton
