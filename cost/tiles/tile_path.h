// The instructions between a tile's root and the tile, on one path.
//
//   r = add(a, b), a = negate(p)
//     path of p's tile    the entry of p, behind that of a, behind the root's
//     its instructions    a
//
// A tile is found from another one, and its path is the other's path and one
// instruction more. So paths share their common parts: those of 10,000
// instructions in a chain are 10,000 entries, and not 50 million names.
#ifndef INDEXICAL_COST_TILES_TILE_PATH_H
#define INDEXICAL_COST_TILES_TILE_PATH_H

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "indexical/program/module/program.h"

namespace indexical {

/// The names of instructions that the paths of tiles have together where paths
/// are written out.
constexpr size_t kMostPathNames = 1'000'000;

class TilePath {
 public:
  /// One step of a path: an instruction, and the entry from which it was found.
  struct Entry {
    InstructionId instruction;
    int32_t behind = -1;  ///< number of the entry; -1: it is the root's
    int32_t depth = 0;    ///< entries in front of it, the root's among them
  };
  using Entries = std::vector<Entry>;

  /// Makes the path of a root, which has no instructions.
  TilePath() = default;
  /// Makes the path to an entry of a walk, which may be added to later on.
  TilePath(std::shared_ptr<const Entries> entries, int32_t number)
      : entries_(std::move(entries)), number_(number) {}

  /// Returns how many instructions lie between the root and the tile.
  size_t size() const {
    const int32_t depth = entries_ ? (*entries_)[number_].depth : 0;
    return depth > 1 ? depth - 1 : 0;
  }
  bool empty() const { return size() == 0; }

  /// Returns the last one, which is next to the tile. Requires !empty().
  InstructionId back() const {
    assert(!empty());
    return (*entries_)[(*entries_)[number_].behind].instruction;
  }

  bool contains(InstructionId instruction) const {
    bool found = false;
    visit([&](InstructionId i) { found |= i == instruction; });
    return found;
  }

  /// Returns all of them, the root's side first.
  std::vector<InstructionId> instructions() const {
    std::vector<InstructionId> all(size());
    size_t next = all.size();
    visit([&](InstructionId i) { all[--next] = i; });
    return all;
  }

 private:
  /// Calls `see` with each instruction, the tile's side first.
  template <typename See>
  void visit(See see) const {
    if (empty()) return;
    const Entries &entries = *entries_;
    for (int32_t i = entries[number_].behind; entries[i].behind >= 0;
         i = entries[i].behind)
      see(entries[i].instruction);
  }

  std::shared_ptr<const Entries> entries_;
  int32_t number_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_PATH_H
