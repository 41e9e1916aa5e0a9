// Propagates a tile of an instruction's result to every producer. tilesOf()
// returns the propagated tiles, and the sizes for which all of them are exact.
//
//   f { p = f32[12,4] parameter(0)
//       ROOT r = f32[4,12] reshape(p) }
//
//   TileQuestion question;
//   question.sizes = {"2", "b"};
//   question.candidates = {{4}, {6}, {12}};
//   auto found = tilesOf(*program, question);
//   const SymbolicTile &ofP = found->tiles[1].tile;  // over o0, o1 and b
//   std::vector<size_t> fitting = found->fitting;    // 4 and 12: 0 and 2
#ifndef INDEXICAL_ANSWERS_TILES_TILES_H
#define INDEXICAL_ANSWERS_TILES_TILES_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/maps/open_sizes.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/tiles/tile_alternatives.h"
#include "indexical/cost/tiles/tile_mask.h"
#include "indexical/cost/tiles/tile_search.h"
#include "indexical/cost/tiles/tile_space.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// A loop over a dimension that an instruction reduces (tile_space.h).
struct StepQuestion {
  std::string instruction;  ///< empty: the only one that sums up anything
  int64_t dimension = 0;    ///< in the order of its attribute
  int64_t size = 0;
};

/// The tile of one instruction.
struct TileQuestion {
  std::string computation, instruction;  ///< empty: find_instruction.h
  /// Numbers, or names of symbols, one per dimension. No sizes: the names t0,
  /// t1, …; no strides: 1. They apply to all results, which must have one
  /// shape, unless the others have sizes of their own.
  std::vector<std::string> sizes, strides;
  std::vector<std::vector<std::string>> otherSizes, otherStrides;
  std::vector<StepQuestion> steps;
  /// Whether to find tiles of the consumers of the tile, not of its producers.
  bool forward = false;
  /// If set, a candidate is accepted only if no tile reads more than one
  /// operand of a concatenate.
  bool oneOperand = false;
  /// Candidate values for the names, in order. `fitting` lists the candidates
  /// for which every tile is exact.
  std::vector<std::vector<int64_t>> candidates;
};

/// The tile of an instruction along one path.
struct FoundTile : InstructionTile {
  std::vector<RunCase> cases;        ///< of its map
  std::vector<NamedSize> openSizes;  ///< that its expressions and cases name
  /// The meanings of the other runtime variables: `rt0 = start[d0], d the
  /// offsets, clamped to [0, 12]`, or `rt0 = position in the group of g`.
  std::vector<std::string> values;
  std::optional<TileMask> mask;          ///< nothing: a size is not known
  std::vector<SizeCase> anyOf;           ///< alternativesOf()
  std::optional<bool> complete;          ///< of a tile forward
  llvm::SmallVector<int64_t, 1> groups;  ///< members of each group; 0: several
  /// Whether the path is left out because it would have too many names
  /// (kMostPathNames). `behind` is then the number in Tiles::tiles of the tile
  /// from which it was found, or of an equal one.
  bool isPathLeftOut = false;
};

/// The tiles of an instruction and its producers. It refers to the program.
struct Tiles {
  const Module *module;
  const Computation *computation;
  const Instruction *root;
  RootTile tile;  ///< that of the space
  bool forward = false;
  TileSpace space;
  std::shared_ptr<ProgramIndexing> maps;  ///< that say what values are
  /// One for each instruction and each path to it; equal entries are listed
  /// once.
  std::vector<FoundTile> tiles;
  std::vector<std::vector<int64_t>> candidates;  ///< of the question
  std::vector<size_t> fitting;                   ///< their numbers

  llvm::StringRef nameOf(InstructionId i) const {
    return computation->instructions[i].name;
  }
};

/// Returns the tiles. If several modules have the instruction, the first one is
/// used, with a note. Returns an error if the instruction does not exist or is
/// not an array, or if the numbers of sizes, strides or values do not fit.
absl::StatusOr<Tiles> tilesOf(const Program &program,
                              const TileQuestion &question,
                              const Ask &ask = {});

/// The sizes to try, and the GPU.
struct TileSearchQuestion {
  SizeChoice choice;
  const Device *device = &defaultDevice();
  /// Bytes of shared memory per block. std::nullopt: what every block is
  /// guaranteed or, with loops, the most that a block may request.
  std::optional<int64_t> shared;

  int64_t sharedBytes() const { return shared.value_or(device->sharedBytes); }
  /// Returns the bytes of shared memory of a block of a kernel with loops.
  int64_t sharedBytesOfLoops() const {
    return shared.value_or(device->blocks.blockShared);
  }
};

/// The sizes for which every tile is exact. It refers to the program.
struct TileSizes {
  const Computation *computation;
  InstructionId root;
  TileSearchQuestion asked;
  TileSearch search;
  TileSpace space;  ///< with the loops whose steps were searched

  bool hasLoops() const { return !space.steps().empty(); }
  int64_t sharedBytes() const {
    return hasLoops() ? asked.sharedBytesOfLoops() : asked.sharedBytes();
  }

  llvm::StringRef nameOf(InstructionId i) const {
    return computation->instructions[i].name;
  }
};

/// Returns the sizes, in place of the names of `question`, for which every tile
/// is exact, with what their blocks read, best first. If the question has no
/// steps, those of all loops are searched, too. Errors are those of tilesOf(),
/// and a stride that is a name.
absl::StatusOr<TileSizes> tileSizesOf(const Program &program,
                                      const TileQuestion &question,
                                      const TileSearchQuestion &search = {},
                                      const Ask &ask = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_TILES_TILES_H
