// Results that are simple at every point.
//
//   (d0) -> ((d0 + 1) mod 2)    on d0 in [10, 56],
//                               ((d0 * 3 + 4) floordiv 2) mod 3 in [2, 2]
//     is (1) at each of the points that there are: 10, 12, 14, …
//
// If cuts do not align, or a constraint says more than bounds do, forms may not
// show that ops cancel. Results that are simple at a few points of the domain
// (a constant, or a variable or its negative and a constant) are therefore
// checked at all points (scan.h). If all of a map's results with digits are
// simple, they are replaced. Otherwise none is, since digits of one index
// belong together. Variables that have one value are replaced each by itself:
//
//   d0 in [0, 14], d1 in [0, 1],
//   (((d0 * 5 + d1 * 2 + 2) floordiv 2) mod 5) mod 3 in [2, 2]
//     d1 is 1 at each of the points that there are
//
// and so is a sum of variables that a constraint makes equal to others. It
// becomes the first of these that it equals: a constant, the dimension in its
// place, a variable, a multiple of a variable and a constant. What it becomes
// depends on the domain and on the place, and not on the sum:
//
//   (d0, d1) -> (d1 * 3 + 5, d1)    on d0 - d1 * 3 in [5, 5]
//     is (d0, d1)
//
// Each rule is a row: its name, an example, what its first result becomes, and
// its function. The rows are asked once, one after the other. The first lowers
// the number of results with digits to none, the second the number of results
// that have an atom and one value, the third the rank of a sum among those that
// it equals.
//
// Laws (tests/simplifier/collapse_test.cc): the values do not change. A row
// makes of its example what it says. In small
// domains, the bounds of a variable that has one value are that value, and a
// sum that one constraint makes equal to the dimension in its place is that
// dimension.
#ifndef INDEXICAL_SIMPLIFIER_COLLAPSE_H
#define INDEXICAL_SIMPLIFIER_COLLAPSE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/dense.h"

namespace indexical {

/// The pool of the results, and the facts of their variables.
struct Collapse;

struct CollapseRule {
  const char *name;
  /// A map as text, and the text of its first result after this rule.
  const char *example, *becomes;
  /// Returns the results, each with the same value at every point.
  llvm::SmallVector<FormId, 4> (*what)(Collapse &known,
                                       llvm::ArrayRef<FormId> results);
};

/// Returns all rules, in the order in which they are asked.
llvm::ArrayRef<CollapseRule> collapseRules();

/// Returns the results, with simpler forms for those that equal them at every
/// point of the box that satisfies the constraints. A sum of variables becomes
/// the best of those that it equals. A result with digits becomes a constant,
/// or a variable or its negative and a constant; a dense dimension counts as
/// the dimension that was given. Results with digits are all replaced or none,
/// since digits belong together. They stay if one has no simpler form, or if
/// there are too many points to look at.
llvm::SmallVector<FormId, 4> collapsed(CanonicalForms &forms,
                                       const VariableBounds &box,
                                       llvm::ArrayRef<Constraint> constraints,
                                       llvm::ArrayRef<FormId> results,
                                       const DenseVariables &dense);

/// Returns the dimensions and ranges that have one value, each with that value,
/// at all points at which the constraints hold, though their bounds are wider.
llvm::SmallVector<Constraint, 2> pointsOf(
    CanonicalForms &forms, const VariableBounds &box,
    llvm::ArrayRef<Constraint> constraints);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_COLLAPSE_H
