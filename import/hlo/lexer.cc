#include "indexical/import/hlo/lexer.h"

#include <array>
#include <cstring>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace indexical {
namespace {

enum CharacterClass : uint8_t {
  kOther = 0,
  kWord = 1,     // may stand in a word
  kBracket = 2,  // opens or closes
  kQuote = 4,
  kSlash = 8,  // may begin a comment
};

constexpr std::array<uint8_t, 256> makeClasses() {
  std::array<uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = kWord;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = kWord;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kWord;
  for (char c : {'_', '.', '-'}) classes[static_cast<uint8_t>(c)] = kWord;
  for (char c : {'{', '}', '[', ']', '(', ')'})
    classes[static_cast<uint8_t>(c)] = kBracket;
  classes['"'] = kQuote;
  classes['/'] = kSlash;
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = makeClasses();

uint8_t classOf(char c) { return kClasses[static_cast<uint8_t>(c)]; }
bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

char closerOf(char opener) {
  switch (opener) {
    case '{':
      return '}';
    case '[':
      return ']';
    default:
      return ')';
  }
}

}  // namespace

std::string describeNext(llvm::StringRef text) {
  if (text.empty()) return "the end of the text";
  size_t length = 0;
  while (length < text.size() && length < 40 && classOf(text[length]) == kWord)
    ++length;
  if (length == 0) length = 1;
  unsigned char first = text[0];
  if (first < 0x20 || first >= 0x7f)
    return "the byte 0x" + llvm::utohexstr(first, /*LowerCase=*/true, 2);
  return ("`" + text.take_front(length) + "`").str();
}

bool Lexer::failExpected(const llvm::Twine &what) {
  skipSpace();
  const char *where = current_;
  if (where == source_.text().end())  // a line that can be shown
    where = source_.text().rtrim(" \n\t\r").end();
  return source_.fail(where,
                      "expected " + what + ", found " + describeNext(rest()));
}

bool Lexer::skipComment() {
  llvm::StringRef text = rest();
  if (text.starts_with("//")) {
    const void *newline = std::memchr(current_, '\n', end_ - current_);
    current_ = newline ? static_cast<const char *>(newline) : end_;
    return true;
  }
  if (!text.starts_with("/*")) return false;
  size_t close = text.find("*/", 2);
  if (close == llvm::StringRef::npos) {
    fail("this comment has no `*/`");
    current_ = end_;
    return true;
  }
  current_ += close + 2;
  return true;
}

bool Lexer::consumeArrow() {
  skipSpace();
  if (!rest().starts_with("->")) return false;
  current_ += 2;
  return true;
}

bool Lexer::expect(char c) {
  if (consume(c)) return true;
  return failExpected("`" + llvm::Twine(c) + "`");
}

llvm::StringRef Lexer::takeWordHere() {
  const char *begin = current_;
  while (current_ != end_ && classOf(*current_) == kWord) {
    if (*current_ == '-' && end_ - current_ > 1 && current_[1] == '>') break;
    ++current_;
  }
  return llvm::StringRef(begin, current_ - begin);
}

llvm::StringRef Lexer::takeWord() {
  skipSpace();
  return takeWordHere();
}

llvm::StringRef Lexer::takeName() {
  skipSpace();
  if (current_ != end_ && *current_ == '%') ++current_;
  return takeWordHere();
}

bool Lexer::takeInteger(int64_t &value) {
  skipSpace();
  const char *begin = current_;
  const char *scan = current_;
  if (scan != end_ && (*scan == '-' || *scan == '+')) ++scan;
  const char *digits = scan;
  while (scan != end_ && *scan >= '0' && *scan <= '9') ++scan;
  if (scan == digits) return failExpected("an integer");
  llvm::StringRef text(begin, scan - begin);
  text.consume_front("+");
  if (text.getAsInteger(10, value))
    return fail("`" + text.take_front(60) + "` does not fit into 64 bits");
  current_ = scan;
  return true;
}

bool Lexer::skipString() {
  const char *begin = current_++;
  while (true) {
    const void *quote = std::memchr(current_, '"', end_ - current_);
    if (!quote) return source_.fail(begin, "this string has no closing quote");
    const char *found = static_cast<const char *>(quote);
    // Escaped if an odd number of backslashes stands before it.
    const char *scan = found;
    while (scan > current_ && scan[-1] == '\\') --scan;
    current_ = found + 1;
    if ((found - scan) % 2 == 0) return true;
  }
}

bool Lexer::takeString(llvm::StringRef &text) {
  if (peek() != '"') return failExpected("a quoted string");
  const char *begin = current_;
  if (!skipString()) return false;
  text = llvm::StringRef(begin + 1, current_ - begin - 2);
  return true;
}

// Current is an opening bracket.
bool Lexer::skipBrackets() {
  llvm::SmallVector<const char *, 32> open;
  while (current_ != end_) {
    char c = *current_;
    uint8_t kind = classOf(c);
    if (kind == kQuote) {
      if (!skipString()) return false;
      continue;
    }
    if (kind == kSlash && skipComment()) continue;
    if (kind == kBracket) {
      if (c == '{' || c == '[' || c == '(') {
        if (open.size() >= kNestingLimit)
          return fail("brackets are nested deeper than " +
                      llvm::Twine(kNestingLimit) + " levels");
        open.push_back(current_);
      } else {
        if (c != closerOf(*open.back()))
          return fail("`" + llvm::Twine(c) + "` where `" +
                      llvm::Twine(closerOf(*open.back())) +
                      "` would close the bracket");
        open.pop_back();
      }
    }
    ++current_;
    if (open.empty()) return true;
  }
  return source_.fail(open.back(),
                      "`" + llvm::Twine(*open.back()) + "` is never closed");
}

bool Lexer::takeBalanced(llvm::StringRef &text) {
  char c = peek();
  if (c != '{' && c != '[' && c != '(') return failExpected("a bracket");
  const char *begin = current_;
  if (!skipBrackets()) return false;
  text = llvm::StringRef(begin, current_ - begin);
  return true;
}

// After a space inside a value: whether what follows belongs to it. A next
// instruction would begin with a letter or `%`.
bool Lexer::continuesValue() {
  char c = peek();
  return c == '{' || c == '[' || c == '<' || c == '-' || (c >= '0' && c <= '9');
}

bool Lexer::takeValue(llvm::StringRef &text) {
  skipSpace();
  const char *begin = current_;
  const char *valueEnd = current_;
  while (current_ != end_) {
    char c = *current_;
    if (c == ',' || c == '}' || c == ')' || c == ']') break;
    if (c == '"') {
      if (!skipString()) return false;
    } else if (c == '{' || c == '[' || c == '(') {
      if (!skipBrackets()) return false;
    } else if (isSpace(c) || rest().starts_with("/*") ||
               rest().starts_with("//")) {
      if (!continuesValue()) break;
      continue;
    } else {
      ++current_;
    }
    valueEnd = current_;
  }
  text = llvm::StringRef(begin, valueEnd - begin);
  return true;
}

bool opensLayout(llvm::StringRef rest, int64_t rank) {
  const bool isApart = rest.starts_with(" ") || rest.starts_with("\t");
  rest = rest.ltrim(" \t");
  if (!rest.consume_front("{")) return false;
  rest = rest.ltrim();
  if (!isApart)
    return !rest.empty() &&
           (llvm::isDigit(rest[0]) || rest[0] == ':' || rest[0] == '}');
  for (int64_t k = 0; k < rank; ++k) {
    uint64_t dimension = 0;
    if (k > 0 && !rest.consume_front(",")) return false;
    rest = rest.ltrim();
    if (rest.consumeInteger(10, dimension) ||
        dimension >= static_cast<uint64_t>(rank))
      return false;
    rest = rest.ltrim();
  }
  return rank > 0 && (rest.starts_with("}") || rest.starts_with(":"));
}

bool Lexer::takeShapeText(llvm::StringRef &text) {
  skipSpace();
  const char *begin = current_;
  llvm::StringRef part;
  takeWordHere();
  char c = peekHere();
  bool bracketed = c == '[' || c == '(';
  if (bracketed && !takeBalanced(part)) return false;
  const int64_t rank = part.size() > 2 ? part.count(',') + 1 : 0;
  if (c == '[' && opensLayout(rest(), rank) && !takeBalanced(part))
    return false;
  text = llvm::StringRef(begin, current_ - begin);
  if (text.empty()) return failExpected("a shape");
  return true;
}

Place Lexer::placeHere(const char *position) {
  if (position < counted_) return source_.placeOf(position);
  const char *start = source_.text().begin();
  while (const void *newline =
             std::memchr(counted_, '\n', position - counted_)) {
    counted_ = static_cast<const char *>(newline) + 1;
    lineOffset_ = counted_ - start;
    ++line_;
  }
  counted_ = position;
  return {line_, static_cast<uint32_t>(position - start - lineOffset_ + 1)};
}

}  // namespace indexical
