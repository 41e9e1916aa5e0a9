// Masks of tiles: the bounds checks of an emitter whose tile sizes are numbers.
//
//   f { p = f32[17] parameter(0)
//       ROOT r = f32[17] negate(p) }           tile (5) of r
//
//   p: offset o0, full 5, begins 0, ends 17: of o0 + i, i in [0, 4], those are
//   read that are in [0, 16]
//
// Law (tests/cost/tiles/tile_space_test.cc): for i in [0, full - 1], offset
// + stride * i is a point of the tile, in the tensor, if and only if it is at
// least `begins` and less than `ends`; and no point has an i beyond.
#ifndef INDEXICAL_COST_TILES_TILE_MASK_H
#define INDEXICAL_COST_TILES_TILE_MASK_H

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/tiles/tile.h"

namespace indexical {

/// The mask of a tile, as a map with the variables of SymbolicTile::map() to
/// `full`, then `begins`, then `ends`, one for each dimension of the tensor.
class TileMask {
 public:
  explicit TileMask(IndexingMap map) : map_(std::move(map)) {}

  const IndexingMap &map() const { return map_; }
  /// Sizes of a tile that is not cut: numbers if those of the root's tile are,
  /// but where values at run time decide how much of a tile there is.
  llvm::ArrayRef<FormId> full() const { return part(0); }
  llvm::ArrayRef<FormId> begins() const { return part(1); }
  llvm::ArrayRef<FormId> ends() const { return part(2); }
  std::string str(FormId form) const { return map_.str(form); }

 private:
  llvm::ArrayRef<FormId> part(size_t i) const {
    const size_t rank = map_.results().size() / 3;
    return map_.results().slice(i * rank, rank);
  }

  IndexingMap map_;
};

/// Returns the mask of the tile for a tile of `root`. Returns an error if a
/// size of the tensor is not known.
absl::StatusOr<TileMask> maskOf(const InstructionTile &tile,
                                const RootTile &root);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_MASK_H
