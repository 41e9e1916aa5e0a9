// Operations on maps from the loops of a lowering.
//
// A map *from the scope* has one dimension for each value in scope (loops,
// indices that were read), and no other variables:
//
//   W  (d0, d1) -> (d1, d0)        the element of a transpose's operand
//   withValues(W, scope, {2})      (d0, d1, d2) -> (d1, d0, d2)
//   compose(that, asSet(P))        what P reads, of loops and values
//   conditionOf(M, W)              M, its domain what W does not say already
#ifndef INDEXICAL_IMPORT_STABLEHLO_LOWER_RELATIONS_H
#define INDEXICAL_IMPORT_STABLEHLO_LOWER_RELATIONS_H

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Returns the map over all dimensions of a scope, of which its own are the
/// first, with some dimensions of the scope as further results behind its own.
absl::StatusOr<IndexingMap> withValues(const IndexingMap &map,
                                       llvm::ArrayRef<Interval> scope,
                                       llvm::ArrayRef<unsigned> values);

/// Returns the map with only the results `wanted`, in that order.
absl::StatusOr<IndexingMap> onlyResults(const IndexingMap &map,
                                        llvm::ArrayRef<unsigned> wanted);

/// Returns `map` over the dimensions of `where`, with which it was composed.
/// Its constraints are those that the domain of `where` does not imply.
absl::StatusOr<IndexingMap> conditionOf(const IndexingMap &map,
                                        const IndexingMap &where);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_LOWER_RELATIONS_H
