// The results of elementwise ops on integers of every width.
//
//   add of s8 100 and 100     -56
//   divide of s8 -128 by -1   -128
//   shift_left of ui4 9 by 1  2
//
// Written from the definitions of HLO, once for all tests that run programs of
// HLO (program_run.h), of StableHLO (tests/import/stablehlo/scalar_functions.h)
// and of random tensors (tests/import/stablehlo/lower). An unsigned number from
// 2^63 on is stored as a negative one, and true as 1.
#ifndef INDEXICAL_TESTS_SUPPORT_INTEGER_ARITHMETIC_H
#define INDEXICAL_TESTS_SUPPORT_INTEGER_ARITHMETIC_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"

namespace indexical::testing {

/// The integers of a type.
struct IntegerKind {
  int64_t bits = 64;
  bool isUnsigned = false;
  bool isTruth = false;  ///< of one bit without a sign
};
IntegerKind integerKindOf(ElementType type);

/// Returns the lowest bits of the value, as a value of the type.
int64_t wrapped(__int128 value, IntegerKind kind);
int64_t wrapped(__int128 value, ElementType type);

/// Returns the result of an op of HLO or StableHLO (`shift-left`, `shift_left`)
/// whose operands and result are integers, or nothing if the op is not known
/// here. `compare` is asked for with a direction: `compare LT`.
std::optional<int64_t> computed(llvm::StringRef name, IntegerKind result,
                                llvm::ArrayRef<IntegerKind> kinds,
                                llvm::ArrayRef<int64_t> operands);
std::optional<int64_t> computed(const ElementwiseOp &op,
                                llvm::ArrayRef<int64_t> operands);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_INTEGER_ARITHMETIC_H
