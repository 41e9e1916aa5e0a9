#include "indexical/same/values/element_pieces.h"

#include <utility>

#include "indexical/same/values/regions.h"

namespace indexical {

bool splitByRegions(llvm::ArrayRef<IndexingMap> maps,
                    std::vector<IndexingMap> &parts) {
  parts.clear();
  for (const IndexingMap &map : maps) {
    auto region = regionIn(map);
    if (!region) return false;
    if (!region->isKnownEmpty()) parts.push_back(*std::move(region));
  }
  return true;
}

std::optional<std::vector<IndexingMap>> partsOfFirst(
    llvm::ArrayRef<IndexingMap> parts, const IndexingMap &region,
    size_t outer) {
  std::vector<IndexingMap> outside;
  for (const IndexingMap &part : parts) {
    auto alone = ofFirst(part, region, outer);
    if (!alone) return std::nullopt;
    outside.push_back(*std::move(alone));
  }
  return outside;
}

bool inPieces(const IndexingMap &region, size_t outer, ElementInRegion body,
              std::vector<IndexingMap> &parts, Meter &meter,
              ElementPieces &pieces) {
  const ElementId id = body(region);
  if (id != kParts) {
    pieces.push_back({region, id});
    return pieces.size() <= kMostPieces;
  }
  std::vector<IndexingMap> inner = std::exchange(parts, {});
  if (outer > 0)
    if (auto outside = partsOfFirst(inner, region, outer)) {
      parts = *std::move(outside);
      return false;
    }
  if (!addRest(inner, region)) return false;
  for (const IndexingMap &part : inner)
    if (part == region || !meter.spend(kProduct) ||
        !inPieces(part, /*outer=*/0, body, parts, meter, pieces))
      return false;
  return true;
}

}  // namespace indexical
