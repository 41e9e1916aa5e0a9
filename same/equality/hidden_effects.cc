#include "indexical/same/equality/hidden_effects.h"

#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/equality/obstacle.h"

namespace indexical {
namespace {

/// Whether the instruction calls what is not in the file and may do anything. A
/// function that combines elements computes a number of them.
bool callsMissing(const Instruction &instruction, const Module &module) {
  const Op &op = innermost(instruction.op);
  if (!op.isOneOf<CallOp, CoverOp>()) return false;
  return llvm::any_of(instruction.called, [&](const CalledComputation &each) {
    return each.computation < 0 ||
           module.computations[each.computation].root < 0;
  });
}

/// Whether nothing is known of the op, and it is taken to have no effects.
bool isTakenAsPure(const Instruction &instruction, const Module &module) {
  const Op &op = innermost(instruction.op);
  // The value of overlapping memory is a function
  // (import/stablehlo/import/memory_forms.h).
  if (!op || instruction.parameterNumber >= 0 || hasEffects(op) ||
      instruction.opcode == "indexical.overlaid")
    return false;
  return &op.kind() == kindOf<CoverOp>("unknown") ||
         callsMissing(instruction, module);
}

bool mayAct(const Instruction &instruction, const Module &module) {
  const Op &op = innermost(instruction.op);
  if (!op || instruction.parameterNumber >= 0) return false;
  return (hasEffects(op) && !isDraw(op)) || isTakenAsPure(instruction, module);
}

/// Calls `visit` with the instructions of a computation on which its root
/// depends, and with those of what they call.
template <typename Visit>
void visitUsed(const Module &module, ComputationId of,
               std::set<ComputationId> &seen, Visit visit) {
  std::vector<ComputationId> computations{of};
  while (!computations.empty()) {
    const ComputationId c = computations.back();
    computations.pop_back();
    if (c < 0 || !seen.insert(c).second) continue;
    const Computation &computation = module.computations[c];
    if (computation.root < 0) continue;
    std::vector<bool> met(computation.instructions.size(), false);
    std::vector<InstructionId> stack{computation.root};
    while (!stack.empty()) {
      const InstructionId i = stack.back();
      stack.pop_back();
      if (met[i]) continue;
      met[i] = true;
      const Instruction &instruction = computation.instructions[i];
      visit(instruction);
      for (InstructionId operand : instruction.operands)
        stack.push_back(operand);
      for (const CalledComputation &each : instruction.called)
        computations.push_back(each.computation);
    }
  }
}

using Names = std::set<std::string>;

Names drawsOf(const Module &module) {
  Names names;
  std::set<ComputationId> seen;
  visitUsed(module, module.entry, seen, [&](const Instruction &each) {
    const Op &op = innermost(each.op);
    if (op && each.parameterNumber < 0 && isDraw(op))
      names.insert(op.kind().name.str());
  });
  return names;
}

/// Adds the names of the ops that are taken to have no effects, also of those
/// that no result depends on.
void addPure(const Module &module, Names &names) {
  const ComputationsWith some(module, [&](const Instruction &each) {
    return isTakenAsPure(each, module);
  });
  if (module.entry < 0 || !some.has(module.entry)) return;
  std::set<ComputationId> seen;
  std::vector<ComputationId> stack{module.entry};
  while (!stack.empty()) {
    const ComputationId c = stack.back();
    stack.pop_back();
    if (c < 0 || !seen.insert(c).second) continue;
    for (const Instruction &each : module.computations[c].instructions) {
      for (const CalledComputation &called : each.called)
        stack.push_back(called.computation);
      if (!isTakenAsPure(each, module)) continue;
      const bool isCall = callsMissing(each, module);
      names.insert(isCall ? each.called[0].name.str() : each.opcode.str());
    }
  }
}

bool usesUnknownLiterals(const Module &module) {
  bool uses = false;
  std::set<ComputationId> seen;
  visitUsed(module, module.entry, seen, [&](const Instruction &each) {
    uses |= each.op && isUnknownLiteral(innermost(each.op));
  });
  return uses;
}

std::vector<std::string> asConditions(const Names &draws, const Names &pure) {
  std::vector<std::string> all;
  for (const std::string &name : draws)
    all.push_back("both draw the same numbers by `" + name + "`");
  for (const std::string &name : pure)
    all.push_back("`" + name + "` has no effects");
  return all;
}

}  // namespace

HiddenEffects::HiddenEffects(const Module &module)
    : entry_(module.computations[module.entry]) {
  const ComputationsWith some(
      module, [&](const Instruction &each) { return mayAct(each, module); });
  const size_t count = entry_.instructions.size();
  acts_.assign(count, false);
  reach_.assign(count, false);
  if (!some.has(module.entry)) return;
  for (InstructionId i(0); i < static_cast<int32_t>(count); ++i)
    acts_[i] = some.has(entry_.instructions[i]);
  anyActs_ = llvm::is_contained(acts_, true);
  // What one that acts depends on, of all that act.
  std::vector<InstructionId> stack;
  for (InstructionId i(0); i < static_cast<int32_t>(count); ++i)
    if (acts_[i]) stack.push_back(i);
  while (!stack.empty()) {
    const InstructionId i = stack.back();
    stack.pop_back();
    if (reach_[i]) continue;
    reach_[i] = true;
    for (InstructionId operand : entry_.instructions[i].operands)
      stack.push_back(operand);
  }
}

std::optional<InstructionId> HiddenEffects::between(
    LeafId result, InstructionId parameter) const {
  if (!anyActs_ || !reach_[parameter]) return std::nullopt;
  InstructionId from = entry_.root;
  // A tuple's leaf is that of one operand.
  for (LeafId leaf = result;;) {
    const auto *forward = entry_.instructions[from].op.as<ForwardOp>();
    if (!forward || entry_.instructions[from].parameterNumber >= 0) break;
    const int64_t read = forward->reads[leaf];
    if (read < 0) break;
    const OperandLeaf at = entry_.operandLeaf(from, LeafId(read));
    if (at.instruction < 0) break;
    from = at.instruction;
    leaf = at.result;
  }
  std::vector<bool> met(acts_.size(), false);
  std::vector<InstructionId> stack{from};
  while (!stack.empty()) {
    const InstructionId i = stack.back();
    stack.pop_back();
    if (met[i]) continue;
    met[i] = true;
    if (acts_[i]) return i;
    for (InstructionId operand : entry_.instructions[i].operands)
      stack.push_back(operand);
  }
  return std::nullopt;
}

LeafEquality undecidedFor(const Module &module, int32_t side,
                          InstructionId instruction, LeafEquality different) {
  LeafEquality leaf;
  leaf.result = different.result;
  leaf.parameter = different.parameter;
  leaf.decision.engine = different.decision.engine;
  leaf.decision.reason =
      "an op may have effects: what it gives may depend on what ran before";
  leaf.because = equalityObstacleAt(module, side, module.entry, instruction,
                                    "it may have effects");
  return leaf;
}

std::vector<std::string> assumptionsOf(const Module &first,
                                       const Module &second) {
  const Names draws[] = {drawsOf(first), drawsOf(second)};
  Names both, pure;
  for (const std::string &name : draws[0])
    if (draws[1].count(name)) both.insert(name);
  addPure(first, pure);
  addPure(second, pure);
  std::vector<std::string> all = asConditions(both, pure);
  if (usesUnknownLiterals(first) && usesUnknownLiterals(second))
    all.push_back("a literal that the text leaves out is the same in both");
  return all;
}

std::vector<std::string> assumptionsOf(const Module &module) {
  Names pure;
  addPure(module, pure);
  return asConditions({}, pure);
}

}  // namespace indexical
