// Infinities, NaN, and overflow, as numbers: the results of float ops for which
// typed_numbers.h has no number.
//
//   multiply of f32     3e38, 2          inf
//   exponential of f32  100              inf
//   divide              inf, inf         nan
//   add                 inf, 1           inf
//
// Results are those of IEEE 754, rounded to the nearest number. So they hold of
// ops as they are written: not of a compiler that leaves out roundings, or
// takes products and sums together.
//
// Law (tests/same/values/special_numbers_test.cc): where there is a result, the
// machine's arithmetic has it.
#ifndef INDEXICAL_SAME_VALUES_SPECIAL_NUMBERS_H
#define INDEXICAL_SAME_VALUES_SPECIAL_NUMBERS_H

#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/op.h"
#include "indexical/same/values/typed_numbers.h"

namespace indexical {

/// Whether infinities and NaN are numbers of an evaluation.
enum class Specials : uint8_t { None, Numbers };

/// Returns whether the float is infinite or NaN.
bool isSpecial(const TypedNumber &number);
bool isNan(const TypedNumber &number);

/// Returns the result of an elementwise op of floats of which an operand is
/// special, or whose result is too large for its type; nothing if it is not
/// known.
std::optional<TypedNumber> specialNumber(const Op &op,
                                         llvm::ArrayRef<TypedNumber> operands);

/// Returns the float that these bytes are, the least significant first, also if
/// it is infinite, NaN or very large; nothing for another type.
std::optional<TypedNumber> specialLiteral(ElementType type,
                                          llvm::StringRef bytes);

/// Returns the sum of numbers some of which are special, in any order.
std::optional<TypedNumber> specialSum(ElementType type,
                                      llvm::ArrayRef<TypedNumber> numbers);

/// Returns whether the product of floats is the same in any order, but for its
/// rounding: nothing in between leaves the range of the type, which a zero
/// among them would not undo.
bool multipliesInAnyOrder(ElementType type,
                          llvm::ArrayRef<TypedNumber> numbers);

/// Returns whether the two are known to be different: as areApart(), and one of
/// them alone is NaN.
bool areApartOrNan(const TypedNumber &a, const TypedNumber &b);

/// Returns a float that is infinite, NaN, or large enough to overflow.
std::optional<TypedNumber> drawnSpecial(ElementType type, uint64_t word);
/// Returns a float that is large enough to overflow, or small.
std::optional<TypedNumber> drawnLarge(ElementType type, uint64_t word);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_SPECIAL_NUMBERS_H
