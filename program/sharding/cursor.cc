#include "indexical/program/sharding/cursor.h"

#include "llvm/ADT/StringExtras.h"

namespace indexical {

void Cursor::skip() {
  while (at_ < text_.size()) {
    llvm::StringRef rest = text_.drop_front(at_);
    if (llvm::isSpace(rest.front())) {
      ++at_;
    } else if (rest.starts_with("/*")) {
      const size_t end = rest.find("*/");
      at_ = end == llvm::StringRef::npos ? text_.size() : at_ + end + 2;
    } else if (rest.starts_with("\\\"")) {
      ++at_;
    } else {
      return;
    }
  }
}

char Cursor::peek() {
  skip();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool Cursor::consume(llvm::StringRef token) {
  skip();
  if (failed() || !text_.drop_front(at_).starts_with(token)) return false;
  at_ += token.size();
  return true;
}

bool Cursor::expect(llvm::StringRef token) {
  return consume(token) || fail("`" + token + "` is expected here");
}

llvm::StringRef Cursor::word() {
  skip();
  llvm::StringRef word = text_.drop_front(at_).take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '-' || c == '.';
  });
  at_ += word.size();
  return word;
}

bool Cursor::quoted(std::string &value) {
  const char quote = peek();
  if (quote != '"' && quote != '\'')
    return fail("a name in quotes is expected here");
  llvm::StringRef rest = text_.drop_front(at_ + 1);
  const size_t end = rest.find(quote);
  if (end == llvm::StringRef::npos) return fail("the quote has no end");
  llvm::StringRef name = rest.take_front(end);
  name.consume_back("\\");
  value = name.str();
  at_ += end + 2;
  return true;
}

bool Cursor::integer(int64_t &value) {
  skip();
  llvm::StringRef digits = text_.drop_front(at_).take_while(
      [](char c) { return llvm::isDigit(c) || c == '-'; });
  if (digits.getAsInteger(10, value))
    return fail(digits.empty() ? "a number is expected here"
                               : "the number does not fit 64 bits");
  at_ += digits.size();
  return true;
}

bool Cursor::integers(llvm::StringRef close,
                      llvm::SmallVectorImpl<int64_t> &values) {
  if (consume(close)) return true;
  do {
    if (!integer(values.emplace_back())) return false;
  } while (consume(","));
  return expect(close);
}

bool Cursor::skipBraces() {
  const size_t begin = offset();
  if (!expect("{")) return false;
  int64_t depth = 1;
  char quote = '\0';
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (quote != '\0') {
      if (c == '\\') ++at_;
      if (c == quote) quote = '\0';
    } else if (c == '"') {
      quote = c;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      ++at_;
      return true;
    }
  }
  at_ = text_.size();
  return failAt(begin, "the brace has no end");
}

bool Cursor::failAt(size_t offset, const llvm::Twine &message) {
  if (!failed())
    status_ = errorAt(placeOfOffset(text_, offset),
                      "in a sharding: " + message.str());
  return false;
}

bool Cursor::fail(const llvm::Twine &message) {
  return failAt(offset(), message);
}

}  // namespace indexical
