#include "indexical/cost/use/share.h"

#include <algorithm>
#include <string>
#include <utility>

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

namespace {

/// Every point of a box, to itself.
absl::StatusOr<IndexingMap> boxOf(llvm::ArrayRef<Interval> sides) {
  IndexingMapBuilder b;
  for (const Interval &side : sides) b.result(b.dimension(side));
  auto map = b.build();
  return map.ok() ? simplify(*map) : map;
}

}  // namespace

absl::StatusOr<Share> Share::tile(llvm::ArrayRef<int64_t> shape,
                                  llvm::ArrayRef<int64_t> sizes,
                                  llvm::ArrayRef<int64_t> at) {
  if (sizes.size() != shape.size() || at.size() != shape.size())
    return absl::InvalidArgumentError(
        "the result has " + std::to_string(shape.size()) +
        " dimensions, the tile " + std::to_string(sizes.size()) +
        ", its place " + std::to_string(at.size()));
  llvm::SmallVector<Interval, 4> sides;
  for (size_t k = 0; k < shape.size(); ++k) {
    if (sizes[k] < 1)
      return absl::InvalidArgumentError("a tile's sizes are at least 1, not " +
                                        std::to_string(sizes[k]));
    if (at[k] < 0 || at[k] >= shape[k])
      return absl::InvalidArgumentError(
          "the tile begins at " + std::to_string(at[k]) + " of dimension " +
          std::to_string(k) + ", whose size is " + std::to_string(shape[k]));
    const int64_t left = shape[k] - at[k];
    sides.push_back({at[k], at[k] + std::min(sizes[k], left) - 1});
  }
  Share share;
  INDEXICAL_ASSIGN_OR_RETURN(share.points, boxOf(sides));
  for (size_t k = 0; k < shape.size(); ++k) {
    share.next.emplace_back();
    if (sides[k].upper == shape[k] - 1) continue;
    llvm::SmallVector<Interval, 4> next = sides;
    next[k].lower = sides[k].upper + 1;
    next[k].upper =
        next[k].lower + std::min(sizes[k], shape[k] - next[k].lower) - 1;
    INDEXICAL_ASSIGN_OR_RETURN(auto map, boxOf(next));
    share.next.back() = std::move(map);
  }
  return share;
}

absl::StatusOr<Share> Share::block(const IndexingMap &threadMap,
                                   llvm::ArrayRef<int64_t> block) {
  if (threadMap.dimensions().size() < 3 + block.size())
    return absl::InvalidArgumentError(
        "the thread map has " + std::to_string(threadMap.dimensions().size()) +
        " dimensions, and block indices are those behind the third");
  for (size_t i = 0; i < block.size(); ++i)
    if (const Interval &bounds = threadMap.dimensions()[3 + i].bounds;
        !bounds.contains(block[i]))
      return absl::InvalidArgumentError("block index " + std::to_string(i) +
                                        " is " + std::to_string(block[i]) +
                                        ", which is not in " + bounds.str());
  INDEXICAL_ASSIGN_OR_RETURN(
      auto restrictedMap,
      withBody(rangesToDimensions(threadMap), [&](IndexingMapBuilder &b,
                                                  MapBody &body) {
        for (uint32_t i = 0; i < block.size(); ++i)
          body.constraints.push_back({b.expression(b.pool().variable(
                                          {VariableKind::Dimension, 3 + i})),
                                      Interval::point(block[i])});
      }));
  INDEXICAL_ASSIGN_OR_RETURN(auto map, simplify(restrictedMap));
  Share share;
  share.points = std::move(map);
  return share;
}

}  // namespace indexical
