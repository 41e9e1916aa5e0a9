// The sizes that `tile --search` finds, as text, as a structure and as a table.
#ifndef INDEXICAL_WRITERS_TILE_SEARCH_H
#define INDEXICAL_WRITERS_TILE_SEARCH_H

#include <cstddef>
#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/answers/tiles/tiles.h"
#include "indexical/writers/result.h"

namespace indexical {

class TileSearchResult : public Result {
 public:
  /// Nothing in place of `top`: the text shows some, all others all.
  TileSearchResult(const TileSizes &found, std::optional<size_t> top)
      : of_(found), found_(found.search), top_(top) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;

 private:
  llvm::ArrayRef<FoundSizes> shown(std::optional<size_t> top) const {
    return llvm::ArrayRef(found_.found).take_front(top.value_or(SIZE_MAX));
  }
  void writeLeftOut(llvm::raw_ostream &os) const;
  int64_t leftOutCount() const;

  const TileSizes &of_;
  const TileSearch &found_;
  const std::optional<size_t> top_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_TILE_SEARCH_H
