// Merges two ranges into one if only their sum is read.
//
//   (d0)[s0, s1] -> (d0 + s0 + s1 - 2)     s0, s1 in [0, 2]
//       d0 + s1 in [1, 8], d0 + s0 + s1 in [2, 9]
//     -> (d0)[s0] -> (d0 + s0 - 2)         s0 in [0, 4], d0 + s0 in [2, 9]
//
// A chain of windows has a range for each of them, and, with padding, a bound
// for each place on the way. Every place that the sum reaches can be reached
// within these bounds, so that they exclude nothing. s1 has a value if each of
// its lower bounds is at most each of its upper ones. If all of that is known
// already, s1 goes.
//
// Law (tests/program/maps/merged_ranges_test.cc, by enumeration): the map
// relates the same pairs.
#ifndef INDEXICAL_PROGRAM_MAPS_MERGED_RANGES_H
#define INDEXICAL_PROGRAM_MAPS_MERGED_RANGES_H

#include "absl/status/statusor.h"

#include "indexical/indexing/relation.h"

namespace indexical {

/// Returns the map with as few ranges as merging leaves. The map is simplified
/// if ranges were merged.
absl::StatusOr<IndexingMap> withMergedRanges(const IndexingMap &map);

/// Merges ranges in each piece that has more than `most` of them.
absl::StatusOr<IndexingRelation> withMergedRanges(
    const IndexingRelation &relation, size_t most);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_MERGED_RANGES_H
