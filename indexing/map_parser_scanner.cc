#include "indexical/indexing/map_parser_scanner.h"

#include <string>

#include "indexical/indexing/diagnostic.h"

namespace indexical {
namespace {

/// Whether a name may begin with a character, and may have it, by character.
struct NameCharacters {
  bool begins[256] = {}, isIn[256] = {};

  constexpr NameCharacters() {
    for (int c = 'a'; c <= 'z'; ++c) begins[c] = begins[c - 'a' + 'A'] = true;
    begins['_'] = true;
    for (int c = 0; c < 256; ++c) isIn[c] = begins[c];
    for (int c = '0'; c <= '9'; ++c) isIn[c] = true;
    isIn['.'] = true;
  }
};
constexpr NameCharacters kNames;

bool isNameStart(char c) { return kNames.begins[static_cast<uint8_t>(c)]; }

bool isNamePart(char c) { return kNames.isIn[static_cast<uint8_t>(c)]; }

}  // namespace

/// Passes over spaces, and comments at the beginning of a line.
void MapScanner::skip() {
  bool lineStart = at_ == start_ || text_[at_ - 1] == '\n';
  while (at_ < text_.size()) {
    char c = text_[at_];
    if (c == '\n') {
      lineStart = true;
    } else if (lineStart && (text_.substr(at_).starts_with("//") ||
                             text_.substr(at_).starts_with("# "))) {
      size_t end = text_.find('\n', at_);
      at_ = end == llvm::StringRef::npos ? text_.size() : end;
      continue;
    } else if (!llvm::isSpace(c)) {
      return;
    }
    ++at_;
  }
}

/// A word ends where its letters end.
bool MapScanner::peek(llvm::StringRef word) const {
  if (next() != word.front() || !text_.substr(at_).starts_with(word))
    return false;
  const size_t end = at_ + word.size();
  return end >= text_.size() || !isNamePart(text_[end]);
}

bool MapScanner::failWanted(llvm::StringRef token, llvm::StringRef where) {
  return fail(at_, "expected `" + token + "` " + where);
}

bool MapScanner::wantArrow() {
  if (!isAtArrow()) return failWanted("->", "after the variables");
  advance(2);
  return true;
}

llvm::StringRef MapScanner::peekWord() const {
  if (!isNameStart(next())) return "";
  size_t end = at_ + 1;
  while (end < text_.size() && isNamePart(text_[end])) ++end;
  return text_.slice(at_, end);
}

bool MapScanner::fail(size_t offset, const llvm::Twine &message,
                      llvm::StringRef suggestion) {
  if (status_.ok()) {
    std::string text = message.str();
    if (offset >= text_.size()) {
      text += ", but the text ends";
      offset = text_.rtrim().size();  // a line that can be shown
    }
    status_ = errorAt(placeOfOffset(text_, offset), text, suggestion);
  }
  return false;
}

MapScanner::Operator MapScanner::takeOperator() {
  switch (next()) {
    case '*':
      advance(1);
      return Operator::Times;
    case '/':
      advance(1);
      return Operator::Floor;
    case '%':
      advance(1);
      return Operator::Mod;
    case 'f':
      return take("floordiv") || take("floorDiv") ? Operator::Floor
                                                  : Operator::None;
    case 'm':
      return take("mod") ? Operator::Mod : Operator::None;
    case 'c':
      return take("ceildiv") || take("ceilDiv") ? Operator::Ceil
                                                : Operator::None;
    default:
      return Operator::None;
  }
}

bool MapScanner::interval(Interval &bounds) {
  return want('[', "before the lower bound") && bound(bounds.lower) &&
         want(',', "between the bounds") && bound(bounds.upper) &&
         want(']', "after the upper bound");
}

bool MapScanner::bound(int64_t &value) {
  bool negative = take('-');
  if (take("inf")) {
    value = negative ? Interval::kMinusInfinity : Interval::kInfinity;
    return true;
  }
  return number(negative, value);
}

bool MapScanner::number(bool negative, int64_t &value) {
  const size_t start = at_;
  size_t end = at_;
  const uint64_t most = static_cast<uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  uint64_t magnitude = 0;
  bool fits = true;
  for (; end < text_.size() && llvm::isDigit(text_[end]); ++end) {
    fits &= magnitude <= (UINT64_MAX - 9) / 10;
    magnitude = magnitude * 10 + (text_[end] - '0');
  }
  if (end == start) return fail(start, "expected an integer");
  if (!fits || magnitude > most)
    return fail(start, "the integer does not fit in 64 bits");
  value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  advance(end - start);
  return true;
}

}  // namespace indexical
