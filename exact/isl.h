// Queries to isl about sets (Verdoolaege, "isl: An Integer Set Library for the
// Polyhedral Model", ICMS 2010).
//
// A set is passed as isl's text, with floors and remainders written out; isl
// has no products of variables. There is one context for each thread. Each call
// has its own number of operations, after which isl gives up. Every result is
// checked.
#ifndef INDEXICAL_EXACT_ISL_H
#define INDEXICAL_EXACT_ISL_H

#include <optional>
#include <vector>

#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/enumeration.h"

namespace indexical::isl {

/// Returns whether the library was built with isl.
bool isThere();

Sample sample(const IndexingMap &set, Meter &meter);
/// Returns the number of different results that the points have, or nothing if
/// it is not found.
std::optional<llvm::DynamicAPInt> countResults(const IndexingMap &set,
                                               Meter &meter);
/// Returns a result of a point of `a` that is not a result of `b`: nothing if
/// there is none, unknown if isl gives up.
Sample resultNotIn(const IndexingMap &a, llvm::ArrayRef<IndexingMap> b,
                   Meter &meter);

/// A sum of coordinates that lies in an interval.
struct BoundedSum {
  Values coefficients;
  Interval bounds;
};
/// Returns the points of the box that are results of none of the sets, as a
/// union of conjunctions. Returns nothing if isl gives up, or if floors or
/// remainders are needed to say it.
std::optional<std::vector<std::vector<BoundedSum>>> pointsOutside(
    llvm::ArrayRef<Interval> box, llvm::ArrayRef<IndexingMap> sets,
    Meter &meter);

}  // namespace indexical::isl

#endif  // INDEXICAL_EXACT_ISL_H
