// Physical order: where the elements of a tensor lie in memory.
//
// A layout's minorToMajor orders the dimensions, and each level of tiles cuts
// the most minor ones into a number of tiles and a place in the tile. For
// f32[5,100]{1,0:T(8,128)} an element (i, j) has the coordinates
//
//   (i floordiv 8, j floordiv 128, i mod 8, j mod 128)  of axes {1, 1, 8, 128}
//
// A tile that sticks out of the tensor is padded: places in memory that hold no
// element.
#ifndef INDEXICAL_OPS_CORE_PHYSICAL_ORDER_H
#define INDEXICAL_OPS_CORE_PHYSICAL_ORDER_H

#include <cstdint>

#include "llvm/ADT/SmallVector.h"

#include "indexical/ops/core/linear_order.h"

namespace indexical {
namespace families {

class PhysicalOrder {
 public:
  explicit PhysicalOrder(const ArrayShape &shape);

  /// Returns whether the order of elements in memory is known. It is not for
  /// tiles with `*`, nor for tiles of a tensor with sizes that are not known.
  bool isKnown() const { return known_; }
  /// Returns the axes in memory, from the most major to the most minor.
  const Axes &axes() const { return axes_; }
  /// Returns the coordinates in memory of the element with this index.
  Exprs coordinates(IndexingMapBuilder &builder,
                    llvm::ArrayRef<Expr> index) const;
  /// Returns the index of the element with these coordinates. Adds the
  /// constraints that there is such an element.
  Exprs index(IndexingMapBuilder &builder,
              llvm::ArrayRef<Expr> coordinates) const;

 private:
  /// Level of tiles: axis `begin` + k of those before, which has `sizes[k]`
  /// places, is cut into tiles of `tile[k]`. A tile of higher rank than the
  /// tensor has `added` axes of size 1 put before all others.
  struct Cut {
    size_t begin = 0, added = 0;
    llvm::SmallVector<int64_t, 2> sizes, tile;
  };
  void cut(const Tile &tile);

  llvm::SmallVector<int64_t, 6> majorToMinor_;
  llvm::SmallVector<Cut, 1> cuts_;
  Axes axes_;
  bool known_ = true;
};

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_CORE_PHYSICAL_ORDER_H
