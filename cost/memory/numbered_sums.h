// Sums over the accesses of a launch whose reads are runs of numbers.
//
//   runs of 136 numbers, in steps of 32 bits; warps of 32, vectors of one
//     warps 0 … 3 are whole ones of the first run, alike but for a move
//     warp 4 has 8 lanes of the first run, and 24 of the second
//
// Warps within a run differ by a move alone, so one visit answers for all that
// have one residue modulo the line. A warp in which runs meet is visited alone.
// With vectors of v, lanes take every v-th number: an access for each of the v
// remainders.
//
// Runs of rows repeat. Once these have gone on by whole warps and whole lines,
// all sums have grown by what they grow by each time, and are multiplied:
//
//   rows of 143 numbers, 143 elements of 32 bits apart: 32 rows are 143 warps,
//   and 143 lines of 128 bytes
//
// Law (tests/cost/memory/random_coalescing_test.cc): the figures are those of a
// simulator that goes through every thread.
#ifndef INDEXICAL_COST_MEMORY_NUMBERED_SUMS_H
#define INDEXICAL_COST_MEMORY_NUMBERED_SUMS_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/memory/launch.h"
#include "indexical/cost/memory/numbered_reads.h"
#include "indexical/cost/memory/warp_sums.h"

namespace indexical {
namespace lanes {

/// The accesses of runs: the elements that a thread takes one after another,
/// the lanes of a warp, and the elements that a lane moves at once, which
/// divide `vector`.
struct NumberedAccesses {
  llvm::ArrayRef<NumberedRun> runs;
  RepeatedRuns repeated;  ///< of these
  int64_t vector = 1, warp = 32, atOnce = 1;
};

/// Returns how many operations addNumbered() takes.
int64_t costOfNumbered(const NumberedAccesses &accesses);

/// Adds the sums of all accesses, as WarpSums::add() does. The geometry's width
/// is that of `atOnce` elements. Returns false as it does.
bool addNumbered(const NumberedAccesses &accesses, const Geometry &geometry,
                 int64_t most, Sums &sums);

/// Returns whether every vector of `atOnce` elements, of so many bits each, is
/// contiguous, aligned, and wholly read or not at all.
bool areNumberedVectors(const NumberedAccesses &accesses, int64_t bits);

/// Returns whether a thread may read one element in all steps of its vector.
bool mayReadOneElement(const NumberedAccesses &accesses);

/// Returns what laneSteps() returns for a launch.
std::optional<LaneSteps> numberedSteps(const NumberedAccesses &accesses);

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_NUMBERED_SUMS_H
