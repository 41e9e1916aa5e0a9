// Finds the other direction of a relation from which it can be read off, and
// gives up in both directions what is given up in one: private to program/.
//
//   f32[8,16,4] broadcast(f32[4,8]), dimensions={2,0}
//     reads    (d0, d1, d2) -> (d2, d0)
//     users    (d0, d1)[s0] -> (d1, s0, d0), s0 in [0, 15]
//
// Most relations between a root and its parameters are of this kind. A pass
// forward would find the same, at the price of a walk over all that lies
// between, for every parameter.
#ifndef INDEXICAL_PROGRAM_MAPS_CONVERSE_H
#define INDEXICAL_PROGRAM_MAPS_CONVERSE_H

#include <optional>

#include "absl/status/status.h"

#include "indexical/program/maps/reached.h"

namespace indexical {

/// Returns whether only boxes around the reads are left to be made
/// (turnAround), so that the users need not be known.
bool endsInBoxes(const Reached &reads, const ArrayShape &from,
                 const ArrayShape &to);

/// Returns the other direction of what was reached on the way from `from` to
/// `to`, if that is exact, its indices are variables, each of them used once
/// and over its whole dimension, and the other direction needs one range at
/// most:
///
///   f32[4,8] reads of f32[16,8]    (d0, d1)[s0] -> (s0, d1), s0 in [0, 15]
///   the other direction            (d0, d1)[s0] -> (s0, d1), s0 in [0, 3]
///
/// Returns nothing otherwise.
std::optional<IndexingRelation> converseOfVariables(const Reached &reads,
                                                    const ArrayShape &from,
                                                    const ArrayShape &to);

/// Makes the two directions each other's transposes if one is limited
/// (turnAround). `reads` goes from `from` to `to`.
absl::Status settle(Reached &reads, Reached &users, const ArrayShape &from,
                    const ArrayShape &to);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_CONVERSE_H
