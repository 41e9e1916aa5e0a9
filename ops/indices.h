// The indices along a dimension.
//
//   f32[8,?]     dimension 0: [0, 7]      dimension 1: [0, inf]
//   f32[<=16]    dimension 0: [0, 15], the indices that it may have
#ifndef INDEXICAL_OPS_INDICES_H
#define INDEXICAL_OPS_INDICES_H

#include <cstdint>

#include "indexical/indexing/interval.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// Returns the indices of a dimension of that size: [0, size - 1], or [0, inf]
/// if the size is unknown (kDynamicSize).
inline Interval indicesOf(int64_t size) {
  return {0, size == kDynamicSize ? Interval::kInfinity : size - 1};
}
/// Returns the indices along dimension k.
inline Interval indicesOf(const ArrayShape &shape, int64_t k) {
  return indicesOf(shape.dimensions[k]);
}

}  // namespace indexical

#endif  // INDEXICAL_OPS_INDICES_H
