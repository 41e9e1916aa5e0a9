// The times of a profile's kernels, by kind: how often each ran on each GPU,
// and how long it took.
//
//   loop_convert_fusion.kd of jit_multiply(17) on GPU 0
//     135.8, 134.56, 112.96, 100.88, 99.2 us
//     5 launches, least 99.2, median 112.96, most 135.8, total 583.4 us
//
// The first runs of a kernel take longer than the others, and not always the
// first alone: the median is the measure, and totals contain all.
#ifndef INDEXICAL_COST_PROFILE_KERNEL_TIMES_H
#define INDEXICAL_COST_PROFILE_KERNEL_TIMES_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/import/profile/profile.h"

namespace indexical {

/// Picoseconds. For launches that the profiler added up only count and total
/// are known.
struct KernelTimes {
  int64_t count = 0;
  int64_t total = 0;  ///< stays at the largest number
  std::optional<int64_t> least, most;
  /// The launch in the middle by time. An even number of launches has the mean
  /// of the two in the middle.
  std::optional<double> median;
};

/// Launches of one kind on one GPU, by their starts.
struct KernelGroup {
  size_t gpu = 0;     ///< of the profile's list
  uint32_t kind = 0;  ///< of that GPU's
  llvm::ArrayRef<KernelLaunch> launches;
};

/// Sorts the launches of each GPU by kind and start, and lists the kinds' runs.
/// They view the profile.
std::vector<KernelGroup> groupsOf(Profile &profile);

/// Returns the times of groups together. `left` has for each group how many of
/// its first launches are left out; empty: none.
KernelTimes timesOf(const Profile &profile, llvm::ArrayRef<KernelGroup> groups,
                    llvm::ArrayRef<int64_t> left = {});

/// Returns the time in which at least one kernel of the GPU ran: streams run
/// side by side, so it is no more than the sum. Launches without a start count
/// their time. Sorts the launches by start.
int64_t busyTime(ProfiledGpu &gpu);

/// Returns the sum, or the largest number if the sum is past 64 bits.
int64_t sumOfTimes(int64_t a, int64_t b);

}  // namespace indexical

#endif  // INDEXICAL_COST_PROFILE_KERNEL_TIMES_H
