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

std::optional<Command> commandOrMessage(StringRef word,
                                        llvm::raw_ostream &err) {
  if (auto command = commandNamed(word)) return command;
  const std::string meant = meantByFirst(word);
  if (word.empty())
    err << "indexical: a command is missing";
  else
    err << "indexical: there is no command `" << word << '`';
  if (!meant.empty()) {
    err << "\nindexical: did you mean `" << meant << "`?\n";
    return std::nullopt;
  }
  const std::vector<Command> commands = allCommands();
  const auto names = namesOf(commands);
  err << "; there are " << llvm::join(names, ", ") << '\n';
  if (StringRef near = nearestOf(word, names); !near.empty())
    err << "indexical: did you mean `" << near << "`?\n";
  else
    err << "indexical: `indexical --help` tells what they do\n";
  return std::nullopt;
}

namespace {

class Parser {
 public:
  Parser(Command &command, llvm::raw_ostream &err)
      : command_(command), err_(err) {}

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
    if (isFormat)
      err_ << "indexical: `" << command_.name << "` writes no `." << ending
           << "`; it has " << llvm::join(has, ", ")
           << ", which --format names\n";
    return !isFormat;
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
    if (option->isFlag() && word.value) {
      err_ << "indexical: " << option->spelling() << " takes no value\n";
      return false;
    }
    if (!option->repeatable && !taken_.insert(option->name).second) {
      err_ << "indexical: " << option->spelling() << " can be given once\n";
      return false;
    }
    StringRef value;
    if (word.value)
      value = *word.value;
    else if (!option->isFlag() && !words.empty())
      value = words.consume_front();
    else if (!option->isFlag()) {
      err_ << "indexical: " << option->spelling()
           << " requires a value: " << option->spelling()
           << (option->name.size() == 1 ? " " : "=") << option->value << '\n';
      return false;
    }
    if (!option->choices.empty()) {
      const auto meant = llvm::find_if(option->choices, [&](StringRef choice) {
        return choice.equals_insensitive(value);
      });
      if (meant == option->choices.end()) return wrongChoice(*option, value);
      value = *meant;
    }
    if (auto wanted = option->take(value)) {
      err_ << "indexical: " << option->spelling() << " does not take `" << value
           << "`, but " << *wanted << '\n';
      return false;
    }
    return true;
  }

  bool wrongChoice(const Option &option, StringRef value) {
    err_ << "indexical: ";
    // A format that other commands have.
    const bool isFormat = option.name == "format" &&
                          llvm::any_of(formats(), [&](const Format &f) {
                            return f.name == value;
                          });
    if (isFormat)
      err_ << '`' << command_.name << "` has no format `" << value
           << "`; it has " << llvm::join(option.choices, ", ") << '\n';
    else
      err_ << option.spelling() << " does not take `" << value
           << "`, but one of " << llvm::join(option.choices, ", ") << '\n';
    if (isFormat) return false;
    std::string meant = meantByChoice(option, value);
    if (meant.empty()) meant = nearestOf(value, option.choices).str();
    if (!meant.empty())
      err_ << "indexical: did you mean `" << option.spelling() << '=' << meant
           << "`?\n";
    return false;
  }

  bool unknown(OptionWord word, StringRef spelled) {
    StringRef shown = spelled.split('=').first;
    if (const auto meant = meantByOption(command_, word.name, word.value);
        !meant.empty()) {
      err_ << "indexical: `" << command_.name << "` has no option `" << shown
           << "`; `indexical " << command_.name << " --help` lists those\n"
           << "indexical: did you mean `" << meant << "`?\n";
      return false;
    }
    std::vector<std::string> owners;
    for (const Command &other : allCommands())
      if (other.find(word.name)) owners.push_back(other.name.str());
    if (!owners.empty()) {
      err_ << "indexical: `" << shown << "` is an option of `"
           << llvm::join(owners, "`, `") << "`, not of `" << command_.name
           << "`; `indexical " << command_.name << " --help` lists those\n";
      return false;
    }
    err_ << "indexical: `" << command_.name << "` has no option `" << shown
         << "`; `indexical " << command_.name << " --help` lists those\n";
    std::vector<std::string> names;
    for (const Option &option : command_.options)
      names.push_back(option.name.str());
    if (StringRef near = nearestOf(word.name, names); !near.empty()) {
      err_ << "indexical: did you mean `" << command_.find(near)->spelling();
      if (word.value) err_ << '=' << *word.value;
      err_ << "`?\n";
    }
    return false;
  }

  bool checkArguments(llvm::ArrayRef<std::string> arguments) {
    const bool areWords = command_.reads == Reads::Words;
    const size_t most = areWords                        ? command_.mostWords
                        : command_.reads == Reads::Pair ? 2
                                                        : arguments.size();
    const size_t least = areWords ? command_.leastWords : 0;
    if (arguments.size() >= least && arguments.size() <= most) return true;
    err_ << "indexical: `" << command_.name << "` takes " << command_.arguments
         << ", and there "
         << (arguments.size() == 1
                 ? "is 1 word"
                 : "are " + std::to_string(arguments.size()) + " words")
         << "; see `indexical " << command_.name << " --help`\n";
    return false;
  }

  bool checkTogether() {
    if (command_.columnsOfCall) command_.columns = command_.columnsOfCall();
    if (!command_.check) return true;
    auto wrong = command_.check();
    if (wrong) err_ << "indexical: " << *wrong << '\n';
    return !wrong;
  }

  Command &command_;
  llvm::raw_ostream &err_;
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

std::optional<ParsedCall> parseCall(llvm::ArrayRef<StringRef> words,
                                    llvm::raw_ostream &err) {
  auto command = commandOrMessage(words.empty() ? "" : words.front(), err);
  if (!command) return std::nullopt;
  ParsedCall call;
  call.command = *std::move(command);
  if (!Parser(call.command, err).parse(words.drop_front(), call.words))
    return std::nullopt;
  return call;
}

}  // namespace indexical
