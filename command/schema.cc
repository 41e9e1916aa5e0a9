#include "indexical/command/schema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include "indexical/writers/schema_text.h"

namespace indexical {
namespace {

using llvm::StringRef;
using JsonMembers = std::vector<std::pair<StringRef, StringRef>>;

constexpr char kFailure[] = "a-file-that-failed";
constexpr StringRef kReference = "\"#/$defs/";
constexpr StringRef kSpaces = " \t\r\n";

StringRef memberOf(StringRef object, StringRef key) {
  for (const auto &[name, value] : membersOf(object))
    if (name == key) return value;
  return "";
}

/// Where a string ends that begins at `from`: behind its last quote.
size_t endOfString(StringRef text, size_t from) {
  for (size_t at = from + 1; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      return at + 1;
  }
  return StringRef::npos;
}

/// The names of the definitions to which a text refers, in order.
void addReferences(StringRef text, std::vector<std::string> &names) {
  for (size_t at = text.find(kReference); at != StringRef::npos;
       at = text.find(kReference, at + 1)) {
    const size_t begin = at + kReference.size();
    names.push_back(text.slice(begin, text.find('"', begin)).str());
  }
}

/// The names in a list of strings.
std::vector<std::string> stringsOf(StringRef list) {
  std::vector<std::string> names;
  for (size_t at = list.find('"'); at != StringRef::npos;) {
    const size_t end = endOfString(list, at);
    names.push_back(list.slice(at + 1, end - 1).str());
    at = list.find('"', end);
  }
  return names;
}

/// The definitions that the command's documents or lines are, and a failure.
std::vector<std::string> rootsOf(StringRef command, SchemaOf of) {
  const StringRef own =
      memberOf(memberOf(formatsSchema(), "commands"), command);
  if (own.empty()) return {};
  auto roots =
      stringsOf(memberOf(own, of == SchemaOf::Lines ? "jsonl" : "json"));
  roots.push_back(kFailure);
  return roots;
}

/// The definitions of these names and those that they name, in the order of the
/// whole schema.
JsonMembers definitionsOf(std::vector<std::string> names) {
  const JsonMembers all = membersOf(memberOf(formatsSchema(), "$defs"));
  llvm::StringSet<> needed;
  while (!names.empty()) {
    const std::string name = std::move(names.back());
    names.pop_back();
    if (!needed.insert(name).second) continue;
    const auto found = llvm::find_if(
        all, [&](const auto &each) { return each.first == name; });
    if (found != all.end()) addReferences(found->second, names);
  }
  JsonMembers kept;
  for (const auto &each : all)
    if (needed.contains(each.first)) kept.push_back(each);
  return kept;
}

std::string anyOf(llvm::ArrayRef<std::string> roots) {
  std::string text = "[";
  llvm::ListSeparator comma(", ");
  for (const std::string &root : roots)
    text += StringRef(comma).str() + "{\"$ref\": " + kReference.str() + root +
            "\"}";
  return text + "]";
}

/// The text on one line, without spaces between words and without
/// descriptions.
std::string shortened(StringRef text) {
  constexpr StringRef kMeaning = "\"description\"";
  std::string line;
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '"') {
      if (!kSpaces.contains(text[at])) line += text[at];
      ++at;
      continue;
    }
    const size_t end = endOfString(text, at);
    const StringRef word = text.slice(at, end);
    const StringRef behind = text.drop_front(end).ltrim(kSpaces);
    const StringRef value =
        behind.drop_front(behind.empty() ? 0 : 1).ltrim(kSpaces);
    // A key of this name has an object, and is not a description.
    if (word == kMeaning && behind.starts_with(":") &&
        value.starts_with("\"") && StringRef(line).ends_with(",")) {
      line.pop_back();
      at = endOfString(text, value.data() - text.data());
      continue;
    }
    line += word;
    at = end;
  }
  return line;
}

}  // namespace

size_t endOfJson(StringRef text, size_t from) {
  size_t depth = 0;
  for (size_t at = text.find_first_not_of(kSpaces, from); at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = endOfString(text, at);
      if (at == StringRef::npos) return at;
      if (depth == 0) return at;
      continue;
    }
    if (depth == 0 && StringRef(",]}").contains(c)) return at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
    ++at;
    // A number or a word ends before what follows it.
    if (depth == 0 && at < text.size() &&
        (StringRef(",]}").contains(text[at]) || kSpaces.contains(text[at])))
      return at;
  }
  return depth == 0 ? text.size() : StringRef::npos;
}

JsonMembers membersOf(StringRef object) {
  JsonMembers members;
  size_t at = object.find('{');
  while (at != StringRef::npos) {
    const size_t begin = object.find_first_not_of(kSpaces, at + 1);
    if (begin == StringRef::npos || object[begin] != '"') break;
    const size_t end = endOfString(object, begin);
    const size_t value =
        object.find_first_not_of(kSpaces, object.find(':', end) + 1);
    const size_t last = endOfJson(object, value);
    members.push_back(
        {object.slice(begin + 1, end - 1), object.slice(value, last)});
    at = object.find_first_not_of(kSpaces, last);
    if (at == StringRef::npos || object[at] != ',') break;
  }
  return members;
}

std::vector<std::string> commandsWithSchema() {
  std::vector<std::string> names;
  for (const auto &each : membersOf(memberOf(formatsSchema(), "commands")))
    names.push_back(each.first.str());
  return names;
}

std::string schemaOf(StringRef command, SchemaOf of) {
  const auto roots = rootsOf(command, of);
  if (roots.empty()) return "";
  const bool isLine = of == SchemaOf::Lines;
  std::string text =
      "{\n  \"$schema\": " + memberOf(formatsSchema(), "$schema").str() +
      ",\n  \"title\": \"A " + (isLine ? "line" : "document") +
      " of `indexical " + command.str() +
      " --format=" + (isLine ? "jsonl" : "json") +
      "`\",\n  \"anyOf\": " + anyOf(roots) + ",\n  \"$defs\": {";
  llvm::ListSeparator comma(",");
  for (const auto &[name, definition] : definitionsOf(roots))
    text += StringRef(comma).str() + "\n    \"" + name.str() +
            "\": " + definition.str();
  return text + "\n  }\n}\n";
}

std::string toolSchemaOf(StringRef command) {
  const auto roots = rootsOf(command, SchemaOf::Document);
  if (roots.empty()) return "";
  const std::string one = anyOf(roots);
  std::string text =
      "{\"type\": \"object\", \"anyOf\": " + one.substr(0, one.size() - 1) +
      ", {\"type\": \"object\", \"required\": [\"documents\"], "
      "\"properties\": {\"documents\": {\"type\": \"array\", \"items\": "
      "{\"anyOf\": " +
      one + "}}}}], \"$defs\": {";
  llvm::ListSeparator comma(",");
  for (const auto &[name, definition] : definitionsOf(roots))
    text +=
        StringRef(comma).str() + "\"" + name.str() + "\": " + definition.str();
  return shortened(text + "}}");
}

}  // namespace indexical
