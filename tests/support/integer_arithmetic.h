// What elementwise ops compute of integers, in integers of every width.
//
//   add of s8 100 and 100     -56
//   divide of s8 -128 by -1   -128
//
// Written from the definitions of HLO. Numbers of 64 bits without a sign are
// those below 2^63 only.
#ifndef INDEXICAL_TESTS_SUPPORT_INTEGER_ARITHMETIC_H
#define INDEXICAL_TESTS_SUPPORT_INTEGER_ARITHMETIC_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/op.h"

namespace indexical::testing {

/// The value as one of the type: its lowest bits.
int64_t wrapped(__int128 value, ElementType type);

/// The result of such an op, of operands and results that are integers;
/// nothing of an op that is not known here.
std::optional<int64_t> computed(const ElementwiseOp &op,
                                llvm::ArrayRef<int64_t> operands);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_INTEGER_ARITHMETIC_H
