// The keys of tiles and of their sizes (answers/fields.h), as docs/keys.md
// has them.
#ifndef INDEXICAL_ANSWERS_TILES_KEYS_H
#define INDEXICAL_ANSWERS_TILES_KEYS_H

#include <optional>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/answers/fields.h"
#include "indexical/answers/tiles/tiles.h"
#include "indexical/cost/tiles/tile_search.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// A tile of an answer.
struct TileEntry {
  const Tiles &in;
  const FoundTile &of;
};

/// A result that has a tile of its own.
struct TileRootEntry {
  const TileSpace &in;
  size_t number;
  const ArrayShape &shape;

  const TileRoot &root() const { return in.roots()[number]; }
};

/// A loop over a dimension that is summed up.
struct TileStepEntry {
  const TileSpace &in;
  size_t number;
  const Computation &computation;

  const TileStep &step() const { return in.steps()[number]; }
};

/// The members of a collective's group whose elements a tile has.
struct TileMemberEntry {
  const TileEntry &in;
  size_t number;
};

/// A loop whose steps are searched.
struct SearchedLoopEntry {
  const TileSizes &in;
  size_t number;

  const TileStep &step() const { return in.space.steps()[number]; }
};

/// Sizes of tiles that are left out of a search, and the first tile that is not
/// exact.
struct LeftOutEntry {
  const LeftOut &sizes;
  const InstructionTile &tile;
  const Computation &computation;

  llvm::StringRef nameOf(InstructionId i) const {
    return computation.instructions[i].name;
  }
};

/// Why a tile is not exact.
struct BoxReasonEntry {
  std::optional<llvm::StringRef> instruction;
  const SymbolicTile::Reason &reason;
};

template <>
KeyList<Tiles> keysOf<Tiles>();
template <>
KeyList<TileEntry> keysOf<TileEntry>();
template <>
KeyList<TileRootEntry> keysOf<TileRootEntry>();
template <>
KeyList<TileStepEntry> keysOf<TileStepEntry>();
template <>
KeyList<TileMemberEntry> keysOf<TileMemberEntry>();
template <>
KeyList<TileSizes> keysOf<TileSizes>();
template <>
KeyList<SearchedLoopEntry> keysOf<SearchedLoopEntry>();
template <>
KeyList<FoundSizes> keysOf<FoundSizes>();
template <>
KeyList<LeftOutEntry> keysOf<LeftOutEntry>();
template <>
KeyList<BoxReasonEntry> keysOf<BoxReasonEntry>();

/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> tileTables();

/// Returns the columns of the table of sizes, in order.
std::vector<llvm::StringRef> tileSearchColumns();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_TILES_KEYS_H
