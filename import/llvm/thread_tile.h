// The tile of a block's threads; private to import/llvm.
//
//   32 x 8 threads     tile 8 x 32: y, then x
//   48 threads         tile 64, of which 48 are there
//   6 x 5 threads      tile 32: the number of a thread, x fastest
#ifndef INDEXICAL_IMPORT_LLVM_THREAD_TILE_H
#define INDEXICAL_IMPORT_LLVM_THREAD_TILE_H

#include <array>
#include <cstdint>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/import/llvm/value_terms.h"
#include "indexical/layout/layout.h"

namespace indexical::compiled {

/// The sides of the tile of threads, which are powers of two, and the
/// coordinate of each thread number.
class ThreadTile {
 public:
  ThreadTile(const std::array<int64_t, 3> &block, int64_t lanes);

  const ThreadSpace &space() const { return space_; }
  llvm::ArrayRef<int64_t> sides() const { return sides_; }
  /// Returns, for each side, how many of its threads exist.
  llvm::ArrayRef<int64_t> counts() const { return counts_; }
  int64_t threads() const {
    int64_t all = 1;
    for (int64_t side : sides_) all *= side;
    return all;
  }

  /// Returns the layout of the tile of threads, followed by `vector` elements.
  absl::StatusOr<layouts::Layout> layout(int64_t vector) const;

 private:
  ThreadSpace space_;
  llvm::SmallVector<int64_t, 4> sides_, counts_;
};

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_THREAD_TILE_H
