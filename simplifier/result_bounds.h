// What results are in wherever a map holds.
//
//   d0 in [0, 13], d1 in [0, 17], (d0 mod 2) * 2 + d1 floordiv 8 in [2, 3]
//     (d0 mod 2) * 4 + (d1 floordiv 8) * 2 + d0 - 4
//       [-4, 17] by its terms, [0, 15] by the constraint on two of them
//
// A product asks of its first map's results that they are inside the second
// map's dimensions. What these bounds show to be so is not asked, nor found to
// follow from other constraints afterwards. They are found by what the map
// itself says, so that a map that was read from text has the same.
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
  /// The facts know the constraints, and what they say of all in them.
  ResultBounds(const ExpressionTable &table, Facts &facts,
               llvm::ArrayRef<Constraint> constraints)
      : table_(table), facts_(facts), constraints_(constraints) {}

  Interval operator()(FormId form);

 private:
  Interval atom(AtomId id);

  const ExpressionTable &table_;
  Facts &facts_;
  llvm::ArrayRef<Constraint> constraints_;
  llvm::SmallDenseMap<AtomId, Interval, 8> atoms_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_RESULT_BOUNDS_H
