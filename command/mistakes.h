// Suggestions for the words of a wrong call.
//
//   indexical step.hlo             a file: `indexical report step.hlo`
//   indexical compare a.hlo b.hlo  `equal`
//   indexical report --csv a.hlo   `--format=csv`
//   report --device=A100-80GB      `--device=a100`
//
// The words are those of other tools, of the field, and of compilers. Each
// function returns "" if it knows nothing better than what the parser says
// (parse.h), which then looks for a word that is nearly the same.
#ifndef INDEXICAL_COMMAND_MISTAKES_H
#define INDEXICAL_COMMAND_MISTAKES_H

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

#include "indexical/command/command.h"

namespace indexical {

/// Returns a call in place of one whose first word is not a command.
std::string meantByFirst(llvm::StringRef word);

/// Returns an option, as it is written, in place of one that the command does
/// not have.
std::string meantByOption(const Command &command, llvm::StringRef name,
                          std::optional<llvm::StringRef> value);

/// Returns one of the option's choices in place of another word.
std::string meantByChoice(const Option &option, llvm::StringRef value);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_MISTAKES_H
