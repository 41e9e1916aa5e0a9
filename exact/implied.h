// Constraints that follow from equations with products and quotients of
// variables.
//
//   x0 * r - x1 * r in [0, 0]                       (x0 - x1) * r in [0, 0]
//   x0 floordiv r - x1 floordiv r in [0, 0],
//   x0 mod r in [0, 0], x1 mod r in [0, 0]          x0 - x1 in [0, 0]
//
// Bounds of the new constraints show more than those of the old ones: that two
// different indices read different elements, whatever the stride r is.
//
// Law (tests/exact/implied_test.cc, by enumeration): the points are the same
// before and after.
#ifndef INDEXICAL_EXACT_IMPLIED_H
#define INDEXICAL_EXACT_IMPLIED_H

#include "indexical/exact/system.h"

namespace indexical {

/// Adds the implied constraints to the system.
void addImplied(System &system);

/// Returns the system with one variable written as another form minus a
/// distance, which is a new variable: x1 as x0 - t. Every constraint on it is
/// kept.
System withDistance(const System &system, uint32_t variable, FormId form,
                    Interval distance);

}  // namespace indexical

#endif  // INDEXICAL_EXACT_IMPLIED_H
