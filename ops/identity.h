// The map of a tensor to itself.
//
//   identityOf(f32[2,3])    (d0, d1) -> (d0, d1), d0 in [0, 1], d1 in [0, 2]
#ifndef INDEXICAL_OPS_IDENTITY_H
#define INDEXICAL_OPS_IDENTITY_H

#include "indexical/indexing/indexing_map.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// Returns the map of every index of the shape to itself, not simplified.
IndexingMap identityOf(const ArrayShape &shape);
/// Returns whether a map takes every index of the shape, all of whose sizes are
/// known, to itself; the index of a dimension of one element may be that
/// number.
bool isIdentity(const IndexingMap &map, const ArrayShape &shape);

}  // namespace indexical

#endif  // INDEXICAL_OPS_IDENTITY_H
