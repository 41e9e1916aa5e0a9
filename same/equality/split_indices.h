// Relations whose runtime variables name one element each.
//
//   (d0){rt0} -> (rt0), domain: d0 in [0, 1], rt0 the element (d0) of p
//     -> (d0){rt0} -> (rt0), d0 in [0, 0], rt0 the element (0) of p
//        (d0){rt0} -> (rt0), d0 in [1, 1], rt0 the element (1) of p
//
// A gather names its starts by one variable, whose element depends on the
// dimension; a concatenation of slices has a variable for each start. The two
// can be compared only if each variable names one element.
//
// Law (tests/documents/scattered_pairs_test.cc, by the answers): it is the same
// relation.
#ifndef INDEXICAL_SAME_EQUALITY_SPLIT_INDICES_H
#define INDEXICAL_SAME_EQUALITY_SPLIT_INDICES_H

#include <optional>

#include "indexical/indexing/relation.h"

namespace indexical {

/// Returns the relation with its pieces split along the dimensions and ranges
/// that the index of a runtime variable names. Returns nothing if these have
/// too many values, or if there would be too many pieces.
std::optional<IndexingRelation> withSplitIndices(
    const IndexingRelation &relation);

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_SPLIT_INDICES_H
