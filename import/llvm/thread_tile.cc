#include "indexical/import/llvm/thread_tile.h"

#include <algorithm>

#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/layout/bases.h"

namespace indexical::compiled {

ThreadTile::ThreadTile(const std::array<int64_t, 3> &block, int64_t lanes) {
  space_.block = block;
  space_.lanes = lanes;
  int64_t slowest = 0;
  for (int64_t axis = 0; axis < 3; ++axis)
    if (block[axis] > 1) slowest = axis;
  for (int64_t axis = 0; axis < slowest; ++axis)
    if (!llvm::isPowerOf2_64(block[axis])) space_.linear = 0;
  const int64_t threads = block[0] * block[1] * block[2];
  const int64_t least = std::max<int64_t>(lanes, 1);
  if (space_.linear == 0 || slowest == 0) {
    sides_ = {
        static_cast<int64_t>(llvm::PowerOf2Ceil(std::max(threads, least)))};
    counts_ = {threads};
    if (space_.linear < 0) space_.coordinates[0] = 0;
  } else {
    int64_t faster = 1;
    for (int64_t axis = 0; axis < slowest; ++axis) faster *= block[axis];
    for (int64_t axis = slowest; axis >= 0; --axis) {
      if (block[axis] == 1) continue;
      space_.coordinates[axis] = static_cast<int64_t>(sides_.size());
      counts_.push_back(block[axis]);
      sides_.push_back(axis == slowest
                           ? std::max<int64_t>(llvm::PowerOf2Ceil(block[axis]),
                                               least / faster)
                           : block[axis]);
    }
  }
  space_.count = static_cast<int64_t>(sides_.size());
}

absl::StatusOr<layouts::Layout> ThreadTile::layout(int64_t vector) const {
  layouts::Bases bases(4, sides_.size() + (vector > 1));
  if (vector > 1) bases.along(0, static_cast<int64_t>(sides_.size()), vector);
  int64_t lanes = space_.lanes;
  for (size_t k = sides_.size(); k-- > 0;) {
    const int64_t within = std::min(lanes, sides_[k]);
    if (within > 1) bases.along(1, static_cast<int64_t>(k), within);
    lanes /= within;
    if (sides_[k] > within)
      bases.along(2, static_cast<int64_t>(k), sides_[k] / within);
  }
  INDEXICAL_RETURN_IF_ERROR(bases.check());
  return bases.layout({"register", "lane", "warp", "block"});
}

}  // namespace indexical::compiled
