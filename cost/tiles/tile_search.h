// Tilings that are found, and not only checked.
//
//   f { p = f32[12,4] parameter(0)
//       ROOT r = f32[4,12] reshape(p) }        sizes: powers of two
//
// All sizes of a tile of the root that a choice names are tried. Those are kept
// for which the tile of every array is exact (tile.h): 2 x 4 is one, 2 x 8 is
// not. The others are counted by the instruction and the expression that
// are to blame. Each size that is kept has the reads of a launch with a block a
// tile, of the computation's parameters:
//
//   sizes    blocks   elements   bytes   reuse   shared
//   2 x 4    6        48         192     1.0     32
//
//   elements   that the blocks read, an element once a block: of a tile that is
//              cut at an end, those that are left; a scalar counts for the
//              blocks that read it
//   reloaded   with loops: that turns load beside these, an element once for
//              each further turn of a block that reads it
//   reuse      how often a block uses such an element: pairs of an element of
//              the root and one of a parameter that it reads, for each element
//   shared     the most bytes that a block holds at once: the tile of each way
//              to a parameter by itself
//
// With an instruction that reduces (a dot, a reduce, a scan) the steps of its
// loops are searched, too, and the time of the kernel is estimated
// (tile_time.h): sizes that do not fit come last, then tiles of less than 16
// elements, and the least time first. A kernel without a dot takes whole rows
// if they fit.
//
// Otherwise sizes are ordered so: those whose tiles fit into a block's shared
// memory come before others; those of at least as many blocks as the device has
// cores before others; then the fewest bytes are first, the fewest blocks, the
// least shared memory, and the longest tile along the last dimension.
//
// A size is tried with symbols first, once for all, and then by its numbers: a
// tile that is not exact for all sizes can be exact for some. Questions that
// two sizes have in common are asked once.
//
// Laws (tests/cost/tiles/tile_search_test.cc, by running the program): the
// tiles of a size that is kept are what the blocks read, and so is their
// number; some block of a size that is left out reads no strided box, but for
// some (3 to 10% of them in random programs, printed) for which no expressions
// are found.
#ifndef INDEXICAL_COST_TILES_TILE_SEARCH_H
#define INDEXICAL_COST_TILES_TILE_SEARCH_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/tiles/tile_space.h"
#include "indexical/cost/tiles/tile_time.h"
#include "indexical/indexing/budget.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

/// Sizes that are tried along a dimension; one that is larger is all of it.
struct SizeChoice {
  enum class Kind : uint8_t {
    Powers,    ///< powers of two below the dimension, and the dimension
    Divisors,  ///< of the dimension
    List,
  };
  Kind kind = Kind::Powers;
  std::vector<int64_t> list = {};  ///< of the kind List, each at least 1

  /// Returns the sizes for a dimension, rising.
  std::vector<int64_t> sizesOf(int64_t dimension) const;
};

struct TileSearchOptions : Budget {
  /// A step of a count is one operation, a tile by its numbers is
  /// kTileOperations.
  static constexpr int64_t kUsualOperations = 2'000'000;
  static constexpr int64_t kTileOperations = 200;
  TileSearchOptions() = default;
  explicit TileSearchOptions(const Budget &budget) : Budget(budget) {}

  SizeChoice choice;
  int64_t sharedBytes = 0;  ///< that a block has; 0: any
  int64_t cores = 0;        ///< of the device; 0: any
  /// The device by which times are estimated; nothing: there are no times.
  std::optional<TileDevice> device;
};

/// Sizes for which the tile of every array is exact. Which tiles of the root
/// read a scalar may be open: it counts for each.
struct FoundSizes {
  llvm::SmallVector<int64_t, 4> sizes;  ///< of the root's tile
  llvm::SmallVector<int64_t, 2> steps;  ///< indices of a turn of each loop
  std::optional<int64_t> stages;        ///< turns under way, if it has loops
  std::optional<int64_t> accumulators;  ///< words of results that are summed up
  /// The part that rounding up to powers of two adds to the elements of tiles.
  std::optional<double> padded;
  std::optional<double> microseconds;  ///< nothing: it does not fit
  int64_t blocks = 0;
  /// Figures over all blocks; upper bounds if they are not counted.
  int64_t elements = 0, bytes = 0;
  bool isCounted = true;
  /// Elements that iterations load again, over all blocks: an element counts
  /// for each iteration but one in which a block reads it. Nothing without
  /// loops, or if it is not counted.
  std::optional<int64_t> reloaded;
  std::optional<double> reuse;  ///< nothing if it is not known
  int64_t shared = 0;           ///< bytes, of all stages
  bool fits = true;             ///< into a block's shared memory
  bool fills = true;            ///< the device: no core has no block
};

/// Why sizes are left out: the first tile, from the root on, that is not exact.
struct LeftOut {
  size_t tile = 0;       ///< of TileSearch::tiles
  InstructionId behind;  ///< the tile is not exact upstream of it
  SymbolicTile::Reason reason;
  int64_t count = 0;                      ///< of the sizes
  llvm::SmallVector<int64_t, 4> example;  ///< the first of them
};

struct TileSearch {
  std::vector<FoundSizes> found;  ///< best first
  std::vector<LeftOut> leftOut;   ///< most first
  int64_t untried = 0;            ///< sizes that the budget did not suffice for
  /// The tiles for any size, those of equal maps once.
  std::vector<InstructionTile> tiles;
};

/// Searches the sizes that are symbols in the space's tile; those that are
/// numbers stay. Returns an error as tilesBehind() does, and if a stride is a
/// symbol.
absl::StatusOr<TileSearch> searchTiles(ProgramIndexing &maps,
                                       const TileSpace &space,
                                       const TileSearchOptions &options);
/// Overload for the tile of all results of `root`, which have one shape.
absl::StatusOr<TileSearch> searchTiles(ProgramIndexing &maps,
                                       ComputationId computation,
                                       InstructionId root, const RootTile &tile,
                                       const TileSearchOptions &options);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_SEARCH_H
