// Attributes of a random op as operands: its sizes are said at run time.
//
//   slice(f32[8]), slice={[1:7:2]}
//     -> slice(f32[8], s64[1], s64[1], s64[1]), the values (1), (7), (2)
#ifndef INDEXICAL_TESTS_SUPPORT_GIVEN_ATTRIBUTES_H
#define INDEXICAL_TESTS_SUPPORT_GIVEN_ATTRIBUTES_H

#include <optional>

#include "tests/support/random_ops.h"

namespace indexical::testing {

/// Returns the op with its attributes as operands behind its own, and adds
/// their values to `values`. Returns nothing for a family that has no such
/// form.
std::optional<Op> withGivenAttributes(const Op &op, OperandValues &values);

/// If operands give the sizes of the op's results, sets the values of these
/// operands to the sizes that the results have.
void saySizes(const Op &op, OperandValues &values);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_GIVEN_ATTRIBUTES_H
