// The different tiles behind a space's results, and what they are for numbers;
// private to analysis/.
//
//   a reads p by (d0, d1) -> (d0)     way 0: depends on the first size alone
//   b reads q by (d0, d1) -> (d0)     way 0, if p and q have one shape
//
// A *way* is a map to a shape. Equal maps read equal tiles, which are found
// once for the sizes that the map looks at, whatever the others are.
//
// Law (tests/cost/tiles/tile_search_test.cc): a verdict is exact if and
// only if the conditions of the way's tile hold, or the tile with numbers is
// exact.
#ifndef INDEXICAL_COST_TILES_TILE_WAYS_H
#define INDEXICAL_COST_TILES_TILE_WAYS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/tiles/tile.h"
#include "indexical/indexing/budget.h"

namespace indexical {

class TileWays {
 public:
  /// A way's tile for values of the root's symbols.
  struct Verdict {
    bool exact = false;
    const SymbolicTile *tile = nullptr;  ///< members are dimensions, in front
    int64_t id = 0;                      ///< equal ones are one tile
    /// The values of the tile's symbols.
    llvm::SmallVector<int64_t, 4> symbols;
  };

  /// `root` and `meter` must outlive the object.
  TileWays(const RootTile &root, Meter &meter)
      : root_(root), meter_(meter), symbols_(root.symbols()) {}

  size_t size() const { return ways_.size(); }
  llvm::ArrayRef<std::string> symbols() const { return symbols_; }
  /// Returns the number of the tile's way, which may be a new one.
  size_t add(InstructionTile tile);
  /// Returns the first tile of a way, by the names of sizes.
  const InstructionTile &tileOf(size_t way) const { return tiles_[way]; }
  /// Returns the sizes of a way's tensor, behind those of groups of which the
  /// tile has members. No end of a group cuts a tile.
  llvm::ArrayRef<int64_t> axesOf(size_t way) const { return ways_[way].axes; }
  /// Returns the root's tile with these values of the symbols.
  RootTile rootFor(llvm::ArrayRef<int64_t> values) const;
  /// Returns the tile of a way for these values. It stays where it is.
  absl::StatusOr<const Verdict *> judge(size_t way,
                                        llvm::ArrayRef<int64_t> values);
  /// Returns the tiles of all ways, by their numbers. No verdict holds then.
  std::vector<InstructionTile> take() { return std::move(tiles_); }

 private:
  struct Way {
    llvm::SmallVector<int64_t, 6> axes;
    llvm::SmallVector<unsigned, 4> symbols;  ///< that it depends on
    std::map<std::vector<int64_t>, Verdict> verdicts;
  };

  llvm::SmallVector<unsigned, 4> symbolsOf(const IndexingMap &map) const;

  const RootTile &root_;
  Meter &meter_;
  const std::vector<std::string> symbols_;
  std::vector<Way> ways_;
  std::vector<InstructionTile> tiles_;                 // of a way
  std::unordered_multimap<size_t, size_t> waysOfMap_;  // by the map's hash
  std::vector<std::unique_ptr<SymbolicTile>> byNumbers_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_WAYS_H
