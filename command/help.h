// The help, from the records of commands.
//
//   help of all      what each does
//   help of one      its sentence, its options, its exit statuses, an example
//   manual           the help for man: `indexical help --format=man dump | man
//   -l -`
//   data             the help of one as an object, for --format=json and for
//                    tools of a server (mcp/tools.h)
#ifndef INDEXICAL_COMMAND_HELP_H
#define INDEXICAL_COMMAND_HELP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/help/keys.h"
#include "indexical/command/command.h"

namespace indexical {

/// Writes the help of all commands, or of one, in lines of up to `width`
/// columns. Examples may be longer, since they are to be pasted.
void writeHelp(llvm::raw_ostream &os, size_t width);
void writeHelp(const Command &command, llvm::raw_ostream &os, size_t width);

CommandHelp helpOf(const Command &command);

void writeManual(llvm::raw_ostream &os);
void writeManual(const Command &command, llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_HELP_H
