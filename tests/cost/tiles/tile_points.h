// The points of tiles, as sets.
#ifndef INDEXICAL_TESTS_COST_TILES_TILE_POINTS_H
#define INDEXICAL_TESTS_COST_TILES_TILE_POINTS_H

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/tiles/tile.h"

namespace indexical::testing {

using Point = std::vector<int64_t>;
using Points = std::set<Point>;

/// Calls `visit` with all indices of a box of these sizes.
template <typename Visit>
void visitBox(llvm::ArrayRef<int64_t> sizes, Visit visit) {
  for (int64_t size : sizes)
    if (size <= 0) return;
  Point index(sizes.size(), 0);
  while (true) {
    visit(index);
    size_t k = sizes.size();
    while (k > 0 && ++index[k - 1] == sizes[k - 1]) index[--k] = 0;
    if (k == 0) return;
  }
}

/// Returns the tile's points within the shape.
inline Points pointsOf(const ConcreteTile &tile,
                       llvm::ArrayRef<int64_t> shape) {
  Points points;
  visitBox(tile.sizes, [&](const Point &i) {
    Point point(i.size());
    for (size_t k = 0; k < i.size(); ++k) {
      point[k] = tile.offsets[k] + tile.strides[k] * i[k];
      if (point[k] < 0 || point[k] >= shape[k]) return;
    }
    points.insert(point);
  });
  return points;
}

inline Points boxAround(const Points &points) {
  if (points.empty()) return {};
  Point least = *points.begin(), sizes = least;
  for (const Point &p : points)
    for (size_t k = 0; k < p.size(); ++k) {
      least[k] = std::min(least[k], p[k]);
      sizes[k] = std::max(sizes[k], p[k]);
    }
  for (size_t k = 0; k < sizes.size(); ++k) sizes[k] -= least[k] - 1;
  Points box;
  visitBox(sizes, [&](const Point &i) {
    Point point(i.size());
    for (size_t k = 0; k < i.size(); ++k) point[k] = least[k] + i[k];
    box.insert(point);
  });
  return box;
}

inline std::string pointsText(const Points &points) {
  std::string text;
  for (const Point &p : points) {
    text += "(";
    for (size_t k = 0; k < p.size(); ++k)
      text += (k ? "," : "") + std::to_string(p[k]);
    text += ") ";
  }
  return text;
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_COST_TILES_TILE_POINTS_H
