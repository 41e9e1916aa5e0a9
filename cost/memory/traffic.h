// Traffic: the accesses of a kernel, measured on a device.
//
//   read of f32[128,64] by (d0, d1) -> (d1, d0), threads along d1
//     4096 sectors (ideal 1024), 98304 bytes wasted
//     Transposed, 4096 bits; SharedTile, layout {0,1}
//
//   KernelAccesses kernel;  // access.h
//   kernel.launches.emplace_back().shape = shape;
//   ...
//   TrafficMeter meter(defaultDevice());
//   KernelTraffic traffic = meter.measure(kernel);
//   int64_t wasted = traffic.reads[0].figures->wastedBytes.most;  // 98304
#ifndef INDEXICAL_COST_MEMORY_TRAFFIC_H
#define INDEXICAL_COST_MEMORY_TRAFFIC_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "indexical/cost/memory/access.h"
#include "indexical/cost/memory/coalescing.h"
#include "indexical/cost/memory/patterns.h"

namespace indexical {

/// One access with its figures, or with the reason why it has none.
struct Traffic {
  MemoryAccess access;
  std::optional<AccessFigures> figures;
  Unmeasured why = {};  ///< if there are no figures
  Finding finding;      ///< if there are figures
  int64_t bytes = 0;    ///< of the whole buffer; 0: not known
};

struct KernelTraffic {
  /// The thread map of each of the kernel's launches.
  std::vector<IndexingMap> threads;
  std::vector<Traffic> reads, writes;
  /// The bank conflicts of each shared tile, if they were found.
  std::vector<std::optional<int64_t>> conflicts;
  int64_t trips = 1;
  /// Returns the most bytes that reads waste, times the trips; saturates.
  int64_t wasted() const;
  /// Returns the most bytes that are moved for reads, times the trips;
  /// saturates.
  int64_t moved(const Device &device) const;
};

/// Measures kernels on one device, and remembers what it measured before.
class TrafficMeter {
 public:
  explicit TrafficMeter(const Device &device,
                        CoalescingOptions options = CoalescingOptions());
  ~TrafficMeter();

  /// Returns the traffic of all accesses of the kernel. A launch whose threads
  /// are not given takes vectors of 4, 2 or 1 elements, whichever move the
  /// fewest sectors; a launch of rows takes vectors of one.
  KernelTraffic measure(const KernelAccesses &kernel);
  /// Returns a runtime variable that was given a value but that no access
  /// measured so far uses, or nothing.
  std::optional<std::string> unusedRuntime() const;
  const Device &device() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_TRAFFIC_H
