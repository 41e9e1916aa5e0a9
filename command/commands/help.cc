#include "indexical/command/help.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

#include "indexical/command/answer_words.h"
#include "indexical/command/command.h"
#include "indexical/command/schema.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/schema_text.h"
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
  WordResult(StringRef word, std::string meaning)
      : word_(word), meaning_(std::move(meaning)) {}

  void text(llvm::raw_ostream &os, TextStyle) override {
    writeSentence((word_ + ": " + meaning_).str(), columnsOf(os), os);
  }
  void structure(Structure &to) override {
    const HelpAnswer answer = {{}, WordHelp{word_.str(), meaning_}};
    to.head([&](ValueSink &sink) { writeKeys(answer, sink); });
  }

 private:
  const StringRef word_;
  const std::string meaning_;
};

/// The most objects of JSON whose key of one name is explained.
constexpr size_t kMostKeyMeanings = 4;

/// Returns the member of that name of an object of JSON; "" if there is none.
StringRef schemaMember(StringRef object, StringRef name) {
  for (const auto &[key, value] : membersOf(object))
    if (key == name) return value;
  return "";
}

/// Returns the text of a JSON string; "" of anything else.
std::string schemaString(StringRef value) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(value);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return "";
  }
  const auto text = parsed->getAsString();
  return text ? text->str() : "";
}

/// Returns what a key of JSON means in each object that has it, by the schema;
/// "" if no object has such a key.
///
///    limited_by   a key of JSON: of a kernel, what takes longest: memory, …
std::string meaningOfKey(StringRef key) {
  std::string meanings;
  llvm::StringSet<> seen;
  size_t more = 0;
  bool isKey = false;
  for (const auto &[name, definition] :
       membersOf(schemaMember(formatsSchema(), "$defs"))) {
    const StringRef property =
        schemaMember(schemaMember(definition, "properties"), key);
    if (property.empty()) continue;
    isKey = true;
    const std::string meaning =
        schemaString(schemaMember(property, "description"));
    // A line of JSON lines has the keys of its object, and some objects have
    // those of another one.
    if (meaning.empty() || StringRef(meaning).starts_with("as in ") ||
        !seen.insert(meaning).second)
      continue;
    if (seen.size() > kMostKeyMeanings) {
      ++more;
      continue;
    }
    const std::string title = schemaString(schemaMember(definition, "title"));
    StringRef object = title;
    object.consume_front("A line of ");
    meanings += (meanings.empty() ? "of " : "; of ") +
                object.take_front().lower() + object.drop_front().str() + ", " +
                meaning;
  }
  if (!isKey) return "";
  if (meanings.empty()) return "a key of JSON: `indexical schema` has its type";
  if (more > 0)
    meanings += "; and " + std::to_string(more) +
                " more meanings, which `indexical schema` has";
  return "a key of JSON: " + meanings;
}

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

/// Returns whether a name of several words has this one: `roofline bound` has
/// `roofline`.
bool hasWord(StringRef name, StringRef word) {
  llvm::SmallVector<StringRef, 4> words;
  name.split(words, ' ');
  return words.size() > 1 && llvm::is_contained(words, word);
}

/// Reports that there is neither such a command nor such a word.
void reportUnknown(StringRef word, MessageStream &err) {
  const std::vector<std::string> known = knownWords();
  const llvm::SmallVector<StringRef, 256> names(known.begin(), known.end());
  StringRef meant = nearest(word, names);
  if (meant.empty())
    for (StringRef name : names)
      if (meant.empty() && hasWord(name, word)) meant = name;
  err.wrongWords(
      "there is no command `" + word.str() +
          "`, and no such word or key of answers; the commands are " +
          llvm::join(commandNames(), ", "),
      meant);
}

absl::StatusOr<int> help(llvm::ArrayRef<std::string> words, Call &call) {
  // `few lanes` may come as two words.
  const std::string word = llvm::join(words, " ");
  std::optional<Command> command = commandNamed(word);
  const StringRef meaning = meaningOfWord(word);
  if (!words.empty() && !command) {
    std::string known = meaning.empty() ? meaningOfKey(word) : meaning.str();
    if (known.empty()) {
      reportUnknown(word, call.err());
      return kWrongWords;
    }
    WordResult result(word, std::move(known));
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
