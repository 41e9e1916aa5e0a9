#include "indexical/analysis/partitioned/values_on_the_way.h"

#include <algorithm>
#include <vector>

#include "llvm/ADT/STLExtras.h"

namespace indexical {
void ValuesOnTheWay::addGlobal(const DeviceLeaves &leaves) {
  for (const DeviceArrays &arrays : leaves)
    for (const CellArrayPtr &array : arrays)
      for (const DeviceCell &cell : array->cells) global_.insert(cell.number);
}

void ValuesOnTheWay::addLocal(ComputationId computation,
                              InstructionId instruction,
                              const DeviceLeaves &leaves) {
  const std::pair<ComputationId, InstructionId> place{computation, instruction};
  for (const DeviceArrays &arrays : leaves)
    for (auto [device, array] : llvm::enumerate(arrays))
      for (const DeviceCell &cell : array->cells) {
        // Offsets and masks are no values of GLOBAL, and padding is no value.
        if (cell.reads == 0 || global_.count(cell.number)) continue;
        const auto reads = sets_.elements(cell.reads);
        if (std::binary_search(reads.begin(), reads.end(), padding_)) continue;
        auto [known, isNew] = others_.try_emplace(place, device);
        if (!isNew) known->second = std::min<int64_t>(known->second, device);
        break;
      }
}

std::optional<int64_t> ValuesOnTheWay::otherOn(
    ComputationId computation, InstructionId instruction) const {
  auto found = others_.find({computation, instruction});
  if (found == others_.end()) return std::nullopt;
  return found->second;
}

std::optional<ValuesOnTheWay::Parting> ValuesOnTheWay::partingIn(
    const Module &local, ComputationId c) const {
  const Computation &computation = local.computations[c];
  if (computation.root < 0) return std::nullopt;
  std::vector<bool> isSeen(computation.instructions.size(), false);
  std::vector<InstructionId> open = {computation.root}, ends;
  while (!open.empty()) {
    const InstructionId i = open.back();
    open.pop_back();
    if (isSeen[i] || !otherOn(c, i)) continue;
    isSeen[i] = true;
    const Instruction &of = computation.instructions[i];
    bool isEnd = of.parameterNumber < 0;
    for (InstructionId operand : of.operands) {
      if (!otherOn(c, operand)) continue;
      isEnd = false;
      open.push_back(operand);
    }
    if (isEnd) ends.push_back(i);
  }
  if (ends.empty()) return std::nullopt;
  for (InstructionId i : computation.postOrder()) {
    if (!llvm::is_contained(ends, i)) continue;
    // A fusion parts inside.
    for (const CalledComputation &called : computation.instructions[i].called) {
      if (called.computation < 0) continue;
      if (auto inside = partingIn(local, called.computation)) return inside;
    }
    return Parting{c, i, *otherOn(c, i)};
  }
  return std::nullopt;
}

std::optional<ValuesOnTheWay::Parting> ValuesOnTheWay::parting(
    const Module &local) const {
  return partingIn(local, local.entry);
}

}  // namespace indexical
