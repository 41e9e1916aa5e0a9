// isl: what it says of a set (Verdoolaege, "isl: An Integer Set Library for the
// Polyhedral Model", ICMS 2010).
//
// A set is handed over as isl's text, with floors and remainders written out;
// products of variables are more than it can have. One context a thread; each
// call has its own number of operations, after which isl gives up; every result
// is checked.
#ifndef INDEXICAL_EXACT_ISL_H
#define INDEXICAL_EXACT_ISL_H

#include <optional>

#include "llvm/ADT/DynamicAPInt.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/enumeration.h"

namespace indexical::isl {

/// Whether this is more than a stand-in.
bool isThere();

Sample sample(const IndexingMap &set, Meter &meter);
/// The number of different results of the points.
std::optional<llvm::DynamicAPInt> countResults(const IndexingMap &set,
                                               Meter &meter);
/// Whether every result of a point of `a` is one of `b`, and a result that is
/// not.
Sample resultNotIn(const IndexingMap &a, llvm::ArrayRef<IndexingMap> b,
                   Meter &meter);

}  // namespace indexical::isl

#endif  // INDEXICAL_EXACT_ISL_H
