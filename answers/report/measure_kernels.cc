#include "indexical/answers/report/measure_kernels.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/ordered.h"
#include "indexical/answers/report/alike_kernels.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/module/operand_arrays.h"

namespace indexical {
namespace {

// A report asks of many reads; one that is hard has bounds.
constexpr int64_t kReportOperations = 2'000'000;

/// A kernel of the program, on its way.
struct Site {
  size_t module;
  KernelSite at;
};
struct Found {
  absl::StatusOr<KernelCost> kernel = absl::UnknownError("");
  bool isWhole = true;  ///< false: the call has ended
};

/// Measures kernels on one thread.
class KernelWorker {
 public:
  KernelWorker(const DeviceProgram &program, const LaunchQuestion &question,
               const Budget &budget, const CoalescingOptions &asked)
      : program_(program),
        question_(question),
        budget_(budget),
        asked_(asked) {}

  Found measure(const Site &site) {
    const Module &module = program_.program->modules[site.module];
    const Device &device = program_.devices.of(site.module);
    const KnownCosts *known =
        question_.threads ? nullptr : program_.known.get();
    auto cost = known ? known->at(site.module, site.at) : nullptr;
    if (cost && cost->kernel.model != LaunchModel::Compiled)
      return {costAt(site, device, std::move(cost)), budget_.check().ok()};
    if (!maps_ || &maps_->module() != &module)
      maps_.emplace(module, /*prover=*/nullptr, budget_);
    const LaunchChoice choice = question_.choice(module, device);
    OfDevice &own = of(device);
    if (cost)
      return {costAt(site, device,
                     besideModel(module, site, device, choice, own,
                                 std::move(cost))),
              budget_.check().ok()};
    auto *place = own.alike.placeOf(
        module.computations[site.at.computation]
            .instructions[site.at.instruction],
        site.at, choice.xla ? LaunchModel::Xla : LaunchModel::Linear, *maps_);
    Found found;
    if (place && *place) {
      found.kernel = costAt(site, device, *place);
      found.isWhole = budget_.check().ok();
      return found;
    }
    found.kernel = measureAt(module, site, device, choice, own);
    found.isWhole = budget_.check().ok();
    if (place && found.isWhole && found.kernel.ok())
      *place = found.kernel->measurement;
    return found;
  }

 private:
  /// What is kept for the modules of one device.
  struct OfDevice {
    OfDevice(const Device &device, const CoalescingOptions &asked)
        : meter(device, asked), reuse(device, asked) {}
    TrafficMeter meter;
    ReuseMeter reuse;
    AlikeKernels alike;
  };

  OfDevice &of(const Device &device) {
    auto &own = devices_[&device];
    if (!own) own = std::make_unique<OfDevice>(device, asked_);
    return *own;
  }

  static KernelCost costAt(const Site &site, const Device &device,
                           std::shared_ptr<const Measurement> measurement) {
    KernelCost cost{site.module, site.at.computation, site.at.instruction,
                    std::move(measurement)};
    cost.device = &device;
    return cost;
  }

  /// Returns the measurement of a compiled kernel with the emitter that the
  /// model knows, and what it says otherwise.
  std::shared_ptr<const Measurement> besideModel(
      const Module &module, const Site &site, const Device &device,
      const LaunchChoice &choice, OfDevice &own,
      std::shared_ptr<const Measurement> compiled) {
    if (!choice.xla) return compiled;
    const auto model = measureAt(module, site, device, choice, own);
    if (!model.ok()) return compiled;
    auto modelled = modelledOtherwise(
        {compiled->kernel, compiled->traffic},
        {model->kernel(), model->traffic()},
        arraysOfOperands(module, site.at.computation, site.at.instruction));
    auto both = std::make_shared<Measurement>(*compiled);
    both->kernel.emitter = model->kernel().emitter;
    if (modelled)
      both->modelled = std::make_shared<const Modelled>(*std::move(modelled));
    return both;
  }

  absl::StatusOr<KernelCost> measureAt(const Module &module, const Site &site,
                                       const Device &device,
                                       const LaunchChoice &choice,
                                       OfDevice &own) {
    INDEXICAL_ASSIGN_OR_RETURN(auto kernel, kernelAt(*maps_, site.at, choice));
    if (question_.threads) kernel.launchByOwn(*question_.threads);
    KernelCost cost =
        costOf(module, site.module, std::move(kernel), own.meter, own.reuse);
    cost.device = &device;
    return cost;
  }

  const DeviceProgram &program_;
  const LaunchQuestion &question_;
  const Budget budget_;
  const CoalescingOptions asked_;
  std::map<const Device *, std::unique_ptr<OfDevice>> devices_;
  std::optional<ProgramIndexing> maps_;
};

absl::StatusOr<std::vector<Site>> sitesOf(const Program &program) {
  std::vector<Site> sites;
  for (auto [m, module] : llvm::enumerate(program.modules)) {
    absl::Status end;
    for (const KernelSite &site : kernelSites(module, &end))
      sites.push_back({m, site});
    INDEXICAL_RETURN_IF_ERROR(end);
  }
  return sites;
}

}  // namespace

absl::StatusOr<std::vector<KernelCost>> costsOf(const DeviceProgram &of,
                                                const LaunchQuestion &question,
                                                const Ask &ask) {
  const Program &program = *of.program;
  const Budget &budget = ask.budget;
  CoalescingOptions asked(budget);
  asked.operations = budget.operationsOr(kReportOperations);
  INDEXICAL_ASSIGN_OR_RETURN(auto sites, sitesOf(program));
  auto instructionOf = [&](const Site &site) -> const Instruction & {
    return program.modules[site.module]
        .computations[site.at.computation]
        .instructions[site.at.instruction];
  };
  std::vector<KernelCost> kernels;
  kernels.reserve(sites.size());
  auto take = [&](size_t number, Found found) {
    if (!found.isWhole) return false;
    if (found.kernel.ok())
      kernels.push_back(*std::move(found.kernel));
    else  // the others stand
      ask.messages.warning(instructionOf(sites[number]).place,
                           std::string(found.kernel.status().message()));
    return true;
  };
  // Fewer are done before a thread has begun.
  constexpr size_t kFewSites = 200;
  const size_t jobs = sites.size() < kFewSites ? 1 : ask.jobs;
  std::vector<std::unique_ptr<KernelWorker>> workers;
  for (size_t i = 0; i < jobs; ++i)
    workers.push_back(
        std::make_unique<KernelWorker>(of, question, budget, asked));
  if (jobs == 1) {
    for (auto [number, site] : llvm::enumerate(sites))
      if (!take(number, workers.front()->measure(site))) break;
    shareTime(kernels);
    return kernels;
  }
  // Sites that run one computation belong to one worker, which finds it once.
  const size_t together = runLength(sites.size(), jobs);
  std::vector<uint32_t> owners;
  for (auto [number, site] : llvm::enumerate(sites)) {
    const Instruction &instruction = instructionOf(site);
    owners.push_back((instruction.called.empty()
                          ? number / together
                          : instruction.called.front().computation + 1) %
                     jobs);
  }
  inOrder<Found>(
      owners,
      [&](size_t worker, size_t number) {
        return workers[worker]->measure(sites[number]);
      },
      take);
  shareTime(kernels);
  return kernels;
}

}  // namespace indexical
