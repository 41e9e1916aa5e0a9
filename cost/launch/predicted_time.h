// Predicted time: how long one launch of a kernel takes, by a model.
//
//   copy of f32[16777216] on an h100: 67.1 MB are read, as much is written
//     memory    134.2 MB at 91% of 3350 GB a second               44.0 us
//     cache     134.2 MB through the shared cache                 19.8 us
//     cores     of 249 of the 32768 blocks                         8.7 us
//     blocks    32768 that start, 1.1 clocks each                 19.7 us
//     waits     16 waves of 2112 blocks, 0.6 us each               9.6 us
//     time      the longest of these, and 1 us for the kernel       45.0 us
//
// (An H100 takes 45.3 us for XLA's.) Kernels that move bytes are bound by one
// resource at a time, so the time is that of the one that takes longest:
//
//   memory      bytes between memory and the shared cache
//   cache       requests between the shared cache and all cores
//   cores       what the core with most blocks asks for: sectors, and lines
//   blocks      blocks are started one after the other
//   waits       blocks that are on the device at once wait for memory together,
//               for each few of their reads; the last ones for a shared tile
//   operations  of matrix products, and of sines and powers (operations.h)
//
// Each device reaches its own share of its data sheet's figures (device.h):
// writes of an MI300X reach 56% of its bandwidth, those of an H100 91%.
//
// reuse.h says which sectors that are touched again are still in a cache.
// docs/internals/time.md says what such a model leaves out, and compares it
// with measured kernels.
//
// Laws (tests/cost/launch/predicted_time_test.cc): more bytes, operations or
// blocks never take less time, a faster device never more; the time is no less
// than the launch, and distinct sectors at full bandwidth.
#ifndef INDEXICAL_COST_LAUNCH_PREDICTED_TIME_H
#define INDEXICAL_COST_LAUNCH_PREDICTED_TIME_H

#include <cstddef>
#include <cstdint>
#include <optional>

#include "llvm/ADT/StringRef.h"

#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/launch/operations.h"
#include "indexical/cost/launch/reuse.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/traffic.h"

namespace indexical {

/// The work that one launch gives a device.
struct Demand {
  int64_t blocks = 0;       ///< 0: not known, and as many as fill the device
  int64_t threads = 1;      ///< of a block
  double memoryBytes = 0;   ///< between memory and the cache
  double writtenBytes = 0;  ///< that part of them which is written
  double cacheBytes = 0;    ///< between the cache and the cores
  double cacheLines = 0;    ///< requests for these, each of one warp
  double coreBytes = 0;     ///< that lanes ask their core for
  double coreLines = 0;
  double reads = 0;  ///< that a thread makes, one after the other
  /// Whether the threads of a block synchronize at a shared tile.
  bool exchanges = false;
  Operations operations = {};
  /// Whether a launch may need more: some bytes are known only within bounds,
  /// and the lower bound counts, or atomic additions to one element are
  /// serialized.
  bool isLeast = false;
};

/// The resource that takes longest.
enum class TimeLimit : uint8_t {
  Memory,
  Cache,
  Cores,
  Blocks,
  Waits,
  Operations
};
constexpr size_t kTimeLimits = 6;
/// Returns the limit's name: `memory`, `cache`, `cores`, `blocks`, `waits` or
/// `operations`.
llvm::StringRef nameOf(TimeLimit limit);

/// The predicted time of a launch and its parts, in microseconds.
struct PredictedTime {
  double launch = 0, memory = 0, cache = 0, cores = 0, blocks = 0, waits = 0,
         operations = 0;
  TimeLimit limit = TimeLimit::Memory;
  double total() const;
};

/// Returns the predicted time of a launch with this demand.
PredictedTime predictedTime(const Demand &demand, const Device &device);
/// Returns the time of a launch whose blocks take these registers and this
/// shared memory of their core, so that fewer of them may run at once.
PredictedTime predictedTime(const Demand &demand, const Device &device,
                            const Residency &taken);

/// Returns the demand of accesses on the meter's device, on which their traffic
/// was measured. If a figure has bounds, the lower one counts, and the demand
/// is the least (AccessFigures::least). Accesses without figures move all bytes
/// of their arrays. The grid is that of the launch with most blocks.
Demand demandOf(const KernelAccesses &kernel, const KernelTraffic &traffic,
                ReuseMeter &meter);

/// Returns the demand of a module's kernel, with its grid and its operations.
/// Returns nothing for a collective, for a kernel of unknown implementation,
/// and for a library's kernel with an unknown number of operations.
std::optional<Demand> demandOf(const Module &module, const Kernel &kernel,
                               const KernelTraffic &traffic, ReuseMeter &meter);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_PREDICTED_TIME_H
