// The laws of floats that a caller may assume, beside those that always hold.
//
//   none               x + y is y + x, and what laws.h says of floats
//   reassociate        sums and products in any order and nesting
//   no-nan             no number is NaN or infinite: x - x is 0
//   zero-sign          -0 is 0: x + 0 is x
//   excess-precision   a rounding between ops may be left out
//   real               real numbers, which are a ring; and all of the above
#ifndef INDEXICAL_SAME_VALUES_FLOAT_LAWS_H
#define INDEXICAL_SAME_VALUES_FLOAT_LAWS_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// A set of laws. `Real` has all of them.
enum class FloatLaws : uint8_t {
  None = 0,
  Reassociate = 1,
  NoNan = 2,
  ZeroSign = 4,
  ExcessPrecision = 8,
  Ring = 16,  ///< sums and products are those of real numbers
  Real = 31,
};

constexpr FloatLaws operator|(FloatLaws a, FloatLaws b) {
  return static_cast<FloatLaws>(static_cast<uint8_t>(a) |
                                static_cast<uint8_t>(b));
}
/// Returns whether the set has all of these laws.
constexpr bool has(FloatLaws set, FloatLaws laws) {
  return (static_cast<uint8_t>(set) & static_cast<uint8_t>(laws)) ==
         static_cast<uint8_t>(laws);
}

/// A set of laws and the name by which the command takes it.
struct FloatLawName {
  llvm::StringLiteral name;
  FloatLaws laws;
};
/// Returns all of them, `real` last.
inline llvm::ArrayRef<FloatLawName> floatLawNames() {
  static constexpr FloatLawName kNames[] = {
      {"none", FloatLaws::None},
      {"reassociate", FloatLaws::Reassociate},
      {"no-nan", FloatLaws::NoNan},
      {"zero-sign", FloatLaws::ZeroSign},
      {"excess-precision", FloatLaws::ExcessPrecision},
      {"real", FloatLaws::Real}};
  return kNames;
}

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_FLOAT_LAWS_H
