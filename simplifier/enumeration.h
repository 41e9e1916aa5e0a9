// Enumeration: the points of a set, boxes without points passed over whole.
//
//   x0 in [0, 999999], x1 in [0, 999999], x0 - x1 * 1000 in [5, 7]
//   a point: (5, 0)      points: 3000
//
// A box is tightened by the constraints (simplifier/domain.h) until it is seen
// to be empty, or to satisfy them all and be counted as one; otherwise it is
// cut in two. All points of a small box are looked at (scan.h). So the work
// follows the shape of the constraints and not the number of points. The work
// is counted, and if the budget ends there is no answer.
//
// Law (tests/exact/enumeration_test.cc): `visit` visits exactly the points,
// once.
#ifndef INDEXICAL_SIMPLIFIER_ENUMERATION_H
#define INDEXICAL_SIMPLIFIER_ENUMERATION_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/budget.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/domain.h"
#include "indexical/simplifier/scan.h"

namespace indexical {

/// Pseudo-random numbers, the same everywhere: for points to try.
class Draws {
 public:
  int64_t in(Interval bounds);

 private:
  uint64_t state_ = 1;
};

/// Whether a set has a point, and one of them.
struct Sample {
  enum class Found : uint8_t { Point, Nothing, Unknown };
  Found found = Found::Unknown;
  Values point;

  static Sample of(Values point) { return {Found::Point, std::move(point)}; }
  static Sample nothing() { return {Found::Nothing, {}}; }
};

/// The values of all atoms of a table at a point, each computed once.
class PointValues {
 public:
  explicit PointValues(const ExpressionTable &table) : table_(table) {}
  /// Returns false if arithmetic leaves 64 bits or a divisor is not positive.
  bool set(llvm::ArrayRef<int64_t> point);
  std::optional<int64_t> operator()(FormId form) const;
  /// Returns whether all of these hold at the point that was set.
  bool satisfy(llvm::ArrayRef<Constraint> constraints) const;

 private:
  struct AtPoint;
  WideSum wide(FormId form) const;
  const ExpressionTable &table_;
  llvm::SmallVector<int64_t, 16> atoms_;
};

/// The points of a set: a simplified map without range and runtime variables.
class Enumeration {
 public:
  Enumeration(const IndexingMap &set, Meter &meter);

  Sample sample();
  /// Returns nothing if a variable is not bounded or the budget ends.
  std::optional<llvm::DynamicAPInt> count();
  /// Calls `visit` with every point. Returns false if it could not: `visit`
  /// returned false, a variable is not bounded, or the budget ended.
  bool visit(llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> visit);

 private:
  enum class Verdict : uint8_t { Empty, Inside, Split };
  Verdict tighten(VariableBounds &box);
  bool split(const VariableBounds &box, VariableBounds &first,
             VariableBounds &second);
  /// Calls `inside` with disjoint boxes that together hold the points, until it
  /// returns false.
  bool boxes(llvm::function_ref<bool(const VariableBounds &)> inside);

  const IndexingMap &set_;
  Meter &meter_;
  ExpressionPool pool_;
  std::optional<Domain> domain_;
  llvm::SmallVector<Constraint, 4> constraints_;
  std::optional<PointScan> scan_;
  int64_t cost_ = 1;  ///< of one box, in operations
  /// Periods of the digits of each variable: good places for a cut.
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>, 8> periods_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_ENUMERATION_H
