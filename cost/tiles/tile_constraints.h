// The part of a tile that a map's constraints leave; private to analysis/.
//
//   (d0)[s0] -> (d0 * 2 + s0 - 1), d0 * 2 + s0 in [1, 8]   cuts the result
//   (d0, d1)[s0] -> (d0, s0), s0 - d1 in [-inf, 0]         cuts s0 at the
//                                                          largest d1
//   (d0) -> (d0 floordiv 3), d0 mod 3 in [0, 0]            leaves a progression
//   (d0){rt0} -> (d0), d0 - rt0 in [-inf, -1]              cuts at rt0
//   (d0, d1) -> (d1), d0 in [4, 7]                         all or nothing
#ifndef INDEXICAL_COST_TILES_TILE_CONSTRAINTS_H
#define INDEXICAL_COST_TILES_TILE_CONSTRAINTS_H

#include <cstddef>
#include <optional>

#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/tiles/atom_runs.h"
#include "indexical/cost/tiles/tile_conditions.h"
#include "indexical/cost/tiles/tile_uses.h"
#include "indexical/cost/tiles/tile_variables.h"

namespace indexical {

/// The values of a result that constraints leave. No bound: the shape cuts
/// there.
struct TileResultBounds {
  size_t result;
  std::optional<FormId> lower, upper;
};

/// Finds what the constraints, and bounds that are narrower than the root,
/// leave of the results. Adds restrictions to the runs, and gates to the
/// conditions. Returns nothing, with a blame, if that is not known.
std::optional<llvm::SmallVector<TileResultBounds, 2>> constrained(
    TileVariables &variables, const TileUses &uses, AtomRuns &runs,
    TileConditions &conditions);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_CONSTRAINTS_H
