// Pieces of an access that differ in what a loaded number is, as one piece;
// private to cost/kernel.
//
//   t0 + loaded0 * 1024        where loaded0 in [0, 151935]
//   t0 + 155581440             where loaded0 mod 2^32 in [151936, inf]
//     are t0 + w * 1024, w in [0, 151935]: an index that is clamped
//
// A loaded number may be anything, so that nothing is lost if what the kernel
// makes of it has a name of its own. Facts that hold for any such value, such
// as the number of sectors of whole rows, are then seen. Pieces are merged if
// each number that can be loaded is in one of them, and none is in two.
#ifndef INDEXICAL_COST_KERNEL_MERGED_VALUES_H
#define INDEXICAL_COST_KERNEL_MERGED_VALUES_H

#include <map>
#include <string>
#include <vector>

#include "indexical/indexing/indexing_map.h"

namespace indexical::kernels {

/// Returns maps with the same elements for any loaded numbers, or with more.
/// `maps` are disjoint and have one result. `values` are the bounds of the
/// types of runtime variables, by their names.
std::vector<IndexingMap> mergedOverValues(
    std::vector<IndexingMap> maps,
    const std::map<std::string, Interval> &values);

}  // namespace indexical::kernels

#endif  // INDEXICAL_COST_KERNEL_MERGED_VALUES_H
