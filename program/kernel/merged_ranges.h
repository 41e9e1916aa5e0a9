// One range in place of several that count one number.
//
//   (d0)[s0, s1] -> (d0 * 64 + s0 * 16 + s1), s0 in [0, 3], s1 in [0, 15]
//     (d0)[s0] -> (d0 * 64 + s0), s0 in [0, 63]
//
// A kernel writes a set of elements with tiles and loops, and its fusion writes
// the same set with one range. Merged, the two have the same form.
//
// Law (tests/same/kernel/merged_ranges_test.cc, by enumeration): the
// relation is the same.
#ifndef INDEXICAL_PROGRAM_KERNEL_MERGED_RANGES_H
#define INDEXICAL_PROGRAM_KERNEL_MERGED_RANGES_H

#include "indexical/indexing/indexing_map.h"

namespace indexical::kernels {

/// Returns the map whose dimensions behind the first `kept` are ranges, in
/// front of its own ranges.
IndexingMap withRanges(const IndexingMap &map, size_t kept = 3);

/// Returns the map with those ranges merged that are terms of its result and
/// occur nowhere else. Other ranges stay. A map of several results is returned
/// unchanged.
IndexingMap withMergedRanges(const IndexingMap &map);

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_MERGED_RANGES_H
