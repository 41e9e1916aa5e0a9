#include "indexical/command/completion.h"

#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include "indexical/command/command.h"
#include "indexical/command/parse.h"
#include "indexical/command/read_options.h"

namespace indexical {
namespace {

using llvm::StringRef;
using Words = std::vector<std::string>;

// Shells that break words at `=` replace only the part behind it.
constexpr char kBash[] = R"(# indexical completion bash >> ~/.bashrc
_indexical() {
  local line=${COMP_LINE:0:COMP_POINT} words candidates
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local current=${words[${#words[@]} - 1]}
  candidates=$(indexical completion words -- "${words[@]:1}" 2>/dev/null)
  COMPREPLY=()
  [[ -n $candidates ]] && mapfile -t COMPREPLY <<<"$candidates"
  if [[ $current == *=* && $COMP_WORDBREAKS == *=* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${current%%=*}="}")
  fi
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  return 0
}
complete -o default -F _indexical indexical
)";

constexpr char kZsh[] = R"(#compdef indexical
# indexical completion zsh > a folder of $fpath, as _indexical
_indexical() {
  local -a candidates
  candidates=("${(@f)$(indexical completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n ${candidates[1]} ]]; then
    compadd -Q -S '' -- "${candidates[@]}"
  else
    compset -P '*='
    _files
  fi
}
if [[ ${funcstack[1]} == _indexical ]]; then
  _indexical "$@"
else
  compdef _indexical indexical
fi
)";

constexpr char kFish[] =
    R"(# indexical completion fish > ~/.config/fish/completions/indexical.fish
function __indexical_words
  set -l words (commandline -opc) (commandline -ct)
  set -l found (indexical completion words -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\n' $found
  else
    set -l option (string match -r -- '^--[^=]*=' (commandline -ct))
    set -l path (string replace -r -- '^--[^=]*=' '' (commandline -ct))
    __fish_complete_path "$path" | string replace -r -- '^' "$option"
  end
end
complete -c indexical -f -a '(__indexical_words)'
)";

/// Returns the names in the first file of a call, and only those of a
/// computation if the call names one.
Words namesIn(StringRef path, Names kind, StringRef computation) {
  Words names;
  auto input = readInput(path);
  if (!input.ok()) return names;
  auto program = readProgram(*input, ReadAs());
  if (!program.ok()) return names;
  for (const Module &module : program->modules)
    for (const Computation &each : module.computations) {
      if (kind == Names::Computations) names.push_back(each.name.str());
      if (kind != Names::Instructions ||
          (!computation.empty() && each.name != computation))
        continue;
      for (const Instruction &instruction : each.instructions)
        if (!instruction.terminator) names.push_back(instruction.name.str());
    }
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
  return names;
}

/// The parts of an incomplete call.
struct Begun {
  std::string file;              ///< its first word that is no option
  std::string computation;       ///< of `--computation`
  const Option *open = nullptr;  ///< an option that waits for its value
};

Begun begunOf(const Command &command, llvm::ArrayRef<std::string> words) {
  Begun begun;
  for (const std::string &word : words) {
    const Option *waiting = std::exchange(begun.open, nullptr);
    auto given = [&](const Option &option, StringRef value) {
      value.consume_front("%");
      if (option.name == "computation") begun.computation = value.str();
    };
    if (waiting) {
      given(*waiting, word);
      continue;
    }
    auto option = asOption(word);
    if (!option) {
      if (begun.file.empty()) begun.file = word;
      continue;
    }
    const Option *known = command.find(option->name);
    if (!known || known->isFlag()) continue;
    if (option->value)
      given(*known, *option->value);
    else
      begun.open = known;
  }
  return begun;
}

/// Returns the values that the option can have.
Words valuesOf(const Option &option, const Begun &begun) {
  if (!option.choices.empty()) return option.choices;
  if (option.names == Names::Computations ||
      option.names == Names::Instructions) {
    if (begun.file.empty() || begun.file == "-") return {};
    return namesIn(begun.file, option.names, begun.computation);
  }
  return {};
}

Words beginningWith(StringRef prefix, Words words, StringRef before = "") {
  Words fitting;
  for (const std::string &word : words)
    if (StringRef(word).starts_with(prefix))
      fitting.push_back(before.str() + word);
  return fitting;
}

}  // namespace

std::vector<std::string> completionsOf(llvm::ArrayRef<std::string> words) {
  const StringRef current =
      words.empty() ? StringRef() : StringRef(words.back());
  if (words.size() <= 1) {
    Words known;
    for (const Command &command : allCommands())
      known.push_back(command.name.str());
    if (current.starts_with("-")) known = {"--help", "--version"};
    return beginningWith(current, std::move(known));
  }
  auto command = commandNamed(words.front());
  if (!command) return {};
  const Begun begun = begunOf(*command, words.drop_front().drop_back());
  if (begun.open) return beginningWith(current, valuesOf(*begun.open, begun));
  auto option = asOption(current);
  if (option && option->value && current.contains('=')) {
    const Option *known = command->find(option->name);
    if (!known) return {};
    StringRef value = *option->value;
    const StringRef before = current.drop_back(value.size());
    return beginningWith(value, valuesOf(*known, begun), before);
  }
  if (current.starts_with("-") && current != "-") {
    Words known;
    for (const Option &each : command->options)
      if (each.isListed)
        known.push_back(each.spelling() +
                      (each.isFlag() || each.name.size() == 1 ? "" : "="));
    return beginningWith(current, std::move(known));
  }
  if (command->knownWords && begun.file.empty())
    return beginningWith(current, command->knownWords());
  return {};
}

StringRef completionScript(StringRef shell) {
  return llvm::StringSwitch<StringRef>(shell)
      .Case("bash", kBash)
      .Case("zsh", kZsh)
      .Case("fish", kFish)
      .Default("");
}

}  // namespace indexical
