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
  }
  for (InstructionId operand : instruction.operands)
    if (TermId before = instance.orders[operand])
      order.operands.push_back(before);
  if (!order.op && order.operands.empty()) return 0;
  if (!order.op && order.operands.size() == 1) return order.operands[0];
  return table_.intern(std::move(order));
}

}  // namespace indexical
