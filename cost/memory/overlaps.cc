#include "indexical/cost/memory/overlaps.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace lanes {
namespace {

/// Two variables that all forms have as `first` * x + `second` * y times a
/// number of their own. The coefficients have no common divisor.
struct Overlap {
  size_t x, y;
  int64_t first, second;
};

/// Returns what all forms have of x and y, or all but the addresses.
std::optional<Overlap> overlapOf(const Problem &problem, size_t x, size_t y,
                                 bool withAddresses) {
  std::optional<Overlap> found;
  bool holds = true;
  auto take = [&](const Form &form) {
    const int64_t a = form.outer[x], b = form.outer[y];
    if (!holds || (a == 0 && b == 0)) return;
    if (a == 0 || b == 0) {
      holds = false;
      return;
    }
    if (!found) {
      const int64_t divisor = std::gcd(a, b);
      found = Overlap{x, y, a / divisor, b / divisor};
    }
    holds = static_cast<__int128>(a) * found->second ==
            static_cast<__int128>(b) * found->first;
  };
  for (const Piece &piece : problem.pieces)
    LaneAlgebra::visitForms(piece, [&](const Form &form) {
      if (withAddresses || &form != &piece.address) take(form);
    });
  if (!holds) return std::nullopt;
  return found;
}

/// Whether all pieces have the same of both variables in their addresses.
bool moveAddressesAlike(const Problem &problem, size_t x, size_t y) {
  const Form &first = problem.pieces.front().address;
  return llvm::all_of(problem.pieces, [&](const Piece &piece) {
    return piece.address.outer[x] == first.outer[x] &&
           piece.address.outer[y] == first.outer[y];
  });
}

/// Returns the least number of steps of the variable, so many values each, that
/// move addresses by a multiple of the period.
int64_t stepsOfPeriod(int64_t coefficient, int64_t values, int64_t period) {
  const auto moved = static_cast<int64_t>(
      static_cast<__int128>(coefficient % period) * (values % period) % period);
  return period / std::gcd(period, moved);
}

/// Replaces the variable by its distance from its last value.
void reverse(Problem &problem, size_t x) {
  const int64_t last = problem.extents[x] - 1;
  for (Piece &piece : problem.pieces)
    LaneAlgebra::visitForms(piece, [&](Form &form) {
      form.constant += form.outer[x] * last;
      form.outer[x] = -form.outer[x];
    });
}

/// Returns the sum over k in [0, count - 1] of first + step * k, or of 0 where
/// that is negative. Requires a positive step.
__int128 sumOfPositive(__int128 first, int64_t step, __int128 count) {
  const __int128 skipped = first > 0 ? 0 : -first / step + 1;
  if (skipped >= count) return 0;
  const __int128 left = count - skipped;
  return left * (first + step * skipped) + step * (left * (left - 1) / 2);
}

}  // namespace

__int128 pointsAt(const Problem &problem, size_t x, int64_t cycle,
                  int64_t residue) {
  const int64_t extent = problem.extents[x];
  if (residue >= extent) return 0;
  const int64_t count = (extent - 1 - residue) / cycle + 1;
  const auto *weight = llvm::find_if(
      problem.weights, [&](const Weight &of) { return of.variable == x; });
  if (weight == problem.weights.end()) return count;
  // The weight of a sum s is p(s + 1) - p(s + 1 - a) - p(s + 1 - b) + p(s + 1 -
  // a - b), with p(t) = max(t, 0).
  const __int128 at = static_cast<__int128>(weight->from) + residue + 1;
  auto sum = [&](__int128 less) {
    return sumOfPositive(at - less, cycle, count);
  };
  const __int128 a = weight->first, b = weight->second;
  return sum(0) - sum(a) - sum(b) + sum(a + b);
}

__int128 pointsOf(const Problem &problem) {
  __int128 points = problem.times;
  for (size_t x = 0; x < problem.extents.size(); ++x)
    points *= pointsAt(problem, x, 1, 0);
  return points;
}

namespace {

/// Returns the boxes in which the two variables are one sum, if both have their
/// steps twice. `factor` steps at a time leave addresses as they are, if a
/// period is given.
std::vector<Problem> partsBy(const Problem &problem, const Overlap &overlap,
                             int64_t factor, bool keepsAddresses) {
  const size_t x = overlap.x, y = overlap.y;
  const auto ofX = static_cast<__int128>(std::abs(overlap.second)) * factor;
  const auto ofY = static_cast<__int128>(std::abs(overlap.first)) * factor;
  if (2 * ofX > problem.extents[x] || 2 * ofY > problem.extents[y]) return {};
  const auto stepX = static_cast<int64_t>(ofX);
  const auto stepY = static_cast<int64_t>(ofY);
  const int64_t timesX = problem.extents[x] / stepX,
                timesY = problem.extents[y] / stepY;
  Problem whole = problem;
  if ((overlap.first < 0) != (overlap.second < 0)) reverse(whole, y);
  // x = stepX * x1 + x0 and y = stepY * y1 + y0: x1 and y1 move every form by
  // the same.
  std::vector<Problem> parts;
  if (const int64_t rest = problem.extents[x] % stepX; rest > 0) {
    LaneAlgebra::restrict(parts.emplace_back(whole), x, stepX * timesX, rest);
    LaneAlgebra::restrict(whole, x, 0, stepX * timesX);
  }
  if (const int64_t rest = problem.extents[y] % stepY; rest > 0) {
    LaneAlgebra::restrict(parts.emplace_back(whole), y, stepY * timesY, rest);
    LaneAlgebra::restrict(whole, y, 0, stepY * timesY);
  }
  LaneAlgebra::split(whole, x, stepX, timesX);
  LaneAlgebra::split(whole, y, stepY, timesY);
  const size_t sum = whole.extents.size() - 2;
  LaneAlgebra::restrict(whole, sum + 1, 0, 1);
  if (!keepsAddresses)
    for (Piece &piece : whole.pieces) piece.address.outer[sum] = 0;
  whole.extents[sum] = timesX + timesY - 1;
  whole.weights.push_back({sum, timesX, timesY, 0});
  parts.push_back(std::move(whole));
  return parts;
}

}  // namespace

std::vector<Problem> withOverlaps(const Problem &problem, int64_t period) {
  for (const Piece &piece : problem.pieces)
    if (!piece.digits.empty()) return {};
  auto isOne = [&](size_t x) {
    return problem.extents[x] == 1 ||
           llvm::any_of(problem.weights,
                        [&](const Weight &of) { return of.variable == x; });
  };
  const size_t count = problem.extents.size();
  for (const bool keepsAddresses : {true, false}) {
    if (!keepsAddresses && period == 0) break;
    for (size_t x = 0; x < count; ++x)
      for (size_t y = x + 1; y < count; ++y) {
        if (isOne(x) || isOne(y)) continue;
        const auto overlap = overlapOf(problem, x, y, keepsAddresses);
        if (!overlap) continue;
        int64_t factor = 1;
        if (!keepsAddresses) {
          if (!moveAddressesAlike(problem, x, y)) continue;
          const Form &address = problem.pieces.front().address;
          factor =
              std::lcm(stepsOfPeriod(address.outer[x], overlap->second, period),
                       stepsOfPeriod(address.outer[y], overlap->first, period));
        }
        auto parts = partsBy(problem, *overlap, factor, keepsAddresses);
        if (!parts.empty()) return parts;
      }
  }
  return {};
}

}  // namespace lanes
}  // namespace indexical
