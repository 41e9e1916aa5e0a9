#include "indexical/tools/profile_run.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "indexical/indexing/status_macros.h"
#include "indexical/tools/launch_report.h"
#include "indexical/tools/measure_kernels.h"

namespace indexical {

namespace {

using KernelPlace = std::tuple<const Module *, ComputationId, InstructionId>;

/// Predicts the kernels again of which the profile says how many of their
/// blocks a core holds.
void predictAsRun(ProfileRun &run) {
  std::map<KernelPlace, const MeasuredOp *> ops;
  for (const MeasuredOp &op : run.joined.ops)
    ops[{run.joined.modules[op.module].of.module, op.computation,
         op.instruction}] = &op;
  for (MeasuredKernel &kernel : run.kernels) {
    const auto found = ops.find({&run.read.program.modules[kernel.module],
                                 kernel.computation, kernel.instruction});
    const auto &demand = kernel.measurement->demand;
    // With several kernels, it is unknown which of them the blocks belong to.
    if (found == ops.end() || found->second->kernels.size() != 1 || !demand)
      continue;
    const LaunchDetails &details = found->second->kernels.front().details;
    if (residentBlocks(details, *run.device))
      kernel.timeAsRun =
          predictedTime(*demand, *run.device, residencyOf(details));
  }
  shareTime(run.kernels);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ProfileRun>> profileRunOf(
    const Input &input, const ProfileOptions &asked,
    const TrafficOptions &options, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(auto read,
                             readProfiled(input, asked, options.readAs));
  auto run = std::make_unique<ProfileRun>();
  run->read = std::move(read);
  // The modules were moved.
  for (size_t m = 0; m < run->read.modules.size(); ++m)
    if (run->read.modules[m].module)
      run->read.modules[m].module = &run->read.program.modules[m];
  run->device = options.device;
  if (!options.deviceIsNamed) {
    INDEXICAL_ASSIGN_OR_RETURN(auto device,
                               deviceOf(run->read.profile, asked.join));
    run->device = device;
  }
  TrafficOptions own = options;
  own.device = run->device;
  INDEXICAL_ASSIGN_OR_RETURN(run->kernels,
                             measureAll(run->read.program, own, call));
  std::vector<llvm::StringRef> texts;
  for (const Program &source : run->read.sources)
    if (source.text) texts.push_back(*source.text);
  addFacts(run->read.program, *run->device, texts, run->kernels);
  std::map<KernelPlace, std::optional<Grid>> grids;
  for (const MeasuredKernel &kernel : run->kernels)
    grids[{&run->read.program.modules[kernel.module], kernel.computation,
           kernel.instruction}] = kernel.kernel().grid;
  run->joined =
      join(run->read.profile, run->read.modules, asked.join,
           [&](const Module &module, const KernelSite &site) {
             const auto found =
                 grids.find({&module, site.computation, site.instruction});
             return found == grids.end() ? std::nullopt : found->second;
           });
  predictAsRun(*run);
  run->view.emplace(run->read, run->joined, run->kernels, *run->device);
  return run;
}

OldReport oldReportOf(const ProfileRun &run) {
  OldReport report;
  const KernelNames names{run.read.program};
  for (const MeasuredKernel &kernel : run.kernels) {
    const Instruction &instruction = names.instructionOf(kernel);
    OldKernel old;
    old.instruction = instruction.name.str();
    old.opName = instruction.metadata.opName.str();
    old.shapes = names.shapesOf(kernel);
    old.sums = sumsOf(kernel, *run.device);
    old.used = old.sums.used();
    if (const MeasuredRow *row = run.view->rowOf(kernel)) {
      old.measured = row->median();
      if (old.measured) old.measuredLeast = *row->op->least * 1e-6;
    }
    report.kernels.push_back(std::move(old));
  }
  return report;
}

double clockStepOf(const Device &device) {
  return device.vendor == Vendor::Amd ? 0.040 : 0.032;
}

std::string compareTimes(const ProfileRun &run,
                         std::optional<double> failSlower,
                         Comparison &comparison) {
  const KernelNames names{run.read.program};
  std::string tooSlow;
  double most = 0;
  for (const MeasuredKernel &kernel : run.kernels) {
    const OldKernel *old = comparison.was.lookup(&kernel);
    const MeasuredRow *row = run.view->rowOf(kernel);
    if (!old || !row || !row->median() || !old->measured) continue;
    const double now = *row->median(), was = *old->measured;
    const TimeChange change =
        changeOf(*old, now, *row->op->least * 1e-6, clockStepOf(*run.device));
    if (change == TimeChange::Faster) {
      ++comparison.faster;
      comparison.fasterBy += was - now;
    }
    if (change != TimeChange::Slower) continue;
    ++comparison.slower;
    comparison.slowerBy += now - was;
    const double percent = 100 * (now - was) / std::max(was, 1e-6);
    if (!failSlower || percent <= *failSlower || percent <= most) continue;
    most = percent;
    tooSlow = "`" + names.instructionOf(kernel).name.str() + "` takes " +
              decimal(now, 2) + " us a launch and took " + decimal(was, 2) +
              ": that is " + decimal(percent, 1) +
              "% more, and --fail-slower allows " + decimal(*failSlower, 2) +
              "%";
  }
  return tooSlow;
}

}  // namespace indexical
