// The number of elements that the blocks of a launch read of a tensor; private
// to analysis/.
//
//   f32[1024] negate(f32[1024]), blocks of 300     4 blocks: 300 elements each,
//                                                  and 124 in the last one
//
// A block reads the tile of each way that leads to the tensor, but elements
// that two tiles share only once. A tile is a product of progressions, and so
// are the elements that tiles share: the sum over all blocks is taken apart
// into the dimensions that depend on different offsets of the root, and each of
// these sums is kept.
//
// An element counts once a block, whatever the number of turns that read it.
// What turns load, an element once for each turn, is a number of its own:
//
//   f32[5] dot(concatenate(p, p), q), p f32[16], q f32[5,32],
//   blocks of 1 row, turns of 16:   5 * 16 elements of p, of which each is
//                                   loaded twice
#ifndef INDEXICAL_COST_TILES_TILE_COUNTS_H
#define INDEXICAL_COST_TILES_TILE_COUNTS_H

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/tiles/tile.h"
#include "indexical/indexing/budget.h"

namespace indexical {

/// An exact tile, or a scalar's, and the values of its symbols.
struct TileWay {
  TileWay(const SymbolicTile &tile, int64_t id, llvm::ArrayRef<int64_t> symbols)
      : tile(&tile), id(id), symbols(symbols.begin(), symbols.end()) {}
  const SymbolicTile *tile;
  int64_t id;  ///< equal ids are one tile
  llvm::SmallVector<int64_t, 4> symbols;
  /// Steps in whose loops it is read, by their bits: once in each turn.
  uint64_t loops = 0;
};

struct BlockReads {
  /// The elements that blocks read, over all blocks, an element once a block.
  int64_t elements = 0;
  /// Overload that counts an element once for each iteration in which a block
  /// reads it; nothing if that is not counted.
  std::optional<int64_t> loaded;
  /// The most that a block holds, the tile of each way by itself.
  int64_t held = 0;
  /// Whether `elements` and `held` are exact; else they are upper bounds.
  bool isCounted = true;
};

class BlockCounter {
 public:
  /// The last dimensions of the root are so many steps.
  BlockCounter(llvm::ArrayRef<int64_t> rootShape, size_t steps, Meter &meter)
      : rootShape_(rootShape.begin(), rootShape.end()),
        firstStep_(rootShape.size() - steps),
        meter_(meter) {}

  /// Returns the elements that tiles of the root of these sizes read of a
  /// tensor of this shape, by these ways.
  BlockReads count(llvm::ArrayRef<TileWay> ways, llvm::ArrayRef<int64_t> sizes,
                   llvm::ArrayRef<int64_t> shape);

 private:
  /// The number of elements that all ways of a set read: over all turns of all
  /// blocks, and the most of one turn.
  struct ElementCount {
    int64_t all = 0, most = 0;
    bool isCounted = true;
  };
  /// Dimensions of the tensor that depend on these offsets of the root; of a
  /// scalar, whether it is read.
  struct ReadDimensions {
    llvm::SmallVector<size_t, 4> dimensions;
    llvm::SmallBitVector offsets;
  };

  ElementCount sumOf(llvm::ArrayRef<TileWay> ways,
                     llvm::ArrayRef<int64_t> sizes,
                     llvm::ArrayRef<int64_t> shape);
  std::vector<ReadDimensions> partsOf(llvm::ArrayRef<TileWay> ways,
                                      size_t rank) const;
  ElementCount sumOf(const ReadDimensions &part, llvm::ArrayRef<TileWay> ways,
                     llvm::ArrayRef<int64_t> sizes,
                     llvm::ArrayRef<int64_t> shape);
  ElementCount goThrough(const ReadDimensions &part,
                         llvm::ArrayRef<TileWay> ways,
                         llvm::ArrayRef<int64_t> sizes,
                         llvm::ArrayRef<int64_t> shape);
  ElementCount boundOf(const ReadDimensions &part, const TileWay &way,
                       llvm::ArrayRef<int64_t> sizes,
                       llvm::ArrayRef<int64_t> shape);
  std::vector<int64_t> keyOf(const ReadDimensions &part,
                             llvm::ArrayRef<TileWay> ways,
                             llvm::ArrayRef<int64_t> sizes) const;
  std::optional<int64_t> inAnyTurn(const ReadDimensions &part,
                                   llvm::ArrayRef<TileWay> ways,
                                   llvm::ArrayRef<int64_t> sizes,
                                   llvm::ArrayRef<int64_t> shape);
  std::optional<int64_t> onceABlock(llvm::ArrayRef<TileWay> ways,
                                    llvm::ArrayRef<int64_t> sizes,
                                    llvm::ArrayRef<int64_t> shape);
  int64_t blocksAlong(size_t k, llvm::ArrayRef<int64_t> sizes) const;

  const llvm::SmallVector<int64_t, 4> rootShape_;
  const size_t firstStep_;
  Meter &meter_;
  std::map<std::vector<int64_t>, ElementCount> known_;
  std::map<std::vector<int64_t>, std::optional<int64_t>> once_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_COUNTS_H
