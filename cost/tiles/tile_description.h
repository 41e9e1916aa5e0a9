// A tile as a map: its names, symbols, conditions, and the reason if it is not
// exact; private to analysis/.
#ifndef INDEXICAL_COST_TILES_TILE_DESCRIPTION_H
#define INDEXICAL_COST_TILES_TILE_DESCRIPTION_H

#include <optional>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/tiles/runs.h"
#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/tiles/tile_conditions.h"
#include "indexical/cost/tiles/tile_variables.h"
#include "indexical/indexing/map_builder.h"

namespace indexical {

/// Tiles of one tensor. Functions return an error if a map cannot be built.
class TileDescription {
 public:
  explicit TileDescription(TileVariables &variables)
      : variables_(variables), f_(variables.forms()) {}

  /// The tile that is exact where the forms are zero.
  absl::StatusOr<SymbolicTile> exact(llvm::ArrayRef<Progression> parts,
                                     llvm::ArrayRef<FormId> zeros) {
    return build(parts, zeros, std::nullopt);
  }
  /// A box around the elements that are read.
  absl::StatusOr<SymbolicTile> box(llvm::ArrayRef<Progression> parts) {
    return build(parts, {}, std::nullopt);
  }
  /// The tile of a scalar that is read where the form is 1. No form: where that
  /// is, is not known.
  absl::StatusOr<SymbolicTile> scalar(std::optional<FormId> isRead) {
    return build({}, {}, isRead);
  }

  /// Returns the tile as one that is not exact, for this reason. Without a
  /// blame, that is the map's first constraint, or the map. So many of the
  /// map's first results are members of groups: the first of them that is not
  /// the same everywhere is part of the reason.
  static SymbolicTile inexact(SymbolicTile tile, bool isLeast,
                              const IndexingMap &map,
                              const std::optional<TileBlame> &blame,
                              size_t members);
  /// Makes the first dimensions of a tile members of groups.
  static void setMembers(SymbolicTile &tile, size_t members) {
    tile.members_ = members;
  }

 private:
  absl::StatusOr<SymbolicTile> build(llvm::ArrayRef<Progression> parts,
                                     llvm::ArrayRef<FormId> zeros,
                                     std::optional<FormId> isRead);
  void addVariables(IndexingMapBuilder &b);
  /// Returns whether every index of the root reads what the map says, and the
  /// reads depend on sizes alone.
  bool isOfAll() const;

  TileVariables &variables_;
  TileForms &f_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_DESCRIPTION_H
