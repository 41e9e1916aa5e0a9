// Shared reads: one address that all threads of a block read.
//
//   start s32[], read by 147456 blocks of 128 threads, each for 4 elements
//     warp by warp    589824 warps, 4 times each: 2359296 sectors
//     shared          147456 blocks: 147456 sectors
//
// A core keeps the sector while the block runs, and a compiler reads an address
// once that does not change, so a block reads each such address once.
//
// A read is shared if all threads of a block read one vector at a time, for all
// values of the loops and ranges. At least half of the threads of these blocks
// have to take part, and a block has to have a whole warp: a sum that the first
// thread of a block reads is not shared. Vectors have whole bytes, and lie
// within a sector.
//
// Law (tests/cost/memory/random_coalescing_test.cc): equal to a simulator that
// goes through every thread.
#ifndef INDEXICAL_COST_MEMORY_SHARED_READS_H
#define INDEXICAL_COST_MEMORY_SHARED_READS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/cost/memory/launch.h"
#include "indexical/cost/memory/numbered_sums.h"
#include "indexical/cost/memory/warp_sums.h"

namespace indexical {
namespace lanes {

/// Whether reads are shared. If the budget ends before this is known, they are
/// so perhaps.
enum class Sharing : uint8_t { None, Perhaps, InBlocks };

/// Returns whether the reads of the pieces are shared, and then sets the sums
/// to one access of one lane for each address of a block, and the requests to
/// one for each warp that loads it. `sums` are those of the warps. If they are
/// shared perhaps, the least of the sums is what both ways allow. Requires
/// pieces without runtime variables that differ from lane to lane. `shift`
/// moves all addresses, in bits.
absl::StatusOr<Sharing> shareInBlocks(const Launch &launch,
                                      const std::vector<LaunchPiece> &pieces,
                                      int64_t shift, const Geometry &geometry,
                                      int64_t vector, Meter &meter, Sums &sums);

/// Returns the same for the runs of a read, in blocks of so many threads.
/// Returns nothing if reads may be shared that are more than one element.
std::optional<Sharing> shareNumbered(const NumberedAccesses &accesses,
                                     int64_t threads, const Geometry &geometry,
                                     Sums &sums);

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_SHARED_READS_H
