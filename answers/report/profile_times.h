// The measured times of a profile, beside the prediction for each kernel.
//
//   fusion.3   12 launches, median 94.8 us; predicted 56.7 us, ideal 41 us,
//              all launches together lost 640 us against the ideal
//
// The ideal is the time that a launch would take if it moved each array once or
// did its operations at the device's peak.
#ifndef INDEXICAL_ANSWERS_REPORT_PROFILE_TIMES_H
#define INDEXICAL_ANSWERS_REPORT_PROFILE_TIMES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/answers/report/profiled_program.h"
#include "indexical/answers/report/sums.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/profile/joined_profile.h"

namespace indexical {

/// The measured times of a kernel, its prediction and its ideal, in
/// microseconds.
struct MeasuredRow {
  const MeasuredOp *op = nullptr;
  int64_t neededBytes = 0;
  double ideal = 0;            ///< of one launch
  double total = 0, lost = 0;  ///< of all launches
  AvoidedTime avoided = {};    ///< of them

  std::optional<double> median() const {
    if (!op->median) return std::nullopt;
    return *op->median * 1e-6;
  }
};

class ProfileTimes {
 public:
  /// Takes the rows of the kernels that ran. `read`, the kernels and the device
  /// must outlive it.
  ProfileTimes(const ProfiledProgram &read, JoinedProfile joined,
               const std::vector<KernelCost> &kernels, const Device &device);

  /// Returns the row of the kernel, or null if it never ran.
  const MeasuredRow *rowOf(const KernelCost &kernel) const;
  /// Returns the module of the kernel.
  const ProfiledModule &moduleOf(const KernelCost &kernel) const;
  /// Returns the picoseconds of all kernels.
  int64_t total() const { return joined_.total; }
  const JoinedProfile &joined() const { return joined_; }
  const Device &device() const { return *device_; }
  const ProfiledProgram &read() const { return *read_; }

  /// Adds `measured`, `lost`, `ratio` to sums of a kernel, for an order.
  void addTimes(const KernelCost &kernel, TrafficSums &sums) const;

 private:
  const ProfiledProgram *read_;
  JoinedProfile joined_;
  const Device *device_;
  llvm::DenseMap<const KernelCost *, MeasuredRow> rows_;
  /// The number that each module of the program has in the join.
  std::vector<size_t> joinedAt_;
};

/// Returns an error if the profile lacks a GPU or the program that is chosen.
absl::Status checkChoice(const Profile &profile, const JoinChoice &choice);

/// Returns the device of the chosen GPUs that ran kernels. Returns an error if
/// none did, if one is not in the table of devices, if they are different
/// devices, or if the profile lacks a chosen GPU.
absl::StatusOr<const Device *> deviceOf(const Profile &profile,
                                        const JoinChoice &choice);

/// Returns the resources that a block takes of its core, from the profile.
Residency residencyOf(const LaunchDetails &details);
/// Returns the number of blocks that a core holds at once. Returns nothing if
/// the profile has no block, or has neither registers nor occupancy, as on AMD.
std::optional<int64_t> residentBlocks(const LaunchDetails &details,
                                      const Device &device);

/// Returns `same` or `differs`, or "" if one launch is unknown or the op is
/// several kernels.
llvm::StringRef launchMatch(const KernelCost &kernel, const MeasuredOp &op);

/// Returns the microseconds of a step of the timestamps of that vendor.
double clockStepOf(const Device &device);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_PROFILE_TIMES_H
