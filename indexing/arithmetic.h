// 64-bit integer arithmetic that says when it leaves 64 bits, and division that
// rounds down or up.
//
//   checkedAdd(INT64_MAX, 1);  // nothing
//   checkedMul(-3, 4);         // -12
//   floorDiv(-1, 8);           // -1
//   ceilDiv(-1, 8);            // 0
//   floorMod(-1, 8);           // 7
//
// The operations are LLVM's (llvm/Support/MathExtras.h), under the names that
// expressions have too (map_builder.h). The optional result is ours: LLVM's
// CheckedArithmetic.h has it, but goes through APInt. A sum takes ten times as
// long there, a product thirty times, and simplification makes them all the
// time.
#ifndef INDEXICAL_INDEXING_ARITHMETIC_H
#define INDEXICAL_INDEXING_ARITHMETIC_H

#include <cstdint>
#include <numeric>
#include <optional>

#include "llvm/Support/MathExtras.h"

namespace indexical {

inline std::optional<int64_t> checkedAdd(int64_t a, int64_t b) {
  int64_t r;
  if (llvm::AddOverflow(a, b, r)) return std::nullopt;
  return r;
}

inline std::optional<int64_t> checkedSub(int64_t a, int64_t b) {
  int64_t r;
  if (llvm::SubOverflow(a, b, r)) return std::nullopt;
  return r;
}

inline std::optional<int64_t> checkedMul(int64_t a, int64_t b) {
  int64_t r;
  if (llvm::MulOverflow(a, b, r)) return std::nullopt;
  return r;
}

/// A sum of products that may leave 64 bits although its value, or a digit of
/// it, does not: 5 * 2^62 - 9 * 2^61, or (3 * 2^62) mod 7. Callers try checked
/// arithmetic first, which is faster.
class WideSum {
 public:
  explicit WideSum(int64_t start) { add(start, 1); }
  void add(int64_t value, int64_t factor) {
    const __int128 product = static_cast<__int128>(value) * factor;
    low_ += static_cast<uint64_t>(product);
    high_ += static_cast<int64_t>(product >> 64);
  }
  /// Returns the sum, or nothing if it leaves 64 bits.
  std::optional<int64_t> value() const {
    const __int128 high = top();
    const auto low = static_cast<int64_t>(static_cast<uint64_t>(low_));
    if (high != (low < 0 ? -1 : 0)) return std::nullopt;
    return low;
  }
  /// Returns the 64-bit integer that is nearest to the sum.
  int64_t saturated() const {
    return value().value_or(top() < 0 ? INT64_MIN : INT64_MAX);
  }
  /// Returns (sum floordiv stride) mod modulus, or the quotient if modulus is
  /// 0. Returns nothing if that leaves 64 bits. Requires stride > 0.
  std::optional<int64_t> digit(int64_t stride, int64_t modulus) const {
    const WideSum quotient = floorDiv(stride);
    if (modulus == 0) return quotient.value();
    return static_cast<int64_t>(quotient.remainder(modulus));
  }

 private:
  WideSum() = default;
  __int128 top() const { return high_ + static_cast<__int128>(low_ >> 64); }
  /// Returns the remainder of the upper part, in [0, divisor - 1].
  uint64_t upperRemainder(int64_t divisor) const {
    const auto left = static_cast<int64_t>(top() % divisor);
    return left < 0 ? left + divisor : left;
  }
  /// Returns the upper remainder and the lower half as one number, which is
  /// less than divisor * 2^64.
  unsigned __int128 rest(int64_t divisor) const {
    return static_cast<unsigned __int128>(upperRemainder(divisor)) << 64 |
           static_cast<uint64_t>(low_);
  }
  WideSum floorDiv(int64_t divisor) const {
    WideSum quotient;
    quotient.high_ = (top() - upperRemainder(divisor)) / divisor;
    quotient.low_ = rest(divisor) / static_cast<uint64_t>(divisor);
    return quotient;
  }
  uint64_t remainder(int64_t divisor) const {
    return rest(divisor) % static_cast<uint64_t>(divisor);
  }

  // The sums of the products' low halves and of their high halves.
  unsigned __int128 low_ = 0;
  __int128 high_ = 0;
};

/// Returns a / b, rounded toward minus infinity: `floorDiv(-7, 2)` is -4.
/// Requires b != 0 and not (INT64_MIN, -1).
inline int64_t floorDiv(int64_t a, int64_t b) {
  return llvm::divideFloorSigned(a, b);
}

/// Returns a / b, rounded toward infinity: `ceilDiv(7, 2)` is 4. Requires
/// b != 0 and not (INT64_MIN, -1).
inline int64_t ceilDiv(int64_t a, int64_t b) {
  return llvm::divideCeilSigned(a, b);
}

/// Returns a - b * floorDiv(a, b), which is in [0, b - 1]: `floorMod(-7, 4)` is
/// 1. Requires b > 0.
inline int64_t floorMod(int64_t a, int64_t b) { return llvm::mod(a, b); }

/// Returns (a floordiv stride) mod modulus, or the quotient if modulus is 0.
/// Requires stride > 0.
inline int64_t digitOf(int64_t a, int64_t stride, int64_t modulus) {
  const int64_t quotient = floorDiv(a, stride);
  return modulus ? floorMod(quotient, modulus) : quotient;
}

/// Returns the greatest common divisor of |a| and |b|; gcd(0, x) is |x|.
/// Requires neither to be INT64_MIN.
inline int64_t gcd(int64_t a, int64_t b) { return std::gcd(a, b); }

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_ARITHMETIC_H
