// Finds the tile that one map reads for a tile of the root, and describes it:
// the exact tile if there is one, else a box, else the whole tensor.
#include <utility>

#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/tiles/tile_analysis.h"
#include "indexical/cost/tiles/tile_conditions.h"
#include "indexical/cost/tiles/tile_description.h"
#include "indexical/cost/tiles/tile_variables.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/shape.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Whether all elements that the map names are read, or some of them.
enum class MapReads { All, Some };

/// A map, and the tensors at its two ends. Members are results of the map, in
/// front of the others.
struct MapOfTile {
  const IndexingMap &map;
  const RootTile &root;
  llvm::ArrayRef<int64_t> shape;
  const OpenEnds &open;
  size_t members = 0;

  TileVariables variables() const { return {map, root, shape, open}; }
};

/// Returns the tile of a scalar. A scalar has no size that could be 0 if a tile
/// of the root does not read it, so a form says whether it does.
absl::StatusOr<SymbolicTile> tileOfScalar(const MapOfTile &of) {
  TileVariables variables = of.variables();
  const auto isRead = isScalarRead(variables);
  if (isRead && variables.forms().isNumber(*isRead, 1))
    return TileDescription(variables).exact({}, {});
  if (isRead)
    if (auto tile = TileDescription(variables).scalar(isRead); tile.ok())
      return tile;
  TileVariables afresh = of.variables();
  INDEXICAL_ASSIGN_OR_RETURN(auto tile,
                             TileDescription(afresh).scalar(std::nullopt));
  return TileDescription::inexact(std::move(tile), /*isLeast=*/false, of.map,
                                  std::nullopt, 0);
}

absl::StatusOr<SymbolicTile> boxOf(const MapOfTile &of, MapReads reads,
                                   const std::optional<TileBlame> &blame) {
  TileVariables variables = of.variables();
  const TileBox box = boxAround(variables);
  if (!variables.forms().hasFailed())
    if (auto tile = TileDescription(variables).box(box.parts); tile.ok())
      return TileDescription::inexact(*std::move(tile),
                                      box.isLeast && reads == MapReads::All,
                                      of.map, blame, of.members);
  // The box leaves 64 bits, or has no bounds.
  TileVariables afresh = of.variables();
  INDEXICAL_ASSIGN_OR_RETURN(
      auto whole, TileDescription(afresh).box(wholeTensor(afresh).parts));
  return TileDescription::inexact(std::move(whole), /*isLeast=*/false, of.map,
                                  blame, of.members);
}

absl::StatusOr<SymbolicTile> tileOf(const MapOfTile &of, MapReads reads) {
  if (reads == MapReads::Some) return boxOf(of, reads, std::nullopt);
  if (of.shape.empty()) return tileOfScalar(of);
  TileVariables variables = of.variables();
  TileConditions conditions(variables);
  if (const auto parts = exactTile(variables, conditions))
    if (auto tile =
            TileDescription(variables).exact(*parts, conditions.zeros());
        tile.ok())
      return tile;
  return boxOf(of, reads, conditions.blamed());
}

/// Returns the map with the members that it reads of as results in front.
absl::StatusOr<IndexingMap> membersInFront(const IndexingMap &map) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto moved, withBody(map, [](IndexingMapBuilder &, MapBody &body) {
        body.results.insert(body.results.begin(), body.members.begin(),
                            body.members.end());
        body.members.clear();
      }));
  return simplify(moved);
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
  const MapReads reads = isMapExact ? MapReads::All : MapReads::Some;
  const size_t members = map.members().size();
  if (members == 0) return tileOf({map, root, shape, open}, reads);
  INDEXICAL_ASSIGN_OR_RETURN(const auto moved, membersInFront(map));
  // No end of a group cuts a tile: its sizes count members that are read.
  llvm::SmallVector<int64_t, 6> axes(members, kDynamicSize);
  axes.append(shape.begin(), shape.end());
  INDEXICAL_ASSIGN_OR_RETURN(auto tile,
                             tileOf({moved, root, axes, open, members}, reads));
  TileDescription::setMembers(tile, members);
  return tile;
}

}  // namespace indexical
