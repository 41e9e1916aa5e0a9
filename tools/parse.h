// The words of a call, read as its command's record says.
//
//   dump softmax.hlo --format=json --instruction=%fusion -o out.json
//
// `--name=value`, `--name value`, one dash as good as two; `-o FILE`, `-oFILE`;
// after `--` no word is an option, and `-` never is one.
//
// llvm::cl is not used for it: its options are global objects, so two calls in
// one process share them, it prints help in lines of any length, and it cannot
// say which formats which command has. llvm::opt wants a table that TableGen
// wrote before the records are compiled.
#ifndef INDEXICAL_TOOLS_PARSE_H
#define INDEXICAL_TOOLS_PARSE_H

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/tools/command.h"

namespace indexical {

struct ParsedCall {
  Command command;  ///< its options have taken their values
  std::vector<std::string> words;
};

/// Words without the program's name. Nothing, and a message with a suggestion,
/// where they are wrong.
std::optional<ParsedCall> parseCall(llvm::ArrayRef<llvm::StringRef> words,
                                    llvm::raw_ostream &err);

/// The command of that name; nothing, and a message that lists all, where there
/// is none.
std::optional<Command> commandOrMessage(llvm::StringRef name,
                                        llvm::raw_ostream &err);

/// A word taken apart; nothing where it is no option.
struct OptionWord {
  llvm::StringRef name;
  std::optional<llvm::StringRef> value;  ///< after `=`, or `-o` itself
};
std::optional<OptionWord> asOption(llvm::StringRef word);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_PARSE_H
