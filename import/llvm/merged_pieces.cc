#include "indexical/import/llvm/merged_pieces.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::compiled {

using kernels::PointerMap;

namespace {

bool isPlain(const IndexingMap &map) {
  return map.runtime().empty() && map.ranges().empty() &&
         map.constraints().empty() && !map.isKnownEmpty();
}

/// Returns the map with other bounds of a dimension.
std::optional<IndexingMap> withBounds(const IndexingMap &map, size_t dimension,
                                      Interval bounds) {
  IndexingMapBuilder b;
  std::vector<FormId> variables;
  for (auto [k, v] : llvm::enumerate(map.dimensions()))
    variables.push_back(
        b.dimension(k == dimension ? bounds : v.bounds, v.name).form());
  MapCopy copy(map, b, std::move(variables), {});
  for (size_t k = 0; k < map.results().size(); ++k) b.result(copy.result(k));
  auto made = b.build();
  if (made.ok()) made = simplify(*made);
  if (!made.ok()) return std::nullopt;
  return *std::move(made);
}

std::optional<IndexingMap> joined(const IndexingMap &a, const IndexingMap &b) {
  if (!isPlain(a) || !isPlain(b) ||
      a.dimensions().size() != b.dimensions().size())
    return std::nullopt;
  std::optional<size_t> other;
  for (size_t k = 0; k < a.dimensions().size(); ++k) {
    if (a.dimensions()[k].bounds == b.dimensions()[k].bounds) continue;
    if (other) return std::nullopt;
    other = k;
  }
  if (!other) return std::nullopt;
  const Interval x = a.dimensions()[*other].bounds,
                 y = b.dimensions()[*other].bounds;
  if (!x.isFinite() || !y.isFinite() ||
      (x.upper + 1 != y.lower && y.upper + 1 != x.lower))
    return std::nullopt;
  const Interval all = {std::min(x.lower, y.lower), std::max(x.upper, y.upper)};
  auto first = withBounds(a, *other, all), second = withBounds(b, *other, all);
  if (!first || !second || !(*first == *second)) return std::nullopt;
  return first;
}

}  // namespace

std::vector<PointerMap> mergedPieces(std::vector<PointerMap> maps) {
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t a = 0; a < maps.size(); ++a)
      for (size_t b = maps.size(); b-- > a + 1;) {
        if (maps[a].argument != maps[b].argument) continue;
        auto both = joined(maps[a].map, maps[b].map);
        if (!both) continue;
        maps[a].map = *std::move(both);
        maps.erase(maps.begin() + static_cast<std::ptrdiff_t>(b));
        isChanged = true;
      }
  }
  return maps;
}

}  // namespace indexical::compiled
