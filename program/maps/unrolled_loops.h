// Loops that run a few times: what the last state reads of the first, trip by
// trip. Private to program/.
//
//   while i < 3, i from 0
//     a1 = dynamic-update-slice(a, b1, i)       b1 = reverse(b)
//   a after 3 trips reads b: element 0 of b in reverse, 1 of b, 2 in reverse
//
// A counted loop whose leaves read each other has no closed form
// (counted_loops.h). In each of its trips the counter is a number, and what the
// trip reads composes with what was read before.
#ifndef INDEXICAL_PROGRAM_MAPS_UNROLLED_LOOPS_H
#define INDEXICAL_PROGRAM_MAPS_UNROLLED_LOOPS_H

#include <optional>
#include <vector>

#include "indexical/program/maps/counted_leaf.h"
#include "indexical/program/maps/counted_loops.h"

namespace indexical {

/// Returns what each leaf of the state reads of the operand leaves, but for
/// those that the number of trips depends on. `down` and `up` are what the root
/// of the body reads of its parameters, and `passed` says which leaves these
/// are. Returns nothing if a trip depends on numbers that the counter does not
/// give, or if there are many trips.
std::optional<std::vector<CountedReads>> readsOfTrips(
    CountedLeaf &leafOf, const CountedLoop &loop, const OpShapes &shapes,
    const Whole &down, const Whole &up, const PassedLeaves &passed);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_UNROLLED_LOOPS_H
