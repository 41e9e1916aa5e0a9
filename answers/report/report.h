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
// `kernels` lists all kernels in program order. `rows` lists those that the
// question's choice selects, in its order, with their sums. A report owns what
// it refers to.
#ifndef INDEXICAL_ANSWERS_REPORT_REPORT_H
#define INDEXICAL_ANSWERS_REPORT_REPORT_H

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
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
  /// The rows and their order. By default, kernels are ordered by avoidable
  /// time; groups, and kernels without such a time, by wasted bytes. All rows
  /// are listed; a report for people has at most 10, without those below 1% of
  /// the time.
  RowChoice rows;
  /// Whether people read the report: similar kernels then share one row, unless
  /// `each` is set or there is a baseline.
  bool forPeople = false, each = false;
  CommunicationChoice communication;
  JoinChoice join;       ///< only of a profile: which of its launches count
  bool cancels = false;  ///< also which movement cancels
  bool live = false;     ///< also what is live at the peak of memory
  /// An earlier report to compare with, or null. Without an order, the kernels
  /// whose waste (in a profile, whose time) changed most come first. If both
  /// are of profiles, times are compared, too.
  std::shared_ptr<const OldReport> baseline;
};

/// A file of several that could not be read.
struct FailedFile {
  std::string file;
  absl::Status status;
};

/// A report, which owns what it refers to and can be moved.
struct Report : MeasuredProgram {
  explicit Report(MeasuredProgram of) : MeasuredProgram(std::move(of)) {}

  RowChoice choice;  ///< with what the question left open
  SelectedRows rows;
  Communication communication;                    ///< between devices
  std::optional<std::vector<Cancelled>> cancels;  ///< if they are asked for
  std::optional<std::vector<LiveAtPeak>> peaks;   ///< if they are asked for
  std::optional<Comparison> comparison;           ///< with the baseline
  std::optional<ProfileTimes> profile;            ///< of a report of a profile
  std::vector<FailedFile> failed;                 ///< that are left out
  bool isWhole = true;  ///< false: some kernels or files are left out
  /// Holds the lists that names() has made so far.
  std::unique_ptr<KernelOperands> operands = std::make_unique<KernelOperands>();

  KernelNames names() const { return {*program, files, operands.get()}; }
  /// Returns the avoidable part of the kernel's time over all trips, or
  /// launches. Returns std::nullopt if the time is unknown, and for a single
  /// kernel, whose neighbours are unknown.
  std::optional<AvoidedTime> avoidedOf(const KernelCost &kernel) const;
  /// Returns whether avoidedOf() may have a value.
  bool knowsAvoidable() const {
    return profile || (areKernels && scheduled.has_value());
  }
};

/// Returns the report of a program, of a profile, or of one kernel. Ignores the
/// question's launch, which the costs include already. Returns an error if the
/// call is ended while it looks for movement that cancels.
absl::StatusOr<Report> reportOf(MeasuredProgram of,
                                const ReportQuestion &question = {},
                                const Ask &ask = {});

/// Returns the report in the form of an earlier one, for a later comparison.
OldReport oldReportOf(const Report &report);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_REPORT_H
