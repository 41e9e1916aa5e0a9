// A command on several files, each on its own.
//
//   --jobs=1   one after another, each written while it is found
//   --jobs=N   N at once; what each has to say waits for its turn, so that the
//              output is the same byte for byte
//   --resume   what an earlier call has written stays, and is not done again
//
// A file that is wrong does not keep the others back. A call that is ended
// (Ctrl-C, a deadline) writes what is complete, and no sums over all files.
#ifndef INDEXICAL_TOOLS_RUN_ON_EACH_H
#define INDEXICAL_TOOLS_RUN_ON_EACH_H

#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/tools/command.h"
#include "indexical/tools/results.h"

namespace indexical {

/// The exit status.
int runOnEach(const Command &command, llvm::ArrayRef<std::string> paths,
              llvm::raw_ostream &out, llvm::raw_ostream &err);
/// Like runOnEach for files; each chain stands for one.
int runOnEach(const Command &command, llvm::ArrayRef<DumpChain> chains,
              llvm::raw_ostream &out, llvm::raw_ostream &err);

/// readInput, and a word where a person has to type it.
absl::StatusOr<Input> readNamed(const std::string &path,
                                llvm::raw_ostream &err);
/// As messages call it.
std::string shownPath(llvm::StringRef path);
/// The status, or that of an output that could not be written.
int closeResults(Results &results, int status, std::string name,
                 llvm::raw_ostream &err);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_RUN_ON_EACH_H
