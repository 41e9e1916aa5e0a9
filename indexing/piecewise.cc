#include "indexical/indexing/piecewise.h"

#include <algorithm>
#include <map>

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

constexpr size_t kMostBends = 8;
constexpr int64_t kLargest = int64_t{1} << 60;

bool isInside(__int128 value) { return -kLargest < value && value < kLargest; }

int64_t saturated(__int128 value) {
  return value <= INT64_MIN   ? INT64_MIN
         : value >= INT64_MAX ? INT64_MAX
                              : static_cast<int64_t>(value);
}

__int128 floorOf(__int128 a, __int128 b) {
  const __int128 quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// slope * L + constant + the sum of change * max(L - threshold, 0).
struct Unit {
  __int128 slope = 0, constant = 0;
  std::map<int64_t, __int128> changes;

  explicit Unit(const Piecewise &of);
  void drop(const Interval &l);
  std::optional<Piecewise> compressed() const;
};

Unit::Unit(const Piecewise &of) : slope(of.slope), constant(of.constant) {
  for (Bend bend : of.bends) {
    if (bend.factor < 0) {  // [-F] is [F] - F
      slope += static_cast<__int128>(bend.coefficient) * bend.factor;
      constant -= static_cast<__int128>(bend.coefficient) * bend.threshold;
      bend.factor = -bend.factor;
      bend.threshold = -bend.threshold;
    }
    const int64_t q = indexical::floorDiv(bend.threshold, bend.factor);
    const int64_t r = floorMod(bend.threshold, bend.factor);
    changes[q] += static_cast<__int128>(bend.coefficient) * (bend.factor - r);
    if (r != 0) changes[q + 1] += static_cast<__int128>(bend.coefficient) * r;
  }
}

/// Leaves the changes at thresholds that have neighbours on both sides.
void Unit::drop(const Interval &l) {
  for (auto it = changes.begin(); it != changes.end();) {
    const auto [threshold, change] = *it;
    const bool isPast = l.hasUpper() && threshold >= l.upper;
    const bool isBefore = !isPast && l.hasLower() && threshold <= l.lower;
    if (isBefore) {
      slope += change;
      constant -= change * threshold;
    }
    it = isPast || isBefore || change == 0 ? changes.erase(it) : ++it;
  }
}

std::optional<Piecewise> Unit::compressed() const {
  if (!isInside(slope) || constant <= -INT64_MAX || constant >= INT64_MAX)
    return std::nullopt;
  Piecewise made;
  made.slope = static_cast<int64_t>(slope);
  made.constant = static_cast<int64_t>(constant);
  for (auto it = changes.begin(); it != changes.end(); ++it) {
    const auto [threshold, change] = *it;
    if (!isInside(change)) return std::nullopt;
    const auto own = static_cast<int64_t>(change);
    const auto next = std::next(it);
    if (next == changes.end() || next->first != threshold + 1 ||
        (next->second < 0) != (own < 0) || !isInside(next->second)) {
      made.bends.push_back({own, 1, threshold});
      continue;
    }
    const auto other = static_cast<int64_t>(next->second);
    const int64_t k = own < 0 ? -gcd(own, other) : gcd(own, other);
    const int64_t factor = own / k + other / k;
    const auto whole = checkedMul(factor, threshold);
    const auto start = whole ? checkedAdd(*whole, other / k) : std::nullopt;
    if (!start || *start == INT64_MIN) return std::nullopt;
    made.bends.push_back({k, factor, *start});
    it = next;
  }
  return made;
}

}  // namespace

bool Piecewise::isSmall() const {
  if (bends.size() > kMostBends || !isInside(slope)) return false;
  return std::all_of(bends.begin(), bends.end(), [](const Bend &bend) {
    const __int128 k = bend.coefficient;
    return bend.factor != 0 && isInside(k * bend.factor) &&
           isInside(k * bend.threshold) && isInside(bend.factor) &&
           isInside(bend.threshold);
  });
}

__int128 Piecewise::at(int64_t l) const {
  __int128 value = static_cast<__int128>(slope) * l + constant;
  for (const Bend &bend : bends) {
    const __int128 parent =
        static_cast<__int128>(bend.factor) * l - bend.threshold;
    if (parent > 0) value += parent * bend.coefficient;
  }
  return value;
}

