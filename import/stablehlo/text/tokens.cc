#include "indexical/import/stablehlo/text/tokens.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/StringExtras.h"

namespace indexical {
namespace {

using llvm::StringRef;

bool isWordCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

// A name behind `%`, `@`, `#`, `!` or `^` may have dashes.
bool isNameCharacter(char c) { return isWordCharacter(c) || c == '-'; }

// The size of a string with its quotes, or up to the end of its line if it is
// not closed.
size_t sizeOfString(StringRef text) {
  for (size_t k = 1; k < text.size() && text[k] != '\n'; ++k) {
    if (text[k] == '\\')
      ++k;
    else if (text[k] == '"')
      return k + 1;
  }
  return std::min(text.find('\n'), text.size());
}

size_t sizeOfName(StringRef text) {
  if (text.substr(1).starts_with("\""))
    return 1 + sizeOfString(text.drop_front());
  // `#map->` cannot be: an arrow ends a name.
  size_t size = 1;
  while (size < text.size() && isNameCharacter(text[size]) &&
         !text.substr(size).starts_with("->"))
    ++size;
  return size;
}

}  // namespace

Tokens::Tokens(StringRef text, size_t at) : text_(text), at_(at) {
  const StringRef before = text.take_front(at).rtrim(" \t");
  opensLine_ = before.empty() || before.ends_with("\n");
}

void Tokens::passBlanks() {
  while (at_ < text_.size()) {
    if (text_.substr(at_).starts_with("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (text_[at_] == '\n') {
      opensLine_ = true;
      ++at_;
    } else if (llvm::isSpace(text_[at_])) {
      ++at_;
    } else {
      return;
    }
  }
}

size_t Tokens::sizeOfToken(TokenKind &kind) const {
  const StringRef rest = text_.substr(at_);
  const char c = rest.front();
  switch (c) {
    case '%': {
      kind = TokenKind::Value;
      const size_t size = sizeOfName(rest);
      if (!rest.substr(size).starts_with("#")) return size;
      return size + 1 + rest.substr(size + 1).take_while(llvm::isDigit).size();
    }
    case '@':
      kind = TokenKind::Symbol;
      return sizeOfName(rest);
    case '#':
      kind = TokenKind::Attribute;
      return sizeOfName(rest);
    case '!':
      kind = TokenKind::Type;
      return sizeOfName(rest);
    case '^':
      kind = TokenKind::Block;
      return sizeOfName(rest);
    case '"':
      kind = TokenKind::String;
      return sizeOfString(rest);
    case '(':
    case '[':
    case '{':
      kind = TokenKind::Open;
      return 1;
    case ')':
    case ']':
    case '}':
      kind = TokenKind::Close;
      return 1;
    case '<':
    case '>':
      kind = TokenKind::Other;
      if (rest.substr(1).starts_with("=")) return 2;
      kind = c == '<' ? TokenKind::Open : TokenKind::Close;
      return 1;
    case '-':
      kind = TokenKind::Arrow;
      if (rest.starts_with("->")) return 2;
      break;
    default:
      break;
  }
  if (llvm::isDigit(c)) {
    // `4x?xf32` is one token, too: what it is does not matter.
    kind = TokenKind::Number;
    return rest.take_while(isWordCharacter).size();
  }
  if (isWordCharacter(c)) {
    kind = TokenKind::Word;
    return rest.take_while(isWordCharacter).size();
  }
  kind = TokenKind::Other;
  return 1;
}

Token Tokens::next() {
  passBlanks();
  Token token;
  token.begin = at_;
  if (at_ == text_.size()) return token;
  token.opensLine = std::exchange(opensLine_, false);
  token.text = text_.substr(at_, sizeOfToken(token.kind));
  at_ = token.end();
  return token;
}

StringRef withBrackets(StringRef text, const Token &first, Tokens &tokens) {
  size_t end = first.end();
  Tokens ahead = tokens;
  Token token = ahead.next();
  if (!token.is("<") || token.begin != end) return first.text;
  for (int depth = 0; token.kind != TokenKind::End; token = ahead.next()) {
    if (token.kind == TokenKind::Open) ++depth;
    end = token.end();
    if (token.kind == TokenKind::Close && --depth == 0) break;
  }
  tokens = ahead;
  return text.slice(first.begin, end);
}

}  // namespace indexical
