// The command `indexical`, without a process around it.
//
//   indexical dump softmax.hlo        tools/dump.h
//   indexical simplify maps.txt       tools/maps_commands.h
//   indexical compose chain.txt
//
// Results go to `out`, or to the file of `-o`; messages go to `err`; the value
// returned is the exit status (tools/options.h).
#ifndef INDEXICAL_TOOLS_RUN_H
#define INDEXICAL_TOOLS_RUN_H

#include "llvm/Support/raw_ostream.h"

#include "indexical/tools/input.h"
#include "indexical/tools/options.h"

namespace indexical {

int runIndexical(int argc, const char *const *argv, llvm::raw_ostream &out,
                 llvm::raw_ostream &err);

/// A command over an input that was read already.
int runCommand(const CommandLine &line, const Input &input,
               llvm::raw_ostream &out, llvm::raw_ostream &err);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_RUN_H
