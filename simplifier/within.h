// Whether one map has all pairs of another.
//
//   inner   (d0)[s0]{rt0} -> (d0), domain: d0 in [0, 7], d0 - rt0 in [0, 0]
//   outer   (d0) -> (d0), domain: d0 in [0, 9]
//     isWithin(inner, outer)    true
//
// A range of the outer map that is a result by itself takes whatever value the
// inner map has there, within its bounds. A runtime variable is the same value
// in both maps if it has the same source, index and clamp. It also is if only
// the outer map clamps it, to bounds that the inner map keeps anyway: a gather
// that clamps to [0, 7] and a scatter that skips what is outside [0, 7] meet in
// the same element.
//
// Law (tests/simplifier/within_test.cc, by enumeration): if the answer is true,
// each pair of the inner map is one of the outer map, in every run.
#ifndef INDEXICAL_SIMPLIFIER_WITHIN_H
#define INDEXICAL_SIMPLIFIER_WITHIN_H

#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Returns true only if every (index, element) pair of `inner` is one of
/// `outer`, in every run. False proves nothing, for only forms are compared: it
/// is the answer if a range of `outer` is not a result by itself, or if the
/// maps write their common pairs differently. Requires canonical maps
/// (simplify).
bool isWithin(const IndexingMap &inner, const IndexingMap &outer);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_WITHIN_H
