// Attributes of a random op as operands: its sizes are said at run time.
//
//   slice(f32[8]), slice={[1:7:2]}
//     -> slice(f32[8], s64[1], s64[1], s64[1]), the values (1), (7), (2)
#ifndef INDEXICAL_TESTS_SUPPORT_GIVEN_ATTRIBUTES_H
#define INDEXICAL_TESTS_SUPPORT_GIVEN_ATTRIBUTES_H

#include <optional>

#include "tests/support/random_ops.h"

namespace indexical::testing {

/// The op with its attributes as operands, behind its own, whose values are
/// added to `values`; nothing of a family that has no such form.
std::optional<Op> withGivenAttributes(const Op &op, OperandValues &values);

/// Where operands say the sizes of the op's results, makes them say those that
/// the results have.
void saySizes(const Op &op, OperandValues &values);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_GIVEN_ATTRIBUTES_H
