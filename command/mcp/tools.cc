#include "indexical/command/mcp/tools.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/confined.h"
#include "indexical/command/help.h"
#include "indexical/command/schema.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using llvm::StringRef;
namespace json = llvm::json;

/// Options that say where and how a result is written.
constexpr StringRef kWriting[] = {"format", "o",    "resume", "quiet",
                                  "color",  "help", "jobs"};
/// Options that ask for less.
constexpr StringRef kNarrowing[] = {"top",      "instruction", "computation",
                                    "function", "only",        "filter",
                                    "from",     "to",          "min"};
constexpr StringRef kFiles = "files", kText = "text", kWord = "word";

bool isArgument(const Option &option) {
  return option.isListed && !llvm::is_contained(kWriting, option.name);
}

/// Whether the words are those of a question, and not files.
bool takesWord(const Command &tool) { return tool.name == "help"; }

/// Whether it reads anything but its options: `reshard` does not.
bool takesFiles(const Command &tool) {
  return tool.reads != Reads::Words || tool.mostWords > 0;
}

/// The most files, or texts in their place; 0: any number.
size_t mostFiles(const Command &tool) {
  if (tool.reads == Reads::Words) return tool.mostWords;
  return tool.reads == Reads::Pair ? 2 : 0;
}

bool takesText(const Command &tool) { return tool.reads == Reads::Each; }

/// Whether a call must have a file or a text.
bool needsInput(const Command &tool) {
  return tool.reads != Reads::Words && !tool.needsNoInput;
}

json::Value schemaOf(const Option &option) {
  json::Object value;
  if (option.isFlag())
    value["type"] = "boolean";
  else if (option.isInteger)
    value = json::Object{{"type", "integer"}, {"minimum", 0}};
  else if (option.choices.empty())
    value["type"] = "string";
  else
    value["enum"] = json::Array(option.choices);
  if (option.repeatable)
    value = json::Object{{"type", "array"}, {"items", std::move(value)}};
  std::string meaning = option.sentence;
  if (!option.isFlag() && option.choices.empty())
    meaning += ": " + option.value.str();
  if (!option.byDefault.empty())
    meaning += " (default: " + option.byDefault + ")";
  value["description"] = json::fixUTF8(meaning);
  return value;
}

json::Value inputSchemaOf(const Command &tool) {
  json::Object properties;
  json::Object strings{{"type", "array"},
                       {"items", json::Object{{"type", "string"}}},
                       {"minItems", 1}};
  if (takesWord(tool)) {
    properties[kWord] =
        json::Object{{"type", "string"},
                     {"description",
                      "A command, or a word of an answer; all commands if it "
                      "is left out"}};
  } else if (takesFiles(tool)) {
    if (const size_t most = mostFiles(tool))
      strings["maxItems"] = static_cast<int64_t>(most);
    strings["description"] =
        "Paths inside the server's folder: " + tool.arguments.str();
    properties[kFiles] = std::move(strings);
  }
  if (takesText(tool))
    properties[kText] = json::Object{
        {"type", "string"},
        {"description", "The text of one input, in place of files"}};
  for (const Option &option : tool.options)
    if (isArgument(option)) properties[option.name] = schemaOf(option);
  json::Object schema{{"type", "object"},
                      {"properties", std::move(properties)},
                      {"additionalProperties", false}};
  if (needsInput(tool) && !takesText(tool))
    schema["required"] = json::Array{kFiles};
  return schema;
}

