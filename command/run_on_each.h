// A command on several files, each on its own.
//
//   --jobs=1   one after another, each written while it is found
//   --jobs=N   N at once; their output is written in the order of the files, so
//              that it is the same byte for byte
//   --resume   results that an earlier call has written stay, and are not found
//              again
//
// A file with an error does not stop the others. If the call is ended (Ctrl-C,
// a deadline), the results that are complete are written, without sums over all
// files.
#ifndef INDEXICAL_COMMAND_RUN_ON_EACH_H
#define INDEXICAL_COMMAND_RUN_ON_EACH_H

#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/command/command.h"
#include "indexical/command/results.h"

namespace indexical {

/// Returns the exit status.
int runOnEach(const Command &command, llvm::ArrayRef<std::string> paths,
              llvm::raw_ostream &out, MessageStream &err);
/// Like runOnEach for files, with a chain in place of a file.
int runOnEach(const Command &command, llvm::ArrayRef<DumpChain> chains,
              llvm::raw_ostream &out, MessageStream &err);

/// Like readInput, with a hint if a person must type standard input.
absl::StatusOr<Input> readNamed(const std::string &path, MessageStream &err);
/// Returns the path, or `<stdin>` for "-", as messages name it.
std::string shownPath(llvm::StringRef path);
/// Closes the output. Returns `status`, or kWrongInput if it was not written.
int closeResults(Results &results, int status, std::string name,
                 MessageStream &err);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_RUN_ON_EACH_H
