#include "indexical/program/maps/alike_computations.h"

#include <utility>

#include "llvm/ADT/Hashing.h"

#include "indexical/ops/sizes.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

/// A module of more different ones repeats little.
constexpr size_t kMostKept = 4096;

}  // namespace

AlikeComputations::Parts AlikeComputations::partsOf(
    const Computation &computation) {
  Parts parts = {computation.root};
  for (const Instruction &i : computation.instructions) {
    if (!calleesOf(i).empty() || hasOpenSizes(shapesOf(i.op))) return {};
    // Equal ops are one object.
    parts.push_back(reinterpret_cast<intptr_t>(&i.op.descriptor()));
    parts.push_back(i.parameterNumber);
    parts.push_back(i.called.size());
    parts.push_back(i.operands.size());
    parts.insert(parts.end(), i.operands.begin(), i.operands.end());
    parts.push_back(i.elements.size());
    parts.insert(parts.end(), i.elements.begin(), i.elements.end());
  }
  return parts;
}

ComputationId AlikeComputations::find(const Parts &parts) const {
  auto found = first_.find(parts);
  return found == first_.end() ? ComputationId() : found->second;
}

void AlikeComputations::note(Parts parts, ComputationId computation) {
  if (!parts.empty() && first_.size() < kMostKept)
    first_.try_emplace(std::move(parts), computation);
}

size_t AlikeComputations::Hash::operator()(const Parts &parts) const {
  return llvm::hash_combine_range(parts.begin(), parts.end());
}

}  // namespace indexical
