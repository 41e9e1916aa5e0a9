// `indexical equal`, `inverse` and `count`: exact answers about maps and
// modules (formats.md, section 4).
//
//   indexical equal maps.txt             two maps: do they read the same?
//   indexical equal before.hlo after.hlo two modules: do they?
//   indexical inverse maps.txt           each map turned around
//   indexical count maps.txt             points, elements, pairs of each
#ifndef INDEXICAL_TOOLS_EXACT_COMMANDS_H
#define INDEXICAL_TOOLS_EXACT_COMMANDS_H

#include "llvm/Support/raw_ostream.h"

#include "indexical/tools/input.h"
#include "indexical/tools/options.h"

namespace indexical {

/// Each returns the exit status: kDone (equal), kDifferent, kUndecided,
/// kWrongInput.
int equalMaps(const StreamOptions &options, const Input &input,
              llvm::raw_ostream &out, llvm::raw_ostream &err);
int equalModules(const StreamOptions &options, const Input &first,
                 const Input &second, llvm::raw_ostream &out,
                 llvm::raw_ostream &err);
int inverseMaps(const StreamOptions &options, const Input &input,
                llvm::raw_ostream &out, llvm::raw_ostream &err);
int countMaps(const CountOptions &options, const Input &input,
              llvm::raw_ostream &out, llvm::raw_ostream &err);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_EXACT_COMMANDS_H
