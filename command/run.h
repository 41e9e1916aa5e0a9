// The command `indexical`, without a process around it.
//
//   indexical dump softmax.hlo        answers/dump/dump.cc
//   indexical report dumps/ @more     command/commands/report.cc
//
// A call's words are parsed, its inputs are opened one after another, its
// command is run on each, and the results are written. Results go to `out`, or
// to the file of `-o`; messages go to `err`. Returns the exit status.
#ifndef INDEXICAL_COMMAND_RUN_H
#define INDEXICAL_COMMAND_RUN_H

#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/inputs/input.h"
#include "indexical/command/exit_status.h"

namespace indexical {

int runIndexical(int argc, const char *const *argv, llvm::raw_ostream &out,
                 llvm::raw_ostream &err);

/// The end of a call: its exit status, and the error about an input, if one was
/// reported.
struct CallEnd {
  int status = kDone;
  absl::Status error;
};

/// Runs a call, `{"dump", "--format=json"}`, on inputs that were read already:
/// one, or two for a command that compares. `passes` takes none of these, and
/// reads the files that its words name.
CallEnd runOnInputs(llvm::ArrayRef<llvm::StringRef> words,
                    std::vector<Input> inputs, llvm::raw_ostream &out,
                    llvm::raw_ostream &err);

/// Like runOnInputs, for one input; returns the exit status.
int runOnInput(llvm::ArrayRef<llvm::StringRef> words, const Input &input,
               llvm::raw_ostream &out, llvm::raw_ostream &err);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_RUN_H
