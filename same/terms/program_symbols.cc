// The functions and symbols among a program's terms (program_terms.h).
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/values/term_ops.h"
#include "indexical/same/terms/program_terms.h"

namespace indexical {
namespace {

bool hasToken(const Shape &shape) {
  return shape.kind == Shape::Kind::Token ||
         (shape.isTuple() && llvm::any_of(shape.elements, hasToken));
}

}  // namespace

//===-- Functions ---------------------------------------------------------===//

/// Returns the computation's results as a function of its arguments.
TermId ProgramTerms::functionOf(ComputationId c) {
  auto found = functions_.find(c);
  if (found != functions_.end()) return found->second;
  if (open_.count(c) || open_.size() >= kMostDeep ||
      module_.computations[c].root < 0)
    return table_.unknown();
  const Computation &computation = module_.computations[c];
  std::vector<Terms> arguments;
  for (const auto &[parameter, leaf] : parameterLeaves(computation)) {
    ValueTerm term;
    term.kind = ValueTerm::Kind::Argument;
    term.number = parameter;
    term.leaf = leaf;
    const TermId id = table_.intern(std::move(term));
    arguments.push_back({id, id});
  }
  const size_t solved = solve(c, std::move(arguments), pathOf(-1, c, -1));
  ValueTerm function;
  function.kind = ValueTerm::Kind::Function;
  for (const Terms &leaf : instances_[solved].leaves[computation.root])
    function.operands.push_back(leaf.value);
  if (TermId order = instances_[solved].orders[computation.root])
    function.steering.push_back(order);
  for (TermId effect : effectsOf(solved)) function.steering.push_back(effect);
  return functions_[c] = table_.intern(std::move(function));
}

llvm::SmallVector<TermId, 2> ProgramTerms::functionsOf(
    const Instruction &instruction) {
  llvm::SmallVector<TermId, 2> functions;
  for (const CalledComputation &called : instruction.called) {
    if (called.computation >= 0) {
      functions.push_back(functionOf(called.computation));
      continue;
    }
    // A computation that is not in the module is known by its name.
    ValueTerm missing;
    missing.kind = ValueTerm::Kind::Function;
    missing.text = called.name.str();
    functions.push_back(table_.intern(std::move(missing)));
  }
  return functions;
}

//===-- Symbols -----------------------------------------------------------===//

bool ProgramTerms::isSymbol(const Instruction &instruction, const Op &op) {
  return isUnknownLiteral(op) || givesNew_.has(instruction);
}

/// Returns the key of an execution, or of a literal, which is the same in each.
std::optional<std::pair<int64_t, InstructionId>> ProgramTerms::symbolKey(
    Site site, const Op &op) const {
  const Instance &instance = instances_[site.instance];
  if (isUnknownLiteral(op))
    return std::make_pair(-1 - static_cast<int64_t>(instance.computation),
                          site.instruction);
  return std::make_pair(instance.path, site.instruction);
}

/// Returns what an instance is for: its root, then its effects, in an order
/// that does not depend on names.
std::vector<ProgramTerms::Site> ProgramTerms::purposesOf(size_t number) {
  const ComputationId c = instances_[number].computation;
  std::vector<Site> purposes{{number, module_.computations[c].root}};
  if (!givesNew_.has(c)) return purposes;
  std::vector<std::pair<std::vector<TermId>, InstructionId>> effects;
  for (InstructionId i : effectsIn(c).effects)
    effects.emplace_back(effectsAt({number, i}), i);
  llvm::sort(effects);
  for (const auto &effect : effects)
    purposes.push_back({number, effect.second});
  return purposes;
}

/// Names the literals that the text leaves out: those that are not alone of
/// their shape. A name that two of these have counts with its computation.
void ProgramTerms::nameLiterals() {
  using Place = std::pair<ComputationId, InstructionId>;
  std::map<std::string, std::vector<Place>> kinds;
  for (auto [c, computation] : llvm::enumerate(module_.computations))
    for (auto [i, instruction] : llvm::enumerate(computation.instructions)) {
      const Op &op = innermost(instruction.op);
      if (!isUnknownLiteral(op)) continue;
      const ArrayShape &shape = op.get<ConstantOp>().results[0];
      kinds[ArrayShape(shape.type, shape.dimensions).str()].push_back(
          {ComputationId(c), InstructionId(i)});
    }
  for (const auto &[kind, places] : kinds) {
    auto nameOf = [&](const Place &place) {
      return module_.computations[place.first]
          .instructions[place.second]
          .name.str();
    };
    std::map<std::string, int> counts;
    for (const Place &place : places) ++counts[nameOf(place)];
    for (const Place &place : places) {
      std::string &name = literals_[place];
      if (places.size() == 1) continue;
      name = nameOf(place);
      // MLIR gives its values other numbers in each text.
      if (module_.computations[place.first].instructions[place.second].opcode !=
          "constant")
        name = std::to_string(table_.unknown());
      else if (counts[name] > 1)
        name = module_.computations[place.first].name.str() + "/" + name;
    }
  }
}

/// Numbers the ops that give something new, in the order of first use from the
/// root and the effects. The terms are those that all have without numbers.
void ProgramTerms::numberSymbols(size_t root) {
  std::map<TermId, int64_t> counts;
  std::set<std::pair<size_t, InstructionId>> seen;
  std::vector<Site> stack = purposesOf(root);
  std::reverse(stack.begin(), stack.end());
  while (!stack.empty()) {
    const Site site = stack.back();
    stack.pop_back();
    if (!seen.insert({site.instance, site.instruction}).second) continue;
    const Instance &instance = instances_[site.instance];
    const Instruction &instruction = at(site);
    const Op &op = innermost(instruction.op);
    llvm::SmallVector<Site, 8> next;
    const auto execution = instance.executions.find(site.instruction);
    if (execution != instance.executions.end()) {
      const TermId kind = execution->second;
      if (!isUnknownLiteral(op))
        numbers_.emplace(*symbolKey(site, op), counts[kind]++);
    }
    for (size_t k = 0; k < instruction.called.size(); ++k) {
      auto called =
          instance.callees.find({site.instruction, static_cast<int32_t>(k)});
      if (called == instance.callees.end()) continue;
      llvm::append_range(next, purposesOf(called->second));
    }
    llvm::SmallVector<InstructionId, 4> operands(instruction.operands.begin(),
                                                 instruction.operands.end());
    if (commutes(op) && operands.size() == 2) {
      auto valueOf = [&](InstructionId i) { return instance.leaves[i][0]; };
      if (valueOf(operands[1]) < valueOf(operands[0]))
        std::swap(operands[0], operands[1]);
    }
    for (InstructionId operand : operands)
      next.push_back({site.instance, operand});
    for (const Site &one : llvm::reverse(next)) stack.push_back(one);
  }
}

/// Returns an op that gives something new, as one term for all of its results:
/// what it is, its operands, the functions that it calls, and what comes
/// before.
ValueTerm ProgramTerms::symbolTerm(Site site, const Op &op,
                                   llvm::ArrayRef<TermId> operands) {
  const Instance &instance = instances_[site.instance];
  const Instruction &instruction = at(site);
  sawSymbols_ = true;
  ValueTerm term = opTerm(site, op, operands);
  term.kind = ValueTerm::Kind::Symbol;
  for (InstructionId operand : instruction.operands)
    if (TermId order = instance.orders[operand]) term.steering.push_back(order);
  addBefore(site, term.steering);
  if (isUnknownLiteral(op)) {
    term.number = 0;
    term.text += literals_.at({instance.computation, site.instruction});
    return term;
  }
  auto found = numbers_.find(*symbolKey(site, op));
  if (found != numbers_.end()) term.number = found->second;
  // Which device sends or receives is a part of what it does.
  if (!isDraw(op) && hasEffects(op)) term.text += instruction.sharding.str();
  // What an op of MLIR that may have effects gives depends on all parameters
  // of the entry, which is the first instance.
  if (llvm::StringRef(op.descriptor().configuration)
          .contains("has_side_effect = true;module="))
    for (const Terms &argument : instances_.front().arguments)
      term.text += " of " + std::to_string(argument.value);
  return term;
}

/// Whether a call or a choice stands for what the instances of its callees do.
bool ProgramTerms::isLookedInto(Site site) const {
  const auto &callees = instances_[site.instance].callees;
  const auto first = callees.lower_bound({site.instruction, -1});
  return first != callees.end() && first->first.first == site.instruction;
}

bool ProgramTerms::isExecution(Site site) {
  const Instruction &instruction = at(site);
  return instruction.parameterNumber < 0 && !isLookedInto(site) &&
         isSymbol(instruction, innermost(instruction.op));
}

/// Returns the term of one execution of an op with effects. A result of a loop
/// may pass its operand on and say nothing of it.
TermId ProgramTerms::executionOf(Site site) {
  const Instance &instance = instances_[site.instance];
  const Computation &computation = module_.computations[instance.computation];
  llvm::SmallVector<TermId, 8> operands;
  for (const OperandLeaf &leaf : computation.operandLeaves(site.instruction))
    operands.push_back(instance.leaves[leaf.instruction][leaf.result].value);
  ValueTerm term = symbolTerm(site, innermost(at(site).op), operands);
  term.kind = ValueTerm::Kind::Order;
  return table_.intern(std::move(term));
}

/// Returns the order of the instruction's token: what comes before its users.
TermId ProgramTerms::orderOf(Site site) {
  const Instance &instance = instances_[site.instance];
  const Instruction &instruction = at(site);
  if (!hasToken(instruction.shape)) return 0;
  const auto execution = instance.executions.find(site.instruction);
  if (execution != instance.executions.end()) return execution->second;
  ValueTerm order;
  order.kind = ValueTerm::Kind::Order;
  for (InstructionId operand : instruction.operands)
    if (TermId before = instance.orders[operand])
      order.operands.push_back(before);
  if (isLookedInto(site)) llvm::append_range(order.operands, effectsAt(site));
  if (order.operands.empty()) return 0;
  if (order.operands.size() == 1) return order.operands[0];
  return table_.intern(std::move(order));
}

//===-- Effects -----------------------------------------------------------===//

/// Returns the instructions of a computation that have effects, in order.
const Effects &ProgramTerms::effectsIn(ComputationId c) {
  const auto found = effects_.find(c);
  if (found != effects_.end()) return found->second;
  const Computation &computation = module_.computations[c];
  std::vector<bool> has;
  for (const Instruction &i : computation.instructions) {
    const Op &op = innermost(i.op);
    has.push_back(i.parameterNumber < 0 && !isUnknownLiteral(op) &&
                  isSymbol(i, op) && !isDraw(op));
  }
  for (InstructionId i(0); i < static_cast<int32_t>(has.size()); ++i)
    if (const auto start = startOf(computation, i))
      if (has[*start]) has[i] = true;
  return effects_[c] = indexical::effectsOf(computation, has, inFileOrder_);
}

/// Returns the effects of an instruction that is evaluated: of a call that is
/// looked into those inside, of a choice together with what chooses.
std::vector<TermId> ProgramTerms::effectsAt(Site site) {
  const Instance &instance = instances_[site.instance];
  const Instruction &instruction = at(site);
  std::vector<TermId> found;
  const Computation &computation = module_.computations[instance.computation];
  if (const auto start = startOf(computation, site.instruction)) {
    ValueTerm done;
    done.kind = ValueTerm::Kind::Order;
    done.text = "done";
    llvm::append_range(done.operands, effectsAt({site.instance, *start}));
    return {table_.intern(std::move(done))};
  }
  if (!isLookedInto(site)) {
    const auto execution = instance.executions.find(site.instruction);
    // An instruction on a cycle has none.
    found.push_back(execution == instance.executions.end() ? table_.unknown()
                                                           : execution->second);
  }
  for (const auto &[key, callee] : instance.callees) {
    if (key.first != site.instruction) continue;
    std::vector<TermId> inside = effectsOf(callee);
    if (instruction.called.size() == 1) {
      llvm::append_range(found, inside);
      continue;
    }
    // Which branch runs is a matter of the first operand.
    ValueTerm branch;
    branch.kind = ValueTerm::Kind::Order;
    branch.number = key.second;
    const OperandLeaf choice =
        computation.operandLeaf(site.instruction, LeafId(0));
    branch.steering.push_back(
        instance.leaves[choice.instruction][choice.result].value);
    branch.operands.assign(inside.begin(), inside.end());
    found.push_back(table_.intern(std::move(branch)));
  }
  if (!computation.blocks.empty()) {
    ValueTerm block;
    block.kind = ValueTerm::Kind::Order;
    block.text = computation.blocks.str();
    block.operands.assign(found.begin(), found.end());
    return {table_.intern(std::move(block))};
  }
  return found;
}

/// Adds what takes place before an effect, and is none of its operands.
void ProgramTerms::addBefore(Site site, llvm::SmallVectorImpl<TermId> &to) {
  const Effects &effects = effectsIn(instances_[site.instance].computation);
  llvm::SmallVector<TermId, 4> before;
  for (InstructionId first : effects.before(site.instruction))
    llvm::append_range(before, effectsAt({site.instance, first}));
  llvm::sort(before);
  if (effects.begins(site.instruction))
    before.append(instances_[site.instance].before.begin(),
                  instances_[site.instance].before.end());
  to.append(before.begin(), before.end());
  if (effects.isOpen) to.push_back(table_.unknown());
}

std::vector<TermId> ProgramTerms::effectsOf(size_t number) {
  const Instance &instance = instances_[number];
  std::vector<TermId> found;
  if (!givesNew_.has(instance.computation)) return found;
  for (InstructionId i : effectsIn(instance.computation).effects)
    llvm::append_range(found, effectsAt({number, i}));
  llvm::sort(found);
  return found;
}

}  // namespace indexical
