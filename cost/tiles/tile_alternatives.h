// Further sizes for which a tile is exact, beside those that meet its
// conditions.
//
//   f { p = f32[192] parameter(0)
//       ROOT r = f32[4,8,6] reshape(p) }        tile (a, b, c) of r
//
// Conditions constrain all sizes at once. If a size is 1, or all of its
// dimension, other ones suffice: with c = 1 the tile of p is exact where (a -
// 1) * (b - 1) * (8 - b) is 0. This header finds a list of such cases, any of
// which suffices.
//
// Law (tests/cost/tiles/tile_space_test.cc): sizes that meet a case have a
// tile that is exact; of those that meet no case, how many have one is printed.
#ifndef INDEXICAL_COST_TILES_TILE_ALTERNATIVES_H
#define INDEXICAL_COST_TILES_TILE_ALTERNATIVES_H

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/cost/tiles/tile.h"

namespace indexical {

/// A case in which a tile is exact.
struct SizeCase {
  /// Symbols with these values; their numbers in RootTile::symbols().
  std::vector<std::pair<size_t, int64_t>> fixed;
  SymbolicTile tile;  ///< with these values: its conditions must hold

  /// The constraints, all of which must hold: `c in [1, 1]`.
  std::vector<std::string> texts(const RootTile &root) const;
  bool holds(llvm::ArrayRef<int64_t> symbols) const;
};

/// Returns cases in which the tile is exact, the first of which is that its
/// conditions hold; nothing if they are no more than that. Returns nothing for
/// a tile that is not exact, or has no symbols.
absl::StatusOr<std::vector<SizeCase>> alternativesOf(
    const InstructionTile &tile, const RootTile &root);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_ALTERNATIVES_H
