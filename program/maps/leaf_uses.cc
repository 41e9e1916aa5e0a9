#include "indexical/program/maps/leaf_uses.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"

namespace indexical {
namespace {

/// Returns the numbers of operands' first leaves, and of all leaves.
std::vector<int64_t> firstLeaves(llvm::ArrayRef<OperandLeaf> leaves,
                                 size_t operands) {
  std::vector<int64_t> first(operands + 1, 0);
  for (const OperandLeaf &leaf : leaves) ++first[leaf.operand + 1];
  for (size_t k = 0; k < operands; ++k) first[k + 1] += first[k];
  return first;
}

/// Returns the pairs that begin with the number.
llvm::ArrayRef<ReadPairs::Pair> withFirst(llvm::ArrayRef<ReadPairs::Pair> pairs,
                                          LeafId number) {
  const auto *begin = llvm::partition_point(
      pairs, [&](const ReadPairs::Pair &pair) { return pair.first < number; });
  const auto *end = begin;
  while (end != pairs.end() && end->first == number) ++end;
  return llvm::ArrayRef(begin, end);
}

}  // namespace

const ReadPairs *LeafUses::pairsOf(ComputationId c, InstructionId i) {
  const Instruction &instruction = graph_.instruction(c, i);
  // An op that is started has results of its own beside these.
  if (!instruction.op.is<CallOp>() && !instruction.op.is<ConditionalOp>() &&
      !instruction.op.is<WhileOp>())
    return nullptr;
  if (shapesOf(instruction.op).results.size() < 2) return nullptr;
  auto [entry, isNew] = pairs_.try_emplace({c, i});
  if (isNew) entry->second = findPairs(c, i);
  return entry->second ? &*entry->second : nullptr;
}

std::optional<ReadPairs> LeafUses::findPairs(ComputationId c, InstructionId i) {
  const Instruction &instruction = graph_.instruction(c, i);
  ReadPairs pairs;
  if (instruction.op.is<WhileOp>()) {
    const auto body = calleeOf(instruction, CallRole::Body);
    if (!body) return std::nullopt;
    addOfLoop(c, i, *body, pairs);
  } else if (!addOfCalls(c, i, pairs)) {
    return std::nullopt;
  }
  llvm::sort(pairs.byResult);
  pairs.byResult.erase(llvm::unique(pairs.byResult), pairs.byResult.end());
  for (const auto &[r, l] : pairs.byResult) pairs.byOperand.push_back({l, r});
  llvm::sort(pairs.byOperand);
  return pairs;
}

/// Adds the pairs by result, in any order.
void LeafUses::addOfLoop(ComputationId c, InstructionId i, const Callee &body,
                         ReadPairs &pairs) {
  const LoopReads &loop = boxes_.of(c, i, body);
  const int64_t results = loop.passes.size();
  for (LeafId r; r < results; ++r) {
    if (loop.passes[r]) {
      pairs.byResult.push_back({r, r});
      continue;
    }
    for (const auto *row : {&loop.rows[r], &loop.condition})
      for (const auto &[leaf, box] : *row) pairs.byResult.push_back({r, leaf});
  }
}

/// Adds the pairs by result, in any order. Returns false if they are not known.
bool LeafUses::addOfCalls(ComputationId c, InstructionId i, ReadPairs &pairs) {
  const Instruction &instruction = graph_.instruction(c, i);
  const int64_t results = shapesOf(instruction.op).results.size();
  const size_t operands = instruction.operands.size();
  const std::vector<int64_t> first =
      firstLeaves(graph_.operandLeaves(c, i), operands);
  for (size_t k = 0; k < operands; ++k) {
    const auto callees = graph_.calleesAt(c, i, k);
    // All results may depend on it, as on the choice of a branch.
    if (callees.empty())
      for (LeafId r; r < results; ++r)
        for (LeafId l(first[k]); l < first[k + 1]; ++l)
          pairs.byResult.push_back({r, l});
    for (const Callee &callee : callees)
      if (callee.computation < 0) return false;
  }
  for (auto [number, called] : llvm::enumerate(instruction.called)) {
    if (called.computation < 0) continue;
    const Callee callee{called.computation, static_cast<int32_t>(number),
                        called.arguments};
    for (const auto &[key, relation] : solved_.reads(called.computation)) {
      const auto [root, parameter, leaf] = key;
      if (parameter >= static_cast<int32_t>(called.arguments.size())) continue;
      const int32_t operand = called.arguments[parameter];
      const auto reads = graph_.calleesAt(c, i, operand);
      if (callee.parameterOf(operand) == parameter &&
          llvm::any_of(reads, [&](const Callee &of) {
            return of.called == callee.called;
          }))
        pairs.byResult.push_back({root, LeafId(first[operand] + leaf)});
    }
  }
  return true;
}

absl::Status LeafUses::forOperands(ComputationId c, InstructionId i,
                                   LeafId result, Visit visit) {
  const Instruction &instruction = graph_.instruction(c, i);
  if (const auto *forward = instruction.op.as<ForwardOp>())
    return forward->reads[result] >= 0 ? visit(LeafId(forward->reads[result]))
                                       : absl::OkStatus();
  absl::Status status;
  if (const ReadPairs *pairs = pairsOf(c, i)) {
    for (const auto &[r, leaf] : withFirst(pairs->byResult, result))
      if (status.ok()) status = visit(leaf);
    return status;
  }
  const int64_t leaves = graph_.operandLeafCount(c, i);
  for (LeafId l; l < leaves && status.ok(); ++l) status = visit(l);
  return status;
}

absl::Status LeafUses::forResults(ComputationId c, InstructionId i, LeafId leaf,
                                  Visit visit) {
  const Instruction &instruction = graph_.instruction(c, i);
  absl::Status status;
  if (const auto *forward = instruction.op.as<ForwardOp>()) {
    const auto &forwarded = graph_.forwarded(c, i, *forward);
    for (auto [it, end] = forwarded.equal_range(leaf); it != end && status.ok();
         ++it)
      status = visit(it->second);
    return status;
  }
  if (const ReadPairs *pairs = pairsOf(c, i)) {
    for (const auto &[l, r] : withFirst(pairs->byOperand, leaf))
      if (status.ok()) status = visit(r);
    return status;
  }
  const int64_t results = instruction.shape.leafCount();
  for (LeafId r; r < results && status.ok(); ++r) status = visit(r);
  return status;
}

}  // namespace indexical
