// Maps from an instruction to those that it reads, or that read it, each way
// once; private to analysis/.
//
// A walk goes from instruction to instruction. Each leaf that it reaches has
// the maps that lead to it, of which equal ones are one: its tiles.
#ifndef INDEXICAL_COST_TILES_TILE_WALK_H
#define INDEXICAL_COST_TILES_TILE_WALK_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/tiles/tile_space.h"
#include "indexical/cost/tiles/tile_steps.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

class TileWalk {
 public:
  /// Which instructions come first: users (from results down) or operands.
  enum class Order : uint8_t { UsersFirst, OperandsFirst };

  /// Up to `jobs` threads work.
  TileWalk(ProgramIndexing &maps, const TileSpace &space, Order order,
           size_t jobs);
  virtual ~TileWalk() = default;

  /// Returns the tiles for the tile of one result.
  absl::StatusOr<std::vector<InstructionTile>> run(size_t root, LeafId leaf);

 protected:
  struct Reached {
    IndexingMap map;
    bool exact;
    int32_t above;  ///< the entry from which it came; -1: it is the root
    InstructionLeaf at = {};
    int32_t tile = -1;  ///< number of its tile, once there is one
  };
  /// Axes that a turn of a loop binds, and the dimensions of the space.
  using Axes = llvm::SmallVector<std::pair<SummedAxis, size_t>, 1>;

  /// Goes on from everything that is known of the instruction.
  virtual absl::Status goOnFrom(InstructionId i) = 0;

  /// Returns the axes of an operand leaf that the space's steps bind.
  Axes axesOf(InstructionId i, size_t leaf) const;

  /// Adds the maps behind a known one and a relation, to a leaf. The axes are
  /// those of the operand, which is the leaf, or, if operands come first, what
  /// is known.
  absl::Status follow(int32_t known, const IndexingRelation &edge,
                      InstructionLeaf to, const Axes &axes = {});
  /// Adds the map, unless the leaf was reached by an equal one.
  void add(Reached reached, InstructionLeaf at);

  const ArrayShape &shapeOf(InstructionLeaf at) const;
  /// The numbers of what is known of an instruction's leaves.
  llvm::ArrayRef<int32_t> reached(InstructionId i) const { return reached_[i]; }
  const Reached &at(int32_t known) const { return all_[known]; }

  ProgramIndexing &maps_;
  const TileSpace &space_;
  const ComputationId number_;
  const Computation &computation_;

 private:
  /// A question to tileThrough(), and its answer once there is one.
  struct TiledMap {
    IndexingMap map;
    llvm::SmallVector<int64_t, 6> shape;
    bool exact;
    OpenEnds open = {};
    bool isAsked = false;
    absl::StatusOr<SymbolicTile> tile = SymbolicTile();
  };

  absl::StatusOr<IndexingMap> startOf(size_t root, InstructionLeaf at);
  absl::Status walk(size_t root, LeafId leaf,
                    std::deque<InstructionTile> &tiles);
  absl::Status limit(InstructionId i);
  absl::Status finish(InstructionId i, size_t root,
                      std::deque<InstructionTile> &tiles);
  absl::StatusOr<IndexingMap> endsOf(InstructionLeaf leaf);
  absl::StatusOr<std::shared_ptr<TiledMap>> asked(const Reached &reached,
                                                  const ArrayShape &shape);
  absl::Status describe(std::deque<InstructionTile> &tiles);
  absl::StatusOr<IndexingMap> composed(const IndexingMap &map,
                                       const IndexingMap &piece);

  struct Composed {
    IndexingMap map, piece, result;
  };

  const Order direction_;
  const size_t jobs_;
  InstructionOrder order_;         // what comes last is gone on from first
  std::vector<int32_t> position_;  // of each instruction in it
  std::vector<Reached> all_;
  std::unordered_multimap<size_t, int32_t> byMap_;  // of all_, by place and map
  std::shared_ptr<TilePath::Entries> entries_;      // of all_
  size_t names_ = 0;                                // of all paths
  std::vector<llvm::SmallVector<int32_t, 2>> reached_;  // of an instruction
  std::priority_queue<int32_t> waiting_;                // positions
  std::vector<std::shared_ptr<TiledMap>> asked_;        // of each tile
  std::unordered_map<size_t, std::vector<std::shared_ptr<TiledMap>>> known_;
  std::unordered_multimap<size_t, Composed> composed_;  // by both maps
  std::optional<IndexingMap> rootEnds_;  // if sizes of the root are open
};

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_WALK_H
