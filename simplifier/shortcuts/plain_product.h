// Products of two maps of single variables, found without forms.
//
//   (d0, d1)[s0] -> (s0, d0), d0 in [0, 9], d1 in [0, 3], s0 in [0, 15]
//   (d0, d1)[s0] -> (d0, s0 * 2 + 1), d0 in [0, 15], d1 in [0, 9],
//     s0 in [0, 7]
//     -> (d0, d1)[s0, s1] -> (s1, s0 * 2 + 1), d0 in [0, 9], d1 in [0, 3],
//        s0 in [0, 7], s1 in [0, 15]
//
// Most maps of a fusion with a dot or a reduction are such products. The ranges
// of the second map stand before those of the first. One of the first that the
// second does not read goes.
//
// Law (tests/simplifier/shortcuts/plain_product_test.cc): the product is the
// one that simplification finds, form for form.
#ifndef INDEXICAL_SIMPLIFIER_SHORTCUTS_PLAIN_PRODUCT_H
#define INDEXICAL_SIMPLIFIER_SHORTCUTS_PLAIN_PRODUCT_H

#include <optional>

#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Returns `second` after `first`, simplified. Returns nothing if their numbers
/// do not agree; if one of them is not canonical, or has constraints, runtime
/// variables, members, names, or a result that is not a number or one variable,
/// scaled and moved; if a result of the first is not inside the second's
/// dimension; if the product reads a range of the first twice; or if values
/// leave 64 bits.
std::optional<IndexingMap> plainProduct(const IndexingMap &first,
                                        const IndexingMap &second);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SHORTCUTS_PLAIN_PRODUCT_H
