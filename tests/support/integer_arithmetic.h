// The results of elementwise ops on integers of every width.
//
//   add of s8 100 and 100     -56
//   divide of s8 -128 by -1   -128
//
// Written from the definitions of HLO. An unsigned number from 2^63 on is
// stored as a negative one.
#ifndef INDEXICAL_TESTS_SUPPORT_INTEGER_ARITHMETIC_H
#define INDEXICAL_TESTS_SUPPORT_INTEGER_ARITHMETIC_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/op.h"

namespace indexical::testing {

/// Returns the lowest bits of the value, as a value of the type.
int64_t wrapped(__int128 value, ElementType type);

/// Returns the result of an op whose operands and result are integers, or
/// nothing if the op is not known here.
std::optional<int64_t> computed(const ElementwiseOp &op,
                                llvm::ArrayRef<int64_t> operands);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_INTEGER_ARITHMETIC_H
