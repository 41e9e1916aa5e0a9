// Completion of an incomplete call in a shell.
//
//   indexical du<TAB>                           dump
//   indexical dump --in<TAB>                    --input-format= --instruction=
//   indexical dump a.hlo --instruction=fus<TAB> --instruction=fusion.1 …
//
// The last list has the names of instructions in a.hlo, which is read for it.
#ifndef INDEXICAL_COMMAND_COMPLETION_H
#define INDEXICAL_COMMAND_COMPLETION_H

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Returns the words that can replace the last one, which is incomplete.
/// Returns none if the word can be a file, since the shell completes files.
std::vector<std::string> completionsOf(llvm::ArrayRef<std::string> words);

/// Returns the script of a shell (`bash`, `zsh`, `fish`) that calls the command
/// for completion, or "" for other shells.
llvm::StringRef completionScript(llvm::StringRef shell);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_COMPLETION_H
