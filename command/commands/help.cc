#include "indexical/command/help.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/command/answer_words.h"
#include "indexical/command/command.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/terminal.h"

namespace indexical {
namespace {

using llvm::StringRef;

class HelpResult : public Result {
 public:
  /// Without one, the help is that of all commands. A command may have the name
  /// of a word of answers, too, which has a meaning.
  HelpResult(std::optional<Command> command, StringRef meaning)
      : command_(std::move(command)), meaning_(meaning) {}

  void text(llvm::raw_ostream &os, TextStyle style) override {
    if (style == TextStyle::Manual)
      command_ ? writeManual(*command_, os) : writeManual(os);
    else if (command_)
      writeHelp(*command_, os, columnsOf(os));
    else
      writeHelp(os, columnsOf(os));
  }
  void structure(Structure &to) override {
    HelpAnswer answer;
    if (command_)
      answer.commands.push_back(helpOf(*command_));
    else
      for (const Command &command : allCommands())
        answer.commands.push_back(helpOf(command));
    if (!meaning_.empty())
      answer.word = WordHelp{command_->name.str(), meaning_.str()};
    to.head([&](ValueSink &sink) { writeKeys(answer, sink); });
  }

 private:
  const std::optional<Command> command_;
  const StringRef meaning_;
};

/// The meaning of a word that answers have.
class WordResult : public Result {
 public:
  WordResult(StringRef word, StringRef meaning)
      : word_(word), meaning_(meaning) {}

  void text(llvm::raw_ostream &os, TextStyle) override {
    writeSentence((word_ + ": " + meaning_).str(), columnsOf(os), os);
  }
  void structure(Structure &to) override {
    const HelpAnswer answer = {{}, WordHelp{word_.str(), meaning_.str()}};
    to.head([&](ValueSink &sink) { writeKeys(answer, sink); });
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

/// Commands, and the words of answers.
std::vector<std::string> knownWords() {
  std::vector<std::string> names = commandNames();
  for (const AnswerWord &each : answerWords())
    if (!llvm::is_contained(names, each.word)) names.push_back(each.word.str());
  return names;
}

/// Reports that there is neither such a command nor such a word.
void reportUnknown(StringRef word, MessageStream &err) {
  const std::vector<std::string> known = knownWords();
  const llvm::SmallVector<StringRef, 256> names(known.begin(), known.end());
  err.wrongWords("there is no command `" + word.str() +
                     "`, and no such word of answers; the commands are " +
                     llvm::join(commandNames(), ", "),
                 nearest(word, names));
}

absl::StatusOr<int> help(llvm::ArrayRef<std::string> words, Call &call) {
  // `few lanes` may come as two words.
  const std::string word = llvm::join(words, " ");
  std::optional<Command> command = commandNamed(word);
  const StringRef meaning = meaningOfWord(word);
  if (!words.empty() && !command && meaning.empty()) {
    reportUnknown(word, call.err());
    return kWrongWords;
  }
  if (!words.empty() && !command) {
    WordResult result(word, meaning);
    INDEXICAL_RETURN_IF_ERROR(call.write(result));
    return kDone;
  }
  HelpResult result(std::move(command), meaning);
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

}  // namespace

Command makeHelp() {
  Command help;
  help.name = "help";
  help.sentence =
      "what a command does, its options and an example; what a word of an "
      "answer means; also as a man page, and for programs as JSON";
  help.example = "indexical help --format=man dump | man -l -";
  help.reads = Reads::Words;
  help.arguments = "[COMMAND|WORD]";
  help.knownWords = commandNames;
  help.mostWords = 6;
  help.offers = {Offer::Text, Offer::Structure, Offer::Manual};
  help.runOnWords = indexical::help;
  return help;
}

}  // namespace indexical
