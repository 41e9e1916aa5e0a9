// Ops on numbers as their types hold them, bit by bit.
//
//   add of f32         0.1, 0.2         0.3, as f32 rounds it
//   sign-extend        s32 -5 to s64    -5
//   bitcast-convert    f32 1 to s32     1065353216
//
// typed_numbers.h says where a result lies, whatever a machine does; here the
// result is one number, or is not known. So what a compiler folds is what the
// program computes. A sum, a product and a quotient of floats are rounded to
// the nearest number, of two the even one. Not known are: NaN, also as an
// operand; numbers too small to be normal, which some machines take for 0; what
// libraries compute in their own way; which of two zeros a maximum is; and
// shifts, quotients and conversions that no specification defines.
//
// Law (tests/same/values/constants_test.cc): the results are those of
// arithmetic that is written by hand.
#ifndef INDEXICAL_SAME_VALUES_COMPUTED_BYTES_H
#define INDEXICAL_SAME_VALUES_COMPUTED_BYTES_H

#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// A number of a type, the least significant byte first.
struct NumberBytes {
  ElementType type = ElementType::Unknown;
  llvm::StringRef bytes;
};

/// Returns the bytes of an elementwise op's result, or nothing if it is not
/// known, or if the op says more than this file reads.
std::optional<std::string> computedBytes(const Op &op,
                                         llvm::ArrayRef<NumberBytes> operands);

/// Returns the bytes of the float of the type that equals the number; nothing
/// if there is none, or if it is too small to be normal.
std::optional<std::string> bytesOfFloat(ElementType type, double value);

/// Returns the NaN that stands for all of a type; nothing if the type has none.
std::optional<std::string> bytesOfNan(ElementType type);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_COMPUTED_BYTES_H
