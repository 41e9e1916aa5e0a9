#include "indexical/cost/launch/array_flow.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/launch/kernels.h"
#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

/// Returns the computation whose instructions run in place of a `call`.
std::optional<Callee> calledBy(const Instruction &instruction) {
  if (&instruction.op.kind() != kindOf<CallOp>("call")) return std::nullopt;
  const auto callee = calleeOfCall(instruction);
  return callee && callee->computation >= 0 ? callee : std::nullopt;
}

/// Whether the results are operands, which stay where they are.
bool passesOn(const Instruction &instruction) {
  return instruction.op.isOneOf<ForwardOp, BitcastOp>() ||
         calledBy(instruction).has_value();
}

}  // namespace

ArrayFlow::ArrayFlow(const Module &module)
    : module_(module),
      callers_(module.computations.size()),
      operands_(module.computations.begin(), module.computations.end()) {
  // The bodies of fusions and of reductions are parts of their kernels.
  std::vector<bool> isInside(module.computations.size());
  for (size_t c = 0; c < module.computations.size(); ++c)
    for (const auto &[i, instruction] :
         llvm::enumerate(module.computations[c].instructions)) {
      const auto call = calledBy(instruction);
      for (const CalledComputation &called : instruction.called) {
        if (called.computation < 0) continue;
        Callers &of = callers_[called.computation];
        if (call) {
          ++of.calls;
          of.call = {ComputationId(c), InstructionId(i)};
        } else if (called.role == CallRole::Body ||
                   called.role == CallRole::Condition ||
                   called.role == CallRole::Branch) {
          of.byOthers = true;
        } else {
          isInside[called.computation] = true;
        }
      }
    }
  for (size_t c = 0; c < module.computations.size(); ++c)
    if (!isInside[c]) walk(ComputationId(c));
}

std::optional<Leaf> ArrayFlow::nextBehind(const Leaf &leaf) const {
  const Computation &in = module_.computations[leaf.computation];
  const InstructionLeaf source =
      operands_[leaf.computation].behindTuples({leaf.instruction, leaf.leaf});
  const Leaf at = {leaf.computation, source.instruction, source.leaf};
  if (at != leaf) return at;
  const Instruction &instruction = in.instructions[leaf.instruction];
  if (instruction.op.is<BitcastOp>() && !instruction.operands.empty())
    return Leaf{leaf.computation, instruction.operands[0]};
  if (const auto call = calledBy(instruction)) {
    const InstructionId root = module_.computations[call->computation].root;
    if (root < 0) return std::nullopt;
    return Leaf{call->computation, root, leaf.leaf};
  }
  if (instruction.parameterNumber < 0) return std::nullopt;
  const Callers &callers = callers_[leaf.computation];
  if (callers.calls != 1 || callers.byOthers || in.entry) return std::nullopt;
  const Instruction &from = module_.computations[callers.call.computation]
                                .instructions[callers.call.instruction];
  const auto call = calledBy(from);
  const auto number = static_cast<size_t>(instruction.parameterNumber);
  if (!call || number >= call->arguments.size()) return std::nullopt;
  return Leaf{callers.call.computation, from.operands[call->arguments[number]],
              leaf.leaf};
}

Leaf ArrayFlow::behind(Leaf leaf) const {
  auto keyOf = [](const Leaf &of) {
    return Key(of.computation, of.instruction, of.leaf);
  };
  std::vector<Leaf> way;
  while (true) {
    const auto known = sources_.find(keyOf(leaf));
    if (known != sources_.end()) {
      leaf = known->second;
      break;
    }
    way.push_back(leaf);
    const std::optional<Leaf> next = nextBehind(leaf);
    if (!next) break;
    leaf = *next;
  }
  for (const Leaf &passed : way) sources_[keyOf(passed)] = leaf;
  return leaf;
}

ArrayUses &ArrayFlow::at(const Leaf &leaf) {
  return uses_[{leaf.computation, leaf.instruction, leaf.leaf}];
}

void ArrayFlow::walk(ComputationId computation) {
  const Computation &of = module_.computations[computation];
  for (const auto &[i, instruction] : llvm::enumerate(of.instructions)) {
    const auto call = calledBy(instruction);
    // A function that is called from several places has its own parameter.
    const bool isShared = call && callers_[call->computation].calls > 1;
    if (passesOn(instruction) && !isShared) continue;
    const bool reads = isKernel(instruction) && !instruction.op.is<StartOp>();
    for (const auto &[k, operand] :
         llvm::enumerate(of.operandLeaves(InstructionId(i)))) {
      if (operand.instruction < 0) continue;
      ArrayUses &uses =
          at(behind({computation, operand.instruction, operand.result}));
      if (reads)
        uses.readers.push_back({computation, InstructionId(i), LeafId(k)});
      else
        uses.isOpen = true;
    }
  }
  if (of.root < 0) return;
  const Callers &callers = callers_[computation];
  if (callers.calls > 0 && !callers.byOthers && !of.entry) return;
  const int64_t leaves = of.instructions[of.root].shape.leafCount();
  for (LeafId leaf; leaf < leaves; ++leaf) {
    ArrayUses &uses = at(behind({computation, of.root, leaf}));
    (callers.byOthers ? uses.isOpen : uses.isResult) = true;
  }
}

const ArrayUses &ArrayFlow::usesOf(const Leaf &array) const {
  static const ArrayUses kNone;
  const auto found =
      uses_.find({array.computation, array.instruction, array.leaf});
  return found == uses_.end() ? kNone : found->second;
}

std::optional<Leaf> ArrayFlow::sourceOf(ComputationId computation,
                                        InstructionId instruction,
                                        LeafId operandLeaf) const {
  const OperandLeaf of = operands_[computation].leaf(instruction, operandLeaf);
  if (of.instruction < 0) return std::nullopt;
  return behind({computation, of.instruction, of.result});
}

}  // namespace indexical
