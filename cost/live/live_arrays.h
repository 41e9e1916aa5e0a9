// The arrays that are live where a scheduled module needs most memory.
//
//   p = f32[1024] parameter(0)          0 to the end    4096 bytes
//   a = f32[2048] broadcast(z), …       1 to 3          8192
//   b = f32[2048] exponential(a)        2 to 3          8192
//   c = f32[2048] add(a, b)             3 to 4          8192
//   ROOT r = f32[1024] slice(c), …      4 to the end    4096
//
//   peak: at c, the arrays p, a, b, c   28672 bytes
//
// An array is live from the op that makes it to the last one that reads it. The
// operands and the results of an op are both live while it runs, although a
// compiler may write one over the other. Parameters of the entry and constants
// are live all the time, results from the op that makes them to the end.
//
// One array may be several values: operands that tuples, bitcasts and loops
// pass on, ops that are started and finished later, and an operand that a
// dynamic-update-slice or a scatter overwrites, alone or as the root of a
// fusion, if nothing reads it later. A loop or a call adds the peak of its
// computations beside their parameters and results. Arrays have the bytes of
// their layouts, padding too.
//
// Law (tests/cost/live/live_arrays_test.cc): against a run that counts, op by
// op, the arrays that a later op reads.
#ifndef INDEXICAL_COST_LIVE_LIVE_ARRAYS_H
#define INDEXICAL_COST_LIVE_LIVE_ARRAYS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "indexical/program/module/callees.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the bytes of an array in memory, padding of its layout included.
/// Returns nothing if a size or the type is unknown.
std::optional<int64_t> storedBytes(const ArrayShape &shape);

struct LiveArray {
  ComputationId computation;
  InstructionLeaf value;  ///< the first value that the array is
  int64_t bytes = 0;
};

struct LivePeak {
  ComputationId computation;
  InstructionId at;  ///< the instruction that runs then
  int64_t bytes = 0;
  std::vector<LiveArray> arrays;  ///< the largest first
};

/// Returns the peak of a module, or nothing if it is not scheduled or if a size
/// is symbolic. If several points of the schedule need as much, returns the
/// first.
std::optional<LivePeak> livePeakOf(const Module &module);

}  // namespace indexical

#endif  // INDEXICAL_COST_LIVE_LIVE_ARRAYS_H
