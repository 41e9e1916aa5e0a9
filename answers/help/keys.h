// Commands, options and words of the help, as data (answers/fields.h).
//
//   indexical help --format=json count
//     {"schema": "indexical/1", "version": "0.9.0",
//      "commands": [{"name": "count", …,
//        "options": [{"name": "--format", "type": "string", …}, …]}]}
//
// command/help.h fills these in from the records of commands.
#ifndef INDEXICAL_ANSWERS_HELP_KEYS_H
#define INDEXICAL_ANSWERS_HELP_KEYS_H

#include <optional>
#include <string>
#include <vector>

#include "indexical/answers/fields.h"

namespace indexical {

struct WordHelp {
  std::string word, meaning;
};

struct StatusHelp {
  int status = 0;
  std::string meaning;
};

struct OptionHelp {
  std::string name;     ///< with its dashes
  std::string heading;  ///< under which the help lists it
  std::string type;     ///< `boolean`, `integer` or `string`
  std::string value;    ///< as the help writes it: `FILE`; empty: a flag
  std::string meaning;
  std::vector<std::string> choices;
  std::string byDefault;  ///< empty: `meaning` says what happens without it
  bool repeatable = false;
};

struct CommandHelp {
  std::string name, heading, meaning, arguments, example;
  std::vector<std::string> formats;
  std::vector<OptionHelp> options;
  std::vector<StatusHelp> statuses;
  std::vector<WordHelp> words;  ///< of its answers
};

/// Commands, or a word; both for a command whose name is a word of answers.
struct HelpAnswer {
  std::vector<CommandHelp> commands;
  std::optional<WordHelp> word;
};

template <>
KeyList<HelpAnswer> keysOf<HelpAnswer>();
template <>
KeyList<CommandHelp> keysOf<CommandHelp>();
template <>
KeyList<OptionHelp> keysOf<OptionHelp>();
template <>
KeyList<StatusHelp> keysOf<StatusHelp>();
template <>
KeyList<WordHelp> keysOf<WordHelp>();

/// Returns the tables of these, in the order of keys.md.
std::vector<Described> helpTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_HELP_KEYS_H
