// Ops on numbers: the result of an elementwise op for numbers of its types.
//
//   add of s8       127, 1        -128: integers wrap
//   add of f32      1, 2          3, exactly
//   exponential     1             between 2.718281 and 2.718283
//
// An integer is its bits. A float is an interval of real numbers in which every
// execution's result lies, however it rounds and whatever its library does: a
// point where the type has the exact result. So intervals that do not meet show
// a difference. A conversion of a number that is known exactly is rounded to
// the nearest number of its type (rounded_numbers.h), unless roundings may be
// left out. An infinity that a conversion gives is one number. Other
// infinities, NaN, and ops that are not in the list are unknown.
//
// Law (tests/same/values/laws_test.cc): integers are those of an evaluation
// that is written by hand.
#ifndef INDEXICAL_SAME_VALUES_TYPED_NUMBERS_H
#define INDEXICAL_SAME_VALUES_TYPED_NUMBERS_H

#include <cstdint>
#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"

namespace indexical {

struct TypedNumber {
  ElementType type = ElementType::Unknown;
  uint64_t word = 0;         ///< of an integer: its bits, the others 0
  double low = 0, high = 0;  ///< of a float

  bool isFloat() const;
  /// Returns whether the float is known to be one number.
  bool isPoint() const { return low == high; }
  /// Returns the value of an integer; of u64 from 2^63 on, that minus 2^64.
  int64_t integer() const;
  /// Returns `-3`, `0.5`, or a number of the type near the middle of what is
  /// known of it.
  std::string str() const;
};

/// Returns the number of these bits as one of the type, wrapped.
TypedNumber integerNumber(ElementType type, uint64_t word);
/// Returns a number as a float of the type, or nothing if the type has no such
/// number.
std::optional<TypedNumber> floatNumber(ElementType type, double value);
/// Returns the floats of the type that a real number may become by so many
/// roundings; nothing for what is too large.
std::optional<TypedNumber> nearNumber(ElementType type, double value,
                                      double roundings);
/// Returns the number that these bytes are, the least significant first;
/// nothing for types that are neither integers nor f16, bf16, f32 and f64, and
/// for what is not a real number.
std::optional<TypedNumber> numberOfBytes(ElementType type,
                                         llvm::StringRef bytes);

/// The effect of a conversion to a type that lacks the number.
enum class Roundings : uint8_t {
  MayLack,  ///< it may round, or leave the number as it is
  Each,     ///< it rounds to the nearest number
};

/// Returns the result of an elementwise op whose attributes add nothing to its
/// kind, or nothing if it is unknown.
std::optional<TypedNumber> computedNumber(
    const Op &op, llvm::ArrayRef<TypedNumber> operands,
    Roundings roundings = Roundings::MayLack);

/// Returns the sum of floats in every order of its terms: one number, if they
/// are multiples of one power of 2 and so few of it that no order rounds. The
/// sign of a zero is open.
std::optional<TypedNumber> sumInAnyOrder(ElementType type,
                                         llvm::ArrayRef<TypedNumber> numbers);

/// Returns whether the two are known to be different.
bool areApart(const TypedNumber &a, const TypedNumber &b);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_TYPED_NUMBERS_H
