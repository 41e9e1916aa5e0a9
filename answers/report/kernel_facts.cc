#include "indexical/answers/report/kernel_facts.h"

#include <map>
#include <optional>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/cost/launch/atomics.h"
#include "indexical/cost/launch/ideal_time.h"
#include "indexical/cost/launch/kernel_classes.h"
#include "indexical/import/hlo/donated.h"

namespace indexical {

using llvm::StringRef;

namespace {

/// Gives facts, module by module.
class FactFinder {
 public:
  explicit FactFinder(const Program &program) : program_(program) {}

  void addTo(KernelCost &kernel) {
    const Module &module = program_.modules[kernel.module];
    const Computation &computation = module.computations[kernel.computation];
    const Instruction &instruction =
        computation.instructions[kernel.instruction];
    const size_t alike =
        classes_.classOf(module, kernel.computation, kernel.instruction);
    // Modules that are not scheduled are launched in another way.
    auto [known, isNew] = ofClass_.try_emplace(
        {{alike, module.isScheduled}, kernel.device}, ofClass_.size());
    if (isNew) {
      KernelFacts &facts = facts_.emplace_back();
      facts.alike = known->second;
      facts.alikeCount = 0;
      facts.moved = movedElements(module, instruction);
      facts.neededBytes =
          neededBytes(kernel.kernel(), kernel.traffic(), *kernel.device,
                      firstOperandLeaves(computation, instruction));
      facts.operations = operationsOf(module, instruction);
      facts.atomics = atomicUpdatesOf(module, instruction);
      facts.ideal =
          idealTime(facts.neededBytes, facts.operations, *kernel.device);
    }
    ++facts_[known->second].alikeCount;
    kernel.facts = facts_[known->second];
    if (kernel.facts.moved.onlyMoves) kernel.facts.why = whyOf(kernel);
    kernel.facts.work = workKindOf(module, kernel);
  }

  void countAlike(KernelCost &kernel) const {
    kernel.facts.alikeCount = facts_[kernel.facts.alike].alikeCount;
  }

 private:
  CopyReason whyOf(const KernelCost &kernel) {
    const Module &module = program_.modules[kernel.module];
    if (reasonsOf_ != &module) {
      reasonsOf_ = &module;
      reasons_.emplace(module);
      donated_ = donatedLeaves(module);
    }
    return reasons_->of(kernel.computation, kernel.instruction,
                        [&](int64_t parameter, LeafId leaf) {
                          return donated_.count({parameter, leaf}) != 0;
                        });
  }

  const Program &program_;
  KernelClasses classes_;
  llvm::DenseMap<std::pair<std::pair<size_t, unsigned>, const Device *>, size_t>
      ofClass_;
  std::vector<KernelFacts> facts_;
  /// The module of the kernels that are being looked at.
  const Module *reasonsOf_ = nullptr;
  std::optional<CopyReasons> reasons_;
  DonatedLeaves donated_;
};

}  // namespace

void addFacts(const Program &program, std::vector<KernelCost> &kernels) {
  FactFinder finder(program);
  for (KernelCost &kernel : kernels) finder.addTo(kernel);
  for (KernelCost &kernel : kernels) finder.countAlike(kernel);
  addAvoidable(program, kernels);
}

StringRef nameOf(TimeUse use) {
  switch (use) {
    case TimeUse::Libraries:
      return "libraries";
    case TimeUse::BlocksWaits:
      return "blocks_and_waits";
    case TimeUse::Unused:
      return "unused_sectors";
    case TimeUse::Movement:
      return "movement";
    case TimeUse::Rest:
      break;
  }
  return "rest";
}

TimeUse timeUseOf(const KernelCost &kernel) {
  const Kernel &of = kernel.kernel();
  // A copy that a memcpy does, or a library, moves data all the same.
  if (of.bytesOnly && !kernel.facts.moved.onlyMoves) return TimeUse::Libraries;
  if (kernel.time() && (kernel.time()->limit == TimeLimit::Blocks ||
                        kernel.time()->limit == TimeLimit::Waits))
    return TimeUse::BlocksWaits;
  return kernel.facts.moved.onlyMoves ? TimeUse::Movement : TimeUse::Rest;
}

void TimePart::add(StringRef name, double microseconds) {
  time += microseconds;
  ++kernels;
  if (microseconds <= ofLargest) return;
  ofLargest = microseconds;
  largest = name;
}

double TimeUses::whole() const {
  double all = 0;
  for (const TimePart &part : parts) all += part.time;
  return all;
}

void TimeUses::add(const KernelCost &kernel, StringRef name,
                   double microseconds, double wastedPart) {
  if (!(microseconds > 0)) {
    unknown += !kernel.time();
    return;
  }
  const TimeUse use = timeUseOf(kernel);
  const bool isBound = use == TimeUse::Libraries || use == TimeUse::BlocksWaits;
  // Sectors that are moved and not used take time only where a launch that
  // moves each array once takes less.
  const Avoidable &avoidable = kernel.facts.avoidable;
  const double most =
      avoidable.predicted > 0
          ? std::max(0.0, 1 - avoidable.attainable / avoidable.predicted)
          : 1;
  const double unused = isBound ? 0 : microseconds * std::min(wastedPart, most);
  parts[size_t(use)].add(name, microseconds - unused);
  if (use == TimeUse::Rest && kernel.time())
    roofs[size_t(kernel.time()->limit)].add(name, microseconds - unused);
  if (unused > 0) parts[size_t(TimeUse::Unused)].add(name, unused);
}

}  // namespace indexical
