// Facts about symbolic sizes, in text: whether a relation follows from others.
//
//   sizes::follows({"a >= 1", "b >= 1", "x < a * b"}, "x floordiv b <= a - 1")
//     true:  a * b - x - 1 >= 0: given
//            …
//            the sum is a negative number
//   sizes::follows({"a >= 1"}, "a floordiv 2 >= 1")
//     not shown
//
// These are the questions of MLIR's value bounds (ValueBoundsConstraintSet::
// compare), where sizes may also be multiplied, and divided by. A relation is
// `x < y`, `<=`, `==`, `>=`, `>`, or `x in [1, inf]`, of expressions as they
// are in maps, with `min(x, y)` and `max(x, y)`. A variable has no bounds but
// those that the relations give.
//
// Law (tests/simplifier/size_prover_test.cc, by enumeration): a claim that
// follows holds at every point of the givens. A claim that is not shown to
// follow may still hold.
#ifndef INDEXICAL_SIMPLIFIER_SIZES_H
#define INDEXICAL_SIMPLIFIER_SIZES_H

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/simplifier/size_prover.h"

namespace indexical::sizes {

struct Answer {
  /// Whether the claim is proven.
  bool follows = false;
  /// The proof, a line for each of its steps; empty if there is none.
  std::vector<std::string> certificate;
};

/// Returns whether the claim holds wherever the givens do. Returns an error if
/// a relation cannot be read, or if there are more than six minima and maxima.
absl::StatusOr<Answer> follows(const std::vector<std::string> &givens,
                               const std::string &claim,
                               const SizeBudget &budget = {});

}  // namespace indexical::sizes

#endif  // INDEXICAL_SIMPLIFIER_SIZES_H
