// A kernel's accesses with their threads, as cost/memory measures them.
//
//   load of a tile of 1024 f32, 4 warps, blocked, 4 elements a lane
//     space    (bl_x, bl_y, bl_z, t0)
//     threads  (th_x, …, bl_z)[step, vector] ->
//                (bl_x, bl_y, bl_z, step * 512 + th_x * 4 + vector)
//     map      (bl_x, bl_y, bl_z, t0) -> (bl_x * 1024 + t0)
//
// A layout's bit that is one bit of a coordinate becomes a digit of th_x
// (lanes, then warps above them) or of the registers: the lowest registers are
// the vector, the others steps. Every thread that holds an element loads it,
// and only the first of them stores it. A layout that combines bits by xor has
// no such map.
//
// A load of fewer elements than threads may get another layout after the pass
// for coalescing, so the figures that follow from this layout are not exact.
//
// Law (tests/cost/kernel/checks_test.cc, by enumeration): the threads that the
// map gives an element are the layout's holders.
#ifndef INDEXICAL_COST_KERNEL_THREAD_ACCESSES_H
#define INDEXICAL_COST_KERNEL_THREAD_ACCESSES_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/cost/memory/traffic.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/program/kernel/checks.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// Returns the map from threads to (bl_x, bl_y, bl_z, loops, tile). Returns an
/// error, which says why, if there is no such map.
absl::StatusOr<IndexingMap> threadMap(const TritonKernel &kernel,
                                      const KernelAccess &access);
/// Returns the map of threads of an access of shared memory in a compiled
/// kernel.
absl::StatusOr<IndexingMap> threadMap(const TritonKernel &kernel,
                                      const SharedAccess &access);
/// Returns those results of threadMap()'s map that are coordinates of the tile.
IndexingMap tileThreads(const IndexingMap &threads, const KernelAccess &access);

/// Returns how many threads hold one element of a load's tile, and 1 for other
/// accesses.
int64_t replicasOf(const KernelAccess &access);

/// Replaces each access whose pointer may belong to several arguments by one
/// access for each argument: a lane makes one of them, and a warp may make
/// several. Requires that no value of the kernel is used (KernelAccess::value).
void splitByArgument(TritonKernel &kernel);

/// The traffic of one access and its map from threads, or the reason why it has
/// none.
struct MeasuredAccess {
  std::optional<Traffic> traffic;
  std::optional<IndexingMap> threads;
  std::string reason;  ///< why there are no figures
  /// The compiler may give it another layout later: the figures are not exact.
  bool mayChangeLayout = false;
};

struct MeasuredTraffic {
  std::vector<MeasuredAccess> accesses;
  KernelAccesses measured;  ///< those that have figures
  KernelTraffic traffic;    ///< of these
};

/// Returns the traffic of each access of the kernel, or why it has none.
MeasuredTraffic measure(const TritonKernel &kernel, const BufferSizes &sizes,
                        TrafficMeter &meter);

}  // namespace indexical::kernels

#endif  // INDEXICAL_COST_KERNEL_THREAD_ACCESSES_H
