#include "indexical/analysis/memory/overlaps.h"

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

template <typename Visit>
void visitForms(const Problem &problem, Visit visit) {
  for (const Piece &piece : problem.pieces)
    LaneAlgebra::visitForms(piece, visit);
}

std::optional<Overlap> overlapOf(const Problem &problem, size_t x, size_t y) {
  std::optional<Overlap> found;
  bool holds = true;
  visitForms(problem, [&](const Form &form) {
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
  });
  if (!holds) return std::nullopt;
  return found;
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

std::vector<Problem> withOverlaps(const Problem &problem) {
  for (const Piece &piece : problem.pieces)
    if (!piece.digits.empty()) return {};
  auto isWeighted = [&](size_t x) {
    return llvm::any_of(problem.weights,
                        [&](const Weight &of) { return of.variable == x; });
  };
  const size_t count = problem.extents.size();
  for (size_t x = 0; x < count; ++x)
    for (size_t y = x + 1; y < count; ++y) {
      if (problem.extents[x] == 1 || problem.extents[y] == 1 || isWeighted(x) ||
          isWeighted(y))
        continue;
      const auto overlap = overlapOf(problem, x, y);
      if (!overlap) continue;
      Problem whole = problem;
      if ((overlap->first < 0) != (overlap->second < 0)) reverse(whole, y);
      // x = ofX * x1 + x0 and y = ofY * y1 + y0: x1 and y1 move every form by
      // the same.
      const int64_t ofX = std::abs(overlap->second),
                    ofY = std::abs(overlap->first);
      const int64_t timesX = problem.extents[x] / ofX,
                    timesY = problem.extents[y] / ofY;
      if (timesX < 2 || timesY < 2) continue;
      std::vector<Problem> parts;
      if (const int64_t rest = problem.extents[x] % ofX; rest > 0) {
        LaneAlgebra::restrict(parts.emplace_back(whole), x, ofX * timesX, rest);
        LaneAlgebra::restrict(whole, x, 0, ofX * timesX);
      }
      if (const int64_t rest = problem.extents[y] % ofY; rest > 0) {
        LaneAlgebra::restrict(parts.emplace_back(whole), y, ofY * timesY, rest);
        LaneAlgebra::restrict(whole, y, 0, ofY * timesY);
      }
      LaneAlgebra::split(whole, x, ofX, timesX);
      LaneAlgebra::split(whole, y, ofY, timesY);
      const size_t sum = whole.extents.size() - 2;
      LaneAlgebra::restrict(whole, sum + 1, 0, 1);
      whole.extents[sum] = timesX + timesY - 1;
      whole.weights.push_back({sum, timesX, timesY, 0});
      parts.push_back(std::move(whole));
      return parts;
    }
  return {};
}

}  // namespace lanes
}  // namespace indexical
