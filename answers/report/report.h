// The report: what each kernel of a module moves and wastes, and how long it
// takes. The same of a profile, beside the times that were measured.
//
//   ReportQuestion question;
//   question.device = findDevice("h100");
//   auto report = reportOf(*program, question);
//   for (const KernelRow &row : report->rows.kernels)
//     if (row.sums.wastedLeast > limit)
//       os << report->names().instructionOf(*row.kernel).name << ": "
//          << row.sums.wastedLeast << " bytes\n";
//
// `kernels` are all of them, in the order of the program. `rows` are those that
// the question's choice takes, in its order, with their sums.
#ifndef INDEXICAL_ANSWERS_REPORT_REPORT_H
#define INDEXICAL_ANSWERS_REPORT_REPORT_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/report/baseline.h"
#include "indexical/answers/report/cancels.h"
#include "indexical/answers/report/communication.h"
#include "indexical/answers/report/kernel_cost.h"
#include "indexical/answers/report/live.h"
#include "indexical/answers/report/measure_kernels.h"
#include "indexical/answers/report/profile_times.h"
#include "indexical/answers/report/profiled_program.h"
#include "indexical/answers/report/rows.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/profile/joined_profile.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct ReportQuestion : LaunchQuestion {
  RowChoice rows;
  CommunicationChoice communication;
  JoinChoice join;       ///< only of a profile: which of its launches count
  bool cancels = false;  ///< also which movement cancels
  bool live = false;     ///< also what is live at the peak of memory
  /// What says that the device is this one, if no one named it: `sm_8.0 in the
  /// file's name`.
  std::string whyDevice = "";
  /// What says so of each of `devices`; empty: nothing does.
  std::vector<std::string> whyDevices = {};
  /// The file of each module, of a program that is made of several.
  std::vector<std::string> files = {};
};

struct Report {
  const Program *program = nullptr;
  const Device *device = nullptr;
  std::string whyDevice;  ///< as in the question
  /// Where modules have several devices: that of each, and what says so.
  std::vector<const Device *> devices;
  std::vector<std::string> whyDevices;
  std::vector<std::string> files;  ///< likewise
  /// Whether every module is scheduled. Nothing: of one kernel, nobody asks.
  std::optional<bool> scheduled;
  /// Whether the instructions count as kernels, which have a sum: a compiler
  /// will fuse those of a module that is not scheduled.
  bool areKernels = true;
  std::vector<KernelCost> kernels;
  SelectedRows rows;
  Communication communication;                    ///< between devices
  std::optional<std::vector<Cancelled>> cancels;  ///< if they are asked for
  std::optional<std::vector<LiveAtPeak>> peaks;   ///< likewise
  std::optional<Comparison> comparison;           ///< by compareWith()
  std::optional<ProfileTimes> profile;            ///< of a report of a profile
  /// Holds the lists that names() has made so far.
  std::unique_ptr<KernelOperands> operands = std::make_unique<KernelOperands>();

  Report() = default;
  // Rows point to kernels.
  Report(Report &&) = default;
  Report &operator=(Report &&) = default;

  KernelNames names() const { return {*program, files, operands.get()}; }
  /// Returns what is avoidable of the kernel's time in all trips, or launches;
  /// nothing without a time. Of one kernel alone, nobody knows what its
  /// neighbours are.
  std::optional<AvoidedTime> avoidedOf(const KernelCost &kernel) const;
  /// Whether kernels may have such a time.
  bool knowsAvoidable() const {
    return profile || (areKernels && scheduled.has_value());
  }
};

/// Whether the instructions of a program count as kernels if that launch is
/// asked for.
bool areKernels(const Program &program, std::optional<LaunchModel> launch);

/// Returns the report of a program, which must outlive it. Kernels whose maps
/// fail are left out, with a warning. Returns an error only if there are too
/// many kernels to count, or one whose question is wrong.
absl::StatusOr<Report> reportOf(const Program &program,
                                const ReportQuestion &question,
                                const Ask &ask = {});

/// Like reportOf above, of kernels that were measured already: those of texts
/// of Triton (triton_kernels.h).
Report reportOf(const Program &program, std::vector<KernelCost> kernels,
                const ReportQuestion &question, const Ask &ask = {});

/// Returns the report of a profile, which must outlive it, and whose launches
/// are sorted. The question's device is the one whose peaks count; deviceOf()
/// is that of the profile. Returns an error by checkChoice(), too.
absl::StatusOr<Report> reportOf(ProfiledProgram &read,
                                const ReportQuestion &question,
                                const Ask &ask = {});

struct KernelCostQuestion {
  const Device *device = &defaultDevice();
  LaunchChoice launch;
  /// The values of runtime variables, as expressions, by name.
  std::vector<std::pair<std::string, std::string>> runtime;
};
/// Returns a report of one kernel of the program, which must outlive it.
/// Returns an error if the kernel cannot be measured, or no read has one of the
/// runtime variables.
absl::StatusOr<Report> costOf(const Program &program, size_t module,
                              const KernelSite &site,
                              const KernelCostQuestion &question,
                              const Ask &ask = {});

/// Returns the report as an earlier one, for a comparison.
OldReport oldReportOf(const Report &report);

/// The order of rows after a comparison: kernels whose waste (of a profile,
/// whose time) changed most first, or the order that they have.
enum class ComparedOrder : uint8_t { ChangedFirst, AsBefore };
/// Sets the comparison with an earlier report, which must outlive this one. If
/// both are of profiles, times are compared, too.
void compareWith(const OldReport &then, ComparedOrder order, Report &report);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_REPORT_H
