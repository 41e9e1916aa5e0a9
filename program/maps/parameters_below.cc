#include "indexical/program/maps/parameters_below.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/operand_leaves.h"

namespace indexical {
namespace {

// 128 MiB of all sets together.
constexpr int64_t kMostBits = int64_t{1} << 30;

}  // namespace

ParametersBelow::ParametersBelow(
    const Module &module, LoopLeaves &loops, ProgramIndexing &maps,
    llvm::function_ref<int32_t(InstructionLeaf)> termOf)
    : module_(module) {
  const Computation &entry = module.computations[module.entry];
  leaves_.resize(entry.instructions.size());
  for (InstructionId i : entry.parameters) {
    const size_t count = entry.instructions[i].shape.leafCount();
    for (size_t leaf = 0; leaf < count; ++leaf)
      terms_.push_back(termOf({i, LeafId(leaf)}));
  }
  llvm::sort(terms_);
  terms_.erase(std::unique(terms_.begin(), terms_.end()), terms_.end());
  sets_.emplace_back(terms_.size());
  for (InstructionId i : entry.postOrder())
    if (!place(i, loops, maps, termOf)) return;
  isComplete_ = true;
}

/// Finds the sets of an instruction's leaves. Returns false if it cannot.
bool ParametersBelow::place(
    InstructionId i, LoopLeaves &loops, ProgramIndexing &maps,
    llvm::function_ref<int32_t(InstructionLeaf)> termOf) {
  const Computation &entry = module_.computations[module_.entry];
  const Instruction &instruction = entry.instructions[i];
  const size_t count = instruction.shape.leafCount();
  std::vector<SetId> &own = leaves_[i];
  auto setAt = [&](const OperandLeaf &leaf) {
    return leaves_[leaf.instruction][leaf.result];
  };
  if (instruction.parameterNumber >= 0) {
    for (size_t leaf = 0; leaf < count; ++leaf) {
      llvm::BitVector one(terms_.size());
      one.set(llvm::lower_bound(terms_, termOf({i, LeafId(leaf)})) -
              terms_.begin());
      const auto added = add(std::move(one));
      if (!added) return false;
      own.push_back(*added);
    }
    return true;
  }
  OperandLeafLists lists(entry);
  if (const auto *forward = instruction.op.as<ForwardOp>()) {
    for (size_t leaf = 0; leaf < count; ++leaf) {
      const int64_t from = forward->reads[leaf];
      own.push_back(from < 0 ? 0 : setAt(lists.leaf(i, LeafId(from))));
    }
    return true;
  }
  llvm::SmallVector<SetId, 8> sizes;
  for (const Leaf &source : maps.sizeSources(module_.entry, i)) {
    if (leaves_[source.instruction].empty()) return false;
    sizes.push_back(leaves_[source.instruction][source.leaf]);
  }
  const auto operands = lists.of(i);
  std::optional<SetId> ofAll;
  for (size_t leaf = 0; leaf < count; ++leaf) {
    const auto few = loops.of(module_.entry, i, LeafId(leaf));
    if (!few && ofAll) {
      own.push_back(*ofAll);
      continue;
    }
    llvm::SmallVector<SetId, 8> parts = sizes;
    if (few)
      for (int64_t number : *few) parts.push_back(setAt(operands[number]));
    else
      for (const OperandLeaf &operand : operands)
        parts.push_back(setAt(operand));
    const auto all = unionOf(parts);
    if (!all) return false;
    if (!few) ofAll = all;
    own.push_back(*all);
  }
  return true;
}

std::optional<ParametersBelow::SetId> ParametersBelow::unionOf(
    llvm::ArrayRef<SetId> sets) {
  llvm::SmallVector<SetId, 8> different(sets.begin(), sets.end());
  llvm::sort(different);
  different.erase(std::unique(different.begin(), different.end()),
                  different.end());
  if (!different.empty() && different.front() == 0)
    different.erase(different.begin());
  if (different.empty()) return 0;
  if (different.size() == 1) return different.front();
  llvm::BitVector all = sets_[different.front()];
  for (SetId set : llvm::drop_begin(different)) all |= sets_[set];
  for (SetId set : llvm::reverse(different))
    if (sets_[set] == all) return set;
  return add(std::move(all));
}

std::optional<ParametersBelow::SetId> ParametersBelow::add(
    llvm::BitVector set) {
  const auto bits = static_cast<int64_t>(terms_.size());
  if (static_cast<int64_t>(sets_.size() + 1) * bits > kMostBits)
    return std::nullopt;
  sets_.push_back(std::move(set));
  return static_cast<SetId>(sets_.size()) - 1;
}

std::optional<std::vector<int32_t>> ParametersBelow::of(
    InstructionLeaf leaf) const {
  if (!isComplete_ || leaves_[leaf.instruction].empty()) return std::nullopt;
  std::vector<int32_t> found;
  for (unsigned bit : sets_[leaves_[leaf.instruction][leaf.leaf]].set_bits())
    found.push_back(terms_[bit]);
  return found;
}

}  // namespace indexical
