// Whether a map is simplified, and the index whose digits its results are.
//
//   (d0, d1) -> (d0 * 2 + d1 floordiv 3, d1 mod 3), d0 in [0, 3], d1 in [0, 5]
//     delinearizationOf(map)      d0 * 6 + d1, cut at strides 3 and 1
//
// simplify and compose find both, and the map remembers them (marks.h). They
// are not part of its value: equal maps may remember different things, and
// edited copies remember nothing.
#ifndef INDEXICAL_SIMPLIFIER_SIMPLIFIED_H
#define INDEXICAL_SIMPLIFIER_SIMPLIFIED_H

#include "indexical/indexing/delinearization.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// Returns whether the map is known to be canonical on its domain
/// (docs/internals/normal_form.md), so that simplify would not change it.
bool isSimplified(const IndexingMap &map);

/// Returns the index whose digits the map's results are, or null if none is
/// known. It lives as long as the map.
const Delinearization *delinearizationOf(const IndexingMap &map);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SIMPLIFIED_H
