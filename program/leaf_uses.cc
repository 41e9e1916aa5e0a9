// Which leaves of an instruction can read which, and which users a leaf has.
//
//   t = (f32[8], f32[8], s32[]) tuple(x, y, i)
//   w = (f32[8], f32[8], s32[]) while(t), body=b, …   b leaves y as it is
//
//   forOperands(w, 1)   1: result 1 reads operand leaf 1 alone
//   forUses(x)          leaf 0 of t
//
// A tuple, a call or a loop may have thousands of leaves, of which each reads
// one or two. To ask every pair would be millions of questions.
#include "llvm/ADT/STLExtras.h"

#include "indexical/program/operand_leaves.h"
#include "indexical/program/state.h"

namespace indexical {
namespace {

/// Whether the operands are so few that to go through them is faster than to
/// look up a list of their leaves.
bool areFew(const Instruction &instruction) {
  constexpr size_t kFew = 8;
  return instruction.operands.size() <= kFew;
}

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

const ProgramIndexing::State::ComputationInfo &ProgramIndexing::State::infoOf(
    ComputationId c) {
  ComputationInfo &i = info[c];
  if (i.known) return i;
  const Computation &computation = module.computations[c];
  i.order = computation.postOrder();
  i.position.assign(computation.instructions.size(), -1);
  for (size_t k = 0; k < i.order.size(); ++k) i.position[i.order[k]] = k;
  i.known = true;
  return i;
}

const llvm::SmallVector<OperandLeaf, 4> &ProgramIndexing::State::leavesOf(
    ComputationId c, int32_t i) {
  auto [entry, isNew] = info[c].leaves.try_emplace(i);
  if (isNew) entry->second = module.computations[c].operandLeaves(i);
  return entry->second;
}

OperandLeaf ProgramIndexing::State::operandLeafOf(ComputationId c, int32_t i,
                                                  int64_t number) {
  const Computation &computation = module.computations[c];
  return areFew(computation.instructions[i])
             ? computation.operandLeaf(i, number)
             : leavesOf(c, i)[number];
}

int64_t ProgramIndexing::State::operandLeafCount(ComputationId c, int32_t i) {
  const Computation &computation = module.computations[c];
  const Instruction &instruction = computation.instructions[i];
  if (!areFew(instruction)) return leavesOf(c, i).size();
  int64_t count = 0;
  for (size_t k = 0; k < instruction.operands.size(); ++k)
    count += leavesOfOperand(computation, instruction, k).second;
  return count;
}

const std::multimap<int64_t, int64_t> &ProgramIndexing::State::handedBy(
    ComputationId c, int32_t i, const ForwardOp &op) {
  auto [entry, isNew] = info[c].handed.try_emplace(i);
  if (isNew)
    for (size_t r = 0; r < op.reads.size(); ++r)
      if (op.reads[r] >= 0) entry->second.emplace(op.reads[r], r);
  return entry->second;
}

//===-- Pairs -------------------------------------------------------------===//

const ReadPairs *ProgramIndexing::State::pairsOf(ComputationId c, int32_t i) {
  const Instruction &instruction = module.computations[c].instructions[i];
  // An op that is started has results of its own beside these.
  if (!instruction.op.is<CallOp>() && !instruction.op.is<ConditionalOp>() &&
      !instruction.op.is<WhileOp>())
    return nullptr;
  if (shapesOf(instruction.op).results.size() < 2) return nullptr;
  auto [entry, isNew] = info[c].pairs.try_emplace(i);
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
                                                           int32_t i) {
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
  const std::vector<int64_t> first = firstLeaves(leavesOf(c, i), operands);
  for (size_t k = 0; k < operands; ++k) {
    const auto callees = calleesAt(c, i, k);
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
      const auto reads = calleesAt(c, i, operand);
      if (callee.parameterOf(operand) == parameter &&
          llvm::any_of(reads, [&](const Callee &of) {
            return of.called == callee.called;
          }))
        pairs.byResult.push_back({root, first[operand] + leaf});
    }
  }
  return pairs;
}

absl::Status ProgramIndexing::State::forOperands(ComputationId c, int32_t i,
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
  const int64_t leaves = operandLeafCount(c, i);
  for (int64_t l = 0; l < leaves && status.ok(); ++l) status = visit(l);
  return status;
}

absl::Status ProgramIndexing::State::forResults(ComputationId c, int32_t i,
                                                int64_t leaf, Visit visit) {
  const Instruction &instruction = module.computations[c].instructions[i];
  absl::Status status;
  if (const auto *hands = instruction.op.as<ForwardOp>()) {
    const auto &handed = handedBy(c, i, *hands);
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

//===-- Uses --------------------------------------------------------------===//

void ProgramIndexing::State::forUses(
    ComputationId c, InstructionLeaf producer,
    llvm::function_ref<void(int32_t user, int64_t leaf)> visit) {
  ComputationInfo &known = info[c];
  const auto &instructions = module.computations[c].instructions;
  if (!known.usesAreKnown) {
    known.uses.resize(instructions.size());
    for (int32_t i = 0; i < static_cast<int32_t>(instructions.size()); ++i) {
      const Instruction &user = instructions[i];
      if (const auto *hands = user.op.as<ForwardOp>()) {
        const auto &handed = handedBy(c, i, *hands);
        for (auto it = handed.begin(); it != handed.end();
             it = handed.upper_bound(it->first)) {
          const OperandLeaf leaf = operandLeafOf(c, i, it->first);
          known.leafUses[{leaf.instruction, leaf.result}].push_back(
              {i, it->first});
        }
        continue;
      }
      int64_t first = 0;
      for (size_t k = 0; k < user.operands.size(); ++k) {
        const auto [from, count] =
            leavesOfOperand(module.computations[c], user, k);
        known.uses[user.operands[k]].push_back({i, first, from, count});
        first += count;
      }
    }
    known.usesAreKnown = true;
  }
  for (const WholeUse &use : known.uses[producer.instruction])
    if (producer.leaf >= use.from && producer.leaf < use.from + use.count)
      visit(use.user, use.first + producer.leaf - use.from);
  auto found = known.leafUses.find({producer.instruction, producer.leaf});
  if (found != known.leafUses.end())
    for (const auto &[user, leaf] : found->second) visit(user, leaf);
}

const std::vector<bool> &ProgramIndexing::State::belowOf(ComputationId c,
                                                         int32_t user) {
  infoOf(c);
  ComputationInfo &known = info[c];
  if (known.belowWhom == user) return known.below;
  const auto &instructions = module.computations[c].instructions;
  known.belowWhom = user;
  known.below.assign(instructions.size(), false);
  known.below[user] = true;
  for (auto it = known.order.rbegin(); it != known.order.rend(); ++it)
    if (known.below[*it])
      for (int32_t operand : instructions[*it].operands)
        known.below[operand] = true;
  return known.below;
}

}  // namespace indexical
