// Ranges that an equation gives, written as what it says.
//
//   (d0, d1)[s0, s1] -> (s0, s1), domain: …, d0 - s0 in [0, 0]
//     -> (d0, d1)[s0] -> (d0, s0)
//   (d0)[s0] -> (s0), domain: d0 in [0, 7], s0 in [0, 2], d0 - 2 * s0 in [1, 1]
//     -> (d0) -> ((d0 - 1) floordiv 2), (d0 - 1) mod 2 in [0, 0], …
//
// An update of a scatter is found by such an equation if values of the indices
// are known. Equations that name runtime variables stay: the element that such
// a variable is may itself depend on the range.
//
// Law (tests/documents/scattered_pairs_test.cc, by runs): it is the same
// relation.
#ifndef INDEXICAL_PROGRAM_MAPS_SOLVED_RANGES_H
#define INDEXICAL_PROGRAM_MAPS_SOLVED_RANGES_H

#include "absl/status/statusor.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Returns the map without the ranges that equations give. Nothing is
/// simplified.
absl::StatusOr<IndexingMap> withSolvedRanges(const IndexingMap &map);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_SOLVED_RANGES_H