Interval Piecewise::range(const Interval &l) const {
  if (l.isEmpty()) return l;
  __int128 before = slope, behind = slope;
  llvm::SmallVector<int64_t, 12> points;
  auto add = [&](int64_t point) {
    if (l.contains(point)) points.push_back(point);
  };
  if (l.hasLower()) add(l.lower);
  if (l.hasUpper()) add(l.upper);
  if (!l.hasLower() && !l.hasUpper()) add(0);
  for (const Bend &bend : bends) {
    const __int128 change =
        static_cast<__int128>(bend.coefficient) * bend.factor;
    (bend.factor < 0 ? before : behind) += change;
    const int64_t q = indexical::floorDiv(bend.threshold, bend.factor);
    add(q);
    add(q + 1);
  }
  Interval range = Interval::none();
  for (int64_t point : points) {
    const int64_t value = saturated(at(point));
    range = range.hull({value, value});
  }
  if (!l.hasLower() && before != 0)
    (before > 0 ? range.lower : range.upper) =
        before > 0 ? Interval::kMinusInfinity : Interval::kInfinity;
  if (!l.hasUpper() && behind != 0)
    (behind > 0 ? range.upper : range.lower) =
        behind > 0 ? Interval::kInfinity : Interval::kMinusInfinity;
  return range;
}

std::optional<Piecewise> Piecewise::reduced(const Interval &l) const {
  Unit unit(*this);
  unit.drop(l);
  return unit.compressed();
}

std::optional<Piecewise> Piecewise::positivePart(const Interval &l) const {
  Unit unit(*this);
  unit.drop(l);
  // Where the slope may change: where it did, and where the sign does.
  llvm::SmallVector<int64_t, 16> places;
  auto add = [&](__int128 place) {
    if (isInside(place) && l.contains(saturated(place)))
      places.push_back(saturated(place));
    return isInside(place);
  };
  __int128 s = unit.slope, e = unit.constant;
  bool areInside = true;
  auto addCrossing = [&] {
    if (s == 0) return;
    const __int128 zero = floorOf(-e, s);
    // A crossing far outside does not matter, unless the interval is as far.
    const bool isFar = !isInside(zero);
    areInside &=
        !isFar || (l.isFinite() && isInside(l.lower) && isInside(l.upper));
    for (int by : {-1, 0, 1, 2}) add(zero + by);
  };
  addCrossing();
  for (const auto &[threshold, change] : unit.changes) {
    areInside &= add(threshold);
    s += change;
    e -= change * threshold;
    addCrossing();
  }
  if (!areInside) return std::nullopt;
  auto value = [&](int64_t place) -> __int128 {
    return std::max<__int128>(at(place), 0);
  };
  Unit made{Piecewise()};
  for (int64_t place : places) {
    if ((l.hasLower() && place <= l.lower) ||
        (l.hasUpper() && place >= l.upper))
      continue;
    const __int128 bend =
        value(place + 1) - 2 * value(place) + value(place - 1);
    if (bend != 0) made.changes[place] = bend;
  }
  // Left of all changes it is linear.
  int64_t base = l.hasLower() ? l.lower : l.hasUpper() ? l.upper - 1 : 0;
  if (!made.changes.empty()) base = made.changes.begin()->first - 1;
  if (l.contains(base + 1) && l.contains(base))
    made.slope = value(base + 1) - value(base);
  if (!isInside(made.slope) || !isInside(base)) return std::nullopt;
  made.constant = value(base) - made.slope * base;
  return made.compressed();
}

bool MultipleOfSum::isOfSameSum(const MultipleOfSum &other) const {
  if (factor == 0 || other.factor == 0 || terms.size() != other.terms.size())
    return false;
  for (size_t i = 0; i < terms.size(); ++i)
    if (terms[i].atom != other.terms[i].atom ||
        terms[i].coefficient / factor !=
            other.terms[i].coefficient / other.factor)
      return false;
  return true;
}

MultipleOfSum asMultiple(const ExpressionTable &table, FormId form) {
  MultipleOfSum made;
  made.terms = table.terms(form);
  made.constant = table.constant(form);
  for (const Term &term : made.terms)
    made.factor = gcd(made.factor, term.coefficient);
  if (!made.terms.empty() && made.terms[0].coefficient < 0)
    made.factor = -made.factor;
  return made;
}

}  // namespace indexical
