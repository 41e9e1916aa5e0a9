// Closed intervals of 64-bit integers, either side open.
//
//   [0, 9]   the integers 0 … 9          [3, 2]     empty
//   [-inf, 4]  all up to 4               [-inf, inf]  all
//
// The smallest integer as the lower end, and the greatest as the upper end, say
// that a side is open. On the other side each is a number: [2^63 - 1, inf] are
// the integers from 2^63 - 1 on.
//
// Arithmetic encloses: for x in A and y in B, x + y is in A + B. An end that
// would leave 64 bits stays at the last 64-bit integer: [2^62, 2^62] * 3 is
// [2^63 - 1, inf]. That is sound for an interval of known values, and wrong for
// a condition: x + 2^62 in [0, 2^62] must not become x in A - B. For conditions
// there are `moved` and `scaled`, which are exact.
//
// Law (tests/indexing/interval_test.cc, by enumeration): every operation's
// result is the least interval that contains all results, for intervals without
// open sides.
#ifndef INDEXICAL_INDEXING_INTERVAL_H
#define INDEXICAL_INDEXING_INTERVAL_H

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace indexical {

struct Interval {
  static constexpr int64_t kMinusInfinity = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kInfinity = std::numeric_limits<int64_t>::max();

  int64_t lower = kMinusInfinity;
  int64_t upper = kInfinity;

  static constexpr Interval all() { return {kMinusInfinity, kInfinity}; }
  static constexpr Interval none() { return {0, -1}; }
  static constexpr Interval point(int64_t v) { return {v, v}; }

  bool isEmpty() const { return lower > upper; }
  bool isPoint() const { return lower == upper && isFinite(); }
  bool hasLower() const { return lower != kMinusInfinity; }
  bool hasUpper() const { return upper != kInfinity; }
  bool isFinite() const { return hasLower() && hasUpper(); }
  bool contains(int64_t v) const {
    return !isEmpty() && lower <= v && v <= upper;
  }
  /// Returns whether every value of `other` is in this interval. So every
  /// interval contains the empty one.
  bool contains(const Interval &other) const {
    return other.isEmpty() || (lower <= other.lower && other.upper <= upper);
  }
  /// Returns the number of values: upper - lower + 1, 0 if empty, and kInfinity
  /// if a side is open or the number leaves 64 bits.
  int64_t count() const;

  Interval intersect(const Interval &other) const;
  /// Returns the least interval that contains both: of [0, 1] and [4, 5] it is
  /// [0, 5].
  Interval hull(const Interval &other) const;

  Interval operator+(const Interval &other) const;
  Interval operator-(const Interval &other) const;
  Interval operator-() const;
  Interval operator*(int64_t factor) const { return affine(factor, 0); }
  /// Returns the least interval that contains every x * factor + added. The
  /// product may leave 64 bits if the sum does not.
  Interval affine(int64_t factor, int64_t added) const;
  /// Adds bounds * factor, if the bounds are finite and not empty and the sum
  /// is finite. Otherwise returns false and leaves a useless interval. This is
  /// fast, and enough for most sums.
  bool addFinite(const Interval &bounds, int64_t factor) {
    int64_t low = factor > 0 ? bounds.lower : bounds.upper;
    int64_t high = factor > 0 ? bounds.upper : bounds.lower;
    return bounds.isFinite() && !bounds.isEmpty() &&
           !__builtin_mul_overflow(low, factor, &low) &&
           !__builtin_mul_overflow(high, factor, &high) &&
           !__builtin_add_overflow(lower, low, &lower) &&
           !__builtin_add_overflow(upper, high, &upper) && isFinite();
  }
  /// Adds bounds * factor. A side that is open stays open.
  void add(const Interval &bounds, int64_t factor) {
    Interval sum = *this;
    const bool isFast =
        isFinite() && !isEmpty() && sum.addFinite(bounds, factor);
    *this = isFast ? sum : *this + bounds * factor;
  }
  Interval operator*(const Interval &other) const;
  /// Returns the least interval that contains every x floordiv divisor:
  /// `[-3, 5].floorDiv(2)` is [-2, 2], and `[-3, 5].floorDiv(-2)` is [-3, 1].
  /// Requires divisor != 0.
  Interval floorDiv(int64_t divisor) const;
  /// Returns the least interval that contains every x floordiv y, for y in
  /// `divisor`. Requires that `divisor` does not contain 0.
  Interval floorDiv(const Interval &divisor) const;
  /// Returns an interval that contains every x mod modulus: [4, 6] mod 8 is
  /// [4, 6], and [6, 9] mod 8 is [0, 7]. Requires modulus > 0.
  Interval mod(int64_t modulus) const;

  /// Returns exactly all x + by, so that a constraint keeps its meaning.
  /// Returns nothing if an end would leave 64 bits or become an integer that
  /// stands for an open side.
  std::optional<Interval> moved(int64_t by) const;
  /// Returns the least interval that contains every x * factor. Returns nothing
  /// if an end would leave 64 bits or become an integer that stands for an open
  /// side. Requires factor != 0.
  std::optional<Interval> scaled(int64_t factor) const;

  /// Returns the least interval that contains every x - y for y in `other`.
  /// Returns nothing if an end would leave 64 bits or become an integer that
  /// stands for an open side.
  std::optional<Interval> minus(const Interval &other) const;

  /// Returns all x with `x * factor + added` in this interval. Requires
  /// factor != 0.
  Interval preimageOfMul(int64_t factor, int64_t added = 0) const;
  /// Returns all x with `x floordiv divisor` in this interval: of [1, 2] and 4
  /// it is [4, 11]. Requires divisor > 0.
  Interval preimageOfFloorDiv(int64_t divisor) const;

  bool operator==(const Interval &o) const {
    return (isEmpty() && o.isEmpty()) || (lower == o.lower && upper == o.upper);
  }
  bool operator!=(const Interval &o) const { return !(*this == o); }

  /// Returns the text: `[0, 9]`, `[-inf, 4]`.
  std::string str() const;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_INTERVAL_H
