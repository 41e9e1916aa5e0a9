// A call whose caller may end it while it works: command/mcp.h runs several,
// one after another, in one process.
#ifndef INDEXICAL_COMMAND_RUN_WORDS_H
#define INDEXICAL_COMMAND_RUN_WORDS_H

#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/inputs/input.h"
#include "indexical/command/command.h"

namespace indexical {

/// Runs a call, `{"report", "--format=json", "step.hlo"}`, as runIndexical
/// does, and returns its exit status. If there are inputs, they are answered in
/// place of files that the words name. `begin` gets the settings once the words
/// are parsed, before there is work: it may set limits, and keep `stop`, which
/// lives until `end` has been called. Neither is called if the words are wrong.
int runWords(llvm::ArrayRef<llvm::StringRef> words, std::vector<Input> inputs,
             llvm::raw_ostream &out, llvm::raw_ostream &err,
             llvm::function_ref<void(CallSettings &settings)> begin,
             llvm::function_ref<void()> end);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_RUN_WORDS_H
