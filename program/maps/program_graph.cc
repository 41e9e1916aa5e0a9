#include "indexical/program/maps/program_graph.h"

#include <optional>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/operand_leaves.h"

namespace indexical {
namespace {

/// Returns the computation whose root leaves the results of the innermost op
/// are, or may be.
std::optional<Callee> calleeOfResults(const Instruction &instruction) {
  if (instruction.called.empty()) return std::nullopt;
  const Op &op = innermost(instruction.op);
  if (op.is<CallOp>()) return calleeOfCall(instruction);
  if (op.is<WhileOp>()) return calleeOf(instruction, CallRole::Body);
  return std::nullopt;
}

}  // namespace

ProgramGraph::Tables &ProgramGraph::ordered(ComputationId c) const {
  Tables &tables = tables_[c];
  const size_t count = computation(c).instructions.size();
  if (tables.positions.size() == count) return tables;
  for (InstructionId i : computation(c).postOrder()) tables.order.push_back(i);
  tables.positions.assign(count, -1);
  for (size_t k = 0; k < tables.order.size(); ++k)
    tables.positions[tables.order[k]] = k;
  return tables;
}

llvm::ArrayRef<InstructionId> ProgramGraph::order(ComputationId c) const {
  return ordered(c).order;
}

llvm::ArrayRef<int32_t> ProgramGraph::positions(ComputationId c) const {
  return ordered(c).positions;
}

//===-- Operand leaves ----------------------------------------------------===//

OperandLeafLists &ProgramGraph::listsOf(ComputationId c) const {
  auto &lists = tables_[c].operandLeaves;
  if (!lists) lists.emplace(computation(c));
  return *lists;
}

llvm::ArrayRef<OperandLeaf> ProgramGraph::operandLeaves(ComputationId c,
                                                        InstructionId i) const {
  return listsOf(c).of(i);
}

OperandLeaf ProgramGraph::operandLeaf(ComputationId c, InstructionId i,
                                      LeafId number) const {
  return listsOf(c).leaf(i, number);
}

int64_t ProgramGraph::operandLeafCount(ComputationId c, InstructionId i) const {
  return listsOf(c).count(i);
}

//===-- Uses --------------------------------------------------------------===//

const ProgramGraph::Forwarded &ProgramGraph::forwarded(
    ComputationId c, InstructionId i, const ForwardOp &op) const {
  auto [entry, isNew] = tables_[c].forwarded.try_emplace(i);
  if (isNew)
    for (LeafId r; r < static_cast<int64_t>(op.reads.size()); ++r)
      if (op.reads[r] >= 0) entry->second.emplace(LeafId(op.reads[r]), r);
  return entry->second;
}

void ProgramGraph::addUses(ComputationId c, InstructionId user,
                           Uses &uses) const {
  const Instruction &own = instruction(c, user);
  if (const auto *forward = own.op.as<ForwardOp>()) {
    const Forwarded &results = forwarded(c, user, *forward);
    for (auto it = results.begin(); it != results.end();
         it = results.upper_bound(it->first)) {
      const OperandLeaf leaf = operandLeaf(c, user, it->first);
      uses.leaves[{leaf.instruction, leaf.result}].push_back({user, it->first});
    }
    return;
  }
  int64_t first = 0;
  for (size_t k = 0; k < own.operands.size(); ++k) {
    const auto [from, count] = leavesOfOperand(computation(c), own, k);
    uses.wholes[own.operands[k]].push_back(
        {user, LeafId(first), LeafId(from), count});
    first += count;
  }
}

const ProgramGraph::Uses &ProgramGraph::usesOf(ComputationId c) const {
  Uses &uses = tables_[c].uses;
  if (uses.areKnown) return uses;
  const int32_t count = computation(c).instructions.size();
  uses.wholes.resize(count);
  for (InstructionId i(0); i < count; ++i) addUses(c, i, uses);
  uses.areKnown = true;
  return uses;
}

void ProgramGraph::forUses(
    ComputationId c, InstructionLeaf producer,
    llvm::function_ref<void(InstructionId user, LeafId leaf)> visit) const {
  const Uses &uses = usesOf(c);
  for (const WholeUse &use : uses.wholes[producer.instruction])
    if (producer.leaf >= use.from && producer.leaf < use.from + use.count)
      visit(use.user, LeafId(use.first + producer.leaf - use.from));
  auto found = uses.leaves.find(producer);
  if (found != uses.leaves.end())
    for (const auto &[user, leaf] : found->second) visit(user, leaf);
}

//===-- Ways --------------------------------------------------------------===//

const std::vector<bool> &ProgramGraph::keptBelow(ComputationId c,
                                                 InstructionId user) const {
  Tables &tables = ordered(c);
  if (tables.belowWhom == user) return tables.below;
  const auto &instructions = computation(c).instructions;
  tables.belowWhom = user;
  tables.below.assign(instructions.size(), false);
  tables.below[user] = true;
  for (InstructionId i : llvm::reverse(tables.order))
    if (tables.below[i])
      for (InstructionId operand : instructions[i].operands)
        tables.below[operand] = true;
  return tables.below;
}

std::vector<bool> ProgramGraph::below(ComputationId c,
                                      InstructionId user) const {
  return keptBelow(c, user);
}

std::vector<bool> ProgramGraph::between(ComputationId c, InstructionId user,
                                        InstructionId producer) const {
  const auto &instructions = computation(c).instructions;
  const std::vector<bool> &below = keptBelow(c, user);
  std::vector<bool> above(instructions.size(), false);
  above[producer] = true;
  for (InstructionId i : order(c))
    for (InstructionId operand : instructions[i].operands)
      if (above[operand]) above[i] = true;
  for (size_t i = 0; i < above.size(); ++i) above[i] = above[i] && below[i];
  return above;
}

//===-- Callees -----------------------------------------------------------===//

llvm::ArrayRef<Callee> ProgramGraph::calleesAt(ComputationId c, InstructionId i,
                                               int32_t operand) const {
  auto [entry, isNew] = tables_[c].callees.try_emplace(i);
  CalleesOfOperands &byOperand = entry->second;
  if (!isNew) return byOperand[operand];
  const Instruction &caller = instruction(c, i);
  byOperand.resize(caller.operands.size());
  const Op &op = innermost(caller.op);
  if (op.is<CallOp>()) {
    if (auto callee = calleeOfCall(caller))
      for (auto &of : byOperand) of.push_back(*callee);
  } else if (op.is<ConditionalOp>()) {
    for (auto [k, called] : llvm::enumerate(caller.called)) {
      if (called.role != CallRole::Branch) continue;
      const auto number = static_cast<int32_t>(k);
      for (int32_t argument : called.arguments) {
        auto &of = byOperand[argument];
        if (of.empty() || of.back().called != number)
          of.push_back({called.computation, number, called.arguments});
      }
    }
  }
  return byOperand[operand];
}

/// Looks at callees first. It does so without recursion, since calls may nest
/// deep.
llvm::ArrayRef<ParameterLeaf> ProgramGraph::passed(ComputationId c) const {
  std::vector<ComputationId> stack{c};
  while (!stack.empty()) {
    const ComputationId at = stack.back();
    Passed &passed = tables_[at].passed;
    if (passed.state == Passed::New) {
      passed.state = Passed::Open;
      for (const Instruction &instruction : computation(at).instructions)
        if (const auto callee = calleeOfResults(instruction);
            callee && tables_[callee->computation].passed.state == Passed::New)
          stack.push_back(callee->computation);
      continue;
    }
    stack.pop_back();
    if (passed.state == Passed::Known) continue;
    passed.leaves = findPassed(at);
    passed.state = Passed::Known;
  }
  return tables_[c].passed.leaves;
}

/// Returns parameter -1 for a computation that calls itself, which no module
/// may have.
ParameterLeaf ProgramGraph::passedBy(const Callee &callee,
                                     LeafId rootLeaf) const {
  if (tables_[callee.computation].passed.state == Passed::Open) return {-1};
  return passed(callee.computation)[rootLeaf];
}

std::vector<ParameterLeaf> ProgramGraph::findPassed(ComputationId c) const {
  const InstructionId root = computation(c).root;
  const int64_t leaves = instruction(c, root).shape.leafCount();
  std::vector<ParameterLeaf> passed;
  for (LeafId r; r < leaves; ++r) {
    const InstructionLeaf from = origin(c, {root, r});
    const auto &source = computation(c).instructions[from.instruction];
    passed.push_back({source.parameterNumber, from.leaf});
  }
  return passed;
}

InstructionLeaf ProgramGraph::argumentLeaf(
    ComputationId c, InstructionId i, const Callee &callee,
    const ParameterLeaf &parameter) const {
  const auto leaves = operandLeaves(c, i);
  const OperandLeaf &passed = leaves[operandLeafNumber(
      leaves, callee.arguments[parameter.parameter], parameter.leaf)];
  return {passed.instruction, passed.result};
}

InstructionLeaf ProgramGraph::origin(ComputationId c,
                                     InstructionLeaf leaf) const {
  while (true) {
    leaf = listsOf(c).originOf(leaf);
    const InstructionId i = leaf.instruction;
    const Instruction &own = instruction(c, i);
    const auto callee = calleeOfResults(own);
    if (!callee) return leaf;
    const auto result = innermostResult(own.op, leaf.leaf);
    if (!result) return leaf;
    const ParameterLeaf from = passedBy(*callee, LeafId(*result));
    if (from.parameter < 0) return leaf;
    if (innermost(own.op).is<CallOp>()) {
      leaf = argumentLeaf(c, i, *callee, from);
      continue;
    }
    // A loop keeps a leaf of its state if each trip forward it on to itself.
    const OperandLeaf state = operandLeaf(c, i, LeafId(*result));
    if (callee->arguments[from.parameter] != state.operand ||
        from.leaf != state.leaf)
      return leaf;
    leaf = {state.instruction, state.result};
  }
}

}  // namespace indexical
