#include "indexical/answers/help/keys.h"

namespace indexical {

template <>
KeyList<HelpAnswer> keysOf<HelpAnswer>() {
  static constexpr Key<HelpAnswer> kKeys[] = {
      {kKeysOf, "[the head](#the-head)", "", "", nullptr},
      {"commands", "list of [commands](#the-help-of-a-command)",
       "the word that was asked for is not a command",
       "the command that was asked for; without one, all",
       [](const HelpAnswer &of, KeyValue &to) {
         if (!of.commands.empty()) to.objects(of.commands);
       }},
      {"word", "string", "no word of answers was asked for",
       "the word, as it was asked",
       [](const HelpAnswer &of, KeyValue &to) {
         if (of.word) to.text(of.word->word);
       }},
      {"meaning", "string", "with no `word`", "what answers mean by the word",
       [](const HelpAnswer &of, KeyValue &to) {
         if (of.word) to.text(of.word->meaning);
       }},
  };
  return {"What help says", kKeys};
}

template <>
KeyList<CommandHelp> keysOf<CommandHelp>() {
  static constexpr Key<CommandHelp> kKeys[] = {
      {"name", "string", "never", "the first word of its calls",
       [](const CommandHelp &of, KeyValue &to) { to.text(of.name); }},
      {"heading", "string", "never", "the heading under which help lists it",
       [](const CommandHelp &of, KeyValue &to) { to.text(of.heading); }},
      {"meaning", "string", "never", "what it answers",
       [](const CommandHelp &of, KeyValue &to) { to.text(of.meaning); }},
      {"arguments", "string", "never",
       "its files or words, as help writes them",
       [](const CommandHelp &of, KeyValue &to) { to.text(of.arguments); }},
      {"example", "string", "never", "a call for a shell",
       [](const CommandHelp &of, KeyValue &to) { to.text(of.example); }},
      {"formats", "list of strings", "never",
       "the formats of its result; the first is the default",
       [](const CommandHelp &of, KeyValue &to) { to.texts(of.formats); }},
      {"options", "list of [options](#an-option)", "never",
       "its options, in the order of the help",
       [](const CommandHelp &of, KeyValue &to) { to.objects(of.options); }},
      {"statuses", "list of [statuses](#a-status)", "never",
       "the exit statuses of its calls",
       [](const CommandHelp &of, KeyValue &to) { to.objects(of.statuses); }},
      {"words", "list of [words](#a-word)", "never",
       "the words of its answers that need most explanation; `help WORD` knows "
       "all",
       [](const CommandHelp &of, KeyValue &to) { to.objects(of.words); }},
  };
  return {"The help of a command", kKeys};
}

template <>
KeyList<OptionHelp> keysOf<OptionHelp>() {
  static constexpr Key<OptionHelp> kKeys[] = {
      {"name", "string", "never", "the option with its dashes",
       [](const OptionHelp &of, KeyValue &to) { to.text(of.name); }},
      {"heading", "string", "never", "the heading under which help lists it",
       [](const OptionHelp &of, KeyValue &to) { to.text(of.heading); }},
      {"type", "`\"boolean\"`, `\"integer\"` or `\"string\"`", "never",
       "`boolean`: the option is given without a value",
       [](const OptionHelp &of, KeyValue &to) { to.text(of.type); }},
      {"value", "string", "the option takes no value",
       "the form of its value, as help writes it",
       [](const OptionHelp &of, KeyValue &to) { to.textIfAny(of.value); }},
      {"choices", "list of strings", "other values are allowed",
       "the values that are allowed",
       [](const OptionHelp &of, KeyValue &to) { to.textsIfAny(of.choices); }},
      {"default", "string", "`meaning` says what happens without the option",
       "the value without the option",
       [](const OptionHelp &of, KeyValue &to) { to.textIfAny(of.byDefault); }},
      {"repeatable", "`true`", "it can be given once",
       "the option can be given several times",
       [](const OptionHelp &of, KeyValue &to) { to.ifTrue(of.repeatable); }},
      {"meaning", "string", "never", "what the option changes",
       [](const OptionHelp &of, KeyValue &to) { to.text(of.meaning); }},
  };
  return {"An option", kKeys};
}

template <>
KeyList<StatusHelp> keysOf<StatusHelp>() {
  static constexpr Key<StatusHelp> kKeys[] = {
      {"status", "integer >= 0", "never", "the exit status",
       [](const StatusHelp &of, KeyValue &to) { to.integer(of.status); }},
      {"meaning", "string", "never", "the case in which a call ends with it",
       [](const StatusHelp &of, KeyValue &to) { to.text(of.meaning); }},
  };
  return {"A status", kKeys};
}

template <>
KeyList<WordHelp> keysOf<WordHelp>() {
  static constexpr Key<WordHelp> kKeys[] = {
      {"word", "string", "never", "a word of answers",
       [](const WordHelp &of, KeyValue &to) { to.text(of.word); }},
      {"meaning", "string", "never", "what answers mean by the word",
       [](const WordHelp &of, KeyValue &to) { to.text(of.meaning); }},
  };
  return {"A word", kKeys};
}

std::vector<Described> helpTables() {
  return {described<HelpAnswer>(), described<CommandHelp>(),
          described<OptionHelp>(), described<StatusHelp>(),
          described<WordHelp>()};
}

}  // namespace indexical
