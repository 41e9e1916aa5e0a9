// Reuse: what caches keep of the accesses of one launch.
//
//   read   (d0, d1) -> (d1, d0) of f32[8192,8192], a lane a column
//     cores    67 M sectors: each of four bytes asks for one of its own
//     cache    67 M: no block touches one twice
//     memory   8.4 M: the blocks that run at once walk along the columns
//              together, and what they touch fits into the shared cache
//
// A cache keeps a sector that is touched again if what is touched in between
// fits. The launch is cut into *windows*: for the shared cache, the blocks that
// run at once; for the cache of a core, one of its blocks. Where a window
// touches more than fits it is cut into halves of its outermost loop until it
// fits. What a window touches, and what the next one touches beside, is counted
// exactly (coalescing.h): the launch moves the first, and the second for each
// window that follows. All accesses share a cache.
//
// Memory is moved in pieces of 64 bytes: two sectors.
//
// Laws (tests/analysis/predicted_time_test.cc): nothing moves less than its
// distinct sectors, nor more than all; a larger cache never moves more.
#ifndef INDEXICAL_ANALYSIS_LAUNCH_REUSE_H
#define INDEXICAL_ANALYSIS_LAUNCH_REUSE_H

#include <cstdint>
#include <memory>
#include <vector>

#include "indexical/analysis/memory/access.h"
#include "indexical/analysis/memory/device.h"
#include "indexical/analysis/memory/traffic.h"

namespace indexical {

/// Bytes that one access moves, all warps together; where a figure has bounds,
/// the most.
struct AccessBytes {
  size_t buffer = 0;
  double cores = 0;   ///< that its lanes ask for, in sectors
  double cache = 0;   ///< between the shared cache and the cores
  double memory = 0;  ///< between memory and the shared cache
  /// Lines that its warps ask for, and those that reach the shared cache.
  double lines = 0, cacheLines = 0;
};

/// What a block takes of its core beside its threads; 0 is not known.
struct Residency {
  int64_t registers = 0;    ///< of a thread
  int64_t sharedBytes = 0;  ///< of the block
  /// Per cent of the core's threads that are resident at most, as CUPTI has it.
  /// It counts in place of the others.
  int64_t occupancy = 0;
};
/// Blocks of so many threads that the device holds at once: as many as the
/// threads, the registers and the shared memory of a core allow, and at most
/// 32, but at least one. (CUDA C++ Programming Guide, Compute Capabilities.)
int64_t blocksAtOnce(int64_t threads, const Device &device,
                     const Residency &taken = {});

/// The size of a launch.
struct LaunchExtent {
  int64_t blocks = 1, threads = 1;
};
LaunchExtent extentOf(const IndexingMap &threads);

/// Counts what the launches of one device move, and remembers it: kernels of
/// repeated layers are alike.
class ReuseMeter {
 public:
  explicit ReuseMeter(const Device &device,
                      CoalescingOptions options = CoalescingOptions());
  ReuseMeter(ReuseMeter &&);
  ~ReuseMeter();

  /// Reads, then writes. Accesses without figures move all bytes of their
  /// arrays.
  std::vector<AccessBytes> bytesMoved(const KernelAccesses &kernel,
                                      const KernelTraffic &traffic);
  const Device &device() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_LAUNCH_REUSE_H
