// The numbers that parameters have in an evaluation, by families: small ones,
// any, those at the edges of types, those that are not exact in every type.
#include <iterator>
#include <optional>

#include "indexical/same/values/element_evaluation.h"

namespace indexical {

namespace {

/// Returns a number that some type of floats does not hold, though it holds
/// larger ones.
uint64_t inexactInteger(uint64_t word) {
  static constexpr int64_t kNumbers[] = {
      (int64_t{1} << 24) + 1,  (int64_t{1} << 53) + 1, 2049, 257, 19,
      -(int64_t{1} << 24) - 1, -(int64_t{1} << 53) - 1};
  return static_cast<uint64_t>(kNumbers[word % std::size(kNumbers)]);
}

/// Returns a number of the type that is not exact in every format: it has
/// many digits, is large, or small.
std::optional<TypedNumber> inexactFloat(ElementType type, uint64_t word) {
  static constexpr double kNumbers[] = {
      0.3,         1 + 0x1p-12, 3e38, 1.25 * 0x1p-30, (1 << 24) + 1,
      1 + 0x1p-40, -1 - 0x1p-9, -0.7, 1.25 * 0x1p-13};
  const auto number = nearestNumber(type, kNumbers[word % std::size(kNumbers)]);
  return number ? number : nearestNumber(type, 0.3);
}

/// Returns a number that formats of 8 bits round to different ones: by their
/// digits, their largest number or their smallest one.
std::optional<TypedNumber> narrowFloat(ElementType type, uint64_t word) {
  static constexpr double kNumbers[] = {1.125,  -0.7, 1.0625, 13,
                                        -1.375, 300,  0x1p-8, 1.125 * 0x1p-6};
  return nearestNumber(type, kNumbers[word % std::size(kNumbers)]);
}

}  // namespace

ElementEvaluation::Maybe ElementEvaluation::drawn(ElementType type,
                                                  uint64_t word) const {
  if (classOf(type) == kPredicates) return integerNumber(type, word & 1);
  if (classOf(type) == kIntegers) {
    const uint64_t top = uint64_t{1} << (bitsOf(type) - 1);
    const uint64_t edges[] = {0, 1, ~uint64_t{0}, top, top - 1, 2};
    switch (family_) {
      case 0:
        return integerNumber(type, word % 7 - 3);
      case 1:
        return integerNumber(type, word);
      case 2:
        return integerNumber(type, edges[word % 6]);
      case 3:
        return integerNumber(type, word % 5);
      case 4:
        return integerNumber(type, 0 - word % 9);
      case 5:
        return integerNumber(type, inexactInteger(word));
      default:
        return integerNumber(type, around_.empty() || word % 4 == 0
                                       ? word % 7 - 3
                                       : around_[word / 4 % around_.size()]);
    }
  }
  if (family_ == kLargeFamily) return drawnLarge(type, word);
  if (family_ == kSpecialFamily) return drawnSpecial(type, word);
  if (family_ == kNarrowFamily) return narrowFloat(type, word);
  switch (family_) {
    case 0:
      return floatNumber(type, static_cast<double>(word % 7) - 3);
    case 1:
      return floatNumber(type, static_cast<double>(word % 17) / 8 + 0.5);
    case 2:
      return floatNumber(type, -static_cast<double>(word % 5) - 1);
    case 3:
      return floatNumber(type, static_cast<double>(word % 2));
    case 4:
      return floatNumber(type, static_cast<double>(word % 31) - 15);
    case 5:
      return inexactFloat(type, word);
    default:
      return floatNumber(type, static_cast<double>(word % 13) - 6);
  }
}

}  // namespace indexical
