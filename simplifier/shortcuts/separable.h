// Products of maps whose results follow one dimension each.
//
//   (d0, d1) -> (d1 * 2, d0 + 1), d0 in [0, 8], d1 in [0, 9]
//   (d0, d1) -> (d1, (d0 - 1) floordiv 3), (d0 - 1) mod 3 in [0, 0]
//     -> d1 is q * 3 + 2, and the results are d0 + 1, q * 2 + 1
//
// Transposes, slices, pads, broadcasts and reverses are such maps, and so is
// most of what compilers compose. Their dimensions have bounds and residues. A
// result is two numbers, factor and constant, on one of them, and so is the
// product's. Simplification finds the same in many more steps.
//
// Law (tests/simplifier/shortcuts/separable_test.cc): the product is the one
// that simplification finds, form for form.
#ifndef INDEXICAL_SIMPLIFIER_SHORTCUTS_SEPARABLE_H
#define INDEXICAL_SIMPLIFIER_SHORTCUTS_SEPARABLE_H

#include <optional>

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Returns `second` after `first`, simplified, by way of an empty pool. Returns
/// nothing, and leaves the pool as it was, if their numbers do not agree, if
/// one of them has results of more than one dimension, remainders among them,
/// or variables that are not dimensions, if a dimension of the first has open
/// bounds, or if values leave 64 bits.
std::optional<IndexingMap> separableProduct(const IndexingMap &first,
                                            const IndexingMap &second,
                                            ExpressionPool &pool);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SHORTCUTS_SEPARABLE_H
