// Accesses: what a kernel reads and writes of buffers, whatever it is written
// in.
//
//   launch 0   the index space f32[128,64], gone through in order
//   buffer 0   f32[64,128]
//   read       launch 0, buffer 0, (d0, d1) -> (d1, d0), place 7
//
// An access is a relation from the index space of a launch to the elements of a
// buffer. Its domain says for which indices there is an access: the threads of
// the others do nothing. No instruction is named here. kernels.h makes accesses
// of a program's instructions; whoever has a kernel in another form (the gpu
// dialect of MLIR, Triton) makes them of that, and measures them alike
// (traffic.h).
#ifndef INDEXICAL_ANALYSIS_MEMORY_ACCESS_H
#define INDEXICAL_ANALYSIS_MEMORY_ACCESS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// How the threads of a launch go through its index space.
enum class ThreadOrder : uint8_t {
  Linear,  ///< linearThreads
  Rows,    ///< rowThreads, one row a warp
  Given,   ///< by a thread map of somebody's own
};

/// An index space, and its threads.
struct LaunchSpace {
  ArrayShape shape;  ///< the layout counts
  ThreadOrder order = ThreadOrder::Linear;
  int64_t rowDimensions = 0;           ///< of a row, where the order is Rows
  std::optional<IndexingMap> threads;  ///< where the order is Given
  /// Where the order is Linear: threads of a block, and elements of a thread;
  /// 0: so many as move the fewest sectors.
  int64_t blockThreads = 128, vector = 0;
  /// Threads follow from the tile that a program takes: they lie along what is
  /// fastest in memory already.
  bool followTile = false;

  bool operator==(const LaunchSpace &o) const {
    return order == o.order && rowDimensions == o.rowDimensions &&
           blockThreads == o.blockThreads && vector == o.vector &&
           shape.dimensions == o.shape.dimensions &&
           shape.layout == o.shape.layout && threads == o.threads &&
           followTile == o.followTile;
  }
};

/// The thread map of the space. Linear threads take vectors of so many
/// elements. An error where there is no such map (thread_map.h).
absl::StatusOr<IndexingMap> threadsOf(const LaunchSpace &space, int64_t vector);

struct MemoryAccess {
  size_t launch = 0;     ///< number in KernelAccesses::launches
  size_t buffer = 0;     ///< number in KernelAccesses::buffers
  IndexingRelation map;  ///< from an index of the launch's space
  /// What a lane moves at once, at most; 0: as much as the device moves.
  int64_t laneBytes = 0;
  /// Who asks: a number that means something to the maker of the accesses.
  int64_t place = 0;
};

/// A tile in shared memory: which element of it, row major, a thread writes and
/// reads. The maps have one result.
struct SharedTile {
  ArrayShape shape;  ///< padding included
  IndexingMap written, read;
};

/// The bytes that an array takes; 0 where a size is not known.
int64_t bytesOf(const ArrayShape &buffer);

/// What one kernel accesses.
struct KernelAccesses {
  std::vector<LaunchSpace> launches;
  std::vector<ArrayShape> buffers;  ///< layouts say where elements lie
  std::vector<MemoryAccess> reads, writes;
  std::vector<SharedTile> shared;
  int64_t trips = 1;  ///< so often the kernel runs
  /// What is read of the buffers is not known: accesses have no maps.
  bool bytesOnly = false;

  /// Lets the threads of all launches go by the map.
  void launchBy(const IndexingMap &threads);
};

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_MEMORY_ACCESS_H
