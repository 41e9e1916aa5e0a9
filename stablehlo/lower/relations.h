// The small algebra of maps that a lowering needs: maps from its loops.
//
// A map *from the scope* has one dimension for each value that the code has at
// hand (loops, indices that were read), and no other variables:
//
//   W  (d0, d1) -> (d1, d0)        the element of a transpose's operand
//   withValues(W, scope, {2})      (d0, d1, d2) -> (d1, d0, d2)
//   compose(that, asSet(P))        what P reads, of loops and values
//   conditionOf(M, W)              M, its domain what W does not say already
#ifndef INDEXICAL_STABLEHLO_LOWER_RELATIONS_H
#define INDEXICAL_STABLEHLO_LOWER_RELATIONS_H

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// The map over all dimensions of a scope, of which its own are the first,
/// with some of the scope's dimensions as results behind its own.
absl::StatusOr<IndexingMap> withValues(const IndexingMap &map,
                                       llvm::ArrayRef<Interval> scope,
                                       llvm::ArrayRef<unsigned> values);

/// `wanted` of the map's results, in that order, and no others.
absl::StatusOr<IndexingMap> onlyResults(const IndexingMap &map,
                                        llvm::ArrayRef<unsigned> wanted);

/// `map` over the dimensions of `where`, which it was composed from: what it
/// asks for beyond the domain of `where` is in the constraints.
absl::StatusOr<IndexingMap> conditionOf(const IndexingMap &map,
                                        const IndexingMap &where);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_LOWER_RELATIONS_H
