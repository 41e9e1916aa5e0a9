// Two variables at a distance: a pair of different indices, for injectivity.
//
//   x0 * r - x1 * r in [0, 0], x1 = x0 - t, t in [1, inf]
//     t * r in [0, 0]: none if r is at least 1
//
// The prover of sizes (simplifier/size_prover.h) sees what follows where
// strides are not known: that different indices read different elements.
//
// Law (tests/exact/distance_test.cc, by enumeration): the points are those at
// that distance.
#ifndef INDEXICAL_EXACT_DISTANCE_H
#define INDEXICAL_EXACT_DISTANCE_H

#include "indexical/exact/system.h"

namespace indexical {

/// Returns the system with one variable written as another form minus a
/// distance, which is a new variable: x1 as x0 - t. Every constraint on it is
/// kept.
System withDistance(const System &system, uint32_t variable, FormId form,
                    Interval distance);

}  // namespace indexical

#endif  // INDEXICAL_EXACT_DISTANCE_H
