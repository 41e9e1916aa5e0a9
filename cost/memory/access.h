// Accesses: the elements of buffers that a kernel reads and writes, in whatever
// language it is written.
//
//   launch 0   the index space f32[128,64], gone through in order
//   buffer 0   f32[64,128]
//   read       launch 0, buffer 0, (d0, d1) -> (d1, d0), place 7
//
// An access is a relation from the index space of a launch to the elements of a
// buffer. Its domain says for which indices there is an access: the threads of
// the others do nothing. No instruction is named here. kernels.h makes accesses
// of a program's instructions. Accesses can as well come from a kernel in
// another form (the gpu dialect of MLIR, Triton), and are measured in the same
// way (traffic.h).
#ifndef INDEXICAL_COST_MEMORY_ACCESS_H
#define INDEXICAL_COST_MEMORY_ACCESS_H

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
  Given,   ///< by a given thread map
};

/// An index space, and its threads.
struct LaunchSpace {
  ArrayShape shape;  ///< the layout counts
  ThreadOrder order = ThreadOrder::Linear;
  int64_t rowDimensions = 0;           ///< of a row, if the order is Rows
  std::optional<IndexingMap> threads;  ///< if the order is Given
  /// If the order is Linear: the threads of a block, and the elements of a
  /// thread (0: as many as move the fewest sectors).
  int64_t blockThreads = 128, vector = 0;
  /// Whether the threads follow from the tile that a program takes: then they
  /// already lie along the dimension that is fastest in memory.
  bool followTile = false;

  bool operator==(const LaunchSpace &o) const {
    return order == o.order && rowDimensions == o.rowDimensions &&
           blockThreads == o.blockThreads && vector == o.vector &&
           shape.dimensions == o.shape.dimensions &&
           shape.layout == o.shape.layout && threads == o.threads &&
           followTile == o.followTile;
  }
};

/// Returns the thread map of the space. Linear threads take vectors of `vector`
/// elements. Returns an error if there is no such map (thread_map.h).
absl::StatusOr<IndexingMap> threadsOf(const LaunchSpace &space, int64_t vector);

struct MemoryAccess {
  size_t launch = 0;     ///< number in KernelAccesses::launches
  size_t buffer = 0;     ///< number in KernelAccesses::buffers
  IndexingRelation map;  ///< from an index of the launch's space
  /// The most bytes that a lane moves at once; 0: as many as the device moves.
  int64_t laneBytes = 0;
  /// A number by which the maker of the accesses finds where this one is made.
  int64_t place = 0;
  /// Whether only some of its accesses are made, each by all of its lanes.
  bool isSome = false;
  /// Whether each warp moves what it accesses, also if all threads of a block
  /// access one address. Writes are always so, whatever this says.
  bool byWarps = false;
};

/// A tile in shared memory. The maps give the elements that a thread writes and
/// reads, by their row-major numbers.
struct SharedTile {
  ArrayShape shape;  ///< padding included
  IndexingMap written, read;
};

/// Returns the bytes that an array takes, the padding of tiles included. An
/// element takes whole bytes unless the layout says how many bits it takes.
/// Returns 0 if a size or the layout is not known, or if 64 bits cannot hold
/// the number.
int64_t bytesOf(const ArrayShape &buffer);

/// The accesses of one kernel.
struct KernelAccesses {
  std::vector<LaunchSpace> launches;
  std::vector<ArrayShape> buffers;  ///< layouts say where elements lie
  std::vector<MemoryAccess> reads, writes;
  std::vector<SharedTile> shared;
  int64_t trips = 1;  ///< how often the kernel runs
  /// Whether only the bytes of the buffers are known: then accesses have no
  /// maps.
  bool bytesOnly = false;

  /// Gives all launches the threads of this map.
  void launchBy(const IndexingMap &threads);
};

}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_ACCESS_H
