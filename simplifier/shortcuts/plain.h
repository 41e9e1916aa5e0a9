// Maps of single variables: they are canonical as they stand, but for the
// bounds of dimensions.
//
//   (d0)[s0]{rt0} -> (s0 * 2 + 1, d0 + rt0)          as it stands
//   (d0)[s0, s1] -> (s0, s1 - d0), s0 and d0 in [0, 0]
//                                                   (d0)[s1] -> (0, s1)
//   (d0){rt0} -> (d0 - rt0), d0 in [0, 99], rt0 in [0, 7], clamped,
//     d0 - rt0 in [0, 9]                              d0 in [0, 16]
//   (d0){rt0} -> (d0 - rt0), d0 - rt0 in [0, 0]     (d0){rt0} -> (0)
//
// These are the maps of slices, windows, pads, broadcasts and transposes, and
// of the ops with start indices. Each result is a number, or a variable, scaled
// and moved, to which a runtime variable may be added. A *window* is a
// constraint between a dimension and a clamped runtime variable. It leaves both
// ends of its form free to be reached, so that it bounds the dimension once and
// nothing else.
//
// Law (tests/simplifier/shortcuts/plain_test.cc): the map is the one that
// simplification finds without this shortcut.
#ifndef INDEXICAL_SIMPLIFIER_SHORTCUTS_PLAIN_H
#define INDEXICAL_SIMPLIFIER_SHORTCUTS_PLAIN_H

#include <optional>

#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Returns the map in canonical form if each result is a number or a variable,
/// scaled and moved, perhaps plus a runtime variable, and each constraint is a
/// window. Otherwise returns nothing. Variables with one value are replaced by
/// it, and only dimensions of them stay. The others keep their names unless
/// they are renamed (SimplifyOptions).
std::optional<IndexingMap> simplifiedPlainMap(const IndexingMap &map,
                                              bool rename = false);

/// Marks the map as canonical, which saves simplify() its work, if each result
/// is a number or a variable, scaled and moved, perhaps plus a runtime
/// variable, and if there are no constraints, no unused ranges or runtime
/// variables, and no used variables of one value. Otherwise does nothing.
void markPlainMap(const IndexingMap &map);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SHORTCUTS_PLAIN_H
