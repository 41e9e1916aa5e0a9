// Small boxes, all points at once.
//
//   x0 in [0, 3], x1 in [0, 99], (x0 * 25 + x1 * 7) mod 64 - x1 in [5, 9]
//
// In digits of digits, bounds say little before a box is a single point. So the
// values of all parts are computed for a block of points, one part after the
// other. They are floating point numbers, which bounds must show to be exact.
// That takes about a nanosecond for each part and point.
//
// Law (tests/simplifier/scan_test.cc): exactly the points of the box that
// satisfy the constraints are visited.
#ifndef INDEXICAL_SIMPLIFIER_SCAN_H
#define INDEXICAL_SIMPLIFIER_SCAN_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"
#include "indexical/simplifier/variable_bounds.h"

namespace indexical {

class PointScan {
 public:
  /// The scan looks at these constraints, and at the forms that `areZero` asks
  /// for. The table must outlive the scan.
  PointScan(const ExpressionTable &table,
            llvm::ArrayRef<Constraint> constraints,
            llvm::ArrayRef<FormId> forms = {});

  /// Returns the number of points of the box, in the variables that constraints
  /// and forms name, or nothing if it is more than `most`.
  std::optional<int64_t> pointCount(const VariableBounds &box,
                                    int64_t most) const;

  /// The points that are looked at together.
  static constexpr int64_t kBlock = 512;
  /// Returns the cost of looking at so many points, in operations of a budget.
  int64_t cost(int64_t points) const {
    return 1 + points * (1 + static_cast<int64_t>(digits_.size())) / 32;
  }

  /// Calls `visit` with the parts of the box in which the constraints hold,
  /// each variable that they name at one value, and `next` before each block,
  /// until one of them returns false. Returns nothing if values are too large;
  /// otherwise, whether neither returned false.
  std::optional<bool> operator()(
      const VariableBounds &box, llvm::function_ref<bool()> next,
      llvm::function_ref<bool(const VariableBounds &)> visit);

  /// Returns whether the forms are 0 at all points of the box at which the
  /// constraints hold. Returns nothing if values are too large.
  std::optional<bool> areZero(const VariableBounds &box);

 private:
  /// One value for all points, or one for each: integers.
  struct BlockValues {
    bool isConstant = true;
    double value = 0;
    std::vector<double> values;
    Interval range = Interval::none();  // in the box
  };
  /// A digit and its known facts in a box.
  struct DigitInBox {
    AtomId atom;
    Interval floor;  // of its parent, divided
  };
  struct Named {
    VariableId id;
    AtomId atom;
  };
  std::optional<Interval> range(FormId form) const;
  bool setRanges(const VariableBounds &box);
  void setVariables(const VariableBounds &box, int64_t first);
  void sum(FormId form, BlockValues &into) const;
  void setDigit(const DigitInBox &own);
  void keepThose(const Constraint &constraint);
  int64_t pointsOf(const VariableBounds &box) const;
  void setBlock(const VariableBounds &box, int64_t first, int64_t count);
  bool isZero(FormId form);

  const ExpressionTable &table_;
  llvm::SmallVector<Constraint, 4> constraints_;
  llvm::SmallVector<FormId, 4> forms_;
  llvm::SmallVector<DigitInBox, 16> digits_;  // each after what is in it
  llvm::SmallVector<Named, 6> variables_;     // in their order
  bool isPossible_ = true;  // there are no atoms but variables and digits
  int64_t points_ = 0;      // of the block
  std::vector<BlockValues> atomValues_;  // by id
  BlockValues sum_;
  std::vector<uint8_t> kept_;  // by point: whether all constraints hold
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SCAN_H
