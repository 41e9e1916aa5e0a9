#include "indexical/program/module/callees.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/operand_leaves.h"

namespace indexical {

const Op &innermost(const Op &op) {
  const Op *at = &op;
  while (auto *start = at->as<StartOp>()) at = &start->inner;
  return *at;
}

std::optional<int64_t> innermostResult(const Op &op, int64_t result) {
  const Op *at = &op;
  while (auto *start = at->as<StartOp>()) {
    at = &start->inner;
    result -= start->forwards;
    const int64_t results = shapesOf(*at).results.size();
    if (result < 0 || result >= results) return std::nullopt;
  }
  return result;
}

int32_t Callee::parameterOf(int32_t operand) const {
  const auto *found = llvm::find(arguments, operand);
  return found == arguments.end() ? -1 : found - arguments.begin();
}

std::optional<Callee> calleeOf(const Instruction &instruction, CallRole role,
                               int32_t n) {
  for (size_t k = 0; k < instruction.called.size(); ++k) {
    const CalledComputation &called = instruction.called[k];
    if (called.role != role || n-- > 0) continue;
    if (called.computation < 0) return std::nullopt;
    return Callee{called.computation, static_cast<int32_t>(k),
                  called.arguments};
  }
  return std::nullopt;
}

std::optional<Callee> calleeOfCall(const Instruction &instruction) {
  if (!innermost(instruction.op).is<CallOp>()) return std::nullopt;
  // A fusion names it in `calls`, a call in `to_apply`, as reducers have it.
  auto callee = calleeOf(instruction, CallRole::Calls);
  return callee ? callee : calleeOf(instruction, CallRole::ToApply);
}

llvm::SmallVector<Callee, 2> calleesOfOperand(const Instruction &instruction,
                                              int32_t operand) {
  llvm::SmallVector<Callee, 2> callees;
  const Op &op = innermost(instruction.op);
  if (op.is<CallOp>()) {
    if (auto callee = calleeOfCall(instruction)) callees.push_back(*callee);
  } else if (op.is<ConditionalOp>()) {
    for (auto [k, called] : llvm::enumerate(instruction.called)) {
      const Callee callee{called.computation, static_cast<int32_t>(k),
                          called.arguments};
      if (called.role == CallRole::Branch && callee.parameterOf(operand) >= 0)
        callees.push_back(callee);
    }
  }
  return callees;
}

// Leaves stand in the order of operands.
int64_t operandLeafNumber(llvm::ArrayRef<OperandLeaf> leaves, int32_t operand,
                          LeafId leaf) {
  const auto *first = llvm::partition_point(
      leaves, [&](const OperandLeaf &l) { return l.operand < operand; });
  const int64_t number = first - leaves.begin() + leaf;
  if (number >= static_cast<int64_t>(leaves.size()) ||
      leaves[number].operand != operand)
    return -1;
  return number;
}

std::vector<int64_t> argumentLeaves(const Computation &computation,
                                    llvm::ArrayRef<int32_t> arguments,
                                    llvm::ArrayRef<OperandLeaf> leaves) {
  std::vector<int64_t> numbers;
  for (const auto &[parameter, leaf] : parameterLeaves(computation))
    numbers.push_back(operandLeafNumber(leaves, arguments[parameter], leaf));
  return numbers;
}

namespace {

/// Returns the operand leaf that a result leaf is if it is passed on, or -1.
int64_t forwardedOperand(const Instruction &instruction, int64_t result) {
  const auto *forward = instruction.op.as<ForwardOp>();
  return forward ? forward->reads[result] : -1;
}

/// Like forwardedOperand, and also for a leaf that is copied or that an op is
/// started with.
int64_t forwardedLeaf(const Instruction &instruction, int64_t result) {
  if (instruction.op.is<ForwardOp>())
    return forwardedOperand(instruction, result);
  if (auto *start = instruction.op.as<StartOp>())
    return result < start->forwards ? result : -1;
  auto *elementwise = instruction.op.as<ElementwiseOp>();
  return elementwise && elementwise->keepsValues() &&
                 elementwise->configuration.empty() &&
                 elementwise->operands[0].type == elementwise->results[0].type
             ? 0
             : -1;
}

/// Returns the leaf behind all steps. A step returns the operand leaf that its
/// result is, or -1.
InstructionLeaf behind(
    const Computation &computation, InstructionLeaf leaf,
    int64_t (*step)(const Instruction &, int64_t),
    llvm::function_ref<OperandLeaf(InstructionId, LeafId)> operandLeaf) {
  while (true) {
    const int64_t number =
        step(computation.instructions[leaf.instruction], leaf.leaf);
    if (number < 0) return leaf;
    const OperandLeaf from = operandLeaf(leaf.instruction, LeafId(number));
    leaf = {from.instruction, from.result};
  }
}

InstructionLeaf behind(const Computation &computation, InstructionLeaf leaf,
                       int64_t (*step)(const Instruction &, int64_t)) {
  return behind(computation, leaf, step, [&](InstructionId i, LeafId number) {
    return computation.operandLeaf(i, number);
  });
}

}  // namespace

InstructionLeaf behindTuples(const Computation &computation,
                             InstructionLeaf leaf) {
  return behind(computation, leaf, forwardedOperand);
}

InstructionLeaf OperandLeafLists::behindTuples(InstructionLeaf from) {
  return behind(
      computation_, from, forwardedOperand,
      [&](InstructionId i, LeafId number) { return leaf(i, number); });
}

InstructionLeaf originOf(const Computation &computation, InstructionLeaf leaf) {
  return behind(computation, leaf, forwardedLeaf);
}

InstructionLeaf OperandLeafLists::originOf(InstructionLeaf from) {
  return behind(
      computation_, from, forwardedLeaf,
      [&](InstructionId i, LeafId number) { return leaf(i, number); });
}

std::vector<ParameterLeaf> parameterLeaves(const Computation &computation) {
  std::vector<ParameterLeaf> all;
  for (size_t p = 0; p < computation.parameters.size(); ++p) {
    const Op &op = computation.instructions[computation.parameters[p]].op;
    const int64_t leaves = shapesOf(op).results.size();
    for (int64_t l = 0; l < leaves; ++l)
      all.push_back({static_cast<int32_t>(p), LeafId(l)});
  }
  return all;
}

PassedLeaves passedLeaves(const Computation &inside, const Callee &callee,
                          llvm::ArrayRef<OperandLeaf> leaves) {
  const auto numbers = argumentLeaves(inside, callee.arguments, leaves);
  PassedLeaves passed;
  for (auto [k, parameter] : llvm::enumerate(parameterLeaves(inside)))
    passed.push_back({parameter, numbers[k]});
  return passed;
}

ArrayShape sliceOf(const ScanOp &op, const ArrayShape &whole, size_t number,
                   size_t count) {
  ArrayShape slice = whole;
  slice.layout.reset();
  if (number + op.carries < count) {
    slice.dimensions.erase(slice.dimensions.begin() + op.dimension);
    llvm::SmallBitVector dynamic(slice.rank());
    for (int64_t k = 0; k < slice.rank() && !whole.dynamic.empty(); ++k)
      dynamic[k] = whole.dynamic[k + (k >= op.dimension)];
    slice.dynamic = dynamic.any() ? dynamic : llvm::SmallBitVector();
  }
  return slice;
}

llvm::SmallVector<ComputationId, 2> calleesOf(const Instruction &instruction) {
  const Op &op = innermost(instruction.op);
  llvm::SmallVector<ComputationId, 2> callees;
  auto add = [&](const std::optional<Callee> &callee) {
    if (callee) callees.push_back(callee->computation);
  };
  if (op.is<CallOp>()) {
    add(calleeOfCall(instruction));
  } else if (op.is<ConditionalOp>()) {
    for (const CalledComputation &called : instruction.called)
      if (called.role == CallRole::Branch && called.computation >= 0)
        callees.push_back(called.computation);
  } else if (op.is<WhileOp>()) {
    add(calleeOf(instruction, CallRole::Body));
    add(calleeOf(instruction, CallRole::Condition));
  } else if (op.is<ScanOp>()) {
    add(calleeOf(instruction, CallRole::ToApply));
  }
  return callees;
}

}  // namespace indexical
