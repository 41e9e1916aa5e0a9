// The map between two shapes that number the same elements in row major order,
// written down without a search.
//
//   from {4, 8} to {2, 4, 4}
//     from    4 = 2 * 2        8 = 2 * 4
//     to      2      4 = 2   *   2     4
//     pieces  2      2           2     4
//     (d0, d1) -> (d0 floordiv 2, (d0 mod 2) * 2 + d1 floordiv 4, d1 mod 4)
//
// The walk goes through both shapes from the minor end. Each step takes a
// piece: what is left of the axis of one shape or of the other, whichever is
// smaller. If it divides what is left of the other axis, the piece is one digit
// of one coordinate on both sides. If it does not, as between {4, 6} and
// {6, 4}, the shapes have no common radix, and the answer is nothing.
//
// Law (tests/simplifier/shortcuts/renumber_test.cc): the map is what the
// simplifier makes of the same map written with divisions, marks included.
#ifndef INDEXICAL_SIMPLIFIER_SHORTCUTS_RENUMBER_H
#define INDEXICAL_SIMPLIFIER_SHORTCUTS_RENUMBER_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Returns the map from an index of `from` to the index of `to` with the same
/// row major number. An axis of size 1 that stands beside one of the other
/// shape reads that one's variable; else it reads 0.
/// Returns nothing if the numbers of elements differ, if the shapes have no
/// common radix, or if a size is below 1 or at least 2^31.
std::optional<IndexingMap> renumberedAtOnce(llvm::ArrayRef<int64_t> from,
                                            llvm::ArrayRef<int64_t> to);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SHORTCUTS_RENUMBER_H
