#include "indexical/program/module/computations_with.h"

#include <cstddef>

#include "llvm/ADT/STLExtras.h"

namespace indexical {

ComputationsWith::ComputationsWith(const Module &module,
                                   std::function<bool(const Instruction &)> is)
    : is_(std::move(is)), ways_(module.computations.size()) {
  std::vector<std::vector<ComputationsWith::Place>> callers(ways_.size());
  std::vector<ComputationId> found;
  const int32_t count = static_cast<int32_t>(ways_.size());
  for (ComputationId c(0); c < count; ++c) {
    const auto &instructions = module.computations[c].instructions;
    for (InstructionId i(0); i < static_cast<int32_t>(instructions.size());
         ++i) {
      for (const CalledComputation &called : instructions[i].called)
        if (called.computation >= 0)
          callers[called.computation].emplace_back(c, i);
      if (ways_[c] || !is_(instructions[i])) continue;
      ways_[c] = Way{i, std::nullopt};
      found.push_back(c);
    }
  }
  for (size_t k = 0; k < found.size(); ++k) {
    const ComputationId callee = found[k];
    for (const auto &[caller, instruction] : callers[callee]) {
      if (ways_[caller]) continue;
      ways_[caller] = Way{instruction, callee};
      found.push_back(caller);
    }
  }
}

bool ComputationsWith::has(const Instruction &instruction) const {
  return is_(instruction) ||
         llvm::any_of(instruction.called, [&](const CalledComputation &called) {
           return called.computation >= 0 && has(called.computation);
         });
}

std::optional<ComputationsWith::Place> ComputationsWith::first(
    ComputationId computation) const {
  if (!has(computation)) return std::nullopt;
  while (ways_[computation]->callee) computation = *ways_[computation]->callee;
  return Place(computation, ways_[computation]->instruction);
}

}  // namespace indexical
