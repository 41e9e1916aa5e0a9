#include "indexical/cost/launch/fusion_body.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/control/forward.h"
#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"

namespace indexical {

std::optional<FusionBody> FusionBody::of(const Module &module,
                                         ComputationId computation,
                                         InstructionId instruction) {
  FusionBody body;
  body.number_ = computation;
  body.computation_ = &module.computations[computation];
  body.kernel_ = &body.computation_->instructions[instruction];
  body.root_ = instruction;
  if (&body.kernel_->op.kind() == kindOf<CallOp>("fusion")) {
    const auto callee = calleeOfCall(*body.kernel_);
    if (!callee || callee->computation < 0) return std::nullopt;
    body.isFusion_ = true;
    body.number_ = callee->computation;
    body.computation_ = &module.computations[callee->computation];
    body.root_ = body.computation_->root;
  }
  body.findRoots();
  body.findInstructions();
  return body;
}

void FusionBody::findRoots() {
  const int64_t count = at(root_).shape.leafCount();
  for (LeafId result; result < count; ++result) {
    InstructionLeaf leaf{root_, result};
    if (isFusion_) leaf = behindTuples(*computation_, leaf);
    // Leaves of one instruction that follow each other are of one root.
    if (!roots_.empty() && roots_.back().instruction == leaf.instruction &&
        roots_.back().results.back().leaf < leaf.leaf)
      roots_.back().results.push_back({leaf.leaf, result});
    else
      roots_.push_back({leaf.instruction, {{leaf.leaf, result}}});
  }
}

void FusionBody::findInstructions() {
  const Computation &computation = *computation_;
  // The body of another op is that op: its computation may be a whole module.
  if (!isFusion_) {
    first_ = root_;
    position_.assign(1, 0);
    instructions_ = {root_};
    users_.resize(1);
    return;
  }
  position_.assign(computation.instructions.size(), -1);
  std::vector<InstructionId> needed;
  auto need = [&](InstructionId i) {
    if (position_[i] >= 0 || computation.instructions[i].parameterNumber >= 0)
      return;
    position_[i] = 0;
    needed.push_back(i);
  };
  for (const BodyRoot &root : roots_) need(root.instruction);
  for (size_t next = 0; next < needed.size(); ++next)
    for (InstructionId operand : at(needed[next]).operands) need(operand);
  for (InstructionId i : computation.postOrder())
    if (position_[i] >= 0) {
      position_[i] = instructions_.size();
      instructions_.push_back(i);
    }
  users_.resize(instructions_.size());
  for (InstructionId i : instructions_)
    for (InstructionId operand : at(i).operands) {
      if (!contains(operand) || operand == i) continue;
      auto &users = users_[position_[operand]];
      if (!llvm::is_contained(users, i)) users.push_back(i);
    }
}

bool FusionBody::isRoot(InstructionId i) const {
  return llvm::any_of(
      roots_, [&](const BodyRoot &root) { return root.instruction == i; });
}

llvm::ArrayRef<ArrayShape> FusionBody::operands() const {
  return shapesOf(kernel_->op).operands;
}
llvm::ArrayRef<ArrayShape> FusionBody::results() const {
  return shapesOf(kernel_->op).results;
}

}  // namespace indexical
