#include "indexical/answers/report/report.h"

#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using llvm::StringRef;

using KernelPlace = std::tuple<const Module *, ComputationId, InstructionId>;

bool isScheduled(const Program &program) {
  return llvm::all_of(program.modules,
                      [](const Module &module) { return module.isScheduled; });
}

/// Sorts kernels by what `changeOf` returns, the largest first.
template <typename ChangeOf>
void sortByChange(std::vector<KernelRow> &rows, ChangeOf changeOf) {
  llvm::stable_sort(rows, [&](const KernelRow &a, const KernelRow &b) {
    return changeOf(a) > changeOf(b);
  });
}

/// Returns whether a read or write of a collective is among the rows.
Communication::IsShown shownBy(const SelectedRows &rows) {
  std::set<std::tuple<size_t, ComputationId, InstructionId>> shown;
  for (const KernelRow &row : rows.kernels)
    shown.insert(
        {row.kernel->module, row.kernel->computation, row.kernel->instruction});
  return [shown = std::move(shown)](size_t module, const Collective &of) {
    return shown.count({module, of.computation, of.instruction}) > 0;
  };
}

/// Adds what only some ask for.
absl::Status addAsked(const Program &program, const ReportQuestion &question,
                      const Ask &ask, Report &report) {
  if (question.live) report.peaks = livePeaksOf(program);
  if (question.cancels) {
    INDEXICAL_ASSIGN_OR_RETURN(report.cancels, cancelledIn(program, ask));
  }
  return absl::OkStatus();
}

//===-- A profile ---------------------------------------------------------===//

/// Returns the grids that kernels are predicted to have.
std::map<KernelPlace, std::optional<Grid>> gridsOf(const Report &report) {
  std::map<KernelPlace, std::optional<Grid>> grids;
  for (const KernelCost &kernel : report.kernels)
    grids[{&report.program->modules[kernel.module], kernel.computation,
           kernel.instruction}] = kernel.kernel().grid;
  return grids;
}

/// Predicts the kernels again of which the profile says how many of their
/// blocks a core holds.
void predictAsRun(const JoinedProfile &joined, Report &report) {
  std::map<KernelPlace, const MeasuredOp *> ops;
  for (const MeasuredOp &op : joined.ops)
    ops[{joined.modules[op.module].of.module, op.computation, op.instruction}] =
        &op;
  for (KernelCost &kernel : report.kernels) {
    const auto found = ops.find({&report.program->modules[kernel.module],
                                 kernel.computation, kernel.instruction});
    const auto &demand = kernel.measurement->demand;
    // With several kernels, it is unknown which of them the blocks belong to.
    if (found == ops.end() || found->second->kernels.size() != 1 || !demand)
      continue;
    const LaunchDetails &details = found->second->kernels.front().details;
    if (residentBlocks(details, *report.device))
      kernel.timeAsRun =
          predictedTime(*demand, *report.device, residencyOf(details));
  }
  shareTime(report.kernels);
}

}  // namespace

bool areKernels(const Program &program, std::optional<LaunchModel> launch) {
  return isScheduled(program) || launch == LaunchModel::Xla;
}

std::optional<AvoidedTime> Report::avoidedOf(const KernelCost &kernel) const {
  if (const MeasuredRow *row = profile ? profile->rowOf(kernel) : nullptr)
    return row->avoided;
  if (profile || !knowsAvoidable() || !kernel.time()) return std::nullopt;
  return kernel.avoided();
}

Report reportOf(const Program &program, std::vector<KernelCost> kernels,
                const ReportQuestion &question, const Ask &ask) {
  Report report;
  report.program = &program;
  report.device = question.device;
  report.scheduled = isScheduled(program);
  report.areKernels = areKernels(program, question.launch);
  report.whyDevice = question.whyDevice;
  report.devices = question.devices;
  report.whyDevices = question.whyDevices;
  report.files = question.files;
  report.kernels = std::move(kernels);
  addFacts(program, report.kernels);
  report.communication =
      Communication::of(program, question.communication, ask.messages);
  RowChoice choice = question.rows;
  choice.alikeTogether &= report.areKernels;
  if (choice.sort == findSortKey("received"))
    choice.addTimes = [&](const KernelCost &kernel, TrafficSums &sums) {
      sums.received = report.communication.received(
          kernel.module, kernel.computation, kernel.instruction);
    };
  report.rows = select(report.names(), report.kernels, choice);
  if (!choice.filters.empty()) report.communication.show(shownBy(report.rows));
  return report;
}

absl::StatusOr<Report> reportOf(const Program &program,
                                const ReportQuestion &question,
                                const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(auto kernels, costsOf(program, question, ask));
  Report report = reportOf(program, std::move(kernels), question, ask);
  INDEXICAL_RETURN_IF_ERROR(addAsked(program, question, ask, report));
  return report;
}

