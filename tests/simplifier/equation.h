// Two equal expressions of different forms, made small.
//
//   (d0 * 6 + (d1 * 4 + d2) mod 6) * 5 + d3   on d0 in [0, 9], d1 in …
//   = … + d3
//     -> the same without d3, and with d0 = 0 where the forms still differ
//
// What simplification does not see is best seen where there is nothing else:
// variables fixed, common terms taken away, as long as both sides, simplified
// anew, still differ and are still equal at the points.
#ifndef INDEXICAL_TESTS_SIMPLIFIER_EQUATION_H
#define INDEXICAL_TESTS_SIMPLIFIER_EQUATION_H

#include <optional>
#include <string>

#include "indexical/indexing/indexing_map.h"

namespace indexical::testing {

struct SmallEquation {
  std::string left, right, domain;
  /// Without numbers: what is alike.
  std::string kind;
  std::string str() const;
};

/// The maps have the same dimensions and no ranges. Nothing where no single
/// result differs (constraints do).
std::optional<SmallEquation> smallEquation(const IndexingMap &left,
                                           const IndexingMap &right);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SIMPLIFIER_EQUATION_H
