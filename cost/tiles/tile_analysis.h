// Finds the tile of a tensor that a map reads for a tile of the root, as forms;
// private to analysis/.
//
//   (d0, d1) -> (d0 * 3 + d1 floordiv 4, d1 mod 4), tile (a, b)
//
// Every atom of a result takes, over a tile, a run of values (atom_runs.h). A
// result is a sum of runs, and a progression if they fit into each other
// (runs.h). An atom that two results use must have one value (tile_uses.h), and
// constraints cut progressions (tile_constraints.h). The requirements of all of
// this are collected (tile_conditions.h). If it cannot hold, the tile is a box
// instead:
//
//   (d0) -> (d0 mod 8), tile 6 at o0: from o0 mod 8 to (o0 + 5) mod 8, but from
//   0 to 7 where (o0 + 5) floordiv 8 is more than o0 floordiv 8
#ifndef INDEXICAL_COST_TILES_TILE_ANALYSIS_H
#define INDEXICAL_COST_TILES_TILE_ANALYSIS_H

#include <optional>

#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/tiles/runs.h"
#include "indexical/cost/tiles/tile_conditions.h"
#include "indexical/cost/tiles/tile_variables.h"

namespace indexical {

/// A progression for each dimension of the tensor.
using TileProgressions = llvm::SmallVector<Progression, 6>;

/// Returns the exact tile, and adds the conditions under which it is exact to
/// `conditions`. Returns nothing if they can never hold, if they are not known,
/// or if the forms are too long to read or leave 64 bits; conditions.blamed()
/// is then the expression that is to blame, if one is.
std::optional<TileProgressions> exactTile(TileVariables &variables,
                                          TileConditions &conditions);

/// Returns, for a map to a scalar, a form that is 1 if the root's tile reads
/// it, else 0; nothing if that is not known.
std::optional<FormId> isScalarRead(TileVariables &variables);

/// A box around the elements that a tile reads.
struct TileBox {
  TileProgressions parts;
  bool isLeast = true;  ///< it is the smallest one for certain
};

/// Returns a box, which may have no finite bounds or may leave 64 bits.
TileBox boxAround(TileVariables &variables);
/// Returns all of the tensor. If a size is not known, a very large number
/// stands for it: the shape cuts the rest.
TileBox wholeTensor(TileVariables &variables);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_ANALYSIS_H
