#include "program/callees.h"

namespace indexical {

const Op &innermost(const Op &op) {
  const Op *at = &op;
  while (auto *start = std::get_if<StartOp>(at)) at = &start->inner->op;
  return *at;
}

std::optional<int64_t> innermostResult(const Op &op, int64_t result) {
  const Op *at = &op;
  while (auto *start = std::get_if<StartOp>(at)) {
    at = &start->inner->op;
    result -= start->forwards;
    const int64_t results = shapesOf(*at).results.size();
    if (result < 0 || result >= results) return std::nullopt;
  }
  return result;
}

std::optional<Callee> calleeOf(const Instruction &instruction, CallRole role,
                               int32_t n) {
  for (size_t k = 0; k < instruction.called.size(); ++k) {
    const CalledComputation &called = instruction.called[k];
    if (called.role != role || n-- > 0) continue;
    if (called.computation < 0) return std::nullopt;
    return Callee{called.computation, static_cast<int32_t>(k), 0};
  }
  return std::nullopt;
}

std::optional<Callee> calleeOfOperand(const Instruction &instruction,
                                      int32_t operand) {
  const Op &op = innermost(instruction.op);
  if (std::holds_alternative<CallOp>(op)) {
    auto callee = calleeOf(instruction, CallRole::Calls);
    return callee ? callee : calleeOf(instruction, CallRole::ToApply);
  }
  if (std::holds_alternative<ConditionalOp>(op) && operand > 0) {
    auto callee = calleeOf(instruction, CallRole::Branch, operand - 1);
    if (callee) callee->firstArgument = operand;
    return callee;
  }
  return std::nullopt;
}

namespace {

/// The operand leaf that a result leaf is, unchanged; -1 for none.
int64_t forwardedLeaf(const Instruction &instruction, int64_t result) {
  if (auto *forward = std::get_if<ForwardOp>(&instruction.op))
    return forward->reads[result];
  if (auto *start = std::get_if<StartOp>(&instruction.op))
    return result < start->forwards ? result : -1;
  return instruction.opcode == "copy" ? 0 : -1;
}

}  // namespace

Leaf originOf(const Computation &computation, Leaf leaf) {
  while (true) {
    const Instruction &instruction = computation.instructions[leaf.instruction];
    int64_t operandLeaf = forwardedLeaf(instruction, leaf.leaf);
    if (operandLeaf < 0) return leaf;
    for (int32_t operand : instruction.operands) {
      const int64_t count =
          shapesOf(computation.instructions[operand].op).results.size();
      if (operandLeaf < count) {
        leaf = {operand, operandLeaf};
        break;
      }
      operandLeaf -= count;
    }
  }
}

std::vector<ParameterLeaf> parameterLeaves(const Computation &computation) {
  std::vector<ParameterLeaf> all;
  for (size_t p = 0; p < computation.parameters.size(); ++p) {
    const Op &op = computation.instructions[computation.parameters[p]].op;
    const int64_t leaves = shapesOf(op).results.size();
    for (int64_t l = 0; l < leaves; ++l)
      all.push_back({static_cast<int32_t>(p), l});
  }
  return all;
}

llvm::SmallVector<int32_t, 2> calleesOf(const Instruction &instruction) {
  const Op &op = innermost(instruction.op);
  llvm::SmallVector<int32_t, 2> callees;
  auto add = [&](const std::optional<Callee> &callee) {
    if (callee) callees.push_back(callee->computation);
  };
  if (std::holds_alternative<CallOp>(op)) {
    add(calleeOfOperand(instruction, 0));
  } else if (std::holds_alternative<ConditionalOp>(op)) {
    for (size_t k = 1; k < instruction.operands.size(); ++k)
      add(calleeOfOperand(instruction, k));
  } else if (std::holds_alternative<WhileOp>(op)) {
    add(calleeOf(instruction, CallRole::Body));
    add(calleeOf(instruction, CallRole::Condition));
  } else if (std::holds_alternative<ScanOp>(op)) {
    add(calleeOf(instruction, CallRole::ToApply));
  }
  return callees;
}

}  // namespace indexical
