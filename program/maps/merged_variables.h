// Merges runtime variables that have the same value: private to program/.
#ifndef INDEXICAL_PROGRAM_MAPS_MERGED_VARIABLES_H
#define INDEXICAL_PROGRAM_MAPS_MERGED_VARIABLES_H

#include "absl/status/statusor.h"

#include "indexical/indexing/relation.h"

namespace indexical {

/// Returns the relation with one variable in place of several that have the
/// same value: the two starts of dynamic-slice(p, i, i) become one. Variables
/// that are clamped to different bounds have different values. A piece is left
/// out if no value is within the bounds of both variables.
absl::StatusOr<IndexingRelation> withVariablesMerged(
    const IndexingRelation &relation);
/// Like withVariablesMerged, but also simplifies the pieces if any variables
/// were merged.
absl::StatusOr<IndexingRelation> withOneVariableEach(
    const IndexingRelation &relation);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_MERGED_VARIABLES_H
