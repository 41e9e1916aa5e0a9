// Whether two relations are one already by their forms.
//
//   (d0)[s0] -> (s0, d0), s0 in [0, 511]
//   (d0)[s0] -> (511 - s0, d0), s0 in [0, 511]          one relation
//
// A range variable takes all its values, so it may be counted from 0, from
// either end, and stand at any place among the others: pieces are simplified
// and their ranges written in one way. What is then the same is equal; what is
// not may be equal all the same.
//
// Law (tests/exact/same_form_test.cc, by enumeration): a map with its ranges
// counted is the same relation, and counted again it stays.
#ifndef INDEXICAL_EXACT_SAME_FORM_H
#define INDEXICAL_EXACT_SAME_FORM_H

#include "absl/status/statusor.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/relation.h"

namespace indexical {

/// The same relation, its ranges counted from 0 in the order in which they are
/// met, each so that it is first met with a positive factor; simplified. Ranges
/// without end stay as they are.
absl::StatusOr<IndexingMap> withCountedRanges(const IndexingMap &map);

/// Whether both relations have the same pieces, so written.
bool areSameForm(const IndexingRelation &a, const IndexingRelation &b);

}  // namespace indexical

#endif  // INDEXICAL_EXACT_SAME_FORM_H
