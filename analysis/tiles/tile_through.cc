// Finds the tile that one map reads for a tile of the root, and describes it:
// the exact tile if there is one, else a box, else the whole tensor.
#include <utility>

#include "indexical/analysis/tiles/tile.h"
#include "indexical/analysis/tiles/tile_analysis.h"
#include "indexical/analysis/tiles/tile_conditions.h"
#include "indexical/analysis/tiles/tile_description.h"
#include "indexical/analysis/tiles/tile_variables.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

/// Whether all elements that the map names are read, or some of them.
enum class MapReads { All, Some };

/// A map, and the tensors at its two ends.
struct MapOfTile {
  const IndexingMap &map;
  const RootTile &root;
  llvm::ArrayRef<int64_t> shape;
  const OpenEnds &open;

  TileVariables variables() const { return {map, root, shape, open}; }
};

/// Returns the tile of a scalar. A scalar has no size that could be 0 if a tile
/// of the root does not read it, so a form says whether it does.
absl::StatusOr<SymbolicTile> tileOfScalar(const MapOfTile &of) {
  TileVariables variables = of.variables();
  const auto isRead = isScalarRead(variables);
  if (isRead && variables.forms().isNumber(*isRead, 1))
    return TileDescription(variables).exact({}, {});
  absl::StatusOr<SymbolicTile> tile = absl::InternalError("not known");
  if (isRead) tile = TileDescription(variables).scalar(isRead);
  if (!tile.ok()) {
    TileVariables afresh = of.variables();
    INDEXICAL_ASSIGN_OR_RETURN(tile,
                               TileDescription(afresh).scalar(std::nullopt));
  }
  return TileDescription::inexact(*std::move(tile), /*isLeast=*/false, of.map,
                                  std::nullopt);
}

absl::StatusOr<SymbolicTile> boxOf(const MapOfTile &of, MapReads reads,
                                   const std::optional<TileBlame> &blame) {
  TileVariables variables = of.variables();
  const TileBox box = boxAround(variables);
  if (!variables.forms().hasFailed())
    if (auto tile = TileDescription(variables).box(box.parts); tile.ok())
      return TileDescription::inexact(*std::move(tile),
                                      box.isLeast && reads == MapReads::All,
                                      of.map, blame);
  // The box leaves 64 bits, or has no bounds.
  TileVariables afresh = of.variables();
  INDEXICAL_ASSIGN_OR_RETURN(
      auto whole, TileDescription(afresh).box(wholeTensor(afresh).parts));
  return TileDescription::inexact(std::move(whole), /*isLeast=*/false, of.map,
                                  blame);
}

absl::StatusOr<SymbolicTile> tileOf(const MapOfTile &of, MapReads reads) {
  const bool isOfMember = memberOf(of.map).has_value();
  if (isOfMember && of.shape.empty()) reads = MapReads::Some;
  if (reads == MapReads::Some) return boxOf(of, reads, std::nullopt);
  if (of.shape.empty()) return tileOfScalar(of);
  TileVariables variables = of.variables();
  TileConditions conditions(variables);
  // What one member reads is a box around what each of them does, unless it is
  // known under conditions alone.
  const auto parts = exactTile(variables, conditions);
  if (parts && !(isOfMember && !conditions.zeros().empty()))
    if (auto tile =
            TileDescription(variables).exact(*parts, conditions.zeros());
        tile.ok()) {
      if (!isOfMember) return tile;
      return TileDescription::inexact(*std::move(tile), /*isLeast=*/false,
                                      of.map, std::nullopt);
    }
  return boxOf(of, isOfMember ? MapReads::Some : reads, conditions.blamed());
}

}  // namespace

absl::StatusOr<SymbolicTile> tileThrough(const IndexingMap &map,
                                         const RootTile &root,
                                         llvm::ArrayRef<int64_t> shape,
                                         bool isMapExact) {
  return tileThrough(map, root, shape, isMapExact, OpenEnds());
}

absl::StatusOr<SymbolicTile> tileThrough(const IndexingMap &map,
                                         const RootTile &root,
                                         llvm::ArrayRef<int64_t> shape,
                                         bool isMapExact,
                                         const OpenEnds &open) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack(
        [&] { return tileThrough(map, root, shape, isMapExact, open); });
  INDEXICAL_RETURN_IF_ERROR(root.verify());
  if (map.dimensions().size() != root.shape.size())
    return absl::InvalidArgumentError(
        "the tile has " + std::to_string(root.shape.size()) +
        " dimensions, the map " + std::to_string(map.dimensions().size()));
  if (map.results().size() != shape.size())
    return absl::InvalidArgumentError(
        "the shape has " + std::to_string(shape.size()) +
        " dimensions, the map " + std::to_string(map.results().size()) +
        " results");
  return tileOf({map, root, shape, open},
                isMapExact ? MapReads::All : MapReads::Some);
}

}  // namespace indexical
