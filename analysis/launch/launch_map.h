// A thread map under construction: from six ids and loops to an index.
//
//   sizes (8, 1024), index (bl_x * 2 + th_x floordiv 128,
//                           th_x mod 128 + s0 * 128), s0 in [0, 7]
//
// The index counts along sizes that need not be the shape's: what lies at one
// place in memory is meant (`bitcast`). Every coordinate is kept inside of its
// size.
#ifndef INDEXICAL_ANALYSIS_LAUNCH_LAUNCH_MAP_H
#define INDEXICAL_ANALYSIS_LAUNCH_LAUNCH_MAP_H

#include <cstdint>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/analysis/launch/launch_sizes.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/ops/shape.h"

namespace indexical {

using Exprs = llvm::SmallVector<Expr, 6>;

/// The digits of a number, the last size the fastest. The first digit is not
/// kept below its size.
Exprs digitsOf(Expr number, llvm::ArrayRef<int64_t> sizes);

/// All dimensions, from the slowest in memory to the fastest.
llvm::SmallVector<int64_t, 6> slowestFirst(const ArrayShape &shape);

/// The index in `shape` of what lies where `index` is, counted along `sizes`
/// from the slowest to the fastest.
Exprs bitcast(IndexingMapBuilder &builder, llvm::ArrayRef<Expr> index,
              llvm::ArrayRef<int64_t> sizes, const ArrayShape &shape);

/// The same the other way: the coordinates along `sizes` of an index.
Exprs inMemory(llvm::ArrayRef<Expr> index, const ArrayShape &shape,
               llvm::SmallVectorImpl<int64_t> &sizes);

class LaunchMap {
 public:
  explicit LaunchMap(const Grid &grid);

  Expr thread() const { return ids_[0]; }
  /// bl_x, and what of the number is in bl_y.
  Expr block() const { return block_; }
  Expr loop(int64_t count, const char *name) {
    return builder_.range({0, count - 1}, name);
  }
  void keep(Expr expression, Interval bounds) {
    builder_.constraint(expression, bounds);
  }
  /// Only blocks of that number along z.
  void onlyGroup(int64_t group) { group_ = group; }
  IndexingMapBuilder &builder() { return builder_; }

  /// To the index in `shape`; ends the map.
  absl::StatusOr<IndexingMap> to(llvm::ArrayRef<Expr> index,
                                 llvm::ArrayRef<int64_t> sizes,
                                 const ArrayShape &shape);
  /// To that number; ends the map.
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

#endif  // INDEXICAL_ANALYSIS_LAUNCH_LAUNCH_MAP_H
