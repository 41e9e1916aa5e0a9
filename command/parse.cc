#include "indexical/command/parse.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include "indexical/command/mistakes.h"
#include "indexical/indexing/diagnostic.h"

namespace indexical {
namespace {

using llvm::StringRef;

std::vector<std::string> namesOf(llvm::ArrayRef<Command> commands) {
  std::vector<std::string> names;
  for (const Command &command : commands) names.push_back(command.name.str());
  return names;
}

StringRef nearestOf(StringRef word, llvm::ArrayRef<std::string> known) {
  llvm::SmallVector<StringRef, 16> names(known.begin(), known.end());
  return nearest(word, names);
}

}  // namespace

std::optional<Command> commandOrMessage(StringRef word, MessageStream &err) {
  if (auto command = commandNamed(word)) return command;
  std::string text = word.empty() ? std::string("a command is missing")
                                  : "there is no command `" + word.str() + "`";
  if (const std::string meant = meantByFirst(word); !meant.empty()) {
    err.wrongWords(text, meant);
    return std::nullopt;
  }
  const std::vector<Command> commands = allCommands();
  const auto names = namesOf(commands);
  text += "; there are " + llvm::join(names, ", ");
  const StringRef near = nearestOf(word, names);
  err.wrongWords(text, near);
  if (near.empty()) err << "indexical: `indexical --help` tells what they do\n";
  return std::nullopt;
}

namespace {

class Parser {
 public:
  Parser(Command &command, MessageStream &err) : command_(command), err_(err) {}

  bool parse(llvm::ArrayRef<StringRef> words,
             std::vector<std::string> &arguments) {
    bool onlyArguments = false;
    while (!words.empty()) {
      StringRef word = words.consume_front();
      if (!onlyArguments && word == "--") {
        onlyArguments = true;
        continue;
      }
      auto option = onlyArguments ? std::nullopt : asOption(word);
      if (!option)
        arguments.push_back(word.str());
      else if (!take(*option, word, words))
        return false;
    }
    // The others need not be right.
    if (command_.settings->help) return true;
    if (!taken_.contains("format") && !setFormatOfOutput()) return false;
    return checkArguments(arguments) && checkTogether();
  }

 private:
  /// Takes the format that the ending of the output's name says, if the command
  /// has it: `-o step.html` is a page. Returns false, with a message, if it
  /// has not.
  bool setFormatOfOutput() {
    StringRef ending = StringRef(command_.settings->output).rsplit('.').second;
    if (ending == "ndjson") ending = "jsonl";
    if (ending == "htm") ending = "html";
    bool isFormat = ending == "png" || ending == "pdf";
    std::vector<std::string> has;
    for (const Format &format : formats()) {
      if (command_.has(format)) has.push_back(format.name.str());
      if (format.name != ending || ending == "text") continue;
      isFormat = true;
      if (!command_.has(format)) continue;
      command_.settings->format = &format;
      return true;
    }
    return !isFormat ||
           wrong(named() + " writes no `." + ending.str() + "`; it has " +
                 llvm::join(has, ", ") + ", which --format names");
  }

  /// Takes an option, and its value from the words behind it.
  bool take(OptionWord word, StringRef spelled,
            llvm::ArrayRef<StringRef> &words) {
    const Option *option = command_.find(word.name);
    if (!option && word.name == "h") option = command_.find("help");
    const Option *renamed = command_.findOld(word.name);
    if (!option && renamed) {
      option = renamed;
      err_ << "indexical: warning: `" << spelled.split('=').first << "` of `"
           << command_.name << "` is `" << option->spelling()
           << "` now; the old name works until 1.0\n";
    }
    if (!option) return unknown(word, spelled);
    if (option->isFlag() && word.value)
      return wrong(option->spelling() + " takes no value");
    if (!option->repeatable && !taken_.insert(option->name).second)
      return wrong(option->spelling() + " can be given once");
    StringRef value;
    if (word.value)
      value = *word.value;
    else if (!option->isFlag() && !words.empty())
      value = words.consume_front();
    else if (!option->isFlag())
      return wrong(
          option->spelling() + " requires a value: " + option->spelling() +
          (option->name.size() == 1 ? " " : "=") + option->value.str());
    if (!option->choices.empty()) {
      const auto meant = llvm::find_if(option->choices, [&](StringRef choice) {
        return choice.equals_insensitive(value);
      });
      if (meant == option->choices.end()) return wrongChoice(*option, value);
      value = *meant;
    }
    if (auto wanted = option->take(value))
      return wrong(option->spelling() + " does not take `" + value.str() +
                   "`, but " + *wanted);
    return true;
  }

