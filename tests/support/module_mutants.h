// A module's text with one thing changed: an order of dimensions, a slice, an
// amount of padding, a direction, or a constant. In HLO and in StableHLO.
//
//   transpose(p), dimensions={1,0}      dimensions={0,1}
//   slice(p), slice={[0:4], [2:5]}      slice={[0:4], [1:4]}
//   pad(p, z), padding=1_2              padding=2_1
//   compare(p, q), direction=LT         direction=GE
//   constant(3)                         constant(4)
//
// A mutant may be no valid module: shapes stay as they are even if the change
// requires others.
#ifndef INDEXICAL_TESTS_SUPPORT_MODULE_MUTANTS_H
#define INDEXICAL_TESTS_SUPPORT_MODULE_MUTANTS_H

#include <string>

#include "tests/support/random.h"

namespace indexical::testing {

/// Returns the text with one random place changed at random, or the text itself
/// if it has no such place.
std::string mutantOf(const std::string &text, Random &random);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_MODULE_MUTANTS_H
