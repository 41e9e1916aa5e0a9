// An option as a record: its spelling, its value, and the variable that it
// sets.
//
//   nameOption("computation", Names::Computations, asked->computation,
//              "Only this computation")          a std::string
//   numberOption("top", "N", asked->top, "The most kernels to show")
//                                              a std::optional<size_t>
//
// A record checks a word (and refuses `--top=five` with a hint), writes its
// typed value into its variable, and has the texts that the help, the man page
// and the shell's completion need. No other code looks at the words of a call
// (command/parse.h).
#ifndef INDEXICAL_COMMAND_OPTION_H
#define INDEXICAL_COMMAND_OPTION_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// The values that a shell can offer if the record has no choices.
enum class Names : uint8_t { None, Files, Computations, Instructions };

struct Option {
  llvm::StringRef name;   ///< without its dashes
  llvm::StringRef value;  ///< `NAME`, in the words of the help; empty: a flag
  std::string sentence;
  std::vector<std::string> choices;  ///< if only these are allowed
  std::string byDefault;             ///< one of `choices`, or empty
  Names names = Names::None;
  bool repeatable = false;
  bool isInteger = false;  ///< every value is one
  bool isListed = true;  ///< by help and completion
  /// A name that works until 1.0, with a warning; empty: none.
  llvm::StringRef oldName = {};
  /// Takes a word, or returns what would be right: "a number of kernels". A
  /// flag gets the empty word. Choices are checked before.
  std::function<std::optional<std::string>(llvm::StringRef word)> take;

  bool isFlag() const { return value.empty(); }
  /// `--strict`, `-o`.
  std::string spelling() const {
    return (name.size() == 1 ? "-" : "--") + name.str();
  }
};

/// Returns the option, which has had another name.
Option formerly(llvm::StringRef oldName, Option option);

/// Each of these writes into its variable, which must outlive the record.

Option flagOption(llvm::StringRef name, bool &given, llvm::StringRef sentence);
Option fileOption(llvm::StringRef name, std::string &path,
                  llvm::StringRef sentence);
/// The name of a part of a program; HLO writes `%name`, we write `name`.
Option nameOption(llvm::StringRef name, Names names, std::string &value,
                  llvm::StringRef sentence);
Option namesOption(llvm::StringRef name, Names names,
                   std::vector<std::string> &values, llvm::StringRef sentence);
/// A number that is not negative. `what` is for messages: "a number of
/// kernels".
Option countOption(llvm::StringRef name, std::optional<size_t> &value,
                   llvm::StringRef what, llvm::StringRef sentence);
/// A number of bytes: `4096`, `10MB`, `1.5GiB`.
Option bytesOption(llvm::StringRef name, std::optional<int64_t> &bytes,
                   llvm::StringRef sentence);
/// `8,128`
Option numbersOption(llvm::StringRef name, llvm::StringRef value, int64_t least,
                     std::vector<int64_t> &values, llvm::StringRef sentence);
/// An index, `3,5`, or `()` for a scalar.
Option indexOption(llvm::StringRef name,
                   std::optional<std::vector<int64_t>> &index,
                   llvm::StringRef sentence);
/// Like numbersOption, but may be given several times.
Option numberListsOption(llvm::StringRef name, llvm::StringRef value,
                         int64_t least,
                         std::vector<std::vector<int64_t>> &values,
                         llvm::StringRef sentence);
/// Numbers and names, `a,128`. A tile's offsets are called o0, o1…, and runtime
/// variables rt0, rt1…; these are not allowed as names here.
Option extentsOption(llvm::StringRef name, llvm::StringRef value,
                     std::vector<std::string> &extents,
                     llvm::StringRef sentence);
/// `rt0=4`
Option runtimeOption(std::vector<std::pair<std::string, int64_t>> &values,
                     llvm::StringRef sentence);
/// `rt0=d0 * 7`
Option runtimeOption(std::vector<std::pair<std::string, std::string>> &values,
                     llvm::StringRef sentence);

/// A word that an option allows, and its value.
template <typename T>
struct Choice {
  std::string word;
  T value;
};

/// The default is the word whose value the variable has.
template <typename T>
Option choiceOption(llvm::StringRef name, llvm::StringRef valueName, T &value,
                    std::vector<Choice<T>> choices, llvm::StringRef sentence) {
  Option option;
  option.name = name;
  option.value = valueName;
  option.sentence = sentence.str();
  for (const Choice<T> &choice : choices) {
    option.choices.push_back(choice.word);
    if (choice.value == value) option.byDefault = choice.word;
  }
  option.take = [&value, choices = std::move(choices)](
                    llvm::StringRef word) -> std::optional<std::string> {
    for (const Choice<T> &choice : choices)
      if (word == choice.word) value = choice.value;
    return std::nullopt;
  };
  return option;
}

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_OPTION_H
