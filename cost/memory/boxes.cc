#include "indexical/cost/memory/boxes.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/memory/cuts.h"
#include "indexical/cost/memory/overlaps.h"
#include "indexical/cost/memory/warp_runs.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace lanes {

namespace {

// Visits of warps (warp_runs.h) that one box is gone through in; a box costs as
// much as so many of them.
constexpr int64_t kMostVisits = 16'384, kVisitsOfBox = 16, kFewVisits = 64;

// So many visits are cheaper than the boxes that periods of digits leave.
constexpr int64_t kSureVisits = 2'048;

// A visit follows each run of lanes from digit to digit: with many of these it
// costs more than a box does.
constexpr size_t kFewDigits = 8;

bool hasFewDigits(const Problem &problem) {
  return llvm::all_of(problem.pieces, [](const Piece &piece) {
    return piece.digits.size() <= kFewDigits;
  });
}

}  // namespace

bool Boxes::visit(Problem problem) {
  int64_t cost = 20;
  for (const Piece &piece : problem.pieces)
    cost += 10 + piece.alive.size() *
                     (2 + 2 * piece.digits.size() + piece.constraints.size());
  if (!meter_.spend(cost)) return beyond_(problem);
  LaneNumbers &numbers = algebra_.numbers();
  const size_t mark = numbers.mark();
  auto obstacle = algebra_.settle(problem);
  // Variables that digits kept apart may be one number now. With digits left,
  // merging would undo the cuts by their periods.
  auto hasDigits = [](const Piece &piece) { return !piece.digits.empty(); };
  if (obstacle && llvm::none_of(problem.pieces, hasDigits) &&
      LaneAlgebra::mergeVariables(problem))
    obstacle = algebra_.settle(problem);
  bool go = true;
  if (!problem.pieces.empty())
    go = obstacle ? visitParts(problem, *obstacle) : inside_(problem);
  numbers.release(mark);
  return go;
}

bool Boxes::visitPoints(const Problem &problem, size_t x) {
  const int64_t extent = problem.extents[x];
  for (int64_t at = 0; at < extent; ++at) {
    Problem point = problem;
    // Values that the budget does not reach are bounded as one box.
    const bool rest = meter_.left() < 0;
    LaneAlgebra::restrict(point, x, at, rest ? extent - at : 1);
    if (!visit(std::move(point))) return false;
    if (rest) break;
  }
  return true;
}

namespace {

/// Cuts the largest part in the middle if it is most of the box and lies partly
/// within the bounds. Else a diagonal would be cut piece by piece from its
/// ends, and cuts would be nested as deep as it is long.
void halveLargest(const CutTerm &cut, Interval slots, Interval bounds,
                  std::vector<int64_t> &cuts) {
  int64_t from = 0, largestFrom = 0, largest = 0;
  for (size_t k = 0; k <= cuts.size(); ++k) {
    const int64_t to = k < cuts.size() ? cuts[k] : cut.extent;
    if (to - from > largest) {
      largest = to - from;
      largestFrom = from;
    }
    from = to;
  }
  if (largest <= cut.extent / 2 || largest < 2) return;
  const Interval values =
      slots + cut.rest +
      Interval{largestFrom, largestFrom + largest - 1} * cut.coefficient;
  if (bounds.contains(values) || bounds.intersect(values).isEmpty()) return;
  cuts.push_back(largestFrom + largest / 2);
  llvm::sort(cuts);
}

}  // namespace

/// Whether the box takes about `visits` visits, at most `most`, and the budget
/// suffices for so many. The visits themselves spend it (warp_runs.h).
bool Boxes::sufficeFor(const Problem &problem, std::optional<int64_t> visits,
                       int64_t most) const {
  if (!visits || *visits > most) return false;
  return costOfVisit(problem) <= meter_.left() / *visits;
}

/// Returns about how many visits the box takes, if they are few.
std::optional<int64_t> Boxes::fewVisits(const Problem &problem) const {
  // A visit counts each point once.
  if (!points_ || !problem.countsOnce()) return std::nullopt;
  return visitsOf(problem, algebra_.numbers(), kMostVisits);
}

/// Whether all parts together take less than half of so many visits.
bool Boxes::areCheaper(llvm::ArrayRef<Problem> parts, int64_t visits) const {
  int64_t ofParts = 0;
  for (const Problem &part : parts) {
    const auto own = fewVisits(part);
    if (!own) return false;
    ofParts += *own;
  }
  return ofParts < visits / 2;
}

bool Boxes::visitFewOrPoints(const Problem &problem, size_t x) {
  const auto visits = fewVisits(problem);
  if (sufficeFor(problem, visits, kMostVisits)) return points_(problem);
  return visitPoints(problem, x);
}

