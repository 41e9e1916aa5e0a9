// Results that are simple at every point.
//
//   (d0) -> ((d0 + 1) mod 2)    on d0 in [10, 56],
//                               ((d0 * 3 + 4) floordiv 2) mod 3 in [2, 2]
//     is (1) at each of the points that there are: 10, 12, 14, …
//
// Where cuts do not align, or a constraint says what no bound does, forms can
// leave open that ops cancel. Results that are a constant, or a variable or its
// negative and a constant, at a few points of the domain are looked at in all
// of them (scan.h), and become what they are: all of a map's results or none,
// since digits of one index belong together. By themselves so do variables that
// have one value:
//
//   d0 in [0, 14], d1 in [0, 1],
//   (((d0 * 5 + d1 * 2 + 2) floordiv 2) mod 5) mod 3 in [2, 2]
//     d1 is 1 at each of the points that there are
//
// and a sum of variables that a constraint makes the dimension in its place:
//
//   (d0, d1) -> (d1 * 3 + 5, d1)    on d0 - d1 * 3 in [5, 5]
//     is (d0, d1)
//
// Laws (tests/simplifier/collapse_test.cc): the values stay as they are; small
// domains have no variable that has one value and bounds that leave it more,
// and no other sum for the dimension in its place where one constraint makes it
// that.
#ifndef INDEXICAL_SIMPLIFIER_COLLAPSE_H
#define INDEXICAL_SIMPLIFIER_COLLAPSE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/dense.h"

namespace indexical {

/// What the forms are at every point of the box that satisfies the constraints,
/// if those with digits are a constant or a variable each (of a dense one the
/// variable that it stands for); others stay, but for those that are the
/// dimension in their place. Where one of those with digits is neither, or the
/// points are too many to be looked at, all of them stay: digits belong
/// together.
llvm::SmallVector<FormId, 4> collapsed(CanonicalForms &forms,
                                       const VariableBounds &box,
                                       llvm::ArrayRef<Constraint> constraints,
                                       llvm::ArrayRef<FormId> results,
                                       const DenseVariables &dense);

/// The dimensions and ranges that have one value wherever the constraints hold,
/// though their bounds leave them more.
llvm::SmallVector<Constraint, 2> pointsOf(
    CanonicalForms &forms, const VariableBounds &box,
    llvm::ArrayRef<Constraint> constraints);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_COLLAPSE_H
