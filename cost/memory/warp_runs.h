// The warps of a small box, the lanes of each as runs.
//
// Where digits carry at other lanes in each warp there are as many boxes
// (boxes.h) as warps, and each costs microseconds. Here a problem is made into
// a flat list of numbers once, and a warp costs a few divisions. A *run* is
// neighbouring slots of which the address goes on in equal steps. For rows of
// 141 elements of 32 bits that are read as columns of 50, P = 32 * w + lane:
//
//   w = 0 … 3   P in [0, 127], one row: 32 slots, from 0 on in steps of 1600,
//               and 51200 further on for each w
//   w = 4       P in [128, 140], and [141, 159] in the next row:
//                 13 slots, from 204800 on in steps of 1600
//                 19 slots, from 32 on in steps of 1600
//
// Warps of which the runs are the same, moved by equal steps, are *alike*: one
// visit answers for all of them, as for the first four here. A long row costs
// as much as a short one.
//
// A variable that only moves all addresses alike is *free*: it is not gone
// through, its coefficient and extent say what it adds. A term that a digit
// passes on as it is, such as 64 * y by 8, needs no enumeration of its
// variable.
//
// Law (tests/cost/memory/random_coalescing_test.cc): the runs are those of the
// problem's forms, evaluated slot by slot.
#ifndef INDEXICAL_COST_MEMORY_WARP_RUNS_H
#define INDEXICAL_COST_MEMORY_WARP_RUNS_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/memory/lane_forms.h"
#include "indexical/indexing/budget.h"

namespace indexical {
namespace lanes {

/// Slots `first` to `first + count - 1`; slot `first + t` begins at bit
/// `start + step * t`.
struct SlotRun {
  uint32_t piece, first, count;
  int64_t start, step;
};

/// `count` warps that have the runs of the first one, each moved by `by` bits
/// from the warp before it.
struct WarpsAlike {
  llvm::ArrayRef<SlotRun> runs;
  int64_t count, by;
};

/// Returns about how many visits there are, or nothing if they are more than
/// `most`, or if a piece has runtime variables.
std::optional<int64_t> visitsOf(const Problem &problem,
                                const LaneNumbers &numbers, int64_t most);

/// Returns how many operations one visit takes.
int64_t costOfVisit(const Problem &problem);

class WarpRuns {
 public:
  /// Requires visitsOf(problem), and numbers that live as long as the object.
  WarpRuns(const Problem &problem, const LaneNumbers &numbers);

  /// The addends of free variables to an address.
  llvm::ArrayRef<int64_t> freeCoefficients() const { return coefficients_; }
  llvm::ArrayRef<int64_t> freeExtents() const { return extents_; }

  /// Calls `visit` for all points that have runs, which come piece after piece,
  /// as long as it returns true. Returns false if it did not, or if the meter,
  /// from which each point takes costOfVisit(), ends before the last point.
  bool visit(Meter &meter, llvm::function_ref<bool(const WarpsAlike &)> visit);

  /// Returns the runs of a problem of one slot and one outer variable, the
  /// values of which are taken as slots; piece after piece. Returns nothing if
  /// that takes more than `most` steps.
  static std::optional<std::vector<SlotRun>> alongVariable(
      const Problem &problem, const LaneNumbers &numbers, int64_t most);

 private:
  /// A form over a segment and warps that are alike: the value at the first
  /// slot, the steps from slot to slot and from warp to warp.
  struct Line {
    int64_t start = 0, step = 0, by = 0;
  };
  using Terms = llvm::SmallVector<std::pair<uint32_t, int64_t>, 2>;
  struct FlatDigit {
    int64_t stride, modulus;
  };
  struct FlatConstraint {
    Interval bounds;
    uint32_t form;
  };
  /// Slots over which all forms are lines.
  struct Segment {
    uint32_t first, count;
    std::vector<Line> lines;  ///< by form
  };
  /// Forms are those of the digits, the constraints, and the address.
  struct FlatPiece {
    uint32_t number, firstForm;
    std::vector<FlatDigit> digits;
    /// Constraints that can be asked once so many digits are known.
    std::vector<std::vector<FlatConstraint>> constraints;
    std::vector<Terms> terms;  ///< by form: digits and their coefficients
    std::vector<Segment> segments;
    uint32_t address() const { return terms.size() - 1; }
  };
  /// A variable that is gone through, and what it adds to forms.
  struct Moving {
    int64_t extent = 1, at = 0;
    std::vector<std::pair<uint32_t, int64_t>> adds;
    void moveBy(int64_t values, std::vector<int64_t> &forms) {
      at += values;
      for (auto [form, coefficient] : adds) forms[form] += coefficient * values;
    }
  };

  void addSegments(const Piece &piece, llvm::ArrayRef<const Form *> forms,
                   const LaneNumbers &numbers, FlatPiece &to);
  Line lineOf(const FlatPiece &piece, const Segment &segment,
              uint32_t form) const;
  bool clip(const FlatPiece &piece, const Segment &segment, size_t known,
            int64_t &from, int64_t &to);
  void follow(const FlatPiece &piece, const Segment &segment, size_t known,
              int64_t from, int64_t to);
  void stayWithin(int64_t least, int64_t most, int64_t by, Interval bounds);
  bool step();

  int64_t cost_;  ///< of a visit
  std::vector<FlatPiece> pieces_;
  Moving along_;                ///< the variable along which warps are alike
  std::vector<Moving> moving_;  ///< the others
  std::vector<int64_t> base_;   ///< of each form at this point
  std::vector<int64_t> by_;     ///< what one step along adds to each form
  std::vector<Line> digits_;    ///< of the piece and segment that is followed
  llvm::SmallVector<int64_t, 8> coefficients_, extents_;
  std::vector<SlotRun> runs_;
  int64_t alike_ = 1;              ///< warps, as far as is known of this one
  int64_t runsMove_ = 0;           ///< from one of them to the next
  int64_t stepsLeft_ = INT64_MAX;  ///< of following runs
};

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_WARP_RUNS_H
