// Maps of single variables: they are canonical as they stand, but for the
// bounds of dimensions.
//
//   (d0)[s0]{rt0} -> (s0 * 2 + 1, d0 + rt0)          as it stands
//   (d0)[s0, s1] -> (s0, s1 - d0), s0 and d0 in [0, 0]
//                                                   (d0)[s1] -> (0, s1)
//   (d0){rt0} -> (d0 - rt0), d0 in [0, 99], rt0 in [0, 7], clamped,
//     d0 - rt0 in [0, 9]                              d0 in [0, 16]
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

/// Returns the map in canonical form if it is such a map, otherwise nothing.
/// Variables that have one value give it; of them only dimensions stay. The
/// others keep their names unless they are renamed (SimplifyOptions).
std::optional<IndexingMap> simplifiedPlainMap(const IndexingMap &map,
                                              bool rename = false);

/// Marks the map as canonical if it is such a map and has no windows. A map
/// that is just made is so said to be simplified, at no cost.
void markPlainMap(const IndexingMap &map);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SHORTCUTS_PLAIN_H
