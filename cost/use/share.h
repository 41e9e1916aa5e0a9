// The part of a result that a question is about: all of it, a tile, or a block
// of a launch.
//
//   Share::tile({64, 64}, {8, 16}, {0, 0})
//     points  (d0, d1) -> (d0, d1), d0 in [0, 7], d1 in [0, 15]
//     next    the tiles below it and to its right
#ifndef INDEXICAL_COST_USE_SHARE_H
#define INDEXICAL_COST_USE_SHARE_H

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// A part of a result: points of its index space.
struct Share {
  /// A map into the index space; nothing: all of it.
  std::optional<IndexingMap> points;
  /// The tile after this one along each dimension; nothing if the result ends
  /// before it.
  llvm::SmallVector<std::optional<IndexingMap>, 4> next;

  static Share whole() { return {}; }
  /// Returns the box of `sizes` at `at`, cut where the tensor ends. Returns an
  /// error if the ranks differ, if a size is not positive, or if `at` lies
  /// outside.
  static absl::StatusOr<Share> tile(llvm::ArrayRef<int64_t> shape,
                                    llvm::ArrayRef<int64_t> sizes,
                                    llvm::ArrayRef<int64_t> at);
  /// Returns the elements that one block computes: the results of a thread map
  /// with these values of its dimensions 3, 4 and 5 (bl_x, bl_y, bl_z). Returns
  /// an error if the map has fewer dimensions, or no such block.
  static absl::StatusOr<Share> block(const IndexingMap &threadMap,
                                     llvm::ArrayRef<int64_t> block);
};

}  // namespace indexical

#endif  // INDEXICAL_COST_USE_SHARE_H
