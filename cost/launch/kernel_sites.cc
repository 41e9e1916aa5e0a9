#include "indexical/cost/launch/kernel_sites.h"

#include <algorithm>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/ops/control/start.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/loop_trips.h"

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

// A computation that is run from many places is met as often.
constexpr size_t kMostSites = 1'000'000;

/// Collects sites, computation after computation; calls may be any number deep.
class Sites {
 public:
  explicit Sites(const Module &module) : module_(module) {}

  absl::Status visit(ComputationId c) {
    enter(c, 1, true);
    while (!open_.empty()) {
      Entered &place = open_.back();
      const Computation &computation = module_.computations[place.computation];
      if (place.next == computation.instructions.size()) {
        isOpen_[place.computation] = false;
        open_.pop_back();
        continue;
      }
      const size_t i = place.next;
      const Instruction &instruction = computation.instructions[i];
      const bool runs =
          roleOf(instruction) == KernelRole::Runs || startsKernels(instruction);
      if (isKernel(instruction) && !runs) {
        ++place.next;
        if (sites_.size() == kMostSites)
          return errorAt(instruction.place,
                         "up to here more than " + std::to_string(kMostSites) +
                             " kernels run: those of a computation count as "
                             "often as it is called");
        sites_.push_back(
            {place.computation, InstructionId(i), place.trips, place.known});
      } else if (runs && place.called < instruction.called.size()) {
        run(place.computation, InstructionId(i), place.called++);
      } else {
        ++place.next;
        place.called = 0;
      }
    }
    return absl::OkStatus();
  }

  std::vector<KernelSite> take() { return std::move(sites_); }

 private:
  /// A computation that is gone through: how far, and how often it runs.
  struct Entered {
    ComputationId computation;
    int64_t trips = 1;
    bool known = true;
    size_t next = 0, called = 0;
  };

  /// Whether it starts what is launched on another stream: fusions, or a
  /// computation. A copy or a collective that is started is one launch.
  bool startsKernels(const Instruction &instruction) const {
    return instruction.op.is<StartOp>() &&
           llvm::any_of(instruction.called, [&](const CalledComputation &of) {
             return of.computation >= 0 && of.role != CallRole::Other &&
                    llvm::any_of(
                        module_.computations[of.computation].instructions,
                        [](const Instruction &inner) {
                          return isFusion(inner) ||
                                 roleOf(inner) == KernelRole::Runs;
                        });
           });
  }

  void enter(ComputationId c, int64_t trips, bool known) {
    isOpen_.resize(module_.computations.size());
    // Recursion is no HLO.
    if (isOpen_[c]) return;
    isOpen_[c] = true;
    open_.push_back({c, trips, known});
  }

  void run(ComputationId c, InstructionId i, size_t number) {
    const Instruction &instruction = module_.computations[c].instructions[i];
    const CalledComputation &called = instruction.called[number];
    if (called.computation < 0 || called.role == CallRole::Other) return;
    int64_t inside = open_.back().trips;
    bool insideKnown = open_.back().known;
    if (instruction.op.is<WhileOp>()) {
      const std::optional<int64_t> trips = tripsOf(module_, c, i);
      const bool isStated = instruction.tripCount.has_value();
      const auto product =
          checkedMul(inside, runsOf(trips, isStated, called.role));
      inside = product.value_or(inside);
      insideKnown &= trips.has_value() && product.has_value();
    }
    enter(called.computation, inside, insideKnown);
  }

  /// How often a loop runs its body or its condition. The condition says when
  /// to end, and runs once more than the body. A runtime to which the module
  /// states the count does not ask it. A count that is not known is assumed to
  /// be 1.
  static int64_t runsOf(std::optional<int64_t> count, bool isStated,
                        CallRole role) {
    const int64_t trips = count.value_or(1);
    if (role != CallRole::Condition) return trips;
    return isStated ? 0 : trips + 1;
  }

  const Module &module_;
  std::vector<KernelSite> sites_;
  std::vector<Entered> open_;
  std::vector<bool> isOpen_;
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

std::vector<KernelSite> kernelSites(const Module &module, absl::Status *end) {
  Sites sites(module);
  absl::Status status;
  if (module.entry >= 0) {
    status = sites.visit(module.entry);
  } else {
    for (size_t c = 0; c < module.computations.size() && status.ok(); ++c)
      if (!isCalled(module, c)) status = sites.visit(ComputationId(c));
  }
  if (end) *end = status;
  return sites.take();
}

}  // namespace indexical
