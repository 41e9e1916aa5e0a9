#include "indexical/import/triton/op_lines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace indexical::triton {

using llvm::StringRef;

namespace {

constexpr StringRef kBlanks = " \t\r";

/// Returns the name of the op that the text begins with, without quotes.
StringRef nameAt(StringRef text) {
  if (text.consume_front("\"")) return text.split('"').first;
  return text.take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
  });
}

/// Returns the first line of the text.
StringRef lineOf(StringRef text) { return text.split('\n').first; }

/// Returns whether what follows a line break ends an op at its own depth: the
/// next op, a label, or the end of what is around it.
bool endsOp(StringRef text) {
  while (true) {
    text = text.ltrim(" \t\r\n");
    if (!text.starts_with("//")) break;
    text = text.split('\n').second;
  }
  return text.empty() || text.starts_with("}") || text.starts_with("^") ||
         beginsOp(text);
}

/// Returns the offset behind a string that begins at `at`.
size_t behindString(StringRef text, size_t at) {
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

/// Returns where the op ends whose name begins at `at`.
size_t endOfOp(StringRef text, size_t at) {
  int64_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = behindString(text, at);
      continue;
    }
    if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    const bool isArrow = c == '>' && at > 0 && text[at - 1] == '-';
    if (StringRef("([{<").contains(c)) ++depth;
    if (StringRef(")]}>").contains(c) && !isArrow && --depth < 0) return at;
    if (c == '\n' && depth == 0 && endsOp(text.substr(at + 1))) return at;
    ++at;
  }
  return at;
}

/// Returns the op that begins at `begin`, or nothing if none does.
std::optional<OpSpan> opFrom(StringRef text, size_t begin) {
  if (!beginsOp(text.substr(begin))) return std::nullopt;
  OpSpan op;
  op.begin = op.nameAt = begin;
  if (text[begin] == '%') {
    op.nameAt = text.find('=', begin);
    op.nameAt = text.find_first_not_of(" \t\r\n", op.nameAt + 1);
    if (op.nameAt == StringRef::npos) return std::nullopt;
  }
  op.name = nameAt(text.substr(op.nameAt));
  if (!op.name.contains('.')) return std::nullopt;
  op.end = endOfOp(text, op.nameAt);
  return op;
}

}  // namespace

bool beginsOp(StringRef text) {
  text = lineOf(text);
  if (text.starts_with("%")) {
    const auto [names, rest] = text.split('=');
    llvm::SmallVector<StringRef> all;
    names.split(all, ',');
    return names.size() != text.size() && llvm::all_of(all, [](StringRef name) {
             name = name.trim();
             return name.starts_with("%") && !name.contains(' ');
           });
  }
  if (text.starts_with("\""))
    return text.drop_front().split('"').second.starts_with("(");
  const StringRef word = nameAt(text);
  return word == "return" || word.contains('.');
}

std::optional<OpSpan> opAround(StringRef text, size_t offset) {
  // An op of more lines than this has regions, and is not read in one piece.
  constexpr int kMostLines = 4096;
  if (offset >= text.size()) return std::nullopt;
  size_t line = text.rfind('\n', offset) + 1;
  if (text[offset] == '\n' && offset > 0)
    line = text.rfind('\n', offset - 1) + 1;
  for (int count = 0; count < kMostLines; ++count) {
    const size_t begin = text.find_first_not_of(kBlanks, line);
    if (begin != StringRef::npos)
      if (const auto op = opFrom(text, begin); op && op->end >= offset)
        return op;
    if (line == 0) break;
    line = line < 2 ? 0 : text.rfind('\n', line - 2) + 1;
  }
  return std::nullopt;
}

std::optional<size_t> resultAt(StringRef text, const OpSpan &op,
                               size_t offset) {
  size_t number = 0;
  for (size_t at = op.begin; at < op.nameAt;) {
    if (text[at] != '%') {
      ++at;
      continue;
    }
    if (at == offset) return number;
    const size_t end = text.find_first_of(",=:", at);
    size_t count = 1;
    if (end != StringRef::npos && text[end] == ':')
      text.substr(end + 1)
          .take_while([](char c) { return llvm::isDigit(c); })
          .getAsInteger(10, count);
    number += count;
    at = std::max(end == StringRef::npos ? op.nameAt : end, at + 1);
  }
  return std::nullopt;
}

}  // namespace indexical::triton
