// Bounds of a map's results wherever the map holds.
//
//   d0 in [0, 13], d1 in [0, 17], (d0 mod 2) * 2 + d1 floordiv 8 in [2, 3]
//     (d0 mod 2) * 4 + (d1 floordiv 8) * 2 + d0 - 4
//       [-4, 17] by its terms, [0, 15] by the constraint on two of them
//
// A product requires that its first map's results are inside the second map's
// dimensions. If these bounds show that, no constraint is added for it that
// would have to be dropped afterwards. The bounds follow from the map alone, so
// that a map that was read from text has the same ones.
//
// Law (tests/simplifier/result_bounds_test.cc, by enumeration): at each point
// at which the constraints hold, a form is in its bounds.
#ifndef INDEXICAL_SIMPLIFIER_RESULT_BOUNDS_H
#define INDEXICAL_SIMPLIFIER_RESULT_BOUNDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"
#include "indexical/simplifier/facts.h"

namespace indexical {

class ResultBounds {
 public:
  /// Requires facts that contain the constraints and all that propagation finds
  /// of their parts.
  ResultBounds(const ExpressionTable &table, Facts &facts,
               llvm::ArrayRef<Constraint> constraints)
      : table_(table), facts_(facts), constraints_(constraints) {}

  Interval operator()(FormId form);

 private:
  Interval atom(AtomId id);
  /// Takes the sums with a floor whose parent a constraint knows out of `rest`,
  /// and adds their bounds.
  void takeFloorsInSums(llvm::SmallVectorImpl<Term> &rest, Interval &sum);

  const ExpressionTable &table_;
  Facts &facts_;
  llvm::ArrayRef<Constraint> constraints_;
  llvm::SmallDenseMap<AtomId, Interval, 8> atoms_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_RESULT_BOUNDS_H
