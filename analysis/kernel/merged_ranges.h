// One range in place of several that count one number.
//
//   (d0)[s0, s1] -> (d0 * 64 + s0 * 16 + s1), s0 in [0, 3], s1 in [0, 15]
//     (d0)[s0] -> (d0 * 64 + s0), s0 in [0, 63]
//
// A set of elements that is written with tiles and loops on one side and with
// one range on the other has one form so.
//
// Law (tests/analysis/kernel/merged_ranges_test.cc, by enumeration): the
// relation is the same.
#ifndef INDEXICAL_ANALYSIS_KERNEL_MERGED_RANGES_H
#define INDEXICAL_ANALYSIS_KERNEL_MERGED_RANGES_H

#include "indexical/indexing/indexing_map.h"

namespace indexical::kernels {

/// The map of one result with ranges merged that are terms of the result and
/// nothing else. Others stay; so does a map of several results.
IndexingMap withMergedRanges(const IndexingMap &map);

}  // namespace indexical::kernels

#endif  // INDEXICAL_ANALYSIS_KERNEL_MERGED_RANGES_H
