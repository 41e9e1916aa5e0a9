// Two equal expressions of different forms, made small.
//
//   (d0 * 6 + (d1 * 4 + d2) mod 6) * 5 + d3   on d0 in [0, 9], d1 in …
//   = … + d3
//     -> the same without d3, and with d0 = 0 where the forms still differ
//
// A small equation shows best what simplification does not see. Variables are
// fixed and common terms are taken away, as long as both sides, simplified
// anew, still differ and are still equal at the points.
#ifndef INDEXICAL_TESTS_SIMPLIFIER_EQUATION_H
#define INDEXICAL_TESTS_SIMPLIFIER_EQUATION_H

#include <optional>
#include <string>

#include "indexical/indexing/indexing_map.h"

namespace indexical::testing {

struct SmallEquation {
  std::string left, right, domain;
  /// The equation without numbers. Alike equations have the same kind.
  std::string kind;
  std::string str() const;
};

/// Returns a small equation of the first results that differ, or nothing if no
/// single result differs (but constraints do). Requires maps with the same
/// dimensions and no ranges.
std::optional<SmallEquation> smallEquation(const IndexingMap &left,
                                           const IndexingMap &right);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SIMPLIFIER_EQUATION_H
