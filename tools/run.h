// The command `indexical`, without a process around it.
//
//   indexical dump softmax.hlo        tools/commands/dump.cc
//   indexical report dumps/ @more     tools/commands/report.cc
//
// Here a call's words are parsed, its inputs are opened one after another, its
// command is run on each, and what comes out is written. Results go to `out`,
// or to the file of `-o`; messages go to `err`; the value returned is the exit
// status.
#ifndef INDEXICAL_TOOLS_RUN_H
#define INDEXICAL_TOOLS_RUN_H

#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/tools/exit_status.h"
#include "indexical/tools/input.h"

namespace indexical {

int runIndexical(int argc, const char *const *argv, llvm::raw_ostream &out,
                 llvm::raw_ostream &err);

/// What a call came to: its exit status, and the error that was reported, if
/// there was one about an input.
struct CallEnd {
  int status = kDone;
  absl::Status error;
};

/// A call, `{"dump", "--format=json"}`, over inputs that were read already:
/// one, or two for a command that compares. `passes` has none of these, and
/// reads what its words name.
CallEnd runOnInputs(llvm::ArrayRef<llvm::StringRef> words,
                    std::vector<Input> inputs, llvm::raw_ostream &out,
                    llvm::raw_ostream &err);

/// The same over one.
int runOnInput(llvm::ArrayRef<llvm::StringRef> words, const Input &input,
               llvm::raw_ostream &out, llvm::raw_ostream &err);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_RUN_H
