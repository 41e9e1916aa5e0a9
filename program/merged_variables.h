// One runtime variable for one value: private to program/.
#ifndef INDEXICAL_PROGRAM_MERGED_VARIABLES_H
#define INDEXICAL_PROGRAM_MERGED_VARIABLES_H

#include "absl/status/statusor.h"

#include "indexical/indexing/relation.h"

namespace indexical {

/// Returns the relation with one variable for each value: one for i in
/// dynamic-slice(p, i, i).
absl::StatusOr<IndexingRelation> withVariablesMerged(
    const IndexingRelation &relation);
/// Like withVariablesMerged, and simplified if anything was merged.
absl::StatusOr<IndexingRelation> withOneVariableEach(
    const IndexingRelation &relation);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MERGED_VARIABLES_H
