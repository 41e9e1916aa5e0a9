#include "indexical/indexing/interval.h"

#include <algorithm>

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

constexpr int64_t kMin = Interval::kMinusInfinity;
constexpr int64_t kMax = Interval::kInfinity;

// Ends in 128 bits. An open side is as far out as sums of two allow.
using End = __int128;
constexpr End kOpen = End{1} << 125;

End lowerOf(const Interval &of) { return of.hasLower() ? of.lower : -kOpen; }
End upperOf(const Interval &of) { return of.hasUpper() ? of.upper : kOpen; }

int64_t saturated(End end) {
  return end <= kMin ? kMin : end >= kMax ? kMax : static_cast<int64_t>(end);
}

Interval saturated(End lower, End upper) {
  return {saturated(lower), saturated(upper)};
}

bool isOpen(End end) { return end <= -kOpen || end >= kOpen; }

End floorOf(End a, End b) {
  const End quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// The product of two ends. An open factor keeps its sign.
End mul(End a, End b) {
  if (a == 0 || b == 0) return 0;
  if (isOpen(a) || isOpen(b)) return (a < 0) == (b < 0) ? kOpen : -kOpen;
  return a * b;
}

/// floor(a / b) for ends; b is not 0.
End div(End a, End b) {
  if (isOpen(a)) return (a < 0) == (b < 0) ? kOpen : -kOpen;
  if (isOpen(b)) return a == 0 || (a < 0) == (b < 0) ? 0 : -1;
  return floorOf(a, b);
}

/// The least interval that contains all four.
Interval around(End a, End b, End c, End d) {
  return saturated(std::min(std::min(a, b), std::min(c, d)),
                   std::max(std::max(a, b), std::max(c, d)));
}

/// The interval with these ends; a missing end is an open side. Nothing if an
/// end leaves 64 bits or is an integer that stands for an open side.
std::optional<Interval> exact(std::optional<End> lower,
                              std::optional<End> upper) {
  if (lower && (*lower <= kMin || *lower > kMax)) return std::nullopt;
  if (upper && (*upper < kMin || *upper >= kMax)) return std::nullopt;
  return saturated(lower.value_or(-kOpen), upper.value_or(kOpen));
}

}  // namespace

int64_t Interval::count() const {
  if (isEmpty()) return 0;
  if (!isFinite()) return kInfinity;
  auto width = checkedSub(upper, lower);
  if (!width || *width == kInfinity) return kInfinity;
  return *width + 1;
}

Interval Interval::intersect(const Interval &other) const {
  return {std::max(lower, other.lower), std::min(upper, other.upper)};
}

Interval Interval::hull(const Interval &other) const {
  if (isEmpty()) return other;
  if (other.isEmpty()) return *this;
  return {std::min(lower, other.lower), std::max(upper, other.upper)};
}

Interval Interval::operator+(const Interval &other) const {
  if (isEmpty() || other.isEmpty()) return none();
  return saturated(lowerOf(*this) + lowerOf(other),
                   upperOf(*this) + upperOf(other));
}

Interval Interval::operator-(const Interval &other) const {
  if (isEmpty() || other.isEmpty()) return none();
  return saturated(lowerOf(*this) - upperOf(other),
                   upperOf(*this) - lowerOf(other));
}

Interval Interval::operator-() const { return *this * int64_t{-1}; }

Interval Interval::affine(int64_t factor, int64_t added) const {
  if (isEmpty()) return none();
  const End a = mul(lowerOf(*this), factor) + added;
  const End b = mul(upperOf(*this), factor) + added;
  return factor > 0 ? saturated(a, b) : saturated(b, a);
}

Interval Interval::operator*(const Interval &other) const {
  if (isEmpty() || other.isEmpty()) return none();
  const End a = lowerOf(*this), b = upperOf(*this);
  const End c = lowerOf(other), d = upperOf(other);
  return around(mul(a, c), mul(a, d), mul(b, c), mul(b, d));
}

Interval Interval::floorDiv(int64_t divisor) const {
  if (isEmpty()) return none();
  if (isFinite() && divisor > 0)
    return {indexical::floorDiv(lower, divisor),
            indexical::floorDiv(upper, divisor)};
  const End a = div(lowerOf(*this), divisor), b = div(upperOf(*this), divisor);
  return divisor > 0 ? saturated(a, b) : saturated(b, a);
}

Interval Interval::floorDiv(const Interval &divisor) const {
  if (isEmpty() || divisor.isEmpty()) return none();
  const End a = lowerOf(*this), b = upperOf(*this);
  const End c = lowerOf(divisor), d = upperOf(divisor);
  return around(div(a, c), div(a, d), div(b, c), div(b, d));
}

Interval Interval::mod(int64_t modulus) const {
  if (isEmpty()) return none();
  if (isFinite()) {
    int64_t low = indexical::floorDiv(lower, modulus);
    if (low == indexical::floorDiv(upper, modulus))
      return {floorMod(lower, modulus), floorMod(upper, modulus)};
  }
  return {0, modulus - 1};
}

std::optional<Interval> Interval::moved(int64_t by) const {
  if (isEmpty()) return none();
  std::optional<End> low, high;
  if (hasLower()) low = End{lower} + by;
  if (hasUpper()) high = End{upper} + by;
  return exact(low, high);
}

std::optional<Interval> Interval::scaled(int64_t factor) const {
  if (isEmpty()) return none();
  std::optional<End> low, high;
  if (hasLower()) low = End{lower} * factor;
  if (hasUpper()) high = End{upper} * factor;
  return factor > 0 ? exact(low, high) : exact(high, low);
}

std::optional<Interval> Interval::minus(const Interval &other) const {
  if (isEmpty() || other.isEmpty()) return none();
  std::optional<End> low, high;
  if (hasLower() && other.hasUpper()) low = End{lower} - other.upper;
  if (hasUpper() && other.hasLower()) high = End{upper} - other.lower;
  return exact(low, high);
}

Interval Interval::preimageOfMul(int64_t factor, int64_t added) const {
  if (isEmpty()) return none();
  if (factor == 1 && added == 0) return *this;
  // The least x at or above an end, and the greatest at or below it.
  auto up = [&](End end) { return -div(-end, factor); };
  auto down = [&](End end) { return div(end, factor); };
  const End a = hasLower() ? End{lower} - added : -kOpen;
  const End b = hasUpper() ? End{upper} - added : kOpen;
  return factor > 0 ? saturated(up(a), down(b)) : saturated(up(b), down(a));
}

Interval Interval::preimageOfFloorDiv(int64_t divisor) const {
  if (isEmpty()) return none();
  const End low = mul(lowerOf(*this), divisor);
  const End high = hasUpper() ? mul(upper, divisor) + divisor - 1 : kOpen;
  return saturated(low, high);
}

std::string Interval::str() const {
  std::string low = hasLower() ? std::to_string(lower) : "-inf";
  std::string high = hasUpper() ? std::to_string(upper) : "inf";
  return "[" + low + ", " + high + "]";
}

}  // namespace indexical
