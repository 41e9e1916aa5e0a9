// The sizes that `tile --search` finds, as text, as a structure and as a table.
#ifndef INDEXICAL_WRITERS_TILE_SEARCH_H
#define INDEXICAL_WRITERS_TILE_SEARCH_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/analysis/memory/device.h"
#include "indexical/analysis/tiles/tile_search.h"
#include "indexical/writers/result.h"

namespace indexical {

/// What a search for sizes is asked.
struct TileSearchAsk {
  bool search = false;
  SizeChoice choice;
  const Device *device = &defaultDevice();
  std::optional<int64_t> shared;  ///< bytes; nothing: those of the device
  std::optional<size_t> top;

  /// Whether an option that controls the search is given.
  bool isAsked() const {
    return choice.kind != SizeChoice::Kind::Powers || shared || top;
  }
  int64_t sharedBytes() const { return shared.value_or(device->sharedBytes); }
};

class TileSearchResult : public Result {
 public:
  TileSearchResult(const TileSearch &found, const Computation &computation,
                   InstructionId root, const TileSearchAsk &asked)
      : found_(found), computation_(computation), root_(root), asked_(asked) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;

 private:
  llvm::StringRef nameOf(InstructionId i) const {
    return computation_.instructions[i].name;
  }
  llvm::ArrayRef<FoundSizes> shown(std::optional<size_t> top) const {
    return llvm::ArrayRef(found_.found).take_front(top.value_or(SIZE_MAX));
  }
  void writeLeftOut(llvm::raw_ostream &os) const;
  int64_t leftOutCount() const;

  const TileSearch &found_;
  const Computation &computation_;
  const InstructionId root_;
  const TileSearchAsk &asked_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_TILE_SEARCH_H
