// What the text of a function's arguments says of memory.
#include "indexical/import/hlo/function_marks.h"

#include <algorithm>
#include <optional>
#include <string>

namespace indexical {
namespace {

using llvm::StringRef;

/// Returns the length of the text up to the next of `ends` that stands in no
/// bracket and in no string; npos if there is none.
size_t lengthUntil(StringRef text, StringRef ends) {
  int depth = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        isString = false;
      continue;
    }
    if (depth == 0 && ends.contains(c)) return i;
    if (c == '"') isString = true;
    if (c == '(' || c == '{' || c == '[' || c == '<') ++depth;
    if (c == '>' && i > 0 && text[i - 1] == '-') continue;  // an arrow
    if (c == ')' || c == '}' || c == ']' || c == '>') --depth;
  }
  return StringRef::npos;
}

/// Returns the text of the function's arguments, between the parentheses.
StringRef argumentsOf(StringRef text, StringRef function) {
  const std::string name = "@" + function.str();
  for (size_t at = text.find(name); at != StringRef::npos;
       at = text.find(name, at + 1)) {
    StringRef rest = text.drop_front(at + name.size());
    const StringRef before = text.take_front(at);
    const StringRef line = before.drop_front(before.rfind('\n') + 1);
    if (!rest.consume_front("(") || !line.contains("func")) continue;
    const size_t length = lengthUntil(rest, ")");
    return length == StringRef::npos ? "" : rest.take_front(length);
  }
  return "";
}

/// Returns the value of an attribute of a dictionary's text; nothing if it has
/// none of that name.
std::optional<StringRef> valueOf(StringRef dictionary, StringRef name) {
  while (!dictionary.empty()) {
    size_t length = lengthUntil(dictionary, ",");
    if (length == StringRef::npos) length = dictionary.size();
    const auto [key, value] = dictionary.take_front(length).split('=');
    if (key.trim() == name) return value.trim();
    dictionary = dictionary.drop_front(std::min(length + 1, dictionary.size()));
  }
  return std::nullopt;
}

}  // namespace

MemoryMarks functionMarks(StringRef text, StringRef function) {
  MemoryMarks marks;
  if (!text.contains("tf.aliasing_output") &&
      !text.contains("jax.buffer_donor"))
    return marks;
  StringRef rest = argumentsOf(text, function);
  for (int32_t number = 0; !rest.trim().empty(); ++number) {
    size_t length = lengthUntil(rest, ",");
    if (length == StringRef::npos) length = rest.size();
    StringRef argument = rest.take_front(length);
    rest = rest.drop_front(std::min(length + 1, rest.size()));
    const size_t brace = lengthUntil(argument, "{");
    if (brace == StringRef::npos) continue;
    argument = argument.drop_front(brace + 1);
    const size_t end = lengthUntil(argument, "}");
    if (end == StringRef::npos) continue;
    argument = argument.take_front(end);
    int64_t result = 0;
    if (auto value = valueOf(argument, "tf.aliasing_output");
        value && !value->consumeInteger(10, result) && result >= 0)
      marks.results.push_back(
          {LeafId(result), number, LeafId(0), MemoryMarks::Strength::May});
    if (const auto value = valueOf(argument, "jax.buffer_donor");
        value && value->starts_with("true"))
      marks.donors.insert({number, 0});
  }
  for (const MemoryMarks::Result &each : marks.results)
    marks.donors.insert({each.parameter, int64_t{each.leaf}});
  return marks;
}

}  // namespace indexical
