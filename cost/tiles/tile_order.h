// The order of sizes that a search finds; private to analysis/.
#ifndef INDEXICAL_COST_TILES_TILE_ORDER_H
#define INDEXICAL_COST_TILES_TILE_ORDER_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/tiles/tile_search.h"

namespace indexical {

enum class SizeOrder : uint8_t {
  Bytes,      ///< the fewest bytes first, once all cores have a block
  Time,       ///< the least time first; small tiles come last
  WholeRows,  ///< the same, after whole rows if they fit
};

/// Sorts the sizes, best first. Sizes that do not fit come last.
void sortSizes(std::vector<FoundSizes> &found, llvm::ArrayRef<TileStep> steps,
               SizeOrder order);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_ORDER_H
