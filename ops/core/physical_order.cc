#include "indexical/ops/core/physical_order.h"

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace families {

PhysicalOrder::PhysicalOrder(const ArrayShape &shape) {
  // A bounded size is as the bound in memory; only one that is not known at all
  // is open.
  const auto minorToMajor = shape.minorToMajor();
  for (int64_t k : llvm::reverse(minorToMajor)) {
    majorToMinor_.push_back(k);
    axes_.push_back({shape.dimensions[k], shape.dimensions[k] != kDynamicSize});
  }
  if (!shape.layout) return;
  for (const Tile &tile : shape.layout->tiles) {
    known_ = known_ && !shape.hasUnknownSize() &&
             !llvm::is_contained(tile.dimensions, Tile::kCombineWithNext);
    if (known_) cut(tile);
  }
}

void PhysicalOrder::cut(const Tile &tile) {
  Cut cut;
  const size_t count = tile.dimensions.size();
  if (count > axes_.size()) {
    cut.added = count - axes_.size();
    axes_.insert(axes_.begin(), cut.added, Axis());
  }
  cut.begin = axes_.size() - count;
  cut.tile.assign(tile.dimensions.begin(), tile.dimensions.end());
  for (size_t k = 0; k < count; ++k) {
    Axis &axis = axes_[cut.begin + k];
    cut.sizes.push_back(axis.size);
    axis.size = ceilDiv(axis.size, cut.tile[k]);
  }
  for (int64_t size : cut.tile) axes_.push_back({size, true});
  cuts_.push_back(std::move(cut));
}

Exprs PhysicalOrder::coordinates(IndexingMapBuilder &builder,
                                 llvm::ArrayRef<Expr> index) const {
  Exprs places;
  for (int64_t k : majorToMinor_) places.push_back(index[k]);
  for (const Cut &cut : cuts_) {
    places.insert(places.begin(), cut.added, builder.constant(0));
    for (size_t k = 0; k < cut.tile.size(); ++k) {
      Expr &outer = places[cut.begin + k];
      const Expr place = outer;
      const bool oneTile = cut.sizes[k] <= cut.tile[k];
      outer = oneTile ? builder.constant(0) : floorDiv(place, cut.tile[k]);
      places.push_back(oneTile ? place : mod(place, cut.tile[k]));
    }
  }
  return places;
}

Exprs PhysicalOrder::index(IndexingMapBuilder &builder,
                           llvm::ArrayRef<Expr> coordinates) const {
  Exprs places(coordinates.begin(), coordinates.end());
  for (const Cut &cut : llvm::reverse(cuts_)) {
    const size_t count = cut.tile.size();
    const size_t within = places.size() - count;
    for (size_t k = 0; k < count; ++k) {
      Expr &place = places[cut.begin + k];
      const bool oneTile = cut.sizes[k] <= cut.tile[k];
      place = oneTile ? places[within + k]
                      : place * cut.tile[k] + places[within + k];
      if (cut.sizes[k] % cut.tile[k] != 0)
        builder.constraint(place, indicesOf(cut.sizes[k]));
    }
    places.truncate(within);
    places.erase(places.begin(), places.begin() + cut.added);
  }
  Exprs index(majorToMinor_.size());
  for (size_t i = 0; i < majorToMinor_.size(); ++i)
    index[majorToMinor_[i]] = places[i];
  return index;
}

}  // namespace families
}  // namespace indexical
