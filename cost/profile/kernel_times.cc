#include "indexical/cost/profile/kernel_times.h"

#include <algorithm>
#include <tuple>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace indexical {

int64_t sumOfTimes(int64_t a, int64_t b) {
  int64_t sum = 0;
  return llvm::AddOverflow(a, b, sum) ? INT64_MAX : sum;
}

std::vector<KernelGroup> groupsOf(Profile &profile) {
  std::vector<KernelGroup> groups;
  for (size_t g = 0; g < profile.gpus.size(); ++g) {
    std::vector<KernelLaunch> &launches = profile.gpus[g].launches;
    std::sort(launches.begin(), launches.end(),
              [](const KernelLaunch &a, const KernelLaunch &b) {
                if (a.kind != b.kind) return a.kind < b.kind;
                if (a.start != b.start) return a.start < b.start;
                return a.duration < b.duration;
              });
    for (size_t begin = 0, end = 0; begin < launches.size(); begin = end) {
      const uint32_t kind = launches[begin].kind;
      while (end < launches.size() && launches[end].kind == kind) ++end;
      groups.push_back(
          {g, kind, llvm::ArrayRef(launches).slice(begin, end - begin)});
    }
  }
  return groups;
}

KernelTimes timesOf(const Profile &profile, llvm::ArrayRef<KernelGroup> groups,
                    llvm::ArrayRef<int64_t> left) {
  KernelTimes times;
  std::vector<int64_t> durations;
  bool areSingle = true;
  for (size_t i = 0; i < groups.size(); ++i) {
    const KernelGroup &group = groups[i];
    const size_t out =
        left.empty() ? 0 : std::min<size_t>(left[i], group.launches.size());
    const int64_t each = std::max<int64_t>(
        profile.gpus[group.gpu].kinds[group.kind].occurrences, 1);
    areSingle &= each == 1;
    for (const KernelLaunch &launch : group.launches.drop_front(out)) {
      const int64_t duration = launch.duration;
      times.count = sumOfTimes(times.count, each);
      times.total = sumOfTimes(times.total, duration);
      if (each == 1) durations.push_back(duration);
    }
  }
  if (!areSingle || durations.empty()) return times;
  const size_t middle = durations.size() / 2;
  std::nth_element(durations.begin(), durations.begin() + middle,
                   durations.end());
  auto median = static_cast<double>(durations[middle]);
  if (durations.size() % 2 == 0)
    median = (median + static_cast<double>(*std::max_element(
                           durations.begin(), durations.begin() + middle))) /
             2;
  times.median = median;
  const auto [least, most] =
      std::minmax_element(durations.begin(), durations.end());
  times.least = *least;
  times.most = *most;
  return times;
}

int64_t busyTime(ProfiledGpu &gpu) {
  std::sort(gpu.launches.begin(), gpu.launches.end(),
            [](const KernelLaunch &a, const KernelLaunch &b) {
              return a.start < b.start;
            });
  int64_t busy = 0, end = INT64_MIN;
  for (const KernelLaunch &launch : gpu.launches) {
    const int64_t start = launch.start, duration = launch.duration;
    if (gpu.kinds[launch.kind].occurrences > 0) {
      busy = sumOfTimes(busy, duration);
      continue;
    }
    const int64_t launchEnd =
        start > 0 ? sumOfTimes(start, duration) : start + duration;
    const int64_t from = std::max(start, end);
    if (launchEnd > from) busy = sumOfTimes(busy, launchEnd - from);
    end = std::max(end, launchEnd);
  }
  return busy;
}

}  // namespace indexical