std::string jsonText(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

std::string makeToolList() {
  std::string list = "[";
  llvm::ListSeparator comma(",");
  for (const std::string &name : commandsWithSchema()) {
    const std::optional<Command> tool = toolNamed(name);
    if (!tool) continue;
    json::Object annotations{{"readOnlyHint", true},
                             {"idempotentHint", true},
                             {"openWorldHint", false}};
    list += absl::StrCat(
        StringRef(comma).str(), "{\"name\":", jsonText(name),
        ",\"description\":", jsonText(json::fixUTF8(tool->sentence)),
        ",\"inputSchema\":", jsonText(inputSchemaOf(*tool)),
        ",\"outputSchema\":", toolSchemaOf(name),
        ",\"annotations\":", jsonText(std::move(annotations)), "}");
  }
  return list + "]";
}

absl::Status wrongArgument(StringRef name, const std::string &wanted) {
  return absl::InvalidArgumentError(
      absl::StrCat("`", name.str(), "` is ", wanted));
}

absl::Status unknownArgument(const Command &tool, StringRef name) {
  std::vector<std::string> known;
  if (takesFiles(tool))
    known.push_back((takesWord(tool) ? kWord : kFiles).str());
  if (takesText(tool)) known.push_back(kText.str());
  for (const Option &option : tool.options)
    if (isArgument(option)) known.push_back(option.name.str());
  const llvm::SmallVector<StringRef, 64> names(known.begin(), known.end());
  return errorAt(
      {},
      absl::StrCat("`", tool.name.str(), "` has no argument `", name.str(),
                   "`; it has ", llvm::join(known, ", ")),
      nearest(name, names));
}

/// Returns the value of one option as its word, or nothing if it has another
/// type.
std::optional<std::string> wordOf(const Option &option,
                                  const json::Value &value) {
  if (const auto text = value.getAsString()) {
    if (option.isInteger) return std::nullopt;
    return text->str();
  }
  if (value.getAsInteger() || (!option.isInteger && value.getAsNumber()))
    return jsonText(value);
  return std::nullopt;
}

absl::Status addOption(const Option &option, const json::Value &value,
                       ToolCall &call) {
  if (option.isFlag()) {
    const auto given = value.getAsBoolean();
    if (!given) return wrongArgument(option.name, "true or false");
    if (*given) call.words.push_back(option.spelling());
    return absl::OkStatus();
  }
  const json::Array one{value};
  const json::Array *values = &one;
  if (const json::Array *several = value.getAsArray()) {
    if (!option.repeatable)
      return wrongArgument(option.name, "one value and not a list");
    values = several;
  }
  for (const json::Value &each : *values) {
    const auto word = wordOf(option, each);
    if (!word)
      return wrongArgument(option.name,
                           option.isInteger ? "an integer" : "a string");
    // What it names may be a text in place of a file, and then is inside.
    if (option.names == Names::Files)
      INDEXICAL_RETURN_IF_ERROR(checkConfined(*word));
    call.words.push_back(option.spelling() + "=" + *word);
  }
  return absl::OkStatus();
}

absl::Status addFiles(const Command &tool, const json::Value &value,
                      std::vector<std::string> &files) {
  const json::Array *list = value.getAsArray();
  if (!list || list->empty())
    return wrongArgument(kFiles, "a list of paths, one or more");
  for (const json::Value &each : *list) {
    const auto path = each.getAsString();
    if (!path || path->empty())
      return wrongArgument(kFiles, "a list of paths, and each is a string");
    if (path->starts_with("@"))
      return absl::InvalidArgumentError(absl::StrCat(
          "`", path->str(), "`: a server reads no lists of files; name them"));
    INDEXICAL_RETURN_IF_ERROR(checkConfined(*path));
    files.push_back(path->str());
  }
  if (const size_t most = mostFiles(tool); most > 0 && files.size() > most)
    return wrongArgument(kFiles,
                         absl::StrCat("a list of ", most, " paths at most"));
  return absl::OkStatus();
}

}  // namespace

const std::string &toolList() {
  static const auto *const list = new std::string(makeToolList());
  return *list;
}

std::optional<Command> toolNamed(StringRef name) {
  if (!llvm::is_contained(commandsWithSchema(), name)) return std::nullopt;
  return commandNamed(name);
}

absl::StatusOr<ToolCall> toolCall(const Command &tool,
                                  const json::Object &arguments) {
  ToolCall call;
  call.words = {tool.name.str(), "--format=json"};
  // In the order of the command, not of the hash of names.
  for (const Option &option : tool.options)
    if (isArgument(option))
      if (const json::Value *value = arguments.get(option.name))
        INDEXICAL_RETURN_IF_ERROR(addOption(option, *value, call));
  std::vector<std::string> files;
  std::vector<std::string> others;
  for (const auto &[key, value] : arguments) {
    const StringRef name(key);
    const Option *option = tool.find(name);
    if (option && isArgument(*option)) continue;
    const bool isWords = takesWord(tool);
    if (name == kFiles && !isWords && takesFiles(tool)) {
      INDEXICAL_RETURN_IF_ERROR(addFiles(tool, value, files));
    } else if (name == kText && takesText(tool)) {
      const auto text = value.getAsString();
      if (!text) return wrongArgument(kText, "a string");
      call.text = text->str();
    } else if (name == kWord && isWords) {
      const auto word = value.getAsString();
      if (!word || word->empty()) return wrongArgument(kWord, "a string");
      files.push_back(word->str());
    } else {
      others.push_back(name.str());
    }
  }
  if (!others.empty()) return unknownArgument(tool, *llvm::min_element(others));
  if (call.text && !files.empty())
    return absl::InvalidArgumentError("`files` and `text` exclude each other");
  if (needsInput(tool) && !call.text && files.empty())
    return absl::InvalidArgumentError(takesText(tool)
                                          ? "`files` or `text` is missing"
                                          : "`files` is missing");
  call.words.push_back("--");
  llvm::append_range(call.words, files);
  return call;
}

std::vector<std::string> narrowingArguments(const Command &tool) {
  std::vector<std::string> names;
  for (const StringRef name : kNarrowing) {
    const Option *option = tool.find(name);
    if (!option) continue;
    // `from` and `to` bound a dump; in other tools they ask something else.
    const bool isBound = name == "from" || name == "to";
    if (!isBound || option->names == Names::Instructions)
      names.push_back(name.str());
  }
  return names;
}

}  // namespace indexical
