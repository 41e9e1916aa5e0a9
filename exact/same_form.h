// Whether the forms of two relations show that the relations are equal.
//
//   (d0)[s0] -> (s0, d0), s0 in [0, 511]
//   (d0)[s0] -> (511 - s0, d0), s0 in [0, 511]          one relation
//
// A range variable takes all its values, so it may be counted from 0, from
// either end, and have any place among the others. Pieces are simplified and
// their ranges written in one way. Relations with the same pieces are then
// equal; others may be equal, too.
//
// Law (tests/exact/same_form_test.cc, by enumeration): a map with its ranges
// counted is the same relation, and counted again it stays.
#ifndef INDEXICAL_EXACT_SAME_FORM_H
#define INDEXICAL_EXACT_SAME_FORM_H

#include "absl/status/statusor.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/relation.h"

namespace indexical {

/// Returns the map, simplified, with its ranges counted from 0 and in the order
/// in which its forms first use them. Each is counted from the end that gives
/// its first use a positive factor. Ranges without end keep their bounds.
absl::StatusOr<IndexingMap> withCountedRanges(const IndexingMap &map);

/// Returns whether both relations have the same pieces once these are
/// simplified and their ranges counted.
bool areSameForm(const IndexingRelation &a, const IndexingRelation &b);

}  // namespace indexical

#endif  // INDEXICAL_EXACT_SAME_FORM_H