  bool wrongChoice(const Option &option, StringRef value) {
    // A format that other commands have.
    const bool isFormat = option.name == "format" &&
                          llvm::any_of(formats(), [&](const Format &f) {
                            return f.name == value;
                          });
    const std::string choices = llvm::join(option.choices, ", ");
    if (isFormat)
      return wrong(named() + " has no format `" + value.str() + "`; it has " +
                   choices);
    std::string meant = meantByChoice(option, value);
    if (meant.empty()) meant = nearestOf(value, option.choices).str();
    if (!meant.empty()) meant = option.spelling() + "=" + meant;
    return wrong(option.spelling() + " does not take `" + value.str() +
                     "`, but one of " + choices,
                 meant);
  }

  bool unknown(OptionWord word, StringRef spelled) {
    const std::string shown = "`" + spelled.split('=').first.str() + "`";
    const std::string help =
        "; `indexical " + command_.name.str() + " --help` lists those";
    const std::string text = named() + " has no option " + shown + help;
    if (const auto meant = meantByOption(command_, word.name, word.value);
        !meant.empty())
      return wrong(text, meant);
    std::vector<std::string> owners;
    for (const Command &other : allCommands())
      if (other.find(word.name)) owners.push_back(other.name.str());
    if (!owners.empty())
      return wrong(shown + " is an option of `" + llvm::join(owners, "`, `") +
                   "`, not of " + named() + help);
    std::vector<std::string> names;
    for (const Option &option : command_.options)
      names.push_back(option.name.str());
    const StringRef near = nearestOf(word.name, names);
    if (near.empty()) return wrong(text);
    std::string meant = command_.find(near)->spelling();
    if (word.value) meant += "=" + word.value->str();
    return wrong(text, meant);
  }

  bool checkArguments(llvm::ArrayRef<std::string> arguments) {
    const bool areWords = command_.reads == Reads::Words;
    const size_t most = areWords                        ? command_.mostWords
                        : command_.reads == Reads::Pair ? 2
                                                        : arguments.size();
    const size_t least = areWords ? command_.leastWords : 0;
    if (arguments.size() >= least && arguments.size() <= most) return true;
    const std::string count =
        arguments.size() == 1
            ? "is 1 word"
            : "are " + std::to_string(arguments.size()) + " words";
    return wrong(named() + " takes " + command_.arguments.str() +
                 ", and there " + count + "; see `indexical " +
                 command_.name.str() + " --help`");
  }

  bool checkTogether() {
    if (command_.columnsOfCall) command_.columns = command_.columnsOfCall();
    if (!command_.check) return true;
    const auto text = command_.check();
    return !text || wrong(*text);
  }

  std::string named() const { return "`" + command_.name.str() + "`"; }
  /// Reports that the words are wrong, and returns false.
  bool wrong(const std::string &text, StringRef meant = "") {
    err_.wrongWords(text, meant);
    return false;
  }

  Command &command_;
  MessageStream &err_;
  llvm::StringSet<> taken_;
};

}  // namespace

std::optional<OptionWord> asOption(StringRef word) {
  if (word.size() < 2 || !word.starts_with("-")) return std::nullopt;
  StringRef rest = word.drop_front(word.starts_with("--") ? 2 : 1);
  OptionWord option;
  auto [name, value] = rest.split('=');
  option.name = name;
  if (rest.contains('=')) option.value = value;
  // `-oFILE`
  if (!word.starts_with("--") && rest.starts_with("o") && rest.size() > 1) {
    option.name = "o";
    option.value = rest.drop_front(rest[1] == '=' ? 2 : 1);
  }
  return option;
}

bool askForJson(llvm::ArrayRef<StringRef> words) {
  bool asks = false, hasFormat = false;
  while (!words.empty()) {
    const StringRef word = words.consume_front();
    if (word == "--") break;
    const auto option = asOption(word);
    if (!option || (option->name != "format" && option->name != "o")) continue;
    StringRef value;
    if (option->value)
      value = *option->value;
    else if (!words.empty())
      value = words.consume_front();
    const bool isFormat = option->name == "format";
    if (!isFormat) value = value.rsplit('.').second;
    if (!isFormat && hasFormat) continue;
    hasFormat |= isFormat;
    asks = value.equals_insensitive("json") ||
           value.equals_insensitive("jsonl") ||
           (!isFormat && value == "ndjson");
  }
  return asks;
}

std::optional<ParsedCall> parseCall(llvm::ArrayRef<StringRef> words,
                                    MessageStream &err) {
  auto command = commandOrMessage(words.empty() ? "" : words.front(), err);
  if (!command) return std::nullopt;
  ParsedCall call;
  call.command = *std::move(command);
  if (!Parser(call.command, err).parse(words.drop_front(), call.words))
    return std::nullopt;
  return call;
}

}  // namespace indexical
