// Products whose second map only says where the first's results go.
//
//   (d0, d1) -> (d0 floordiv 4, (d0 mod 4) * 6 + d1),
//     d0 in [0, 31], d1 in [0, 5], (d0 mod 4) * 6 + d1 in [1, 22]
//   (d0, d1) -> (d1 - 1, d0), d0 in [0, 7], d1 in [1, 22]
//     -> (d0, d1) -> ((d0 mod 4) * 6 + d1 - 1, d0 floordiv 4), and the first's
//        domain
//
// After a canonical map, a transpose, or a slice that moves an axis, leaves
// every form as it is. It also leaves the domain, if the first's results are
// inside.
//
// Law (tests/simplifier/shortcuts/rearrange_test.cc): the product is the one
// that simplification finds, form for form.
#ifndef INDEXICAL_SIMPLIFIER_SHORTCUTS_REARRANGE_H
#define INDEXICAL_SIMPLIFIER_SHORTCUTS_REARRANGE_H

#include <optional>

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Returns `second` after `first`, simplified, by way of an empty pool. Returns
/// nothing, and leaves the pool empty, if their numbers do not agree; if
/// `first` is not canonical, has runtime variables or members, or constraints
/// that may make a sum of variables another one in its new place; if `second`
/// has variables that are not dimensions, constraints, results that are not a
/// dimension and a constant, or has no result of one of its dimensions; if
/// bounds do not show that results of the first are inside it; or if values
/// leave 64 bits.
std::optional<IndexingMap> rearrangedProduct(const IndexingMap &first,
                                             const IndexingMap &second,
                                             ExpressionPool &pool);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SHORTCUTS_REARRANGE_H
