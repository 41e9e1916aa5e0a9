// What a shell offers where a call is not whole yet.
//
//   indexical du<TAB>                           dump
//   indexical dump --in<TAB>                    --input-format= --instruction=
//   indexical dump a.hlo --instruction=fus<TAB> --instruction=fusion.1 …
//
// The last list are the names of instructions in a.hlo, which is read for it.
#ifndef INDEXICAL_TOOLS_COMPLETION_H
#define INDEXICAL_TOOLS_COMPLETION_H

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Whole words in place of the last one, which is being written; none where
/// that can be a file, which the shell knows better.
std::vector<std::string> completionsOf(llvm::ArrayRef<std::string> words);

/// `bash`, `zsh`, `fish`: a script that asks for them; empty for other shells.
llvm::StringRef completionScript(llvm::StringRef shell);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_COMPLETION_H
