// One range in place of several that make one number.
//
// Two ranges become one if only their sum is read:
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
// Ranges that nothing else reads become one if they are the digits of a number.
// A kernel writes a set of elements with tiles and loops, and its fusion writes
// the same set with one range:
//
//   (d0)[s0, s1] -> (d0 * 64 + s0 * 16 + s1), s0 in [0, 3], s1 in [0, 15]
//     -> (d0)[s0] -> (d0 * 64 + s0), s0 in [0, 63]
//
// Law (tests/program/maps/merged_ranges_test.cc and merged_digits_test.cc, by
// enumeration): the map relates the same pairs.
#ifndef INDEXICAL_PROGRAM_MAPS_MERGED_RANGES_H
#define INDEXICAL_PROGRAM_MAPS_MERGED_RANGES_H

#include "indexical/indexing/relation.h"

namespace indexical {

/// Merges ranges of which only the sum is read. The map is simplified if ranges
/// were merged.
IndexingMap withMergedRanges(const IndexingMap &map);

/// Does so in each piece that has more than `most` ranges.
IndexingRelation withMergedRanges(const IndexingRelation &relation,
                                  size_t most);

/// Merges ranges that are digits of one number: terms of the result that occur
/// nowhere else. Nothing is simplified. A map of several results is returned
/// unchanged.
IndexingMap withMergedDigits(const IndexingMap &map);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_MERGED_RANGES_H
