// `indexical simplify` and `indexical compose`: maps files in, maps out.
//
//   (d0, d1) -> (d1, d0), domain: …     compose     (d0, d1) -> (d1 * 8 + d0),
//   // -----                            ------->    domain: …
//   (d0, d1) -> (d0 * 8 + d1), domain: …
#ifndef INDEXICAL_TOOLS_MAPS_COMMANDS_H
#define INDEXICAL_TOOLS_MAPS_COMMANDS_H

#include "llvm/Support/raw_ostream.h"

#include "indexical/tools/input.h"
#include "indexical/tools/options.h"

namespace indexical {

/// Both return the exit status. Nothing is written to `out` where a map is
/// wrong. What simplify did is written to `err`, where it is asked for: the
/// rewrites of each map, `before -> after`, and under each the rule and why.
int simplifyMaps(const MapsOptions &options, const Input &input,
                 llvm::raw_ostream &out, llvm::raw_ostream &err);
int composeMaps(const StreamOptions &options, const Input &input,
                llvm::raw_ostream &out, llvm::raw_ostream &err);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_MAPS_COMMANDS_H
