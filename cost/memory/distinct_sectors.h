// How many sectors a set of elements touches.
//
//   x * 64 + y, x in [0, 9], y in [0, 7], elements of 32 bits
//     ten runs of 32 bytes, 256 bytes apart: 10 sectors of 32 bytes
//   x * 12, x in [0, 99], elements of 32 bits
//     no whole sector lies between two of them: one run of 4756 bytes, 149
//     sectors
//
// The set is cut into boxes on which addresses are linear (boxes.h). One box
// whose strides keep runs apart is counted at once; else sectors are marked,
// run by run, within the budget. Past it the count is bounded.
//
// Law (tests/cost/memory/random_coalescing_test.cc): equal to the set of
// sectors of every element.
#ifndef INDEXICAL_COST_MEMORY_DISTINCT_SECTORS_H
#define INDEXICAL_COST_MEMORY_DISTINCT_SECTORS_H

#include <cstdint>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/memory/coalescing.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {
namespace lanes {

struct SectorSize {
  int64_t sector = 256, element = 32;  ///< in bits
  int64_t total = 0;  ///< sectors that there are; at most so many are touched
  int64_t shift = 0;  ///< all addresses are moved by it, in bits
};

/// Returns the number of sectors of all elements whose numbers the maps give,
/// each map over all of its dimensions and ranges. Runtime variables that are
/// added are left out. Returns an error if a map has something that is not
/// followed.
absl::StatusOr<Figure> distinctSectors(llvm::ArrayRef<IndexingMap> elements,
                                       const SectorSize &size, Meter &meter);

/// Returns whether the thread map is found to give every index of the box.
bool coversBox(const IndexingMap &threads, llvm::ArrayRef<Interval> box);

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_DISTINCT_SECTORS_H
