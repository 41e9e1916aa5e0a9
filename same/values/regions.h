// Regions: maps of the indices of a part of an index space to themselves.
#ifndef INDEXICAL_SAME_VALUES_REGIONS_H
#define INDEXICAL_SAME_VALUES_REGIONS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// Returns the region in which a map holds; runtime variables on which that
/// depends stay. Returns nothing if arithmetic leaves 64 bits.
std::optional<IndexingMap> regionIn(const IndexingMap &map);

/// Returns the indices below a size. Those of an open size have no upper bound:
/// what holds for all of them holds for those that the size has.
inline Interval indicesBelow(int64_t size) {
  return {0, size == kDynamicSize ? Interval::kInfinity : size - 1};
}

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
/// the region does, for then it is not a product.
std::optional<IndexingMap> ofFirst(const IndexingMap &part,
                                   const IndexingMap &region, size_t count);

/// Returns whether a region, of the variables of `within` and others behind
/// them, has a value of the others for each index of `within`. False means
/// nothing: their first values, those in the middle and the last ones are
/// tried.
bool isNeverEmpty(const IndexingMap &region, const IndexingMap &within);

/// Adds to `parts`, which do not overlap, what they leave of the region of
/// `within`. Returns false if there are no parts, if the rest cannot be
/// written, or if values decide where one of them holds.
bool addRest(std::vector<IndexingMap> &parts, const IndexingMap &within);

/// Does so with parts of the first variables of `region`: where there is a
/// rest, the region is empty.
bool addRest(std::vector<IndexingMap> &parts, const IndexingMap &region,
             const IndexingMap &within);

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

/// The value of a runtime variable, or nothing if it is not known.
using ValueOfVariable =
    llvm::function_ref<std::optional<int64_t>(const RuntimeVariable &)>;
/// Returns the point with the values of the map's runtime variables. Returns
/// nothing if one is not known, or the map has ranges or other dimensions.
std::optional<IndexingMap::Point> pointIn(const IndexingMap &map,
                                          llvm::ArrayRef<int64_t> point,
                                          ValueOfVariable valueOf);
/// Returns the map's results at the point; nothing also where it does not hold.
std::optional<std::vector<int64_t>> resultsAt(const IndexingMap &map,
                                              llvm::ArrayRef<int64_t> point,
                                              ValueOfVariable valueOf);

/// Calls `take` at each point of the region that has `added` numbers behind
/// those of `point`, a step each. Returns false if the steps are spent, if the
/// region has runtime variables or other dimensions, or if `take` returns
/// false.
bool forPointsBehind(
    llvm::ArrayRef<int64_t> point, const IndexingMap &region, int64_t added,
    int64_t &steps,
    llvm::function_ref<bool(const std::vector<int64_t> &)> take);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_REGIONS_H
