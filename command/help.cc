#include "indexical/command/help.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/command/answer_words.h"
#include "indexical/command/option_groups.h"
#include "indexical/version.h"
#include "indexical/writers/terminal.h"

namespace indexical {
namespace {

using llvm::StringRef;

constexpr size_t kLeast = 20;  ///< narrower ones are not helped by breaks

constexpr char kAbout[] =
    "Indexical: which elements of this tensor does that element depend on?";
constexpr char kFirstExample[] =
    "echo 'f { p = f32[4,8] parameter(0)\n"
    "          ROOT t = f32[8,4] transpose(p), dimensions={1,0} }' |\n"
    "  indexical report";

/// Writes words from column `at` on, later lines from column `indent` on.
void wrap(StringRef text, size_t at, size_t indent, size_t width,
          llvm::raw_ostream &os) {
  bool isFirst = true;
  for (StringRef word : llvm::split(text, ' ')) {
    const size_t size = widthOf(word);
    if (!isFirst && at + 1 + size > width) {
      os << '\n';
      os.indent(indent);
      at = indent;
      isFirst = true;
    }
    if (!isFirst) os << ' ';
    os << word;
    at += size + !isFirst;
    isFirst = false;
  }
  os << '\n';
}

/// Writes a term, and its meaning in a column of its own, or below it if the
/// terminal is narrow.
void entry(StringRef term, StringRef meaning, size_t column, size_t width,
           llvm::raw_ostream &os) {
  os << "  " << term;
  if (column + kLeast > width) column = 6;
  size_t at = 2 + widthOf(term);
  if (at + 2 > column) {
    os << '\n';
    at = 0;
  }
  os.indent(column - at);
  wrap(meaning, column, column, width, os);
}

void example(StringRef text, llvm::raw_ostream &os) {
  os << "\nEXAMPLE:\n";
  for (StringRef line : llvm::split(text, '\n')) os << "  " << line << '\n';
}

std::string termOf(const Option &option) {
  std::string term = option.spelling();
  if (!option.isFlag())
    term += (option.name.size() == 1 ? " <" : "=<") + option.value.str() + ">";
  return term;
}

/// The sentence, the words that it takes, and how often.
std::string meaningOf(const Option &option) {
  std::string text = option.sentence;
  llvm::ListSeparator comma(", ", ": ");
  std::string words;
  for (const auto &[i, choice] : llvm::enumerate(option.choices)) {
    const bool isLast = i > 0 && i + 1 == option.choices.size();
    words += (i == 0 ? ": " : isLast ? " or " : ", ") + choice;
    if (choice == option.byDefault) words += " (default)";
  }
  text += words;
  if (option.repeatable) text += " (repeatable)";
  return text;
}

std::vector<std::pair<int, StringRef>> statusesOf(const Command &command) {
  std::vector<std::pair<int, StringRef>> statuses = {
      {kDone, "done"},
      {kWrongInput,
       "an input is wrong or cannot be read, or the result cannot be written"},
      {kWrongWords, "the words of the call are wrong"}};
  llvm::append_range(statuses, command.statuses);
  return statuses;
}

std::string usageOf(const Command &command) {
  return ("indexical " + command.name + " [options] " + command.arguments)
      .str();
}

//===-- man ---------------------------------------------------------------===//

/// Text in which troff sees no request and no hyphenation.
std::string escaped(StringRef text) {
  std::string safe;
  for (char c : text) {
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else
      safe += c;
  }
  if (StringRef(safe).starts_with(".") || StringRef(safe).starts_with("'"))
    safe = "\\&" + safe;
  return safe;
}

void heading(StringRef text, llvm::raw_ostream &os) {
  os << ".SH " << text << '\n';
}

void term(StringRef term, StringRef meaning, llvm::raw_ostream &os) {
  os << ".TP\n.B " << escaped(term) << '\n' << escaped(meaning) << '\n';
}

void manualBegin(StringRef name, StringRef sentence, llvm::raw_ostream &os) {
  os << ".TH " << llvm::StringRef(name).upper() << " 1 \"\" \"indexical "
     << kVersion << "\"\n";
  heading("NAME", os);
  os << escaped(name) << " \\- " << escaped(sentence) << '\n';
  heading("SYNOPSIS", os);
}

void manualExample(StringRef text, llvm::raw_ostream &os) {
  heading("EXAMPLE", os);
  os << ".nf\n";
  for (StringRef line : llvm::split(text, '\n')) os << escaped(line) << '\n';
  os << ".fi\n";
}

}  // namespace

void writeHelp(llvm::raw_ostream &os, size_t width) {
  wrap(kAbout, 0, 0, width, os);
  os << '\n';
  wrap("USAGE: indexical COMMAND [options] [FILE|-]...", 0, 7, width, os);
  StringRef heading;
  for (const Command &command : allCommands()) {
    if (command.heading != heading)
      os << '\n' << (heading = command.heading) << ":\n";
    entry(command.name, command.sentence, 15, width, os);
  }
  os << '\n';
  wrap(
      "`indexical help COMMAND` lists the options of a command and the words "
      "of "
      "its answers, `indexical help WORD` says what a word means, `indexical "
      "--version` which version this is.",
      0, 0, width, os);
  example(kFirstExample, os);
}

void writeHelp(const Command &command, llvm::raw_ostream &os, size_t width) {
  const std::string begin = ("indexical " + command.name + ": ").str();
  os << begin;
  wrap(command.sentence, begin.size(), 2, width, os);
  os << '\n';
  wrap("USAGE: " + usageOf(command), 0, 7, width, os);
  for (const auto &[heading, options] : grouped(command.options)) {
    os << '\n' << heading << ":\n";
    for (const Option *option : options)
      if (option->isListed)
        entry(termOf(*option), meaningOf(*option), 26, width, os);
  }
  if (!command.words.empty()) os << "\nWORDS:\n";
  for (StringRef word : command.words)
    entry(word, meaningOfWord(word), 18, width, os);
  if (const StringRef meaning = meaningOfWord(command.name); !meaning.empty()) {
    os << "\nAS A WORD OF ANSWERS:\n";
    entry(command.name, meaning, 18, width, os);
  }
  os << "\nEXIT STATUS:\n";
  for (const auto &[status, meaning] : statusesOf(command))
    entry(std::to_string(status), meaning, 5, width, os);
  example(command.example, os);
}

CommandHelp helpOf(const Command &command) {
  CommandHelp help = {command.name.str(),
                      command.heading.str(),
                      command.sentence.str(),
                      command.arguments.str(),
                      command.example.str(),
                      {},
                      {},
                      {},
                      {}};
  for (const Format &format : formats())
    if (command.has(format)) help.formats.push_back(format.name.str());
  llvm::stable_sort(help.formats, [&](StringRef a, StringRef b) {
    const StringRef first = command.settings->format->name;
    return a == first && b != first;
  });
  for (const auto &[heading, options] : grouped(command.options))
    for (const Option *option : options) {
      if (!option->isListed) continue;
      OptionHelp of;
      of.name = option->spelling();
      of.heading = heading.str();
      of.type = option->isFlag()    ? "boolean"
                : option->isInteger ? "integer"
                                    : "string";
      of.value = option->value.str();
      of.meaning = option->sentence;
      of.choices = option->choices;
      of.byDefault = option->byDefault;
      of.repeatable = option->repeatable;
      help.options.push_back(std::move(of));
    }
  for (const auto &[status, meaning] : statusesOf(command))
    help.statuses.push_back({status, meaning.str()});
  for (const StringRef word : command.words)
    help.words.push_back({word.str(), meaningOfWord(word).str()});
  return help;
}

void writeManual(llvm::raw_ostream &os) {
  manualBegin("indexical",
              "which elements of this tensor does that element depend on?", os);
  os << ".B indexical\n.I COMMAND\n[options] [FILE|\\-]...\n";
  StringRef last;
  for (const Command &command : allCommands()) {
    if (command.heading != last) heading(last = command.heading, os);
    term(command.name, command.sentence, os);
  }
  manualExample(kFirstExample, os);
}

void writeManual(const Command &command, llvm::raw_ostream &os) {
  manualBegin(("indexical-" + command.name).str(), command.sentence, os);
  os << ".B indexical " << command.name << "\n[options] "
     << escaped(command.arguments) << '\n';
  for (const auto &[name, options] : grouped(command.options)) {
    heading(name, os);
    for (const Option *option : options)
      term(termOf(*option), meaningOf(*option), os);
  }
  if (!command.words.empty()) heading("WORDS", os);
  for (StringRef word : command.words) term(word, meaningOfWord(word), os);
  heading("EXIT STATUS", os);
  for (const auto &[status, meaning] : statusesOf(command))
    term(std::to_string(status), meaning, os);
  manualExample(command.example, os);
}

}  // namespace indexical
