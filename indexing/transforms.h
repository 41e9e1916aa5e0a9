// Maps with other variables: sources renamed, ranges made dimensions, unused
// variables dropped, a runtime variable replaced by an expression.
//
//   m = (d0)[s0, s1] -> (s0, d0), d0 in [0, 7], s0 in [0, 3], s1 in [0, 1]
//
//   dropUnused(m)           (d0)[s0] -> (s0, d0)
//   rangesToDimensions(m)   (d0, d1, d2) -> (d1, d0)
//
// Law (tests/indexing/transforms_test.cc, by enumeration): dropUnused keeps the
// relation; rangesToDimensions keeps every point, its ranges' values moved
// behind the dimensions'; replaceRuntime(m, i, e) at a point is m with rt_i =
// e; withRuntime(m, nothing) == m; withBody(m, nothing) == m; asSet keeps the
// domain's points and the results.
#ifndef INDEXICAL_INDEXING_TRANSFORMS_H
#define INDEXICAL_INDEXING_TRANSFORMS_H

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/relation.h"

namespace indexical {

/// Functions from the number of a tensor, or of a collective, to its new
/// number. A null `collective` keeps the numbers of collectives; `tensor` may
/// be null only if no runtime variable is an element or a size.
struct SourceNames {
  llvm::function_ref<int64_t(int64_t)> tensor, collective;
};
/// Returns the map with the new numbers in the sources of its runtime variables
/// and for its collectives. The rest of the map stays as it is.
IndexingMap withSources(const IndexingMap &map, const SourceNames &names);
/// Returns the relation with the sources of all pieces renumbered; the
/// precision stays.
IndexingRelation withSources(const IndexingRelation &relation,
                             const SourceNames &names);

/// Returns the map whose dimensions are the map's dimensions, then its ranges.
IndexingMap rangesToDimensions(const IndexingMap &map);

/// Returns the map whose dimensions are all the map's variables: dimensions,
/// ranges, then runtime variables, of which only the bounds are kept. Members
/// of collectives are results behind the others.
IndexingMap asSet(const IndexingMap &map);

/// Returns the map without the range and runtime variables that nothing uses,
/// the others renamed. A runtime variable that is not clamped and has a source
/// stays: its bounds say where the map holds.
IndexingMap dropUnused(const IndexingMap &map);

/// Returns the map with its runtime variable `i` replaced. `value` is given the
/// index of the variable's source, as expressions of the new map's builder. It
/// may add constraints, and returns the expression that replaces the variable.
/// Nothing is simplified.
absl::StatusOr<IndexingMap> replaceRuntime(
    const IndexingMap &map, size_t i,
    llvm::function_ref<Expr(IndexingMapBuilder &, llvm::ArrayRef<Expr>)> value);

/// The results, members and constraints of a map, as expressions of a new map's
/// builder.
struct MapBody {
  llvm::SmallVector<Expr, 6> results, members;
  llvm::SmallVector<std::pair<Expr, Interval>, 4> constraints;
};

/// Returns the map with its results, members and constraints as `edit` leaves
/// them. `edit` may add runtime variables behind the map's own. The map's
/// variables keep their numbers. Nothing is simplified.
absl::StatusOr<IndexingMap> withBody(
    const IndexingMap &map,
    llvm::function_ref<void(IndexingMapBuilder &, MapBody &)> edit);

/// Returns the map with the constraints and runtime variables that `add` adds
/// behind its own. `add` is given the results. Nothing is simplified.
absl::StatusOr<IndexingMap> restricted(
    const IndexingMap &map,
    llvm::function_ref<void(IndexingMapBuilder &, llvm::ArrayRef<Expr>)> add);

/// Returns the map with its runtime variables as `edit` leaves them. `edit` is
/// called with each variable; the variable's index holds expressions of the new
/// map's builder. Nothing is simplified.
absl::StatusOr<IndexingMap> withRuntime(
    const IndexingMap &map,
    llvm::function_ref<void(IndexingMapBuilder &, RuntimeVariable &)> edit);

/// Returns an error if one of the map's invariants is broken: expressions
/// within 64 bits on finite bounds, divisors that cannot be zero, sources whose
/// index uses no runtime variable that depends on itself. Maps that builders
/// return are valid.
absl::Status verify(const IndexingMap &map);

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_TRANSFORMS_H
