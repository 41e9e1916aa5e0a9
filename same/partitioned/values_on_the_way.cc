#include "indexical/same/partitioned/values_on_the_way.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace {

using Place = std::pair<ComputationId, InstructionId>;
/// The first device on which an instruction has an element that GLOBAL computes
/// nowhere.
using Others = std::map<Place, int64_t>;

/// Returns nothing if the modules are large.
std::optional<Others> othersOf(AtPoints &points,
                               llvm::ArrayRef<Stacker::Written> written) {
  std::set<uint64_t> global;
  for (const AtPoints::Site &site : points.valuesOfWhole()) {
    const auto prints = points.printsOf(0, site);
    if (!prints) return std::nullopt;
    for (const auto &print : *prints)
      if (print) global.insert(print->number);
  }
  Others others;
  // By value: an array may be handed on many times.
  std::map<std::pair<InstructionId, int32_t>, std::optional<int64_t>> devices;
  for (const Stacker::Written &each : written) {
    const Stacked &value = each.value;
    auto [device, isNew] =
        devices.try_emplace({value.instruction, value.element});
    if (isNew) {
      const auto prints = points.printsOf(
          1, {0, value.instruction, LeafId(std::max(value.element, 0))});
      if (!prints) return std::nullopt;
      const int64_t all = value.isOfDevice ? value.shape.dimensions[0] : 1;
      for (auto [e, print] : llvm::enumerate(*prints)) {
        // Offsets and masks are no values of GLOBAL, and of padding nothing is
        // known.
        if (!print || print->isConstant || global.count(print->number))
          continue;
        device->second = e / (prints->size() / all);
        break;
      }
    }
    if (!device->second) continue;
    auto [known, isFirst] = others.try_emplace(
        {each.computation, each.instruction}, *device->second);
    if (!isFirst) known->second = std::min(known->second, *device->second);
  }
  return others;
}

/// Calls itself for called computations, which the stacker has followed.
std::optional<Parting> partingIn(const Module &local, ComputationId c,
                                 const Others &others) {
  const Computation &computation = local.computations[c];
  if (computation.root < 0) return std::nullopt;
  std::vector<bool> isSeen(computation.instructions.size(), false);
  auto isOther = [&](InstructionId i) { return others.count({c, i}) > 0; };
  std::vector<InstructionId> open = {computation.root}, ends;
  while (!open.empty()) {
    const InstructionId i = open.back();
    open.pop_back();
    if (isSeen[i] || !isOther(i)) continue;
    isSeen[i] = true;
    const Instruction &of = computation.instructions[i];
    bool isEnd = of.parameterNumber < 0;
    for (InstructionId operand : of.operands) {
      if (!isOther(operand)) continue;
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
      if (auto inside = partingIn(local, called.computation, others))
        return inside;
    }
    return Parting{c, i, others.at({c, i})};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Parting> partingOf(AtPoints &points, const Module &local,
                                 llvm::ArrayRef<Stacker::Written> written) {
  const auto others = othersOf(points, written);
  if (!others) return std::nullopt;
  return partingIn(local, local.entry, *others);
}

}  // namespace indexical
