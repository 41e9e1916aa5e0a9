// Overlaps: two outer variables that every form has only as one sum.
//
//   a window over all of 16384 elements, read by warps of 32 lanes
//     lane + 32 * w + k - 16383 in [0, 16383], w in [0, 511], k in [0, 16383]
//
//   The sum 32 * w + k decides all: k = 32 * q + t, and u = w + q
//     lane + 32 * u + t - 16383, u in [0, 1022], t in [0, 31]
//     so many points have the sum u: 1, 2, …, 511, 512, 511, …, 1
//
// The sums do not change if all addresses of a warp move by whole cache lines.
// For f32, a window that is written by its elements s = 32 * q + t
//     lane + 32 * w - s in [0, inf], address 32 * s bits
// has the sum u = w - q, too, and the address 32 * t.
//
// A box of w and k is cut along a diagonal into as many parts as it is long.
// One of u and t is cut in three. A sum that stands for several points has a
// *weight* for each value.
//
// Law (tests/cost/memory/random_coalescing_test.cc): the sums of a launch with
// windows are those of a simulator that goes through every thread.
#ifndef INDEXICAL_COST_MEMORY_OVERLAPS_H
#define INDEXICAL_COST_MEMORY_OVERLAPS_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/memory/lane_forms.h"

namespace indexical {
namespace lanes {

/// Returns the boxes in which two outer variables, which every form has as one
/// sum, are one variable with weights; together they have the points of the
/// problem. Returns no boxes if there are no such variables, or if a digit is
/// left. With a period, in bits, addresses are those of the problem modulo it,
/// all of a warp moved by the same.
std::vector<Problem> withOverlaps(const Problem &problem, int64_t period = 0);

/// Returns how many points of the problem have a value v of outer variable x
/// with v mod cycle = residue; the other variables do not count. Requires 0 <=
/// residue < cycle.
__int128 pointsAt(const Problem &problem, size_t x, int64_t cycle,
                  int64_t residue);

/// Returns the number of points of the problem's box, each as often as it
/// counts.
__int128 pointsOf(const Problem &problem);

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_OVERLAPS_H
