// One map from its parts: what simplify and compose have in common.
//
//   import        the parts, as variables and forms           (map_in_work.h)
//   the domain    constraints and bounds tighten each other, strided variables
//                 become dense, what has one value is fixed, until nothing
//                 changes                                        (fixpoint.h)
//   the results   canonical forms of them, with what the domain says as facts
//                                                        (canonical_form.h)
//   all points    of results that seem simple               (collapse.h)
//   the map       without what nothing uses                 (emission.h)
#ifndef INDEXICAL_SIMPLIFIER_WHOLE_MAP_H
#define INDEXICAL_SIMPLIFIER_WHOLE_MAP_H

#include "absl/status/statusor.h"

#include "indexical/indexing/composition.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/simplify.h"
#include "indexical/simplifier/workspace.h"

namespace indexical {

/// Returns the map of the parts, or the product of the two, in canonical form;
/// not proven. Uses up the parts. Returns an error if arithmetic leaves 64
/// bits.
absl::StatusOr<IndexingMap> simplifyParts(MapParts &parts,
                                          const SimplifyOptions &options,
                                          Workspace &workspace);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_WHOLE_MAP_H
