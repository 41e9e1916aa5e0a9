// Functions of one sum L that are linear but for bends.
//
//   min(max(L, 1), 5) is  1 + max(L - 1, 0) - max(L - 5, 0)
//     slope 0, constant 1, bends {1, 1, 1} and {-1, 1, 5}
//
// A *bend* is coefficient * max(factor * L - threshold, 0). For integers, one
// whose factor is 1 changes the slope at its threshold; any other one does so
// at two neighbours: max(L * 5 - 12, 0) is 3 * max(L - 2, 0) + 2 * max(L - 3,
// 0). So the second differences of a function say all that there is to know of
// it beside its slope, and however a clamp was written it has the same bends.
//
// Law (tests/indexing/piecewise_test.cc, by enumeration): the result has the
// function's values in the interval.
#ifndef INDEXICAL_INDEXING_PIECEWISE_H
#define INDEXICAL_INDEXING_PIECEWISE_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/interval.h"

namespace indexical {

struct Bend {
  int64_t coefficient, factor, threshold;
};

struct Piecewise {
  int64_t slope = 0, constant = 0;
  llvm::SmallVector<Bend, 4> bends;

  /// Returns whether the numbers are so small that values fit into 128 bits,
  /// and the bends so few that it is worth to look at them. The functions below
  /// require it.
  bool isSmall() const;
  __int128 at(int64_t l) const;
  /// Returns the least interval of the values for L in `l`.
  Interval range(const Interval &l) const;
  /// Returns the function, for L in `l`, with the fewest bends: by threshold,
  /// each within the interval, two of neighbours as one. Returns nothing if
  /// that leaves 64 bits.
  std::optional<Piecewise> reduced(const Interval &l) const;
  /// Returns max(function, 0) in the same way.
  std::optional<Piecewise> positivePart(const Interval &l) const;
};

/// A form as factor * L + constant of a sum L without a common factor, whose
/// first coefficient is positive. The terms are L's, times the factor.
struct MultipleOfSum {
  llvm::ArrayRef<Term> terms;
  int64_t factor = 0, constant = 0;
  /// Returns whether the other form is one of the same sum.
  bool isOfSameSum(const MultipleOfSum &other) const;
};

/// Returns the form so; factor 0 if it is a constant.
MultipleOfSum asMultiple(const ExpressionTable &table, FormId form);

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_PIECEWISE_H
