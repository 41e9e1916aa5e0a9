// The words of a call, parsed by its command's record.
//
//   dump softmax.hlo --format=json --instruction=%fusion -o out.json
//
// An option is `--name=value` or `--name value`, with one dash or two; or `-o
// FILE`, `-oFILE`. After `--` no word is an option, and `-` never is one.
//
// llvm::cl is not used: its options are global objects, so two calls in one
// process would share them; its help has lines of any length; and it cannot
// list the formats that each command has. llvm::opt needs a table that TableGen
// writes before the records are compiled.
#ifndef INDEXICAL_COMMAND_PARSE_H
#define INDEXICAL_COMMAND_PARSE_H

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/command/command.h"

namespace indexical {

struct ParsedCall {
  Command command;  ///< its options have taken their values
  std::vector<std::string> words;
};

/// Parses words without the program's name. If they are wrong, returns nothing
/// and writes a message with a suggestion.
std::optional<ParsedCall> parseCall(llvm::ArrayRef<llvm::StringRef> words,
                                    MessageStream &err);

/// Returns the command of that name. If there is none, returns nothing and
/// writes a message that lists all.
std::optional<Command> commandOrMessage(llvm::StringRef name,
                                        MessageStream &err);

/// Returns whether the words of a call, right or wrong, ask for the format json
/// or jsonl, by `--format` or by the ending of `-o`.
bool askForJson(llvm::ArrayRef<llvm::StringRef> words);

/// A word that is an option, in its parts; nothing if it is not one.
struct OptionWord {
  llvm::StringRef name;
  std::optional<llvm::StringRef> value;  ///< after `=`, or the rest of `-o`
};
std::optional<OptionWord> asOption(llvm::StringRef word);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_PARSE_H
