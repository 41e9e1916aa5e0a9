// Iteration spaces of tiles: the dimensions of results, and the steps of
// reductions.
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
// A space has the dimensions of the results, with the offsets o0, o1, …, and
// then one for each step, with the offsets k0, k1, …. A *step* is a loop over a
// dimension that an instruction reduces: it takes `size` indices at a time, and
// a tile upstream of that instruction is the tile of one iteration. A step of
// an instruction upstream of another step's is a loop inside that loop.
// Dimensions without a step are whole.
//
// Results of one shape have one tile, unless each gets its own:
//
//   TileSpace::of(maps, "t").sizes({4, 3}).sizes({5, 9})    o0, o1; o2, o3
//
// In the other direction, tilesForward returns the elements of every later
// instruction that read at least one element of a tile; with steps, those that
// read one in this iteration of the loops. In iteration k0, rows o0 of d read
// the tile at (o0, o1) of `a` if o1 is in the iteration, and have no such
// elements otherwise.
//
// Laws (tests/cost/tiles/tile_space_test.cc, by running random programs): an
// exact tile is what the iteration of the loops reads; all iterations together
// read what the tile without steps reads; an element is in a tile forward if
// and only if it reads an element of the tile, in this iteration.
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

/// A loop over a dimension that an instruction reduces.
struct TileStep {
  InstructionId instruction;
  /// The number of its contracted dimension (for a dot) or reduced dimension
  /// (for a reduce), in the order of the attribute; 0 for a scan.
  int64_t dimension = 0;
  int64_t extent = 0;  ///< its size
  int64_t size = 0;    ///< indices of an iteration; 0: any
};

/// Results of one shape that share one tile.
struct TileRoot {
  std::vector<LeafId> leaves;
  size_t first = 0, rank = 0;  ///< its dimensions of the space
};

class TileSpace {
 public:
  /// Returns the space of an instruction's results, with the names t0, t1, … as
  /// sizes. If results have several shapes, the sizes belong to those with the
  /// first one's shape. An empty name means the root. The maps' module must
  /// outlive the space.
  static TileSpace of(const ProgramIndexing &maps,
                      llvm::StringRef instruction = "");
  static TileSpace of(const Module &module, ComputationId computation,
                      InstructionId instruction);

  /// Sets the tile of all results, which must have one shape. A second call
  /// makes the first tile the first result's own, and sets that of the second
  /// result, and so on.
  TileSpace &sizes(std::vector<TileExtent> sizes);
  TileSpace &sizes(std::initializer_list<int64_t> sizes);
  /// Sets the strides of results, call by call as sizes() does (default: 1).
  TileSpace &strides(std::vector<TileExtent> strides);
  TileSpace &strides(std::initializer_list<int64_t> strides);
  /// Adds a loop. An empty name is the only instruction that has a dimension to
  /// step over, with one such dimension.
  TileSpace &step(llvm::StringRef instruction, int64_t dimension, int64_t size);
  TileSpace &step(int64_t size) { return step("", 0, size); }

  /// Adds loops, whose sizes are symbols of the tile, over dimensions of known
  /// sizes above 1 that instructions upstream of the results reduce: at most
  /// `most` of them, those of products first.
  TileSpace &stepAny(size_t most);

  /// Returns an error if there is no such instruction or dimension, if it is
  /// not an array, if the numbers of sizes do not fit, or if a size is not
  /// positive. The functions below require an OK status.
  absl::Status status() const { return status_; }

  ComputationId computation() const { return computation_; }
  InstructionId instruction() const { return instruction_; }
  /// Returns one root, or as many as there are results.
  const std::vector<TileRoot> &roots() const { return roots_; }
  bool isOneTile() const { return roots_.size() == 1; }
  /// Returns whether some results have no tile.
  bool leavesOut() const { return leavesOut_; }
  const std::vector<TileStep> &steps() const { return steps_; }
  /// Returns the tile of all dimensions of the space.
  const RootTile &tile() const { return tile_; }
  /// Returns the space with numbers in place of the tile's symbols, in order.
  TileSpace with(llvm::ArrayRef<int64_t> symbols) const;
  /// Makes it the space of these results alone, with this tile. Returns an
  /// error if the results do not exist, or if the tile is of another shape.
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

/// Returns the tiles of the results, and then those of every instruction
/// upstream of them, in reverse file order, users before producers; root after
/// root. An instruction that is not read has none.
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
  /// offsets and in each iteration; std::nullopt if unknown. It is unknown for
  /// sizes that are names, unless each element reads its own index.
  std::optional<bool> complete;
};

/// Returns, for the tile of an instruction's first result, the elements of
/// every later instruction of its computation that read at least one element of
/// it in one iteration of the loops, in file order, the tile itself first.
/// Returns an error if the space has tiles of several results.
absl::StatusOr<std::vector<ForwardTile>> tilesForward(ProgramIndexing &maps,
                                                      const TileSpace &space);
/// Like tilesForward() above, on up to `jobs` threads. The answer is the same
/// for every number.
absl::StatusOr<std::vector<ForwardTile>> tilesForward(ProgramIndexing &maps,
                                                      const TileSpace &space,
                                                      size_t jobs);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_SPACE_H
