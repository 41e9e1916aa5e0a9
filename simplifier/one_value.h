// Range variables that a constraint leaves one value: private to simplifier/.
//
//   (d0)[s0] -> (s0), d0 in [0, 31], s0 in [0, 3], d0 - s0 * 8 in [0, 7]
//     -> (d0) -> (d0 floordiv 8)
//   (d0)[s0] -> (s0), d0 - s0 * 8 in [0, 5]
//     -> (d0) -> (d0 floordiv 8), d0 mod 8 in [0, 5]
//   (d0)[s0]{rt0} -> (s0), d0 - s0 * rt0 in [0, inf],
//                          d0 - s0 * rt0 - rt0 in [-inf, -1]
//     -> (d0){rt0} -> (d0 floordiv rt0)
//   (d0)[s0] -> (s0), s0 in [0, 7], d0 - (s0 + 3) mod 8 in [0, 0]
//     -> (d0) -> ((d0 - 3) mod 8), d0 in [0, 7]
//
// A constraint c * s + e in [lo, hi], where s is not in e and hi - lo is less
// than the magnitude of c, has one s at most: the quotient of hi - e, or of
// e - lo, by that magnitude. If fewer than all remainders are in [lo, hi], the
// remainder becomes a constraint. By a size, two constraints say so together.
// In a remainder by n, a variable with at most n values has one value. The
// bounds of the variable become those of the quotient. So the inverse of a map
// that is injective on its domain is a function.
//
// Law (tests/exact/inverse_functions_test.cc, by enumeration): the pairs are
// the same; each step takes a range variable away.
#ifndef INDEXICAL_SIMPLIFIER_ONE_VALUE_H
#define INDEXICAL_SIMPLIFIER_ONE_VALUE_H

#include <optional>

#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/explanation.h"

namespace indexical {

/// Returns the map with a quotient in the place of a range variable that has
/// one value; the variable is then in its list, and nothing uses it. Nothing
/// is simplified. Returns nothing if no constraint leaves a variable one
/// value. If `rewrite` is not null it receives what was done.
std::optional<IndexingMap> withoutOneValue(const IndexingMap &map,
                                           Rewrite *rewrite);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_ONE_VALUE_H
