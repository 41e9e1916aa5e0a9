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

/// The number of kernels, or groups, for people.
constexpr size_t kTopForPeople = 10;

/// Returns the requested order, or else the one that is looked for.
const SortKey *sortOf(const ReportQuestion &question, const Report &report) {
  const RowChoice &rows = question.rows;
  if (rows.sort) return rows.sort;
  if (!report.areKernels) return findSortKey("wasted");
  if (rows.group)
    return findSortKey(rows.group->name == kArrayKey ? "moved" : "wasted");
  return findSortKey(report.knowsAvoidable() ? "avoidable" : "wasted");
}

/// Returns the choice of rows with what the question leaves to the report.
RowChoice rowsOf(const ReportQuestion &question, const Report &report) {
  RowChoice rows = question.rows;
  rows.sort = sortOf(question, report);
  rows.isMeasured = report.profiled != nullptr;
  const bool ranks = report.areKernels && report.scheduled && !rows.group &&
                     !question.baseline;
  rows.endsAtLittle = ranks && question.forPeople && !rows.top;
  rows.ranks = ranks && !question.forPeople;
  rows.ranksEach = question.each;
  rows.alikeTogether = question.forPeople && !question.each &&
                       !question.baseline && report.areKernels;
  return rows;
}

/// Selects the rows, with the times of a profile, or with what goes between
/// devices.
void addRows(const ReportQuestion &question, const Ask &ask, Report &report) {
  const RowChoice &choice = report.choice = rowsOf(question, report);
  AddSums addSums;
  if (report.profiled) {
    report.profile.emplace(*report.profiled, std::move(report.joined),
                           report.kernels, report.device());
    addSums = [&](const KernelCost &kernel, TrafficSums &sums) {
      report.profile->addTimes(kernel, sums);
    };
  } else if (report.scheduled) {
    report.communication = Communication::of(
        *report.program, question.communication, question.rows, ask.messages);
    if (choice.sort == findSortKey("received"))
      addSums = [&](const KernelCost &kernel, TrafficSums &sums) {
        sums.received = report.communication.received(
            kernel.module, kernel.computation, kernel.instruction);
      };
  }
  report.rows = select(report.names(), report.kernels, choice, addSums);
  if (question.forPeople && !choice.top)
    report.rows.shown = std::min(report.rows.shown, kTopForPeople);
  if (!choice.filters.empty()) report.communication.show(shownBy(report.rows));
}

/// Adds the changes of times to the comparison.
void compareTimes(Report &report) {
  Comparison &comparison = *report.comparison;
  for (const KernelCost &kernel : report.kernels) {
    const OldKernel *old = comparison.was.lookup(&kernel);
    const MeasuredRow *row =
        report.profile ? report.profile->rowOf(kernel) : nullptr;
    if (const auto was = old ? old->allTrips() : std::nullopt;
        was && kernel.time() && report.areKernels)
      comparison.predicted.add(*was, kernel.allTripsAsWritten());
    if (const auto now = report.avoidedOf(kernel); now && old && old->avoidable)
      comparison.avoidable.add(*old->avoidable, now->microseconds);
    if (!old || !row || !row->median() || !old->measured) continue;
    comparison.addTimes(kernel, *old, *row->median(), *row->op->least * 1e-6,
                        clockStepOf(report.device()));
  }
}

/// Sorts the kernels whose waste, or measured time, changed most first.
void sortByChange(Report &report) {
  const Comparison &comparison = *report.comparison;
  if (report.profile)
    return sortByChange(report.rows.kernels, [&](const KernelRow &row) {
      const OldKernel *old = comparison.was.lookup(row.kernel);
      const MeasuredRow *now = report.profile->rowOf(*row.kernel);
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

}  // namespace

std::optional<AvoidedTime> Report::avoidedOf(const KernelCost &kernel) const {
  if (const MeasuredRow *row = profile ? profile->rowOf(kernel) : nullptr)
    return row->avoided;
  if (profile || !knowsAvoidable() || !kernel.time()) return std::nullopt;
  return kernel.avoided();
}

absl::StatusOr<Report> reportOf(MeasuredProgram of,
                                const ReportQuestion &question,
                                const Ask &ask) {
  Report report(std::move(of));
  addRows(question, ask, report);
  if (question.live) report.peaks = livePeaksOf(*report.program);
  if (question.cancels) {
    INDEXICAL_ASSIGN_OR_RETURN(report.cancels,
                               cancelledIn(*report.program, ask));
  }
  if (question.baseline) {
    report.comparison.emplace(
        compare(report.names(), report.kernels, question.baseline));
    compareTimes(report);
    if (!question.rows.sort) sortByChange(report);
  }
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

}  // namespace indexical
