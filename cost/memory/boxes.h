// A box of outer variables, cut until every digit and constraint is settled.
//
//   digits of 32 * w + lane by 1000, lanes 0 … 31, w in [0, 124999]
//     w = 125 * q + r:  r in [0, 30], 31, 32 … 61, 62, …: eight kinds of boxes,
//     in each of which every lane's digits are linear
//
// Cuts are made by the period of a digit, where a digit carries, and where a
// constraint ends. Two variables that a constraint has as one sum become that
// sum first (overlaps.h). If none of these separates anything, the values of a
// variable are taken one after the other. Each step spends some of a budget.
#ifndef INDEXICAL_COST_MEMORY_BOXES_H
#define INDEXICAL_COST_MEMORY_BOXES_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/cost/memory/lane_forms.h"
#include "indexical/indexing/budget.h"

namespace indexical {
namespace lanes {

class Boxes {
 public:
  /// Makes a visitor. It calls `inside` with each box that is settled and has
  /// pieces; the box's lists of numbers live until `inside` returns. It calls
  /// `beyond` with each box that the budget does not reach, as it stands. Both
  /// return whether to go on.
  /// With `points`, it calls that with boxes that would be cut in many parts,
  /// and that few visits of their warps go through (warp_runs.h).
  /// With a period in bits, boxes may have the addresses modulo it.
  Boxes(LaneNumbers &numbers, Meter &meter,
        llvm::function_ref<bool(const Problem &)> inside,
        llvm::function_ref<bool(const Problem &)> beyond,
        llvm::function_ref<bool(const Problem &)> points = nullptr,
        int64_t period = 0)
      : algebra_(numbers),
        meter_(meter),
        inside_(inside),
        beyond_(beyond),
        points_(points),
        period_(period) {}

  /// Returns false if `inside` or `beyond` ended the visit.
  bool visit(Problem problem);
  /// Visits the values of variable `x` one after the other.
  bool visitPoints(const Problem &problem, size_t x);
  /// Visits the values of variable `x`, or all points of the box at once if
  /// they are few.
  bool visitFewOrPoints(const Problem &problem, size_t x);

  LaneAlgebra &algebra() { return algebra_; }

 private:
  std::optional<int64_t> fewVisits(const Problem &problem) const;
  bool areCheaper(llvm::ArrayRef<Problem> parts, int64_t visits) const;
  bool sufficeFor(const Problem &problem, std::optional<int64_t> visits,
                  int64_t most) const;
  bool visitParts(const Problem &problem, const UnsettledForm &obstacle);
  bool visitCuts(const Problem &problem, size_t x, std::vector<int64_t> &cuts);

  LaneAlgebra algebra_;
  Meter &meter_;
  llvm::function_ref<bool(const Problem &)> inside_, beyond_, points_;
  const int64_t period_;
};

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_BOXES_H
