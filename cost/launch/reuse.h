// Reuse: the sectors of one launch that caches keep until they are touched
// again.
//
//   read   (d0, d1) -> (d1, d0) of f32[8192,8192], a lane a column
//     cores    67 M sectors: each of four bytes asks for one of its own
//     cache    67 M: no block touches one twice
//     memory   8.4 M: the blocks that run at once walk along the columns
//              together, and what they touch fits into the shared cache
//
// A cache keeps a sector that is touched again if everything touched in between
// fits. The launch is divided into *windows*: for the shared cache, the blocks
// that run at once; for the cache of a core, one of its blocks. If a window
// touches more than fits, it is halved along its outermost loop until it fits.
// The sectors that a window touches, and those that only the next one touches,
// are counted exactly (coalescing.h): the launch moves the former once, and the
// latter for each window that follows. All accesses share a cache.
//
// Memory is moved in units of 64 bytes: two sectors.
//
// Laws (tests/cost/launch/predicted_time_test.cc): nothing moves less than its
// distinct sectors, nor more than all; a larger cache never moves more.
#ifndef INDEXICAL_COST_LAUNCH_REUSE_H
#define INDEXICAL_COST_LAUNCH_REUSE_H

#include <cstdint>
#include <memory>
#include <vector>

#include "indexical/cost/memory/access.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/traffic.h"

namespace indexical {

/// The bytes that one access moves, all warps together. If a figure has bounds,
/// the lower one counts (AccessFigures::least).
struct AccessBytes {
  size_t buffer = 0;
  double cores = 0;   ///< that its lanes ask for, in sectors
  double cache = 0;   ///< between the shared cache and the cores
  double memory = 0;  ///< between memory and the shared cache
  /// Lines that its warps ask for, and those that reach the shared cache.
  double lines = 0, cacheLines = 0;
};

/// The resources of a core that a block takes beside its threads; 0 is not
/// known.
struct Residency {
  int64_t registers = 0;    ///< of a thread
  int64_t sharedBytes = 0;  ///< of the block
  /// The largest share of the core's threads that are resident, in per cent, as
  /// CUPTI states it. It overrides the others.
  int64_t occupancy = 0;
};
/// Returns how many blocks of so many threads the device holds at once: on each
/// core as many as its threads, registers and shared memory allow, but at most
/// 32 and at least one. (CUDA C++ Programming Guide, Compute Capabilities.)
int64_t blocksAtOnce(int64_t threads, const Device &device,
                     const Residency &taken = {});

/// The size of a launch.
struct LaunchExtent {
  int64_t blocks = 1, threads = 1;
};
LaunchExtent extentOf(const IndexingMap &threads);

/// Counts the bytes that launches move on one device. Keeps the counts:
/// repeated layers have equal kernels.
class ReuseMeter {
 public:
  explicit ReuseMeter(const Device &device,
                      CoalescingOptions options = CoalescingOptions());
  ReuseMeter(ReuseMeter &&);
  ~ReuseMeter();

  /// Returns the bytes of the reads, then those of the writes. Accesses without
  /// figures move all bytes of their arrays.
  std::vector<AccessBytes> bytesMoved(const KernelAccesses &kernel,
                                      const KernelTraffic &traffic);
  const Device &device() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_REUSE_H
