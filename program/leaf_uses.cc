// Which leaves of an instruction can read which.
//
//   t = (f32[8], f32[8], s32[]) tuple(x, y, i)
//   w = (f32[8], f32[8], s32[]) while(t), body=b, …   b leaves y as it is
//
//   forOperands(w, 1)   1: result 1 reads operand leaf 1 alone
//
// A tuple, a call or a loop may have thousands of leaves, of which each reads
// one or two. To ask every pair would be millions of questions.
#include "llvm/ADT/STLExtras.h"

#include "indexical/program/state.h"

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
                                          int64_t number) {
  const auto *begin = llvm::partition_point(
      pairs, [&](const ReadPairs::Pair &pair) { return pair.first < number; });
  const auto *end = begin;
  while (end != pairs.end() && end->first == number) ++end;
  return llvm::ArrayRef(begin, end);
}

}  // namespace

//===-- Pairs -------------------------------------------------------------===//

const ReadPairs *ProgramIndexing::State::pairsOf(ComputationId c,
                                                 InstructionId i) {
  const Instruction &instruction = module.computations[c].instructions[i];
  // An op that is started has results of its own beside these.
  if (!instruction.op.is<CallOp>() && !instruction.op.is<ConditionalOp>() &&
      !instruction.op.is<WhileOp>())
    return nullptr;
  if (shapesOf(instruction.op).results.size() < 2) return nullptr;
  auto [entry, isNew] = pairs.try_emplace({c, i});
  if (isNew) {
    auto found = findPairs(c, i);
    if (found) {
      llvm::sort(found->byResult);
      found->byResult.erase(llvm::unique(found->byResult),
                            found->byResult.end());
      for (const auto &[r, l] : found->byResult)
        found->byOperand.push_back({l, r});
      llvm::sort(found->byOperand);
    }
    entry->second = std::move(found);
  }
  return entry->second ? &*entry->second : nullptr;
}

/// Returns the pairs by result, in any order.
std::optional<ReadPairs> ProgramIndexing::State::findPairs(ComputationId c,
                                                           InstructionId i) {
  const Instruction &instruction = module.computations[c].instructions[i];
  ReadPairs pairs;
  const int64_t results = shapesOf(instruction.op).results.size();
  if (instruction.op.is<WhileOp>()) {
    const auto body = calleeOf(instruction, CallRole::Body);
    if (!body) return std::nullopt;
    const Loop &loop = loopOf(c, i, *body);
    for (int64_t r = 0; r < results; ++r) {
      if (loop.passes[r]) {
        pairs.byResult.push_back({r, r});
        continue;
      }
      for (const auto *row : {&loop.rows[r], &loop.condition})
        for (const auto &[leaf, box] : *row)
          pairs.byResult.push_back({r, leaf});
    }
    return pairs;
  }
  const size_t operands = instruction.operands.size();
  const std::vector<int64_t> first =
      firstLeaves(graph.operandLeaves(c, i), operands);
  for (size_t k = 0; k < operands; ++k) {
    const auto callees = graph.calleesAt(c, i, k);
    // All results may depend on it, as on the choice of a branch.
    if (callees.empty())
      for (int64_t r = 0; r < results; ++r)
        for (int64_t l = first[k]; l < first[k + 1]; ++l)
          pairs.byResult.push_back({r, l});
    for (const Callee &callee : callees)
      if (callee.computation < 0) return std::nullopt;
  }
  for (auto [number, called] : llvm::enumerate(instruction.called)) {
    if (called.computation < 0 || !isSolved(called.computation)) continue;
    const Callee callee{called.computation, static_cast<int32_t>(number),
                        called.arguments};
    for (const auto &[key, relation] :
         solved[{called.computation, Direction::OutputToInput}]) {
      const auto [root, parameter, leaf] = key;
      if (parameter >= static_cast<int32_t>(called.arguments.size())) continue;
      const int32_t operand = called.arguments[parameter];
      const auto reads = graph.calleesAt(c, i, operand);
      if (callee.parameterOf(operand) == parameter &&
          llvm::any_of(reads, [&](const Callee &of) {
            return of.called == callee.called;
          }))
        pairs.byResult.push_back({root, first[operand] + leaf});
    }
  }
  return pairs;
}

absl::Status ProgramIndexing::State::forOperands(ComputationId c,
                                                 InstructionId i,
                                                 int64_t result, Visit visit) {
  const Instruction &instruction = module.computations[c].instructions[i];
  if (const auto *hands = instruction.op.as<ForwardOp>())
    return hands->reads[result] >= 0 ? visit(hands->reads[result])
                                     : absl::OkStatus();
  absl::Status status;
  if (const ReadPairs *pairs = pairsOf(c, i)) {
    for (const auto &[r, leaf] : withFirst(pairs->byResult, result))
      if (status.ok()) status = visit(leaf);
    return status;
  }
  const int64_t leaves = graph.operandLeafCount(c, i);
  for (int64_t l = 0; l < leaves && status.ok(); ++l) status = visit(l);
  return status;
}

absl::Status ProgramIndexing::State::forResults(ComputationId c,
                                                InstructionId i, int64_t leaf,
                                                Visit visit) {
  const Instruction &instruction = module.computations[c].instructions[i];
  absl::Status status;
  if (const auto *hands = instruction.op.as<ForwardOp>()) {
    const auto &handed = graph.handed(c, i, *hands);
    for (auto [it, end] = handed.equal_range(leaf); it != end && status.ok();
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
  for (int64_t r = 0; r < results && status.ok(); ++r) status = visit(r);
  return status;
}

}  // namespace indexical
