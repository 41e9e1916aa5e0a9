#include "indexical/program/maps/derivative_reads.h"

#include <map>
#include <utility>
#include <vector>

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/derivative.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/edge_filter.h"
#include "indexical/program/maps/float_bits.h"
#include "indexical/program/maps/state.h"

namespace indexical {
namespace {

/// Returns what is known of a computation that is applied to elements.
AppliedBody kindOf(const Computation &body) {
  if (body.parameters.size() != 2 || body.captured > 0)
    return AppliedBody::None;
  InstructionId last = body.root;
  while (body.instructions[last].terminator) {
    if (body.instructions[last].operands.size() != 1) return AppliedBody::None;
    last = body.instructions[last].operands[0];
  }
  const InstructionId first = body.parameters[0], second = body.parameters[1];
  if (last == second) return AppliedBody::Last;
  const Instruction &root = body.instructions[last];
  const Arithmetic does = traitsOf(root.op).arithmetic;
  const bool isKnown =
      does == Arithmetic::Add || does == Arithmetic::Multiply ||
      does == Arithmetic::Maximum || does == Arithmetic::Minimum;
  if (!root.op.is<ElementwiseOp>() || !isKnown || root.operands.size() != 2)
    return AppliedBody::None;
  const InstructionId a = root.operands[0], b = root.operands[1];
  return (a == first && b == second) || (a == second && b == first)
             ? AppliedBody::Plain
             : AppliedBody::None;
}

class DerivativeSteps : public EdgeFilter {
 public:
  explicit DerivativeSteps(const Module &module)
      : module_(module), bits_(module) {}

  Follows follows(const Edge &edge) const override {
    const Instruction &instruction =
        module_.computations[edge.computation].instructions[edge.instruction];
    const OpShapes &shapes = shapesOf(instruction.op);
    const bool toFloat = carriesDerivatives(shapes.results[edge.result].type);
    const bool isFloat = carriesDerivatives(shapes.operands[edge.leaf].type);
    if (toFloat && isFloat)
      return followsFor(derivativeOf(instruction.op, edge.result, edge.leaf,
                                     bodyOf(instruction)));
    return followsBits(edge, instruction);
  }
  Follows followsSize(ComputationId c, InstructionLeaf leaf) const override {
    return bits_.of(c, leaf).any() ? Follows::Covered : Follows::No;
  }
  std::vector<int64_t> partsOf(ComputationId c) const override {
    return bits_.ofParameters(c);
  }

 private:
  AppliedBody bodyOf(const Instruction &instruction) const {
    if (instruction.called.size() != 1) return AppliedBody::None;
    const ComputationId body = instruction.called[0].computation;
    return body >= 0 ? kindOf(module_.computations[body]) : AppliedBody::None;
  }

  static Follows followsFor(Derivative derivative) {
    switch (derivative) {
      case Derivative::Zero:
        return Follows::No;
      case Derivative::Unknown:
        return Follows::Covered;
      case Derivative::Carried:
        return Follows::Yes;
    }
    return Follows::Covered;
  }

  /// Returns what an edge does on which bits of floats may be among integers.
  Follows followsBits(const Edge &edge, const Instruction &instruction) const {
    const Op &op = instruction.op;
    const OpShapes &shapes = shapesOf(op);
    const bool toFloat = carriesDerivatives(shapes.results[edge.result].type);
    const bool isFloat = carriesDerivatives(shapes.operands[edge.leaf].type);
    if (!toFloat &&
        !bits_.of(edge.computation, {edge.instruction, edge.result}).any())
      return Follows::No;
    HeldBits held;
    if (!isFloat) {
      const OperandLeaf from =
          module_.computations[edge.computation].operandLeaf(edge.instruction,
                                                             edge.leaf);
      held = bits_.of(edge.computation, {from.instruction, from.result});
      if (!held.any()) return Follows::No;
    }
    if (isRun(op, instruction)) return Follows::Yes;
    if (toFloat)
      return followsFor(derivativeOfBits(op, edge.result, edge.leaf, held));
    if (bits_.bodyMovesBits(instruction)) return Follows::Covered;
    const HeldBits moved = bitsThrough(op, edge.result, edge.leaf, held);
    if (!moved.any()) return Follows::No;
    return moved.areChanged() ? Follows::Covered : Follows::Yes;
  }

  /// Whether what the instruction runs says what it carries. The choice of a
  /// branch is no part of that, nor are the operands of a computation that the
  /// module does not have.
  static bool isRun(const Op &op, const Instruction &instruction) {
    if (op.is<WhileOp>() || op.is<ScanOp>() || op.is<CallOp>())
      return !calleesOf(instruction).empty();
    return false;
  }

  const Module &module_;
  const FloatBits bits_;
};

}  // namespace

struct DerivativeReads::State {
  State(const Module &module, const Budget &budget)
      : steps(module),
        budget(budget),
        questions(module, values, numbers, this->budget, &steps) {}

  const DerivativeSteps steps;
  const Budget budget;
  std::vector<Value> values;
  std::map<Value, int64_t> numbers;
  Questions questions;
};

DerivativeReads::DerivativeReads(ProgramIndexing &maps)
    : maps_(maps),
      state_(std::make_unique<State>(maps.module(), maps.budget())) {}
DerivativeReads::~DerivativeReads() = default;

absl::StatusOr<IndexingRelation> DerivativeReads::of(ComputationId computation,
                                                     LeafId rootLeaf,
                                                     ParameterLeaf parameter) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return of(computation, rootLeaf, parameter); });
  const Computation &own = maps_.module().computations[computation];
  auto carries = [&](InstructionId i, LeafId leaf) {
    return carriesDerivatives(
        shapesOf(own.instructions[i].op).results[leaf].type);
  };
  if (!carries(own.root, rootLeaf) ||
      !carries(own.parameters[parameter.parameter], parameter.leaf))
    return IndexingRelation();
  INDEXICAL_RETURN_IF_ERROR(state_->questions.solver.solve(computation));
  const Whole &whole =
      state_->questions.solved.whole(computation, Direction::OutputToInput);
  auto found = whole.find({rootLeaf, parameter.parameter, parameter.leaf});
  if (found == whole.end()) return IndexingRelation();
  auto number = [&](int64_t own) {
    return maps_.numberOf(state_->values[own]);
  };
  return withSources(found->second, {number, number});
}

}  // namespace indexical
