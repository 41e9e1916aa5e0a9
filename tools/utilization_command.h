// `indexical utilization`: which part of its operands an instruction reads
// (formats.md, section 4).
//
//   indexical utilization m.hlo --instruction=fusion.3 --tile=8,128 --at=0,0
#ifndef INDEXICAL_TOOLS_UTILIZATION_COMMAND_H
#define INDEXICAL_TOOLS_UTILIZATION_COMMAND_H

#include "llvm/Support/raw_ostream.h"

#include "indexical/tools/input.h"
#include "indexical/tools/options.h"

namespace indexical {

/// The exit status: kDone, whether all figures were found or not, or
/// kWrongInput.
int utilization(const UtilizationCommandOptions &options, const Input &input,
                llvm::raw_ostream &out, llvm::raw_ostream &err);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_UTILIZATION_COMMAND_H
