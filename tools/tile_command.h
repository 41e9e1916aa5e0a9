// `indexical tile`: what a tile of a result is in every instruction behind it
// (formats.md, section 4).
//
//   indexical tile m.hlo --computation=f --tile=a,128
#ifndef INDEXICAL_TOOLS_TILE_COMMAND_H
#define INDEXICAL_TOOLS_TILE_COMMAND_H

#include "llvm/Support/raw_ostream.h"

#include "indexical/tools/input.h"
#include "indexical/tools/options.h"

namespace indexical {

/// The exit status: kDone, whether all tiles are exact or not, or kWrongInput.
int tile(const TileOptions &options, const Input &input, llvm::raw_ostream &out,
         llvm::raw_ostream &err);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_TILE_COMMAND_H
