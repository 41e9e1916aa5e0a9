// Regions: maps of the indices of a part of an index space to themselves.
#ifndef INDEXICAL_ANALYSIS_VALUES_REGIONS_H
#define INDEXICAL_ANALYSIS_VALUES_REGIONS_H

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// Returns the region in which a map holds; runtime variables on which that
/// depends stay. Returns nothing if arithmetic leaves 64 bits.
std::optional<IndexingMap> regionIn(const IndexingMap &map);

/// Returns the region of all indices of the shape, under the names i, j, k…
absl::StatusOr<IndexingMap> namedRegion(const ArrayShape &shape);

/// Returns the map without its results: it holds where the map does, and goes
/// to `()`.
IndexingMap withoutResults(const IndexingMap &map);

/// Returns whether runtime variables decide where the map holds: a constraint
/// names one, or one is not clamped and its source can have values outside of
/// its bounds.
bool holdsByRuntime(const IndexingMap &map);

/// Returns a part of a region as a region of its first `count` variables.
/// Returns nothing if the part restricts one of the other variables more than
/// the region does, for then it is no product.
std::optional<IndexingMap> ofFirst(const IndexingMap &part,
                                   const IndexingMap &region, size_t count);

/// Returns the map of the region to itself, its variables from `first` on
/// counted from 0: `(d0, d1) -> (d0, d1 + 3), d1 in [0, 4]` for `d1 in [3, 7]`.
/// Returns nothing if they are so already, or if constraints restrict the
/// region.
std::optional<IndexingMap> countedFromZero(const IndexingMap &region,
                                           size_t first);

/// Returns the map with a number in place of its runtime variable `i`, clamped
/// as the variable was.
absl::StatusOr<IndexingMap> withNumber(const IndexingMap &map, size_t i,
                                       int64_t number);

/// Returns the map `(d0, …)[s0, …] -> (d0, …, s0, …)` of an index of these
/// sizes to that with new variables of the other sizes, in that order, behind
/// it. `order[k]` is the place of the k-th range; a size of one has index 0.
absl::StatusOr<IndexingMap> withNewVariables(llvm::ArrayRef<int64_t> sizes,
                                             llvm::ArrayRef<int64_t> added,
                                             llvm::ArrayRef<size_t> order);

/// Returns the map of an index of these sizes to some of its coordinates.
absl::StatusOr<IndexingMap> picked(llvm::ArrayRef<int64_t> sizes,
                                   llvm::ArrayRef<size_t> places);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_VALUES_REGIONS_H
