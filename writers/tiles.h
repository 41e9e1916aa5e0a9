// The tiles of an instruction, as text and as a structure.
#ifndef INDEXICAL_WRITERS_TILES_H
#define INDEXICAL_WRITERS_TILES_H

#include "indexical/answers/tiles/tiles.h"
#include "indexical/writers/result.h"

namespace indexical {

class TilesResult : public Result {
 public:
  /// Up to `jobs` threads write.
  explicit TilesResult(const Tiles &found, size_t jobs = 1)
      : found_(found), jobs_(jobs) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;

 private:
  const Tiles &found_;
  const size_t jobs_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_TILES_H