absl::StatusOr<Report> reportOf(ProfiledProgram &read,
                                const ReportQuestion &question,
                                const Ask &ask) {
  INDEXICAL_RETURN_IF_ERROR(checkChoice(read.profile, question.join));
  Report report;
  report.program = &read.program;
  report.device = question.device;
  report.whyDevice = question.whyDevice;
  report.scheduled = isScheduled(read.program);
  INDEXICAL_ASSIGN_OR_RETURN(report.kernels,
                             costsOf(read.program, question, ask));
  // Of other programs nothing is looked at, so nothing may be said of them.
  if (const auto program = question.join.program)
    llvm::erase_if(report.kernels, [&](const KernelCost &kernel) {
      return read.modules[kernel.module].program.value_or(*program) != *program;
    });
  addFacts(read.program, report.kernels);
  JoinedProfile joined = join(
      read.profile, read.modules, question.join,
      [grids = gridsOf(report)](const Module &module, const KernelSite &site) {
        const auto found =
            grids.find({&module, site.computation, site.instruction});
        return found == grids.end() ? std::nullopt : found->second;
      });
  predictAsRun(joined, report);
  report.profile.emplace(read, std::move(joined), report.kernels,
                         *question.device);
  RowChoice choice = question.rows;
  choice.addTimes = [&](const KernelCost &kernel, TrafficSums &sums) {
    report.profile->addTimes(kernel, sums);
  };
  report.rows = select(report.names(), report.kernels, choice);
  INDEXICAL_RETURN_IF_ERROR(addAsked(read.program, question, ask, report));
  return report;
}

absl::StatusOr<Report> costOf(const Program &program, size_t module,
                              const KernelSite &site,
                              const KernelCostQuestion &question,
                              const Ask &ask) {
  const Module &of = program.modules[module];
  ProgramIndexing maps(of, /*prover=*/nullptr, ask.budget);
  INDEXICAL_ASSIGN_OR_RETURN(auto kernel,
                             kernelAt(maps, site, question.launch));
  CoalescingOptions asked(ask.budget);
  asked.runtime = question.runtime;
  TrafficMeter meter(*question.device, asked);
  ReuseMeter reuse(*question.device, asked);
  Report report;
  report.program = &program;
  report.device = question.device;
  report.kernels.push_back(costOf(of, module, std::move(kernel), meter, reuse));
  report.kernels.back().device = question.device;
  addFacts(program, report.kernels);
  if (auto name = meter.unusedRuntime())
    return errorAt(
        of.computations[site.computation].instructions[site.instruction].place,
        "no read has a runtime variable `" + *name + "`");
  report.rows = select(report.names(), report.kernels, {});
  return report;
}

OldReport oldReportOf(const Report &report) {
  OldReport old;
  const KernelNames names = report.names();
  for (const KernelCost &kernel : report.kernels) {
    const Instruction &instruction = names.instructionOf(kernel);
    OldKernel &each = old.kernels.emplace_back();
    each.instruction = instruction.name.str();
    each.opName = instruction.metadata.opName.str();
    each.shapes = names.shapesOf(kernel);
    each.sums = sumsOf(kernel);
    each.used = each.sums.used();
    if (kernel.time() && report.areKernels)
      each.predicted = asWritten(kernel.time()->total());
    each.trips = kernel.kernel().trips;
    if (const auto avoided = report.avoidedOf(kernel))
      each.avoidable = avoided->microseconds;
    const MeasuredRow *row =
        report.profile ? report.profile->rowOf(kernel) : nullptr;
    if (!row) continue;
    each.measured = row->median();
    if (each.measured) each.measuredLeast = *row->op->least * 1e-6;
  }
  return old;
}

void compareWith(const OldReport &then, ComparedOrder order, Report &report) {
  Comparison &comparison =
      report.comparison.emplace(compare(report.names(), report.kernels, then));
  const ProfileTimes *times = report.profile ? &*report.profile : nullptr;
  for (const KernelCost &kernel : report.kernels) {
    const OldKernel *old = comparison.was.lookup(&kernel);
    const MeasuredRow *row = times ? times->rowOf(kernel) : nullptr;
    if (const auto was = old ? old->allTrips() : std::nullopt;
        was && kernel.time() && report.areKernels)
      comparison.predicted.add(*was, kernel.allTripsAsWritten());
    if (const auto now = report.avoidedOf(kernel); now && old && old->avoidable)
      comparison.avoidable.add(*old->avoidable, now->microseconds);
    if (!old || !row || !row->median() || !old->measured) continue;
    comparison.addTimes(kernel, *old, *row->median(), *row->op->least * 1e-6,
                        clockStepOf(*report.device));
  }
  if (order == ComparedOrder::AsBefore) return;
  if (times)
    return sortByChange(report.rows.kernels, [&](const KernelRow &row) {
      const OldKernel *old = comparison.was.lookup(row.kernel);
      const MeasuredRow *now = times->rowOf(*row.kernel);
      if (!old || !now || !now->median() || !old->measured) return 0.0;
      return std::abs(*now->median() - *old->measured);
    });
  sortByChange(report.rows.kernels, [&](const KernelRow &row) {
    const OldKernel *old = comparison.was.lookup(row.kernel);
    if (!old) return std::pair(int64_t{0}, 0.0);
    const auto was = old->allTrips();
    return std::pair(
        std::abs(row.sums.wasted - old->sums.wasted),
        was ? std::abs(row.kernel->allTripsAsWritten() - *was) : 0);
  });
}

}  // namespace indexical
