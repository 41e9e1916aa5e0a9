// The folder that this process may read in, if it is confined to one.
//
//   confineInputs(".")              in /runs/one
//   checkConfined("dumps/a.hlo")    OK
//   checkConfined("../b.hlo")       `../b.hlo` is outside of the folder …
//   checkConfined("link/b.hlo")     the same error if `link` leads to /runs
//
// A server that answers a program (command/mcp/server.h) reads what that
// program names, so it confines itself. The command, Python and C++ do not:
// they read what their caller may read.
#ifndef INDEXICAL_ANSWERS_CONFINED_H
#define INDEXICAL_ANSWERS_CONFINED_H

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Confines the process to that folder, for good; returns an error if it has no
/// real path. To be called before there are other threads.
absl::Status confineInputs(llvm::StringRef folder);
bool areInputsConfined();

/// Returns an error if the process is confined, and the path leads out of the
/// folder: by its words, or by a link on the way. A path that does not exist is
/// judged by the part of it that does. `-`, standard input, is outside.
absl::Status checkConfined(llvm::StringRef path);
/// Overload for the path that the system has for an open file; "" is outside.
absl::Status checkConfinedFile(llvm::StringRef path, llvm::StringRef realPath);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_CONFINED_H
