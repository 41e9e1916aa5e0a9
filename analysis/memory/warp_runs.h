// The warps of a small box one by one, the lanes of each as runs.
//
// Where digits carry at other lanes in each warp there are as many boxes
// (boxes.h) as warps, and each costs microseconds. Here a problem is made into
// a flat list of numbers once, and a warp costs a few divisions. A *run* is
// neighbouring slots of which the address goes on in equal steps. For rows of
// 41 elements of 32 bits that are read as columns, P = 32 * w + lane:
//
//   w = 0   P in [0, 31], one row: 32 slots, from 0 on in steps of 1312
//   w = 1   P in [32, 40], and [41, 63] in the next row:
//             9 slots, from 41984 on in steps of 1312
//            23 slots, from 32 on in steps of 1312
//
// A variable that only moves all addresses alike is *free*: it is not gone
// through, its coefficient and extent say what it adds. What a digit passes on
// as it is, as 64 * y by 8, makes no variable one to go through.
//
// Law (tests/analysis/random_coalescing_test.cc): the runs are those of the
// problem's forms, evaluated slot by slot.
#ifndef INDEXICAL_ANALYSIS_MEMORY_WARP_RUNS_H
#define INDEXICAL_ANALYSIS_MEMORY_WARP_RUNS_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/analysis/memory/lane_forms.h"

namespace indexical {
namespace lanes {

/// Slots `first` to `first + count - 1`; slot `first + t` begins at bit
/// `start + step * t`.
struct SlotRun {
  uint32_t piece, first, count;
  int64_t start, step;
};

/// Returns how many warps have to be gone through, or nothing if they are more
/// than `most`, or if a piece has runtime variables.
std::optional<int64_t> pointsOf(const Problem &problem, int64_t most);

class WarpRuns {
 public:
  /// Requires pointsOf(problem), and numbers that live as long as the object.
  WarpRuns(const Problem &problem, const LaneNumbers &numbers);

  /// The addends of free variables to an address.
  llvm::ArrayRef<int64_t> freeCoefficients() const { return coefficients_; }
  llvm::ArrayRef<int64_t> freeExtents() const { return extents_; }

  /// Calls `visit` with the runs of each point that has any, piece after piece,
  /// as long as it returns true. Returns false if it did not.
  bool visit(llvm::function_ref<bool(llvm::ArrayRef<SlotRun>)> visit);

 private:
  /// A form as a line over a segment: value at its first slot and step, beyond
  /// what all slots share.
  struct Line {
    int64_t start = 0, step = 0;
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
  };

  void addSegments(const Piece &piece, llvm::ArrayRef<const Form *> forms,
                   const LaneNumbers &numbers, FlatPiece &to);
  Line lineOf(const FlatPiece &piece, const Segment &segment,
              uint32_t form) const;
  bool clip(const FlatPiece &piece, const Segment &segment, size_t known,
            int64_t &from, int64_t &to) const;
  void follow(const FlatPiece &piece, const Segment &segment, size_t known,
              int64_t from, int64_t to);
  bool step();

  std::vector<FlatPiece> pieces_;
  std::vector<Moving> moving_;
  std::vector<int64_t> base_;  ///< of each form at this point
  std::vector<Line> digits_;   ///< of the piece and segment that is followed
  llvm::SmallVector<int64_t, 8> coefficients_, extents_;
  std::vector<SlotRun> runs_;
};

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_MEMORY_WARP_RUNS_H
