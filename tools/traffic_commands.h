// `indexical coalescing` and `indexical report`: what kernels move, and what of
// it they use (formats.md, section 4).
//
//   indexical coalescing model.hlo --instruction=fusion.3
//   indexical report model.hlo --top=5 --device=a100
#ifndef INDEXICAL_TOOLS_TRAFFIC_COMMANDS_H
#define INDEXICAL_TOOLS_TRAFFIC_COMMANDS_H

#include "llvm/Support/raw_ostream.h"

#include "indexical/tools/input.h"
#include "indexical/tools/options.h"

namespace indexical {

/// Each returns the exit status: kDone, kWrongInput, kWrongWords.
int coalescingOfInstruction(const TrafficOptions &options, const Input &input,
                            llvm::raw_ostream &out, llvm::raw_ostream &err);
int reportKernels(const TrafficOptions &options, const Input &input,
                  llvm::raw_ostream &out, llvm::raw_ostream &err);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_TRAFFIC_COMMANDS_H
