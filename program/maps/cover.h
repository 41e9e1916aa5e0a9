// Relations that have become too large, as covers that stay each other's
// transposes.
//
//   (d0) -> (d0) on [0, 3],  (d0) -> (9 - d0) on [6, 9]
//     -> (d0)[s0] -> (s0), d0 in [0, 9], s0 in [0, 3]
#ifndef INDEXICAL_PROGRAM_MAPS_COVER_H
#define INDEXICAL_PROGRAM_MAPS_COVER_H

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// Replaces a relation from `from` to `to` (`reads`) and its transpose
/// (`users`) by one map each, as coverOf() does. If pieces are merged in one
/// direction, both become covers. Each stays the other's transpose.
absl::Status coverBothWays(IndexingRelation &reads, IndexingRelation &users,
                           const ArrayShape &from, const ArrayShape &to);

/// Makes two covers of one answer, `reads` and `users`, each other's
/// transposes. They do not change if they are seen to be transposes; else both
/// become the boxes around what is read.
absl::Status turnAround(IndexingRelation &reads, IndexingRelation &users,
                        const ArrayShape &from, const ArrayShape &to);

/// Returns the relation without expressions of more than `most` written terms:
/// a result becomes a range variable over its bounds, a constraint is dropped.
/// If there is one, the relation becomes a cover, and `givenUp` true.
/// Transposes and reshapes whose cuts do not align can double an expression's
/// text at every step.
absl::StatusOr<IndexingRelation> withoutLargeExpressions(
    const IndexingRelation &relation, int64_t most, bool &givenUp);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_COVER_H
