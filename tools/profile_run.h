// A profile and its kernels: predicted, measured, joined.
//
//   run  = the profile's modules, their kernels, the device, the times
//   then = an earlier run, as an earlier report
//   compare(names, run.kernels, device, then), compareTimes(run, …)
#ifndef INDEXICAL_TOOLS_PROFILE_RUN_H
#define INDEXICAL_TOOLS_PROFILE_RUN_H

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/tools/baseline.h"
#include "indexical/tools/command.h"
#include "indexical/tools/profile_input.h"
#include "indexical/tools/profile_report.h"
#include "indexical/tools/traffic_call.h"

namespace indexical {

struct ProfileRun {
  ProfiledProgram read;
  const Device *device = nullptr;
  std::vector<MeasuredKernel> kernels;
  JoinedProfile joined;
  std::optional<ProfileView> view;
};

/// Reads, measures and joins a profile. The device is that of the profile,
/// unless --device names one.
absl::StatusOr<std::unique_ptr<ProfileRun>> profileRunOf(
    const Input &input, const ProfileOptions &asked,
    const TrafficOptions &options, Call &call);

/// Returns the run as an earlier report, for a comparison.
OldReport oldReportOf(const ProfileRun &run);

/// Returns the microseconds of a step of the timestamps of that vendor.
double clockStepOf(const Device &device);

/// Adds the kernels that became slower or faster to a comparison. Returns a
/// message with the kernel that is slower by more than the limit in per cent,
/// or "" if there is none, or no limit.
std::string compareTimes(const ProfileRun &run,
                         std::optional<double> failSlower,
                         Comparison &comparison);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_PROFILE_RUN_H
