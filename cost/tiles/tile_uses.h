// How a map's results use its atoms; private to analysis/.
//
//   (d0, d1) -> (d0 + d1 floordiv 4, d1 mod 4)   d1 and its two digits are used
//                                                once: by digits of one parent
//   (d0, d1) -> (d0 + d1, d1)                    d1 is used twice: a tile that
//                                                is exact has one value of it
#ifndef INDEXICAL_COST_TILES_TILE_USES_H
#define INDEXICAL_COST_TILES_TILE_USES_H

#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/tiles/tile_conditions.h"
#include "indexical/cost/tiles/tile_variables.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

struct TileUses {
  /// How often results use an atom, each parent of digits counted once.
  llvm::DenseMap<AtomId, int> atoms;
  llvm::SmallVector<bool, 4> dimensions;  ///< whether results use each

  explicit TileUses(const IndexingMap &map);
};

/// Requires that atoms have one value if they are used more than once, or if
/// their values over a tile are not a run. Returns false, with a blame, if that
/// cannot be.
bool requireSingleValues(TileVariables &variables, const TileUses &uses,
                         TileConditions &conditions);

/// Returns for each result an atom that need not be cut, if there is one: the
/// result leaves the tensor's shape wherever that atom, alone of all, leaves
/// its values, and so the shape cuts it. An atom whose bounds are narrower than
/// the root comes first.
llvm::SmallVector<std::optional<AtomId>, 4> cutByShape(TileVariables &variables,
                                                       const TileUses &uses);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_USES_H
