#include "indexical/analysis/equality/dropped_reads.h"

#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/equality/integer_literal.h"
#include "indexical/ops/sizes.h"
#include "indexical/values/known_values.h"

namespace indexical {
namespace {

// A law can make a constant on which another law depends.
constexpr int kMostRounds = 8;

/// Returns the number that all elements of an operand are.
std::optional<int64_t> numberOf(const Module &module, ComputationId c,
                                InstructionId i, size_t operand) {
  const auto leaves = module.computations[c].operandLeaves(i);
  if (operand >= leaves.size()) return std::nullopt;
  const OperandLeaf leaf = leaves[operand];
  const ArrayShape &shape =
      shapesOf(module.computations[c].instructions[i].op).operands[operand];
  if (hasOpenSize(shape)) return std::nullopt;
  IndexingMapBuilder b;
  std::vector<Interval> bounds;
  llvm::SmallVector<Expr, 4> index;
  for (int64_t size : shape.dimensions) {
    if (size == 0) return std::nullopt;
    bounds.push_back({0, size - 1});
    index.push_back(b.dimension(bounds.back()));
  }
  const auto known = knownElement(
      module, Value{ComputationId(c), leaf.instruction, leaf.result, {}}, index,
      b, [&](VariableId id) {
        return id.kind == VariableKind::Dimension && id.index < bounds.size()
                   ? bounds[id.index]
                   : Interval::all();
      });
  return known ? b.valueOf(*known) : std::nullopt;
}

/// Makes the instruction a copy of one of its operands.
void becomeOperand(Instruction &i, size_t operand) {
  ElementwiseOp copy;
  copy.operands = {shapesOf(i.op).operands[operand]};
  copy.results = shapesOf(i.op).results;
  copy.opKind = kindOf<ElementwiseOp>("copy");
  i.op = Op(std::move(copy));
  i.operands = {i.operands[operand]};
  if (!i.elements.empty()) i.elements = {i.elements[operand]};
  i.opcode = "copy";
}

/// Applies a law to the instruction and returns the law's name; empty if none
/// applies.
llvm::StringRef applyLaw(Module &module, ComputationId c, InstructionId at) {
  Instruction &i = module.computations[c].instructions[at];
  const auto *op = i.op.as<ElementwiseOp>();
  // An operand is one leaf: else it is a tuple, and no operand of these.
  if (!op || i.operands.size() != op->operands.size() ||
      op->results.size() != 1)
    return "";
  if (op->opKind == kindOf<ElementwiseOp>("select") && i.operands.size() == 3) {
    const auto choice = numberOf(module, c, at, 0);
    if (!choice) return "";
    becomeOperand(i, *choice != 0 ? 1 : 2);
    return "select on a constant";
  }
  const ArrayShape result = op->results[0];
  if (op->opKind == kindOf<ElementwiseOp>("multiply") &&
      isInteger(result.type) && bitsOf(result.type) <= 64 &&
      !hasOpenSize(result) && i.operands.size() == 2)
    for (size_t k : {0, 1})
      if (numberOf(module, c, at, k) == 0) {
        i.op = integerLiteral(result, {0});
        i.operands.clear();
        i.elements.clear();
        i.opcode = "constant";
        return "an integer multiplied by zero";
      }
  return "";
}

/// By computation, the instructions on which the result depends.
std::vector<std::vector<bool>> usedInstructions(const Module &module) {
  std::vector<std::vector<bool>> used;
  for (const Computation &c : module.computations)
    used.emplace_back(c.instructions.size(), false);
  std::vector<std::pair<ComputationId, InstructionId>> work;
  auto use = [&](ComputationId c, InstructionId i) {
    if (c < 0 || i < 0 || used[c][i]) return;
    used[c][i] = true;
    work.push_back({c, i});
  };
  use(module.entry, module.computations[module.entry].root);
  while (!work.empty()) {
    const auto [c, i] = work.back();
    work.pop_back();
    const Instruction &at = module.computations[c].instructions[i];
    for (InstructionId operand : at.operands) use(c, operand);
    for (const CalledComputation &called : at.called)
      if (called.computation >= 0)
        use(called.computation, module.computations[called.computation].root);
  }
  return used;
}

}  // namespace

ModuleAfterLaws dropReads(const Module &module) {
  ModuleAfterLaws after{module, {}};
  const auto used = usedInstructions(module);
  bool changed = true;
  for (int round = 0; changed && round < kMostRounds; ++round) {
    changed = false;
    for (auto [c, computation] : llvm::enumerate(after.module.computations))
      for (size_t i = 0; i < computation.instructions.size(); ++i) {
        if (!used[c][i]) continue;
        const llvm::StringRef law =
            applyLaw(after.module, ComputationId(c), InstructionId(i));
        if (law.empty()) continue;
        const Instruction &to = computation.instructions[i];
        after.applied.push_back({computation.name.str(), to.name.str(),
                                 static_cast<int32_t>(to.place.line),
                                 law.str()});
        changed = true;
      }
  }
  return after;
}

}  // namespace indexical
