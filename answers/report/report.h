// The report of a module: bytes that each kernel moves and wastes, and its
// predicted time. For a profile, also the measured times.
//
//   ReportQuestion question;
//   question.device = findDevice("h100");
//   auto measured = measure(*std::move(program), question);
//   auto report = reportOf(*std::move(measured), question);
//   for (const KernelRow &row : report->rows.kernels)
//     if (row.sums.wastedLeast > limit)
//       os << report->names().instructionOf(*row.kernel).name << ": "
//          << row.sums.wastedLeast << " bytes\n";
//
// `kernels` are all of them, in the order of the program. `rows` are those that
// the question's choice takes, in its order, with their sums. A report owns
// what it refers to.
#ifndef INDEXICAL_ANSWERS_REPORT_REPORT_H
#define INDEXICAL_ANSWERS_REPORT_REPORT_H

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/report/baseline.h"
#include "indexical/answers/report/cancels.h"
#include "indexical/answers/report/communication.h"
#include "indexical/answers/report/kernel_cost.h"
#include "indexical/answers/report/live.h"
#include "indexical/answers/report/measured_program.h"
#include "indexical/answers/report/profile_times.h"
#include "indexical/answers/report/rows.h"
#include "indexical/cost/profile/joined_profile.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct ReportQuestion : LaunchQuestion {
  /// The choice of rows. By default, the most wasted bytes come first, and all
  /// rows are shown; for people, the most avoidable time, and 10 rows.
  RowChoice rows;
  /// Whether the report is to be read by people: alike kernels are then one
  /// row, unless `each`, or there is a baseline.
  bool forPeople = false, each = false;
  CommunicationChoice communication;
  JoinChoice join;       ///< only of a profile: which of its launches count
  bool cancels = false;  ///< also which movement cancels
  bool live = false;     ///< also what is live at the peak of memory
  /// An earlier report to compare with, or null. Without an order, the kernels
  /// whose waste (of a profile, whose time) changed most come first. If both
  /// are of profiles, times are compared, too.
  std::shared_ptr<const OldReport> baseline;
};

/// A report, which owns what it refers to and can be moved.
struct Report : MeasuredProgram {
  explicit Report(MeasuredProgram of) : MeasuredProgram(std::move(of)) {}

  SelectedRows rows;
  Communication communication;                    ///< between devices
  std::optional<std::vector<Cancelled>> cancels;  ///< if they are asked for
  std::optional<std::vector<LiveAtPeak>> peaks;   ///< if they are asked for
  std::optional<Comparison> comparison;           ///< with the baseline
  std::optional<ProfileTimes> profile;            ///< of a report of a profile
  /// Holds the lists that names() has made so far.
  std::unique_ptr<KernelOperands> operands = std::make_unique<KernelOperands>();

  KernelNames names() const { return {*program, files, operands.get()}; }
  /// Returns the avoidable part of the kernel's time in all trips, or launches;
  /// nothing without a time, and for one kernel alone, whose neighbours are
  /// unknown.
  std::optional<AvoidedTime> avoidedOf(const KernelCost &kernel) const;
  /// Whether kernels may have such a time.
  bool knowsAvoidable() const {
    return profile || (areKernels && scheduled.has_value());
  }
};

/// Returns the report of a program, of a profile, or of one kernel. Of the
/// question the launch is in the costs already. Returns an error if the call is
/// ended while it looks for movement that cancels.
absl::StatusOr<Report> reportOf(MeasuredProgram of,
                                const ReportQuestion &question = {},
                                const Ask &ask = {});

/// Returns the report as an earlier one, for a comparison.
OldReport oldReportOf(const Report &report);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_REPORT_H
