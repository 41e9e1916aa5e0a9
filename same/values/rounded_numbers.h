// Numbers as the formats of floats hold them: conversions that round.
//
//   f32 1.00024414 to f16    1, for f16 has 11 bits
//   f32 3e+38 to f16         inf
//   s32 16777217 to f32      16777216
//   f32 1.2e-09 to f16       0
//
// A conversion gives the nearest number of the type, of two that are as near
// the even one. A compiler may convert by way of another type, which rounds
// twice, and may take a number that is too small for the normal ones of a type
// for 0: where these differ, the result is an interval that has all of them.
//
// Law (tests/same/values/rounded_numbers_test.cc): the results are those of an
// arithmetic that is written by hand, for all numbers of the narrow formats,
// what lies half between two of them, and their neighbours.
#ifndef INDEXICAL_SAME_VALUES_ROUNDED_NUMBERS_H
#define INDEXICAL_SAME_VALUES_ROUNDED_NUMBERS_H

#include <optional>

#include "llvm/ADT/APFloat.h"

#include "indexical/ops/shape.h"
#include "indexical/same/values/typed_numbers.h"

namespace indexical {

/// Returns the format of a float of at most 64 bits that has a zero and a sign,
/// or null for any other type.
const llvm::fltSemantics *formatOf(ElementType type);

/// Returns the nearest number of the type, or nothing if the type is not a
/// float, or has only infinity or NaN there, or numbers too small to be normal.
std::optional<TypedNumber> nearestNumber(ElementType type, double value);

/// Returns what a conversion of a number that is known exactly gives, each
/// conversion being rounded. The result is a float; nothing if it is not known:
/// too large for a type of 8 bits, for example.
std::optional<TypedNumber> roundedTo(ElementType type, const TypedNumber &x);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_ROUNDED_NUMBERS_H
