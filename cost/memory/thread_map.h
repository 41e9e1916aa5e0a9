// Thread maps: which thread of a launch handles which index.
//
//   (th_x, th_y, th_z, bl_x, bl_y, bl_z)[loops] -> index
//
// A thread and a block have three coordinates each, counted from 0; the loops
// are what one thread does one after another, the last one its vector. Any map
// of that form will do; those below are usual. For f32[1024], blocks of 128
// threads, vectors of 4:
//
//   (th_x, th_y, th_z, bl_x, bl_y, bl_z)[unroll, vector] ->
//     (bl_x * 512 + unroll * 512 + th_x * 4 + vector),
//   th_x in [0, 127], …, bl_x in [0, 1], unroll in [0, 0], vector in [0, 3]
//
// Lanes of a warp run along th_x, then th_y, then th_z; a warp never spans
// blocks, and the last one of a block may have fewer lanes.
//
// Law (tests/cost/memory/thread_map_test.cc, by enumeration): each of the maps
// below gives every index of its space to exactly one (thread, loops).
#ifndef INDEXICAL_COST_MEMORY_THREAD_MAP_H
#define INDEXICAL_COST_MEMORY_THREAD_MAP_H

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/ops/shape.h"

namespace indexical {

constexpr size_t kThreadDimensions = 6;

/// Returns an error, which says what is missing, if the map is not a thread
/// map. A thread map has six dimensions that count from 0, finite loops, and no
/// runtime variables, and the number of its points, over which figures are
/// sums, fits into 64 bits.
absl::Status checkThreadMap(const IndexingMap &map);

struct LinearThreads {
  int64_t threads = 128;  ///< of a block
  int64_t unroll = 1;     ///< vectors of one thread, a block apart
  int64_t vector = 1;     ///< neighbouring elements of one thread
};

/// Returns a map to every element of the shape, in the order of memory (tiles
/// do not count), as loop fusions go. Returns an error if a number is not
/// positive, if a size is not known, or if a product leaves 64 bits.
absl::StatusOr<IndexingMap> linearThreads(const ArrayShape &shape,
                                          const LinearThreads &options = {});

struct RowThreads {
  int64_t lanes = 32;  ///< threads along a row
  int64_t rows = 4;    ///< rows of a block, one below the other (th_y)
  int64_t vector = 1;  ///< neighbouring elements of one thread
};

/// Returns a map by which `lanes` threads walk along each row of the shape. A
/// row is its `rowDimensions` most minor dimensions in memory, taken as one.
/// Row reductions read so: one row a warp if `lanes` is a warp, and one row a
/// block if it is more and `rows` is 1.
absl::StatusOr<IndexingMap> rowThreads(const ArrayShape &shape,
                                       int64_t rowDimensions,
                                       const RowThreads &options = {});

struct TileThreads {
  int64_t tile = 32;  ///< rows and columns of a tile
  int64_t rows = 4;   ///< threads below each other (th_y)
};

/// Returns the thread map that cuts dimensions `row` and `column` into square
/// tiles, one a block: th_x runs along `column`, th_y and a loop along `row`. A
/// transposition through shared memory reads by it, and writes by that of the
/// transposed shape. Returns an error if a size is not known, if a number is
/// not positive, if `row` and `column` are not two dimensions of the shape, or
/// if `rows` does not divide `tile`.
absl::StatusOr<IndexingMap> tileThreads(const ArrayShape &shape, int64_t row,
                                        int64_t column,
                                        const TileThreads &options = {});

}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_THREAD_MAP_H
