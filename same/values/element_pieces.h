// Elements of a region that is split if a single element cannot represent all
// of it; of modules and of kernels.
//
//   concatenate(x, y)[i], i in [0, 7]     no element: parts [0, 3] and [4, 7]
//     inPieces                            x[i] in [0, 3], y[i - 4] in [4, 7]
//
// A query for an element in a region returns it, or kParts. Then the region is
// split into parts, and the query is repeated for each.
#ifndef INDEXICAL_SAME_VALUES_ELEMENT_PIECES_H
#define INDEXICAL_SAME_VALUES_ELEMENT_PIECES_H

#include <cstddef>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/budget.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/same/values/element_table.h"

namespace indexical {

/// In place of an element: the region falls into parts.
inline constexpr ElementId kParts = -1;
/// A region in more pieces is not followed.
inline constexpr size_t kMostPieces = 64;
/// The cost of a composition, in operations of the meter.
inline constexpr int64_t kProduct = 200;

using ElementPieces = llvm::SmallVector<ElementTable::Piece, 2>;
/// Returns the element in a region, or kParts.
using ElementInRegion = llvm::function_ref<ElementId(const IndexingMap &)>;

/// Sets `parts` to the regions in which these maps hold. Returns false if one
/// leaves 64 bits.
bool splitByRegions(llvm::ArrayRef<IndexingMap> maps,
                    std::vector<IndexingMap> &parts);

/// Returns the parts of the region as parts of its first `outer` variables;
/// nothing if other variables decide too.
std::optional<std::vector<IndexingMap>> partsOfFirst(
    llvm::ArrayRef<IndexingMap> parts, const IndexingMap &region, size_t outer);

/// Adds to `pieces` the elements that `body` gives in the region, which is
/// split as often as necessary. `body` sets `parts` where it returns kParts.
/// Returns false if there are too many pieces, or if the first `outer`
/// variables alone decide: then `parts` are those of the whole.
bool inPieces(const IndexingMap &region, size_t outer, ElementInRegion body,
              std::vector<IndexingMap> &parts, Meter &meter,
              ElementPieces &pieces);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_ELEMENT_PIECES_H
