// 64-bit integer arithmetic that says when it leaves 64 bits.
//
//   checkedMul(1 << 40, 1 << 40)  -> nothing
//   floorDiv(-1, 8) -> -1     floorMod(-1, 8) -> 7     floorDiv(7, -3) -> -3
#ifndef INDEXICAL_INDEXING_ARITHMETIC_H
#define INDEXICAL_INDEXING_ARITHMETIC_H

#include <cstdint>
#include <numeric>
#include <optional>

namespace indexical {

inline std::optional<int64_t> checkedAdd(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_add_overflow(a, b, &r)) return std::nullopt;
  return r;
}

inline std::optional<int64_t> checkedSub(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_sub_overflow(a, b, &r)) return std::nullopt;
  return r;
}

inline std::optional<int64_t> checkedMul(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_mul_overflow(a, b, &r)) return std::nullopt;
  return r;
}

/// Rounds toward minus infinity. Requires b != 0 and not (INT64_MIN, -1).
inline int64_t floorDiv(int64_t a, int64_t b) {
  int64_t q = a / b;
  return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}

inline int64_t ceilDiv(int64_t a, int64_t b) {
  int64_t q = a / b;
  return (a % b != 0 && ((a < 0) == (b < 0))) ? q + 1 : q;
}

/// a - b * floorDiv(a, b), in [0, b - 1]. Requires b > 0.
inline int64_t floorMod(int64_t a, int64_t b) {
  int64_t r = a % b;
  return r < 0 ? r + b : r;
}

/// Greatest common divisor of the magnitudes; gcd(0, x) = |x|. Requires
/// neither to be INT64_MIN.
inline int64_t gcd(int64_t a, int64_t b) { return std::gcd(a, b); }

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_ARITHMETIC_H
