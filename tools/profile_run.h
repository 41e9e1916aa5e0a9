// A profile with all that is known of its kernels: predicted, measured, joined.
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

/// Reads, measures and joins. The device is that of the profile, unless
/// --device named one.
absl::StatusOr<std::unique_ptr<ProfileRun>> profileRunOf(
    const Input &input, const ProfileOptions &asked,
    const TrafficOptions &options, Call &call);

/// The run as an earlier report, to compare with.
OldReport oldReportOf(const ProfileRun &run);

/// Microseconds: the steps of timestamps on devices of that vendor.
double clockStepOf(const Device &device);

/// Adds to a comparison what became slower or faster. Says which kernel is
/// slower by more than so many per cent; empty: none is, or no limit is given.
std::string compareTimes(const ProfileRun &run,
                         std::optional<double> failSlower,
                         Comparison &comparison);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_PROFILE_RUN_H
