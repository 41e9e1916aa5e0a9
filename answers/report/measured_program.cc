#include "indexical/answers/report/measured_program.h"

#include <map>
#include <tuple>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/report/profile_times.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using KernelPlace = std::tuple<const Module *, ComputationId, InstructionId>;

KernelPlace placeOf(const MeasuredProgram &of, const KernelCost &kernel) {
  return {&of.program->modules[kernel.module], kernel.computation,
          kernel.instruction};
}

/// Sets the device that the question names, or the default one for none.
void setDevices(const LaunchQuestion &question, DeviceProgram &of) {
  if (question.device) of.devices = {{question.device, "", ""}, {}};
  if (!of.devices.first.device) of.devices.first.device = &defaultDevice();
}

bool isScheduled(const Program &program) {
  return llvm::all_of(program.modules,
                      [](const Module &module) { return module.isScheduled; });
}

/// Returns the grids that kernels are predicted to have.
std::map<KernelPlace, std::optional<Grid>> gridsOf(const MeasuredProgram &of) {
  std::map<KernelPlace, std::optional<Grid>> grids;
  for (const KernelCost &kernel : of.kernels)
    grids[placeOf(of, kernel)] = kernel.kernel().grid;
  return grids;
}

/// Predicts the kernels again of which the profile says how many of their
/// blocks a core holds.
void predictAsRun(MeasuredProgram &of) {
  std::map<KernelPlace, const MeasuredOp *> ops;
  for (const MeasuredOp &op : of.joined.ops)
    ops[{of.joined.modules[op.module].of.module, op.computation,
         op.instruction}] = &op;
  for (KernelCost &kernel : of.kernels) {
    const auto found = ops.find(placeOf(of, kernel));
    const auto &demand = kernel.measurement->demand;
    // With several kernels, it is unknown which of them the blocks belong to.
    if (found == ops.end() || found->second->kernels.size() != 1 || !demand)
      continue;
    const LaunchDetails &details = found->second->kernels.front().details;
    if (residentBlocks(details, of.device()))
      kernel.timeAsRun =
          predictedTime(*demand, of.device(), residencyOf(details));
  }
  shareTime(of.kernels);
}

}  // namespace

MeasuredProgram withCosts(DeviceProgram of, std::vector<KernelCost> kernels,
                          const LaunchQuestion &question) {
  setDevices(question, of);
  MeasuredProgram measured{std::move(of)};
  measured.kernels = std::move(kernels);
  measured.scheduled = isScheduled(*measured.program);
  measured.areKernels =
      *measured.scheduled || question.launch == LaunchModel::Xla;
  addFacts(*measured.program, measured.kernels);
  return measured;
}

absl::StatusOr<MeasuredProgram> measure(DeviceProgram of,
                                        const LaunchQuestion &question,
                                        const Ask &ask) {
  setDevices(question, of);
  INDEXICAL_ASSIGN_OR_RETURN(auto kernels, costsOf(of, question, ask));
  return withCosts(std::move(of), std::move(kernels), question);
}

absl::StatusOr<MeasuredProgram> measureProfile(
    DeviceProgram of, std::shared_ptr<ProfiledProgram> read,
    const LaunchQuestion &question, const JoinChoice &join, const Ask &ask) {
  INDEXICAL_RETURN_IF_ERROR(checkChoice(read->profile, join));
  setDevices(question, of);
  INDEXICAL_ASSIGN_OR_RETURN(auto kernels, costsOf(of, question, ask));
  // Other programs are not looked at, so nothing may be said of them.
  if (const auto program = join.program)
    llvm::erase_if(kernels, [&](const KernelCost &kernel) {
      return read->modules[kernel.module].program.value_or(*program) !=
             *program;
    });
  MeasuredProgram measured =
      withCosts(std::move(of), std::move(kernels), question);
  measured.areKernels = true;
  measured.joined = indexical::join(
      read->profile, read->modules, join,
      [grids = gridsOf(measured)](const Module &module,
                                  const KernelSite &site) {
        const auto found =
            grids.find({&module, site.computation, site.instruction});
        return found == grids.end() ? std::nullopt : found->second;
      });
  measured.profiled = std::move(read);
  predictAsRun(measured);
  return measured;
}

absl::StatusOr<MeasuredProgram> measureOne(DeviceProgram of,
                                           const OneKernel &kernel,
                                           const Ask &ask) {
  const Device &device = of.devices.of(kernel.module);
  const Module &module = of.program->modules[kernel.module];
  ProgramIndexing maps(module, /*prover=*/nullptr, ask.budget);
  INDEXICAL_ASSIGN_OR_RETURN(auto launched,
                             kernelAt(maps, kernel.site, kernel.launch));
  CoalescingOptions asked(ask.budget);
  asked.runtime = kernel.runtime;
  TrafficMeter meter(device, asked);
  ReuseMeter reuse(device, asked);
  MeasuredProgram measured{std::move(of)};
  measured.kernels.push_back(
      costOf(module, kernel.module, std::move(launched), meter, reuse));
  measured.kernels.back().device = &device;
  addFacts(*measured.program, measured.kernels);
  if (auto name = meter.unusedRuntime())
    return errorAt(module.computations[kernel.site.computation]
                       .instructions[kernel.site.instruction]
                       .place,
                   "no read has a runtime variable `" + *name + "`");
  return measured;
}

}  // namespace indexical
