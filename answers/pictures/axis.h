// The part of a long side that is drawn, private to pictures/.
//
//   1000 indices, 400 and 401 of interest
//   0 1 … 399 400 401 402 … 998 999
#ifndef INDEXICAL_ANSWERS_PICTURES_AXIS_H
#define INDEXICAL_ANSWERS_PICTURES_AXIS_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

namespace indexical {

/// axisOf() returns the shown indices in [first, first + count), in rising
/// order, and kGap for those between. A side of up to kWhole is shown whole.
constexpr int64_t kGap = INT64_MIN;
constexpr int64_t kWhole = 32;
std::vector<int64_t> axisOf(int64_t first, int64_t count,
                            llvm::ArrayRef<int64_t> interest);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_PICTURES_AXIS_H
