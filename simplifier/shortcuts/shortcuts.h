// The entry to the shortcuts: answers that are found at once, without forms.
//
//   a map of single variables          canonical as it is        (plain.h)
//   a product of two such maps         variables, renamed (plain_product.h)
//   a reshape with a common radix      digits, written down      (renumber.h)
//   results that follow one dimension  products of numbers       (separable.h)
//   a second map that moves results    moves                     (rearrange.h)
//
// Each shortcut finds what simplification finds in many more steps, form for
// form, and makes a row of the benchmarks at least 1.3 times faster
// (docs/internals/simplifier.md). Products by one index (delinearize.h) are
// only half a shortcut: their digits are made as forms.
//
// Law (tests/simplifier/shortcuts/): the map is the one that simplification
// finds.
#ifndef INDEXICAL_SIMPLIFIER_SHORTCUTS_SHORTCUTS_H
#define INDEXICAL_SIMPLIFIER_SHORTCUTS_SHORTCUTS_H

#include <optional>

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Returns the map, simplified with points folded, if that is known at once and
/// the map is not marked so already.
std::optional<IndexingMap> simplifiedAtOnce(const IndexingMap &map,
                                            bool rename);

/// Returns `second` after `first`, simplified, by way of an empty pool, if that
/// is known at once. Otherwise returns nothing, and leaves the pool as it was.
/// Requires maps that are not known to be empty.
std::optional<IndexingMap> productAtOnce(const IndexingMap &first,
                                         const IndexingMap &second,
                                         ExpressionPool &pool);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SHORTCUTS_SHORTCUTS_H