bool Boxes::visitCuts(const Problem &problem, size_t x,
                      std::vector<int64_t> &cuts) {
  cuts.push_back(problem.extents[x]);
  int64_t from = 0;
  for (int64_t to : cuts) {
    if (meter_.left() < 0) to = problem.extents[x];
    Problem part = problem;
    LaneAlgebra::restrict(part, x, from, to - from);
    if (!visit(std::move(part))) return false;
    from = to;
    if (from == problem.extents[x]) break;
  }
  return true;
}

bool Boxes::visitParts(const Problem &problem, const UnsettledForm &obstacle) {
  const auto visits = fewVisits(problem);
  if (sufficeFor(problem, visits, kFewVisits)) return points_(problem);
  if (obstacle.divisor == 0)
    if (auto parts = withOverlaps(problem, period_); !parts.empty())
      return llvm::all_of(
          parts, [&](Problem &part) { return visit(std::move(part)); });
  Form form = obstacle.form;
  if (obstacle.divisor > 0) {
    for (auto [x, coefficient] : llvm::enumerate(form.outer)) {
      if (coefficient % obstacle.divisor == 0) continue;
      const int64_t period =
          obstacle.divisor / gcd(coefficient, obstacle.divisor);
      const int64_t extent = problem.extents[x], whole = extent / period;
      if (whole == 0 || period == extent) continue;
      llvm::SmallVector<Problem, 2> parts(extent % period == 0 ? 1 : 2,
                                          problem);
      LaneAlgebra::split(parts[0], x, period, whole);
      if (parts.size() == 2)
        LaneAlgebra::restrict(parts[1], x, whole * period, extent % period);
      if (visits && hasFewDigits(problem) && !areCheaper(parts, *visits) &&
          sufficeFor(problem, visits, kSureVisits))
        return points_(problem);
      return llvm::all_of(
          parts, [&](Problem &part) { return visit(std::move(part)); });
    }
    // Multiples of the divisor do not carry.
    for (auto [x, coefficient] : llvm::enumerate(form.outer))
      coefficient -=
          obstacle.divisor *
          multiplesIn(coefficient, problem.extents[x] - 1, obstacle.divisor);
  }
  // The numbers of the slots, each once.
  std::vector<int64_t> slots;
  for (uint32_t slot : problem.pieces[obstacle.piece].alive)
    slots.push_back(algebra_.at(form, slot));
  llvm::sort(slots);
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  meter_.spend(static_cast<int64_t>(slots.size()));

  // The variable that moves the form most, first.
  llvm::SmallVector<size_t, 8> order;
  for (size_t x = 0; x < form.outer.size(); ++x)
    if (form.outer[x] != 0) order.push_back(x);
  auto reach = [&](size_t x) {
    return std::abs(form.outer[x]) * (problem.extents[x] - 1);
  };
  llvm::stable_sort(order,
                    [&](size_t x, size_t y) { return reach(x) > reach(y); });
  Interval all = Interval::point(0);
  for (size_t x : order)
    all = all + Interval{0, problem.extents[x] - 1} * form.outer[x];
  for (size_t x : order) {
    const Interval own = Interval{0, problem.extents[x] - 1} * form.outer[x];
    CutTerm cut;
    cut.coefficient = form.outer[x];
    cut.extent = problem.extents[x];
    cut.rest = {all.lower - own.lower, all.upper - own.upper};
    // One slot alone has so many cuts: where these make points the cheaper way,
    // the others need not be looked for.
    if (visits && obstacle.divisor > 0) {
      const int64_t sure =
          std::abs(cut.coefficient) * (cut.extent - 1) / obstacle.divisor;
      if (sufficeFor(problem, visits, sure * kVisitsOfBox))
        return points_(problem);
    }
    std::vector<int64_t> cuts;
    const bool few =
        obstacle.divisor > 0
            ? cutAtMultiples(cut, slots, obstacle.divisor, meter_, cuts)
            : cutAtBounds(cut, slots, obstacle.bounds, cuts);
    if (!few) {
      // There are as many cuts as points. Points are visited only if no other
      // variable is left.
      if (order.size() > 1) continue;
      if (sufficeFor(problem, visits, kMostVisits)) return points_(problem);
      return visitPoints(problem, x);
    }
    if (cuts.empty()) continue;
    if (obstacle.divisor == 0 && order.size() > 1)
      halveLargest(cut, {slots.front(), slots.back()}, obstacle.bounds, cuts);
    const int64_t parts = cuts.size() + 1;
    if (sufficeFor(problem, visits, parts * kVisitsOfBox))
      return points_(problem);
    return visitCuts(problem, x, cuts);
  }
  if (sufficeFor(problem, visits, kMostVisits)) return points_(problem);
  auto fewest =
      *std::min_element(order.begin(), order.end(), [&](size_t x, size_t y) {
        return problem.extents[x] < problem.extents[y];
      });
  return visitPoints(problem, fewest);
}

}  // namespace lanes
}  // namespace indexical
