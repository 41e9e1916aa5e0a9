#include "indexical/cost/launch/launch_map.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

namespace indexical {

Exprs digitsOf(Expr number, llvm::ArrayRef<int64_t> sizes) {
  Exprs digits(sizes.size());
  int64_t step = 1;
  for (size_t k = sizes.size(); k-- > 0;) {
    Expr digit = step == 1 ? number : floorDiv(number, step);
    digits[k] = k == 0 ? digit : mod(digit, sizes[k]);
    step *= sizes[k];
  }
  return digits;
}

namespace {

/// Returns coordinates along `from` as coordinates along `to`, which have the
/// same product: group by group of equal products.
Exprs regrouped(IndexingMapBuilder &builder, llvm::ArrayRef<Expr> index,
                llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to) {
  Exprs result;
  size_t i = 0, j = 0;
  while (j < to.size()) {
    Expr number = builder.constant(0);
    int64_t x = 1, y = 1;
    const size_t first = j;
    // Takes at least one axis of each side, and then one of the side with the
    // smaller product.
    do {
      if (x <= y && i < from.size()) {
        number = x > 1 ? number * from[i] + index[i] : index[i];
        x *= from[i++];
      } else {
        y *= to[j++];
      }
    } while (x != y || j == first);
    for (Expr digit : digitsOf(number, to.slice(first, j - first)))
      result.push_back(digit);
  }
  return result;
}

/// Sizes that are not 1, with what belongs to them.
struct Axes {
  llvm::SmallVector<int64_t, 6> sizes;
  Exprs index;
};

Axes withoutOnes(llvm::ArrayRef<Expr> index, llvm::ArrayRef<int64_t> sizes) {
  Axes axes;
  for (auto [size, coordinate] : llvm::zip(sizes, index))
    if (size != 1) {
      axes.sizes.push_back(size);
      axes.index.push_back(coordinate);
    }
  return axes;
}

}  // namespace

llvm::SmallVector<int64_t, 6> slowestFirst(const ArrayShape &shape) {
  llvm::SmallVector<int64_t, 6> order = shape.minorToMajor();
  std::reverse(order.begin(), order.end());
  return order;
}

Exprs bitcast(IndexingMapBuilder &builder, llvm::ArrayRef<Expr> index,
              llvm::ArrayRef<int64_t> sizes, const ArrayShape &shape) {
  const Axes axes = withoutOnes(index, sizes);
  llvm::SmallVector<int64_t, 6> order, target;
  for (int64_t k : slowestFirst(shape))
    if (shape.dimensions[k] != 1) {
      order.push_back(k);
      target.push_back(shape.dimensions[k]);
    }
  Exprs placed(shape.rank(), builder.constant(0));
  const Exprs regroupedIndex =
      regrouped(builder, axes.index, axes.sizes, target);
  for (auto [k, coordinate] : llvm::zip(order, regroupedIndex))
    placed[k] = coordinate;
  return placed;
}

Exprs inMemory(llvm::ArrayRef<Expr> index, const ArrayShape &shape,
               llvm::SmallVectorImpl<int64_t> &sizes) {
  Exprs coordinates;
  for (int64_t k : slowestFirst(shape)) {
    coordinates.push_back(index[k]);
    sizes.push_back(shape.dimensions[k]);
  }
  return coordinates;
}

LaunchMap::LaunchMap(const Grid &grid) : grid_(grid) {
  static constexpr const char *kNames[] = {"th_x", "th_y", "th_z",
                                           "bl_x", "bl_y", "bl_z"};
  for (size_t i = 0; i < 6; ++i)
    ids_.push_back(builder_.dimension(
        {0, (i < 3 ? grid.threads[i] : grid.blocks[i - 3]) - 1}, kNames[i]));
  block_ = ids_[3];
  if (grid.blocks[1] > 1) block_ = block_ + ids_[4] * grid.blocks[0];
}

void LaunchMap::addGroup() {
  if (grid_.blocks[2] > 1) builder_.constraint(ids_[5], {group_, group_});
}

absl::StatusOr<IndexingMap> LaunchMap::to(llvm::ArrayRef<Expr> index,
                                          llvm::ArrayRef<int64_t> sizes,
                                          const ArrayShape &shape) {
  addGroup();
  for (auto [coordinate, size] : llvm::zip(index, sizes))
    builder_.constraint(coordinate, {0, size - 1});
  for (Expr coordinate : bitcast(builder_, index, sizes, shape))
    builder_.result(coordinate);
  return builder_.build();
}

absl::StatusOr<IndexingMap> LaunchMap::to(Expr number) {
  addGroup();
  builder_.result(number);
  return builder_.build();
}

}  // namespace indexical
