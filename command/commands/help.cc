#include "indexical/command/help.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"

#include "indexical/command/answer_words.h"
#include "indexical/command/command.h"
#include "indexical/command/parse.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/terminal.h"

namespace indexical {
namespace {

using llvm::StringRef;

class HelpResult : public Result {
 public:
  /// Without one, the help is that of all commands.
  explicit HelpResult(std::optional<Command> command)
      : command_(std::move(command)) {}

  void text(llvm::raw_ostream &os, TextStyle style) override {
    if (style == TextStyle::Manual)
      command_ ? writeManual(*command_, os) : writeManual(os);
    else if (command_)
      writeHelp(*command_, os, columnsOf(os));
    else
      writeHelp(os, columnsOf(os));
  }

 private:
  const std::optional<Command> command_;
};

/// The meaning of a word that answers have.
class WordResult : public Result {
 public:
  WordResult(StringRef word, StringRef meaning)
      : word_(word), meaning_(meaning) {}

  void text(llvm::raw_ostream &os, TextStyle) override {
    writeSentence((word_ + ": " + meaning_).str(), columnsOf(os), os);
  }

 private:
  const StringRef word_, meaning_;
};

std::vector<std::string> commandNames() {
  std::vector<std::string> names;
  for (const Command &command : allCommands())
    names.push_back(command.name.str());
  return names;
}

absl::StatusOr<int> help(llvm::ArrayRef<std::string> words, Call &call) {
  std::optional<Command> command;
  if (!words.empty()) {
    if (const StringRef meaning = meaningOfWord(words.front());
        !meaning.empty() && !commandNamed(words.front())) {
      WordResult result(words.front(), meaning);
      INDEXICAL_RETURN_IF_ERROR(call.write(result));
      return kDone;
    }
    command = commandOrMessage(words.front(), call.err());
    if (!command) return kWrongWords;
  }
  HelpResult result(std::move(command));
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

}  // namespace

Command makeHelp() {
  Command help;
  help.name = "help";
  help.sentence =
      "what a command does, its options and an example; also as a man page";
  help.example = "indexical help --format=man dump | man -l -";
  help.reads = Reads::Words;
  help.arguments = "[COMMAND]";
  help.knownWords = commandNames;
  help.mostWords = 1;
  help.offers = {Offer::Text, Offer::Manual};
  help.runOnWords = indexical::help;
  return help;
}

}  // namespace indexical
