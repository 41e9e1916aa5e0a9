// The functions and symbols among a program's terms (program_terms.h).
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/values/program_terms.h"
#include "indexical/values/term_ops.h"

namespace indexical {
namespace {

bool hasToken(const Shape &shape) {
  return shape.kind == Shape::Kind::Token ||
         (shape.isTuple() && llvm::any_of(shape.elements, hasToken));
}

/// Whether the op's one effect is that it draws a random number: draws have no
/// order, and one that nobody reads does not count.
bool isDraw(const Op &op) {
  const llvm::StringRef name = op.kind().name;
  return name == "rng" || name == "stablehlo.rng";
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
  return hasEffects(op) || isUnknownLiteral(op) ||
         llvm::any_of(instruction.called, [&](const CalledComputation &called) {
           return called.computation >= 0 && !isPure(called.computation);
         });
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

/// Numbers the ops that give something new, in the order of first use from the
/// root. The terms are those that all have without numbers.
void ProgramTerms::numberSymbols(size_t root) {
  std::map<TermId, int64_t> counts;
  std::set<std::pair<size_t, InstructionId>> seen;
  std::vector<Site> stack{
      {root, module_.computations[instances_[root].computation].root}};
  while (!stack.empty()) {
    const Site site = stack.back();
    stack.pop_back();
    if (!seen.insert({site.instance, site.instruction}).second) continue;
    const Instance &instance = instances_[site.instance];
    const Instruction &instruction = at(site);
    const Op &op = innermost(instruction.op);
    llvm::SmallVector<Site, 8> next;
    if (instruction.parameterNumber < 0 && isSymbol(instruction, op) &&
        !(inlines_ && op.isOneOf<CallOp, ConditionalOp>())) {
      const auto &leaves = instance.leaves[site.instruction];
      const TermId kind = leaves.empty() ? instance.orders[site.instruction]
                                         : leaves[leaves.size() - 1].value;
      auto &count = isUnknownLiteral(op) ? literals_[kind] : counts[kind];
      numbers_.emplace(*symbolKey(site, op), count++);
    }
    for (size_t k = 0; k < instruction.called.size(); ++k) {
      auto called =
          instance.callees.find({site.instruction, static_cast<int32_t>(k)});
      if (called == instance.callees.end()) continue;
      const ComputationId c = instances_[called->second].computation;
      next.push_back({called->second, module_.computations[c].root});
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

/// Returns the order of the instruction's token: what comes before its users.
TermId ProgramTerms::orderOf(Site site) {
  const Instance &instance = instances_[site.instance];
  const Instruction &instruction = at(site);
  if (!hasToken(instruction.shape)) return 0;
  ValueTerm order;
  order.kind = ValueTerm::Kind::Order;
  const Op &op = innermost(instruction.op);
  if (instruction.parameterNumber < 0 && isSymbol(instruction, op)) {
    sawSymbols_ = true;
    order.op = valueOp(op);
    auto found = numbers_.find(*symbolKey(site, op));
    if (found != numbers_.end()) order.number = found->second;
    const Computation &computation = module_.computations[instance.computation];
    for (const OperandLeaf &leaf : computation.operandLeaves(site.instruction))
      order.operands.push_back(
          instance.leaves[leaf.instruction][leaf.result].value);
    addBefore(site, order.steering);
  }
  for (InstructionId operand : instruction.operands)
    if (TermId before = instance.orders[operand])
      order.operands.push_back(before);
  if (!order.op && order.operands.empty()) return 0;
  if (!order.op && order.operands.size() == 1) return order.operands[0];
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
  return effects_[c] = indexical::effectsOf(computation, has, inFileOrder_);
}

/// Returns the term of an effect that is evaluated: of a call that is looked
/// into, all effects inside.
TermId ProgramTerms::effectAt(Site site) {
  const Instance &instance = instances_[site.instance];
  bool isInlined = false;
  ValueTerm inside;
  inside.kind = ValueTerm::Kind::Order;
  for (const auto &[key, callee] : instance.callees) {
    if (key.first != site.instruction) continue;
    isInlined = true;
    llvm::append_range(inside.operands, effectsOf(callee));
  }
  if (isInlined)
    return inside.operands.size() == 1 ? inside.operands[0]
                                       : table_.intern(std::move(inside));
  const auto &leaves = instance.leaves[site.instruction];
  return leaves.empty() ? instance.orders[site.instruction]
                        : leaves[leaves.size() - 1].value;
}

/// Adds what takes place before an effect, and is none of its operands.
void ProgramTerms::addBefore(Site site, llvm::SmallVectorImpl<TermId> &to) {
  const Effects &effects = effectsIn(instances_[site.instance].computation);
  llvm::SmallVector<TermId, 4> before;
  for (InstructionId first : effects.before(site.instruction))
    before.push_back(effectAt({site.instance, first}));
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
  if (isPure(instance.computation)) return found;
  for (InstructionId i : effectsIn(instance.computation).effects) {
    const Instruction &instruction =
        module_.computations[instance.computation].instructions[i];
    bool isInlined = false;
    for (const auto &[key, callee] : instance.callees) {
      if (key.first != i) continue;
      isInlined = true;
      const std::vector<TermId> inside = effectsOf(callee);
      if (instruction.called.size() == 1) {
        found.insert(found.end(), inside.begin(), inside.end());
        continue;
      }
      // Which branch runs is a matter of the first operand.
      ValueTerm branch;
      branch.kind = ValueTerm::Kind::Order;
      branch.number = key.second;
      const OperandLeaf choice =
          module_.computations[instance.computation].operandLeaf(i, LeafId(0));
      branch.steering.push_back(
          instance.leaves[choice.instruction][choice.result].value);
      branch.operands.assign(inside.begin(), inside.end());
      found.push_back(table_.intern(std::move(branch)));
    }
    if (!isInlined) found.push_back(effectAt({number, i}));
  }
  llvm::sort(found);
  return found;
}

}  // namespace indexical
