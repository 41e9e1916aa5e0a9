// Iteration spaces of tiles: results, and the steps of what they sum up.
//
//   f { a = bf16[4096,512] parameter(0)
//       b = bf16[512,1024] parameter(1)
//       ROOT d = bf16[4096,1024] dot(a, b), lhs_contracting_dims={1},
//                                           rhs_contracting_dims={0} }
//
//   TileSpace space = TileSpace::of(maps, "d").sizes({128, 256}).step("d", 0,
//                                                                     64);
//   auto tiles = tilesBehind(maps, space);
//   // a: (o0, k0) (128, 64)      b: (k0, o1) (64, 256)
//
// A space has the dimensions of the results, whose offsets are o0, o1, …, and
// behind them one for each step, k0, k1, …. A *step* is a loop over a dimension
// that an instruction sums up: it takes so many indices at a time, and a tile
// behind that instruction is that of one turn of the loop. A step of an
// instruction behind another one is a loop in its loop. Dimensions without a
// step are whole.
//
// Results of one shape have one tile, unless each gets its own:
//
//   TileSpace::of(maps, "t").sizes({4, 3}).sizes({5, 9})    o0, o1; o2, o3
//
// The other way, tilesForward gives the elements of every later instruction
// that read at least one element of a tile; with steps, that read one in this
// turn of the loops. In turn k0, rows o0 of d read the tile at (o0, o1) of `a`
// if o1 is in the turn, and are not there in any other turn.
//
// Laws (tests/cost/tiles/tile_space_test.cc, by running random programs):
// an exact tile is what the turn of the loops reads; all turns together read
// what the tile without steps reads; an element is in a tile forward if and
// only if it reads an element of the tile, in this turn.
#ifndef INDEXICAL_COST_TILES_TILE_SPACE_H
#define INDEXICAL_COST_TILES_TILE_SPACE_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/cost/tiles/tile.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

/// A loop over a dimension that an instruction sums up.
struct TileStep {
  InstructionId instruction;
  /// Which of its contracted dimensions (of a dot), reduced ones (of a reduce),
  /// in the order of the attribute; 0 of a scan.
  int64_t dimension = 0;
  int64_t extent = 0;  ///< its size
  int64_t size = 0;    ///< indices of a turn, at most the extent; 0: any
};

/// Results that one tile is of, all of one shape.
struct TileRoot {
  std::vector<LeafId> leaves;
  size_t first = 0, rank = 0;  ///< its dimensions of the space
};

class TileSpace {
 public:
  /// The space of an instruction's results, with the names t0, t1, … as sizes.
  /// Of results of several shapes these are sizes of those that have the first
  /// one's. An empty name means the root. The maps' module must outlive the
  /// space.
  static TileSpace of(const ProgramIndexing &maps,
                      llvm::StringRef instruction = "");
  static TileSpace of(const Module &module, ComputationId computation,
                      InstructionId instruction);

  /// Sets the tile of all results, which must have one shape. The second call
  /// makes it the first result's own, and sets that of the second, and so on.
  TileSpace &sizes(std::vector<TileExtent> sizes);
  TileSpace &sizes(std::initializer_list<int64_t> sizes);
  /// Sets the strides of results, call by call as sizes() does (default: 1).
  TileSpace &strides(std::vector<TileExtent> strides);
  TileSpace &strides(std::initializer_list<int64_t> strides);
  /// Adds a loop. An empty name is the only instruction that has a dimension to
  /// step over, with one such dimension.
  TileSpace &step(llvm::StringRef instruction, int64_t dimension, int64_t size);
  TileSpace &step(int64_t size) { return step("", 0, size); }

  /// Adds a loop, with a size that is a symbol of the tile, for each dimension
  /// that an instruction on a way from the results sums up, as far as its size
  /// is known and more than 1: `most` of them, products first.
  TileSpace &stepAny(size_t most);

  /// Returns an error if there is no such instruction, or dimension, if it has
  /// no array, if the numbers of sizes do not fit, or if a size is not
  /// positive. Only where it is OK do the functions below have a meaning.
  absl::Status status() const { return status_; }

  ComputationId computation() const { return computation_; }
  InstructionId instruction() const { return instruction_; }
  /// One, or as many as there are results.
  const std::vector<TileRoot> &roots() const { return roots_; }
  bool isOneTile() const { return roots_.size() == 1; }
  /// Whether some results have no tile.
  bool leavesOut() const { return leavesOut_; }
  const std::vector<TileStep> &steps() const { return steps_; }
  /// The tile of all dimensions of the space.
  const RootTile &tile() const { return tile_; }
  /// Returns the space with numbers in place of the tile's symbols, in order.
  TileSpace with(llvm::ArrayRef<int64_t> symbols) const;
  /// Makes it the space of these results alone, with this tile. Returns an
  /// error if there is no such result, or if the tile is of another shape.
  absl::Status ofLeaves(llvm::ArrayRef<LeafId> leaves, const RootTile &tile);
  /// Returns the space with the tile of the first result alone.
  TileSpace withFirstResult() const;
  /// Returns the space with other sizes of the steps, in order.
  TileSpace withSteps(llvm::ArrayRef<int64_t> sizes) const;

 private:
  void update();
  absl::Status layOut();
  absl::Status addSteps();
  struct AskedStep {
    std::string instruction;
    int64_t dimension, size;  ///< size 0: any
  };

  const Module *module_ = nullptr;
  ComputationId computation_;
  InstructionId instruction_;
  std::vector<std::vector<TileExtent>> sizes_, strides_;
  std::vector<AskedStep> asked_;
  absl::Status found_, status_;
  std::vector<TileRoot> roots_;
  bool leavesOut_ = false;
  std::vector<TileStep> steps_;
  RootTile tile_;
};

/// Returns the tiles of the results, and then those of every instruction behind
/// them, backwards in file order, users before producers; root after root. An
/// instruction that is not read has none.
absl::StatusOr<std::vector<InstructionTile>> tilesBehind(
    ProgramIndexing &maps, const TileSpace &space);

/// Like tilesBehind(), but calls `take` for each result by itself. Results of
/// one shape mostly have the same tiles.
absl::Status forTilesBehind(
    ProgramIndexing &maps, const TileSpace &space,
    llvm::function_ref<void(LeafId result, std::vector<InstructionTile>)> take);
/// Like forTilesBehind() above, on up to `jobs` threads. The answer is the same
/// for every number.
absl::Status forTilesBehind(
    ProgramIndexing &maps, const TileSpace &space,
    llvm::function_ref<void(LeafId result, std::vector<InstructionTile>)> take,
    size_t jobs);

/// A tile of a later instruction.
struct ForwardTile : InstructionTile {
  /// Whether its elements read nothing of the instruction but the tile, at all
  /// offsets and in each turn; nothing if that is not known. Of sizes that are
  /// names it is not known, unless everything reads its own index.
  std::optional<bool> complete;
};

/// Returns, for the tile of an instruction's first result, the elements of
/// every later instruction of its computation that read at least one element of
/// it in a turn of the loops, in file order, the tile itself first. Returns an
/// error if the space has tiles of several results.
absl::StatusOr<std::vector<ForwardTile>> tilesForward(ProgramIndexing &maps,
                                                      const TileSpace &space);
/// Like tilesForward() above, on up to `jobs` threads. The answer is the same
/// for every number.
absl::StatusOr<std::vector<ForwardTile>> tilesForward(ProgramIndexing &maps,
                                                      const TileSpace &space,
                                                      size_t jobs);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_SPACE_H
