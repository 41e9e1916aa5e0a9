#include "indexical/indexing/interval.h"

#include <algorithm>

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

constexpr int64_t kMin = Interval::kMinusInfinity;
constexpr int64_t kMax = Interval::kInfinity;

bool isOpen(int64_t bound) { return bound == kMin || bound == kMax; }

/// The sum of two bounds of the same side; `open` where it is not finite.
int64_t addBounds(int64_t a, int64_t b, int64_t open) {
  if (isOpen(a) || isOpen(b)) return open;
  int64_t sum = checkedAdd(a, b).value_or(open);
  return isOpen(sum) ? open : sum;
}

/// The difference of two bounds of opposite sides.
int64_t subBounds(int64_t a, int64_t b, int64_t open) {
  if (isOpen(a) || isOpen(b)) return open;
  int64_t difference = checkedSub(a, b).value_or(open);
  return isOpen(difference) ? open : difference;
}

/// The product of two bounds, saturated: an infinite factor keeps its sign.
int64_t mulBounds(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  int64_t saturated = (a < 0) == (b < 0) ? kMax : kMin;
  if (isOpen(a) || isOpen(b)) return saturated;
  return checkedMul(a, b).value_or(saturated);
}

/// An interval of saturated bounds: what left 64 bits is open, on either side.
Interval opened(int64_t lower, int64_t upper) {
  return {lower == kMax ? kMin : lower, upper == kMin ? kMax : upper};
}

/// floor(a / b) for bounds, saturated; b is not 0.
int64_t divBounds(int64_t a, int64_t b) {
  if (isOpen(a)) return (a < 0) == (b < 0) ? kMax : kMin;
  if (isOpen(b)) return (a == 0 || (a < 0) == (b < 0)) ? 0 : -1;
  return floorDiv(a, b);
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
  return {addBounds(lower, other.lower, kMin),
          addBounds(upper, other.upper, kMax)};
}

Interval Interval::operator-(const Interval &other) const {
  if (isEmpty() || other.isEmpty()) return none();
  return {subBounds(lower, other.upper, kMin),
          subBounds(upper, other.lower, kMax)};
}

Interval Interval::operator-() const { return *this * int64_t{-1}; }

Interval Interval::operator*(int64_t factor) const {
  if (isEmpty()) return none();
  if (factor == 0) return point(0);
  int64_t a = mulBounds(lower, factor), b = mulBounds(upper, factor);
  return factor > 0 ? opened(a, b) : opened(b, a);
}

Interval Interval::operator*(const Interval &other) const {
  if (isEmpty() || other.isEmpty()) return none();
  int64_t products[] = {
      mulBounds(lower, other.lower), mulBounds(lower, other.upper),
      mulBounds(upper, other.lower), mulBounds(upper, other.upper)};
  auto [low, high] = std::minmax_element(products, products + 4);
  return opened(*low, *high);
}

Interval Interval::floorDiv(int64_t divisor) const {
  if (isEmpty()) return none();
  int64_t a = divBounds(lower, divisor), b = divBounds(upper, divisor);
  return divisor > 0 ? opened(a, b) : opened(b, a);
}

Interval Interval::floorDiv(const Interval &divisor) const {
  if (isEmpty() || divisor.isEmpty()) return none();
  int64_t quotients[] = {
      divBounds(lower, divisor.lower), divBounds(lower, divisor.upper),
      divBounds(upper, divisor.lower), divBounds(upper, divisor.upper)};
  auto [low, high] = std::minmax_element(quotients, quotients + 4);
  return opened(*low, *high);
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

Interval Interval::preimageOfMul(int64_t factor) const {
  if (isEmpty()) return none();
  if (factor == 1) return *this;
  if (factor < 0) {
    if (factor == kMin) return contains(0) ? point(0) : none();
    return (-*this).preimageOfMul(-factor);
  }
  return {hasLower() ? ceilDiv(lower, factor) : kMin,
          hasUpper() ? indexical::floorDiv(upper, factor) : kMax};
}

Interval Interval::preimageOfFloorDiv(int64_t divisor) const {
  if (isEmpty()) return none();
  // A bound past 64 bits leaves nothing on its own side, all on the other.
  Interval result = all();
  if (hasLower()) {
    int64_t low = mulBounds(lower, divisor);
    if (low == kMax) return none();
    result.lower = low;
  }
  if (hasUpper()) {
    int64_t high = mulBounds(upper, divisor);
    if (high == kMin) return none();
    if (high != kMax)
      result.upper = checkedAdd(high, divisor - 1).value_or(kMax);
  }
  return result;
}

std::string Interval::str() const {
  std::string low = hasLower() ? std::to_string(lower) : "-inf";
  std::string high = hasUpper() ? std::to_string(upper) : "inf";
  return "[" + low + ", " + high + "]";
}

}  // namespace indexical
