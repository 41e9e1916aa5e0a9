// The value of an element of a result, from the values of what it reads.
//
//   slice(p)       the element that is read
//   add(p, q)      the sum of both, cut to the width of the type
//   iota, sizes    the number
//
// Which elements it reads, tests/oracle says.
#ifndef INDEXICAL_TESTS_SUPPORT_ELEMENT_VALUES_H
#define INDEXICAL_TESTS_SUPPORT_ELEMENT_VALUES_H

#include <cstdint>
#include <optional>

#include "indexical/ops/op.h"
#include "tests/oracle/oracle.h"

namespace indexical::testing {

/// Whether elements of the results are elements of operands.
bool movesElements(const Op &op);

/// Returns the value if it is decided here: of constants, iotas and sizes, of
/// ops that move elements, and of elementwise ops on integers. An operand whose
/// values are not known has none.
std::optional<int64_t> decidedValue(const Op &op, int64_t result,
                                    int64_t element, const Reads &reads,
                                    const OperandValues &operands);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_ELEMENT_VALUES_H
