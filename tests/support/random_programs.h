// Random HLO modules of small ops, with fusions and calls between them.
//
//   Random random(17);
//   randomProgram(random);  // "HloModule m\n\nf0 {\n  p0 = …"
//
// Operands are shared, roots may be tuples, integers from parameters, constants
// and iotas steer dynamic slices and gathers. Sizes are 1 to 4, so that every
// element can be followed.
#ifndef INDEXICAL_TESTS_SUPPORT_RANDOM_PROGRAMS_H
#define INDEXICAL_TESTS_SUPPORT_RANDOM_PROGRAMS_H

#include <string>

#include "tests/support/random.h"

namespace indexical::testing {

std::string randomProgram(Random &random);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_RANDOM_PROGRAMS_H
