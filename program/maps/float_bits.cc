#include "indexical/program/maps/float_bits.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/operand_leaves.h"

namespace indexical {
namespace {

/// Whether the results of the op are those of computations that it runs.
bool runsCallees(const Op &op) {
  return op.is<CallOp>() || op.is<ConditionalOp>() || op.is<WhileOp>() ||
         op.is<ScanOp>();
}

/// Whether the module has all computations whose roots the results are.
bool hasCallees(const Instruction &instruction) {
  const Op &op = innermost(instruction.op);
  if (op.is<CallOp>()) return calleeOfCall(instruction).has_value();
  if (op.is<WhileOp>())
    return calleeOf(instruction, CallRole::Body).has_value();
  if (op.is<ScanOp>())
    return calleeOf(instruction, CallRole::ToApply).has_value();
  return llvm::all_of(instruction.called, [](const CalledComputation &called) {
    return called.computation >= 0;
  });
}

/// Whether the op hands a float on as an integer: a cast whose meaning is not
/// known.
bool castsToInteger(const Op &op, int64_t result, int64_t operand) {
  const OpShapes &shapes = shapesOf(op);
  return operand >= 0 && carriesDerivatives(shapes.operands[operand].type) &&
         !carriesDerivatives(shapes.results[result].type);
}

/// Whether the instruction itself moves bits of floats to integers.
bool movesBits(const Instruction &instruction) {
  const Op &op = instruction.op;
  if (instruction.parameterNumber >= 0) return false;
  const OpShapes &shapes = shapesOf(op);
  const auto isFloat = [](const ArrayShape &shape) {
    return carriesDerivatives(shape.type);
  };
  if (llvm::none_of(shapes.operands, isFloat) ||
      llvm::all_of(shapes.results, isFloat))
    return false;
  // What they run is looked at by itself.
  if (runsCallees(innermost(op)) && hasCallees(instruction)) return false;
  const int64_t results = shapes.results.size();
  const int64_t operands = shapes.operands.size();
  // A tuple of thousands of leaves has as many results.
  if (const auto *forward = op.as<ForwardOp>()) {
    for (size_t r = 0; r < forward->reads.size(); ++r)
      if (castsToInteger(op, static_cast<int64_t>(r), forward->reads[r]))
        return true;
    return false;
  }
  // What is applied to elements, and is not in the module, may move them.
  if (!op.is<SortOp>() &&
      llvm::any_of(instruction.called, [](const CalledComputation &called) {
        return called.computation < 0;
      }))
    return true;
  for (int64_t r = 0; r < results; ++r)
    for (int64_t l = 0; l < operands; ++l)
      if (bitsThrough(op, r, l, HeldBits()).any()) return true;
  return false;
}

}  // namespace

FloatBits::FloatBits(const Module &module) : module_(module) {
  findMoving();
  if (!areNone_) solve();
}

void FloatBits::findMoving() {
  const auto &all = module_.computations;
  moves_.assign(all.size(), false);
  std::vector<std::vector<ComputationId>> callers(all.size());
  std::vector<ComputationId> work;
  for (size_t c = 0; c < all.size(); ++c)
    for (const Instruction &instruction : all[c].instructions) {
      for (const CalledComputation &called : instruction.called)
        if (called.computation >= 0)
          callers[called.computation].push_back(
              ComputationId(static_cast<int32_t>(c)));
      if (moves_[c] || !movesBits(instruction)) continue;
      moves_[c] = true;
      work.push_back(ComputationId(static_cast<int32_t>(c)));
    }
  areNone_ = work.empty();
  while (!work.empty()) {
    const ComputationId c = work.back();
    work.pop_back();
    for (ComputationId caller : callers[c])
      if (!moves_[caller]) {
        moves_[caller] = true;
        work.push_back(caller);
      }
  }
}

bool FloatBits::bodyMovesBits(const Instruction &instruction) const {
  // What compares keys makes no element.
  if (areNone_ || instruction.op.is<SortOp>()) return false;
  return llvm::any_of(instruction.called, [&](const CalledComputation &called) {
    return called.computation < 0 || moves_[called.computation];
  });
}

std::vector<int64_t> FloatBits::ofParameters(ComputationId c) const {
  std::vector<int64_t> all;
  if (areNone_) return all;
  for (const ParameterLeaf &leaf : parameterLeaves(module_.computations[c]))
    all.push_back(
        held_[c][module_.computations[c].parameters[leaf.parameter]][leaf.leaf]
            .number());
  return all;
}

/// Goes through the computations until nothing is added: each leaf changes
/// twice at most.
void FloatBits::solve() {
  const auto &all = module_.computations;
  std::vector<std::vector<ComputationId>> callers(all.size());
  for (size_t c = 0; c < all.size(); ++c) {
    auto &own = held_.emplace_back();
    for (const Instruction &instruction : all[c].instructions) {
      own.emplace_back(shapesOf(instruction.op).results.size());
      for (const CalledComputation &called : instruction.called)
        if (called.computation >= 0)
          callers[called.computation].push_back(
              ComputationId(static_cast<int32_t>(c)));
    }
  }
  isOpen_.assign(all.size(), true);
  for (bool isAnyOpen = true; isAnyOpen;) {
    isAnyOpen = false;
    for (size_t n = 0; n < all.size(); ++n) {
      const ComputationId c(static_cast<int32_t>(n));
      if (!isOpen_[c]) continue;
      isOpen_[c] = false;
      isAnyOpen = true;
      if (update(c))
        for (ComputationId caller : callers[c]) isOpen_[caller] = true;
    }
  }
}

/// Returns whether something was added.
bool FloatBits::update(ComputationId c) {
  const Computation &computation = module_.computations[c];
  OperandLeafLists lists(computation);
  bool hasMore = false;
  for (InstructionId i : computation.postOrder()) {
    const Instruction &instruction = computation.instructions[i];
    if (instruction.parameterNumber >= 0) continue;
    // Of a tuple's thousands of leaves an element is one.
    if (const auto *forward = instruction.op.as<ForwardOp>()) {
      for (size_t r = 0; r < forward->reads.size(); ++r) {
        const int64_t l = forward->reads[r];
        if (l < 0) continue;
        HeldBits bits = ofOperand(c, lists.leaf(i, LeafId(l)));
        if (castsToInteger(instruction.op, static_cast<int64_t>(r), l))
          bits = HeldBits::changed();
        hasMore |= add(c, i, r, bits);
      }
      continue;
    }
    hasMore |= updateInstruction(c, i, lists.of(i));
  }
  return hasMore;
}

bool FloatBits::add(ComputationId c, InstructionId i, int64_t leaf,
                    HeldBits bits) {
  const ArrayShape &shape =
      shapesOf(module_.computations[c].instructions[i].op).results[leaf];
  if (carriesDerivatives(shape.type)) return false;
  return held_[c][i][leaf].add(bits);
}

bool FloatBits::updateInstruction(ComputationId c, InstructionId i,
                                  llvm::ArrayRef<OperandLeaf> leaves) {
  const Instruction &instruction = module_.computations[c].instructions[i];
  const Op &op = instruction.op;
  const Op &inner = innermost(op);
  const int64_t results = shapesOf(op).results.size();
  bool hasMore = false;
  if (!runsCallees(inner) || !hasCallees(instruction)) {
    const bool moves = bodyMovesBits(instruction);
    for (int64_t r = 0; r < results; ++r) {
      if (carriesDerivatives(shapesOf(op).results[r].type)) continue;
      for (const auto &[l, leaf] : llvm::enumerate(leaves)) {
        const HeldBits held = ofOperand(c, leaf);
        HeldBits bits = bitsThrough(op, r, static_cast<int64_t>(l), held);
        if (moves &&
            (held.any() || carriesDerivatives(shapesOf(op).operands[l].type)))
          bits = HeldBits::changed();
        hasMore |= add(c, i, r, bits);
      }
    }
    return hasMore;
  }
  for (const CalledComputation &called : instruction.called) {
    if (called.computation < 0) continue;
    const Callee callee{called.computation, 0, called.arguments};
    const Computation &inside = module_.computations[callee.computation];
    if (passTo(callee, c, i, leaves)) isOpen_[callee.computation] = true;
    if (called.role == CallRole::Condition) continue;
    const auto &root = held_[callee.computation][inside.root];
    for (int64_t r = 0; r < results; ++r) {
      const auto own = innermostResult(op, r);
      if (own && *own < static_cast<int64_t>(root.size()))
        hasMore |= add(c, i, r, root[*own]);
    }
  }
  const bool decides = bitsDecide(c, i, leaves);
  for (int64_t r = 0; r < results; ++r) {
    // A loop that does not run passes its operands on, and an op that is
    // started names them.
    if ((inner.is<WhileOp>() || !innermostResult(op, r)) &&
        r < static_cast<int64_t>(leaves.size()))
      hasMore |= add(c, i, r, ofOperand(c, leaves[r]));
    if (decides) hasMore |= add(c, i, r, HeldBits::changed());
  }
  return hasMore;
}

/// Whether bits decide which branch is taken, or how often a loop runs.
bool FloatBits::bitsDecide(ComputationId c, InstructionId i,
                           llvm::ArrayRef<OperandLeaf> leaves) const {
  const Instruction &instruction = module_.computations[c].instructions[i];
  const Op &inner = innermost(instruction.op);
  if (inner.is<CallOp>()) return false;
  if (const auto condition = calleeOf(instruction, CallRole::Condition)) {
    const Computation &inside = module_.computations[condition->computation];
    return llvm::any_of(held_[condition->computation][inside.root],
                        [](HeldBits held) { return held.any(); });
  }
  return llvm::any_of(leaves, [&](const OperandLeaf &leaf) {
    return ofOperand(c, leaf).any() &&
           (!inner.is<ConditionalOp>() ||
            calleesOfOperand(instruction, leaf.operand).empty());
  });
}

/// Adds what the callee's parameters hold. Returns whether something was new.
bool FloatBits::passTo(const Callee &callee, ComputationId c, InstructionId i,
                       llvm::ArrayRef<OperandLeaf> leaves) {
  const Instruction &instruction = module_.computations[c].instructions[i];
  const Op &inner = innermost(instruction.op);
  const Computation &inside = module_.computations[callee.computation];
  if (callee.arguments.size() < inside.parameters.size()) return false;
  const auto body = calleeOf(instruction, CallRole::Body);
  bool isNew = false;
  for (const auto &[parameter, number] : passedLeaves(inside, callee, leaves)) {
    HeldBits bits;
    if (number >= 0) bits = ofOperand(c, leaves[number]);
    // A trip begins with what the one before it made.
    if (inner.is<WhileOp>() && body) {
      const Computation &trip = module_.computations[body->computation];
      const auto &root = held_[body->computation][trip.root];
      if (number >= 0 && number < static_cast<int64_t>(root.size()))
        bits.add(root[number]);
    }
    if (inner.is<ScanOp>()) {
      const auto &root = held_[callee.computation][inside.root];
      const bool isCarried =
          llvm::any_of(root, [](HeldBits held) { return held.any(); });
      if (bits.any() || isCarried) bits = HeldBits::changed();
    }
    isNew |= add(callee.computation, inside.parameters[parameter.parameter],
                 parameter.leaf, bits);
  }
  return isNew;
}

}  // namespace indexical
