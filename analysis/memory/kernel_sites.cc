#include "indexical/analysis/memory/kernel_sites.h"

#include <algorithm>
#include <utility>

#include "indexical/indexing/arithmetic.h"

namespace indexical {

KernelRole roleOf(const Instruction &instruction) {
  return instruction.parameterNumber >= 0 || instruction.terminator
             ? KernelRole::None
             : traitsOf(instruction.op).role;
}

bool isFusion(const Instruction &instruction) {
  return &instruction.op.kind() == kindOf<CallOp>("fusion");
}

bool isLoopFusion(const Instruction &instruction) {
  return isFusion(instruction) && instruction.fusionKind == "kLoop";
}

namespace {

/// Collects sites, computation after computation.
class Sites {
 public:
  explicit Sites(const Module &module) : module_(module) {}

  void visit(int32_t c, int64_t trips, bool known) {
    // Recursion is no HLO; a computation that is run from many places is met as
    // often.
    if (depth_ > 64 || sites_.size() > 1'000'000) return;
    ++depth_;
    const Computation &computation = module_.computations[c];
    for (size_t i = 0; i < computation.instructions.size(); ++i) {
      const Instruction &instruction = computation.instructions[i];
      if (isKernel(instruction)) {
        sites_.push_back({c, static_cast<int32_t>(i), trips, known});
        continue;
      }
      if (roleOf(instruction) != KernelRole::Runs) continue;
      const bool isWhile = instruction.op.is<WhileOp>();
      int64_t inside = trips;
      bool insideKnown = known;
      if (isWhile) {
        const auto product =
            checkedMul(trips, instruction.tripCount.value_or(1));
        inside = product.value_or(trips);
        insideKnown &= instruction.tripCount.has_value() && product.has_value();
      }
      for (const CalledComputation &called : instruction.called)
        if (called.computation >= 0 && called.role != CallRole::Other)
          visit(called.computation, inside, insideKnown);
    }
    --depth_;
  }

  std::vector<KernelSite> take() { return std::move(sites_); }

 private:
  const Module &module_;
  std::vector<KernelSite> sites_;
  int depth_ = 0;
};

}  // namespace

bool isKernel(const Instruction &instruction) {
  const KernelRole role = roleOf(instruction);
  return role == KernelRole::Bytes || role == KernelRole::Maps;
}

namespace {

bool isCalled(const Module &module, size_t c) {
  for (const Computation &computation : module.computations)
    for (const Instruction &instruction : computation.instructions)
      for (const CalledComputation &called : instruction.called)
        if (called.computation == static_cast<int32_t>(c)) return true;
  return false;
}

}  // namespace

std::vector<KernelSite> kernelSites(const Module &module) {
  Sites sites(module);
  if (module.entry >= 0)
    sites.visit(module.entry, 1, true);
  else
    for (size_t c = 0; c < module.computations.size(); ++c)
      if (!isCalled(module, c)) sites.visit(c, 1, true);
  return sites.take();
}

}  // namespace indexical
