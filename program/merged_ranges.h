// Two ranges whose sum alone is read, as one.
//
//   (d0)[s0, s1] -> (d0 + s0 + s1 - 2)     s0, s1 in [0, 2]
//       d0 + s1 in [1, 8], d0 + s0 + s1 in [2, 9]
//     -> (d0)[s0] -> (d0 + s0 - 2)         s0 in [0, 4], d0 + s0 in [2, 9]
//
// A chain of windows has a range for each of them, and a bound for each place
// on the way, where there is padding. There is a way to every place that the
// sum reaches, so that the bounds on the way ask for nothing: of s1 there is a
// value wherever each of its lower bounds is at most each of its upper ones.
// Where all of that is known already, s1 goes.
//
// Law (tests/program/merged_ranges_test.cc, by enumeration): the map relates
// the same pairs.
#ifndef INDEXICAL_PROGRAM_MERGED_RANGES_H
#define INDEXICAL_PROGRAM_MERGED_RANGES_H

#include "absl/status/statusor.h"

#include "indexical/indexing/relation.h"

namespace indexical {

/// The map with as few ranges as this makes of them; simplified where there are
/// fewer.
absl::StatusOr<IndexingMap> withMergedRanges(const IndexingMap &map);

/// The same of each piece that has more than `most` ranges.
absl::StatusOr<IndexingRelation> withMergedRanges(
    const IndexingRelation &relation, size_t most);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MERGED_RANGES_H
