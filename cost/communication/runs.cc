#include "indexical/cost/communication/runs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/sharding/groups.h"

namespace indexical {
namespace {

using llvm::StringRef;

bool isRowMajor(const ArrayShape &shape) {
  const auto order = shape.minorToMajor();
  for (auto [k, dimension] : llvm::enumerate(order))
    if (dimension != shape.rank() - 1 - static_cast<int64_t>(k)) return false;
  return true;
}

/// Whether every element of the operand stands in the result once.
bool isBijection(const Op &op) {
  return op.isOneOf<ReshapeOp, TransposeOp, ReverseOp, ForwardOp,
                    BitcastOp>() ||
         StringRef(op.kind().name) == "copy";
}

/// The kind of step of an op that only moves; nothing for others.
std::optional<LeafStep::Kind> moveOf(const Op &op) {
  const OpDescriptor &descriptor = op.descriptor();
  if (op.is<ReshapeOp>()) return LeafStep::Kind::Reshape;
  if (op.is<BitcastOp>()) {
    const ArrayShape &from = descriptor.operands[0],
                     &to = descriptor.results[0];
    if (from.type != to.type) return std::nullopt;
    return isRowMajor(from) && isRowMajor(to) ? LeafStep::Kind::Reshape
                                              : LeafStep::Kind::Move;
  }
  if (op.isOneOf<BroadcastOp, TransposeOp, SliceOp, ReverseOp, ConcatenateOp,
                 PadOp, DynamicSliceOp, DynamicUpdateSliceOp>() ||
      StringRef(op.kind().name) == "copy")
    return LeafStep::Kind::Move;
  return std::nullopt;
}

/// The number of the first operand leaves that are data, and no index.
size_t dataOperands(const Op &op, size_t operands) {
  if (op.is<ConcatenateOp>()) return operands;
  if (op.is<DynamicUpdateSliceOp>()) return 2;
  return 1;
}

}  // namespace

Leaves::Leaves(const Module &module) {
  for (auto [c, computation] : llvm::enumerate(module.computations)) {
    auto &first = first_.emplace_back();
    first.reserve(computation.instructions.size());
    for (auto [i, instruction] : llvm::enumerate(computation.instructions)) {
      first.push_back(count_);
      const int32_t leaves = instruction.shape.leafCount();
      for (int32_t r = 0; r < leaves; ++r)
        places_.push_back({ComputationId(c), InstructionId(i), LeafId(r)});
      count_ += leaves;
    }
  }
}

Runs::Runs(const Module &module) : module_(module), leaves_(module) {
  origin_.resize(leaves_.count());
  for (LeafNumber leaf = 0; leaf < leaves_.count(); ++leaf)
    origin_[leaf] = leaf;
  stepOf_.assign(leaves_.count(), -1);
  calls_.assign(module.computations.size(), 0);
  isFused_.assign(module.computations.size(), false);
  for (const Computation &computation : module.computations)
    for (const Instruction &instruction : computation.instructions)
      for (const CalledComputation &called : instruction.called)
        if (called.computation >= 0) ++calls_[called.computation];
  // Bodies of fusions are visited from their calls.
  for (const Computation &computation : module.computations)
    for (const Instruction &instruction : computation.instructions)
      if (instruction.op.is<CallOp>() && instruction.elements.empty())
        for (const CalledComputation &called : instruction.called)
          if (called.computation >= 0 && calls_[called.computation] == 1 &&
              (called.role == CallRole::Calls ||
               called.role == CallRole::ToApply))
            isFused_[called.computation] = true;
  for (size_t c = 0; c < module.computations.size(); ++c)
    if (!isFused_[c]) visit(ComputationId(c));
  collect();
}

void Runs::setStep(LeafNumber leaf, LeafNumber origin, LeafStep step) {
  origin_[leaf] = origin;
  stepOf_[leaf] = steps_.size();
  steps_.push_back(std::move(step));
}

void Runs::visit(ComputationId c) {
  const Computation &computation = module_.computations[c];
  for (InstructionId i : computation.postOrder()) visitInstruction(c, i);
  if (computation.root < 0 || isFused_[c]) return;
  const Instruction &root = computation.instructions[computation.root];
  for (int64_t r = 0; r < root.shape.leafCount(); ++r)
    uses_.push_back({leaves_.of({c, computation.root, LeafId(r)}),
                     {c, computation.root, -1}});
}

bool Runs::enterFusion(ComputationId c, InstructionId i) {
  const Instruction &of = module_.computations[c].instructions[i];
  if (!of.op.is<CallOp>() || !of.elements.empty()) return false;
  for (const CalledComputation &called : of.called) {
    const ComputationId body = called.computation;
    if (body < 0 || !isFused_[body]) continue;
    const Computation &inner = module_.computations[body];
    if (inner.root < 0) return false;
    for (auto [p, parameter] : llvm::enumerate(inner.parameters)) {
      const size_t number = called.arguments.empty() ? p : called.arguments[p];
      if (parameter < 0 || number >= of.operands.size()) continue;
      const InstructionId operand = of.operands[number];
      const int64_t leaves = inner.instructions[parameter].shape.leafCount();
      for (int64_t r = 0; r < leaves; ++r) {
        if (r >=
            module_.computations[c].instructions[operand].shape.leafCount())
          break;
        const LeafNumber from = leaves_.of({c, operand, LeafId(r)});
        setStep(leaves_.of({body, parameter, LeafId(r)}), origin_[from],
                {LeafStep::Kind::Same, {{from, static_cast<int32_t>(r)}}});
      }
    }
    visit(body);
    for (int64_t r = 0; r < of.shape.leafCount(); ++r) {
      const LeafNumber from = leaves_.of({body, inner.root, LeafId(r)});
      const LeafNumber to = leaves_.of({c, i, LeafId(r)});
      order_.push_back(to);
      setStep(to, origin_[from],
              {LeafStep::Kind::Same, {{from, static_cast<int32_t>(r)}}});
    }
    return true;
  }
  return false;
}

void Runs::visitInstruction(ComputationId c, InstructionId i) {
  const Computation &computation = module_.computations[c];
  const Instruction &of = computation.instructions[i];
  if (of.parameterNumber >= 0) {
    for (int64_t r = 0; r < of.shape.leafCount(); ++r)
      order_.push_back(leaves_.of({c, i, LeafId(r)}));
    return;
  }
  if (enterFusion(c, i)) return;
  const auto operands = computation.operandLeaves(i);
  auto leafOf = [&](size_t k) {
    return leaves_.of({c, operands[k].instruction, operands[k].result});
  };
  llvm::SmallVector<bool, 8> isMoved(operands.size(), false);
  auto origins = [&](llvm::ArrayRef<int32_t> numbers) {
    // Returns the one origin of these operands. Constants hold no elements of
    // it.
    LeafNumber found = -1;
    for (int32_t k : numbers) {
      const LeafNumber from = origin_[leafOf(k)];
      const auto &place = leaves_.place(from);
      const Instruction &maker = module_.computations[place.computation]
                                     .instructions[place.instruction];
      if (maker.op.is<ConstantOp>() && numbers.size() > 1) continue;
      if (found >= 0 && found != from) return LeafNumber(-1);
      found = from;
    }
    return found;
  };
  auto move = [&](int64_t r, LeafStep::Kind kind,
                  llvm::ArrayRef<int32_t> numbers) {
    const LeafNumber from = origins(numbers);
    if (from < 0) return;
    LeafStep step{kind, {}};
    for (int32_t k : numbers) {
      if (origin_[leafOf(k)] != from) continue;
      step.sources.push_back({leafOf(k), k});
      isMoved[k] = true;
    }
    setStep(leaves_.of({c, i, LeafId(r)}), from, std::move(step));
  };
  for (int64_t r = 0; r < of.shape.leafCount(); ++r)
    order_.push_back(leaves_.of({c, i, LeafId(r)}));
  if (const auto *forward = of.op.as<ForwardOp>()) {
    for (auto [r, from] : llvm::enumerate(forward->reads))
      if (from >= 0 && from < static_cast<int64_t>(operands.size()))
        move(r, LeafStep::Kind::Same, {static_cast<int32_t>(from)});
  } else if (const OpDescriptor *inner = collectiveOf(of.op)) {
    const auto *start = of.op.as<StartOp>();
    const int64_t forwards = start ? start->forwards : 0;
    for (int64_t r = 0; r < forwards; ++r)
      move(r, LeafStep::Kind::Same, {static_cast<int32_t>(r)});
    const StringRef name = inner->opKind->name;
    const auto *exchange =
        name == "all-to-all" ? static_cast<const AllToAllOp *>(inner) : nullptr;
    for (size_t r = 0; r < inner->results.size(); ++r) {
      llvm::SmallVector<int32_t, 4> numbers;
      if (exchange && !exchange->dimension)
        for (size_t k = 0; k < operands.size(); ++k) numbers.push_back(k);
      else if (r < operands.size())
        numbers.push_back(r);
      if (name == "ragged-all-to-all" || numbers.empty() ||
          (name == "collective-permute" &&
           operands.size() != inner->results.size()))
        continue;
      move(forwards + r, LeafStep::Kind::Collective, numbers);
    }
  } else if (auto kind = moveOf(of.op); kind && of.shape.leafCount() == 1) {
    llvm::SmallVector<int32_t, 4> numbers;
    for (size_t k = 0; k < dataOperands(of.op, operands.size()); ++k)
      numbers.push_back(k);
    move(0, *kind, numbers);
  }
  for (size_t k = 0; k < operands.size(); ++k)
    if (!isMoved[k])
      uses_.push_back({leafOf(k), {c, i, static_cast<int32_t>(k)}});
}

void Runs::collect() {
  // Leaves behind a collective, and leaves on the way to one.
  std::vector<bool> isBehind(leaves_.count(), false),
      leads(leaves_.count(), false);
  auto isCollective = [&](LeafNumber leaf) {
    return stepOf_[leaf] >= 0 && step(leaf).kind == LeafStep::Kind::Collective;
  };
  for (LeafNumber leaf : order_) {
    if (stepOf_[leaf] < 0) continue;
    isBehind[leaf] = isCollective(leaf) ||
                     llvm::any_of(step(leaf).sources, [&](auto source) {
                       return isBehind[source.first];
                     });
  }
  for (LeafNumber leaf : llvm::reverse(order_))
    if (stepOf_[leaf] >= 0 && (leads[leaf] || isBehind[leaf]))
      for (auto [source, number] : step(leaf).sources) leads[source] = true;
  std::map<LeafNumber, size_t> numbers;
  for (LeafNumber leaf : order_) {
    if (stepOf_[leaf] < 0 || !(isBehind[leaf] || leads[leaf])) continue;
    auto [known, isNew] = numbers.try_emplace(origin_[leaf], runs_.size());
    if (isNew) runs_.emplace_back().origin = origin_[leaf];
    Run &run = runs_[known->second];
    run.leaves.push_back(leaf);
    const Leaf &place = leaves_.place(leaf);
    const Instruction &of =
        module_.computations[place.computation].instructions[place.instruction];
    if (isCollective(leaf)) {
      const std::pair<ComputationId, InstructionId> at{place.computation,
                                                       place.instruction};
      if (run.collectives.empty() || run.collectives.back().first != at)
        run.collectives.push_back({at, {}});
      for (auto [source, number] : step(leaf).sources)
        if (!llvm::is_contained(run.collectives.back().second, number))
          run.collectives.back().second.push_back(number);
    } else if (step(leaf).kind != LeafStep::Kind::Same) {
      run.moves |= !isBijection(of.op);
    }
  }
  for (const auto &[leaf, reader] : uses_) {
    if (!isBehind[leaf]) continue;
    runs_[numbers.at(origin_[leaf])].readers.push_back({leaf, reader});
  }
}

}  // namespace indexical
