// A thread map under construction: from six ids and loops to an index.
//
//   sizes (8, 1024), index (bl_x * 2 + th_x floordiv 128,
//                           th_x mod 128 + s0 * 128), s0 in [0, 7]
//
// The index counts along sizes that need not be the shape's: it stands for the
// element at the same place in memory (`bitcast`). Every coordinate is kept
// below its size.
#ifndef INDEXICAL_COST_LAUNCH_LAUNCH_MAP_H
#define INDEXICAL_COST_LAUNCH_LAUNCH_MAP_H

#include <cstdint>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/launch/launch_sizes.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/ops/shape.h"

namespace indexical {

using Exprs = llvm::SmallVector<Expr, 6>;

/// Returns the digits of a number; the last size is the fastest. The first
/// digit is not kept below its size.
Exprs digitsOf(Expr number, llvm::ArrayRef<int64_t> sizes);

/// Returns all dimensions, from the slowest in memory to the fastest.
llvm::SmallVector<int64_t, 6> slowestFirst(const ArrayShape &shape);

/// Returns the index in `shape` of the element that lies where `index` is.
/// `index` counts along `sizes`, from the slowest to the fastest.
Exprs bitcast(IndexingMapBuilder &builder, llvm::ArrayRef<Expr> index,
              llvm::ArrayRef<int64_t> sizes, const ArrayShape &shape);

/// Returns the coordinates of an index of `shape` along its sizes in memory,
/// from the slowest to the fastest, and sets `sizes` to these. It is the
/// inverse of bitcast().
Exprs inMemory(llvm::ArrayRef<Expr> index, const ArrayShape &shape,
               llvm::SmallVectorImpl<int64_t> &sizes);

class LaunchMap {
 public:
  explicit LaunchMap(const Grid &grid);

  Expr thread() const { return ids_[0]; }
  /// Returns the block's number: bl_x, and the part that is in bl_y.
  Expr block() const { return block_; }
  Expr loop(int64_t count, const char *name) {
    return builder_.range({0, count - 1}, name);
  }
  void keep(Expr expression, Interval bounds) {
    builder_.constraint(expression, bounds);
  }
  /// Restricts the map to the blocks with that number along z.
  void onlyGroup(int64_t group) { group_ = group; }
  IndexingMapBuilder &builder() { return builder_; }

  /// Ends the map, and returns it as one to indices of `shape`: to the element
  /// that lies where `index` is, which counts along `sizes`, from the slowest
  /// to the fastest.
  absl::StatusOr<IndexingMap> to(llvm::ArrayRef<Expr> index,
                                 llvm::ArrayRef<int64_t> sizes,
                                 const ArrayShape &shape);
  /// Ends the map, and returns it as one to `number` alone.
  absl::StatusOr<IndexingMap> to(Expr number);

 private:
  void addGroup();

  IndexingMapBuilder builder_;
  Grid grid_;
  Exprs ids_;
  Expr block_;
  int64_t group_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_LAUNCH_MAP_H
