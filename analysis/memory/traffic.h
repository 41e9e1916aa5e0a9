// Traffic: the reads and writes of kernels, measured and named.
//
//   read of p, f32[128,64], by t: transposed, stride 512 B
//     8192 sectors for 1024 that would do, 229376 bytes wasted
//     a tile through shared memory would mend it, or the layout {0,1} of p
#ifndef INDEXICAL_ANALYSIS_MEMORY_TRAFFIC_H
#define INDEXICAL_ANALYSIS_MEMORY_TRAFFIC_H

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/analysis/memory/coalescing.h"
#include "indexical/analysis/memory/kernels.h"

namespace indexical {

struct Traffic {
  KernelAccess access;
  std::optional<AccessFigures> figures;  ///< nothing: `reason`
  std::string reason;                    ///< why there are no figures
  std::string pattern;  ///< `transposed, stride 4096 B`, or empty
  std::string remedy;   ///< what would mend it where that is plain
  int64_t bytes = 0;    ///< of the whole operand; 0: not known
};

struct KernelTraffic {
  Kernel kernel;
  /// The thread map of each of the kernel's spaces.
  std::vector<IndexingMap> threads;
  std::vector<Traffic> reads, writes;
  /// Bytes that reads waste, at most, times the trips; saturates.
  int64_t wasted() const;
  /// Bytes that are moved for reads, at most, times the trips; saturates.
  int64_t moved(const Device &device) const;
};

/// Measures kernels on one device; what was measured before is remembered.
class TrafficMeter {
 public:
  /// Without a thread map each space has the one that is usual (kernels.h),
  /// linear ones with the vectors, of 4, 2 or 1, that move the fewest sectors.
  explicit TrafficMeter(const Device &device,
                        CoalescingOptions options = CoalescingOptions(),
                        std::optional<IndexingMap> threads = std::nullopt);
  ~TrafficMeter();

  /// What cannot be measured says why.
  KernelTraffic measure(Kernel kernel);
  /// A runtime variable that has a value and that no read had so far.
  std::optional<std::string> unusedRuntime() const;
  const Device &device() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_MEMORY_TRAFFIC_H
