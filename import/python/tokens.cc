#include "indexical/import/python/tokens.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/python/refusal.h"
#include "indexical/indexing/own_kind.h"

namespace indexical::python {
namespace {

using llvm::StringRef;

bool beginsName(char c) {
  return llvm::isAlpha(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool continuesName(char c) { return beginsName(c) || llvm::isDigit(c); }

class Tokenizer {
 public:
  Tokenizer(StringRef text, uint32_t firstLine)
      : text_(text), line_(firstLine) {}

  std::vector<Token> run() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = lineStart_ = 3;
    while (at_ < text_.size()) {
      if (isLineStart_ && brackets_.empty()) {
        beginLine();
        continue;
      }
      step();
    }
    if (!brackets_.empty()) bad(brackets_.back(), "a bracket is not closed");
    endLine();
    while (indents_.size() > 1) {
      indents_.pop_back();
      add(TokenKind::Dedent, at_, 0);
    }
    add(TokenKind::End, at_, 0);
    return std::move(tokens_);
  }

 private:
  Place here(size_t at) const {
    return {line_, static_cast<uint32_t>(at - lineStart_ + 1)};
  }

  void add(TokenKind kind, size_t at, size_t length) {
    tokens_.push_back({kind, text_.substr(at, length), here(at)});
  }

  void bad(Place place, const char *message) {
    tokens_.push_back({TokenKind::Bad, {}, place, message});
  }

  void endLine() {
    if (!tokens_.empty() && tokens_.back().kind != TokenKind::NewLine &&
        tokens_.back().kind != TokenKind::Indent &&
        tokens_.back().kind != TokenKind::Dedent)
      add(TokenKind::NewLine, at_, 0);
  }

  /// Measures the indentation of a line that is not empty.
  void beginLine() {
    size_t at = at_;
    int64_t depth = 0, characters = 0;
    for (; at < text_.size(); ++at, ++characters) {
      if (text_[at] == ' ')
        ++depth;
      else if (text_[at] == '\t')
        depth = (depth / 8 + 1) * 8;
      else if (text_[at] == '\f')
        depth = 0, characters = -1;
      else
        break;
    }
    at_ = at;
    isLineStart_ = false;
    if (at == text_.size() || text_[at] == '\n' || text_[at] == '\r' ||
        text_[at] == '#')
      return;  // an empty line
    const auto checkTabs = [&](bool isSame) {
      if (!isSame) bad(here(at), "the indentation mixes tabs and spaces");
    };
    if (depth > indents_.back()) {
      const bool isDeeper = characters > characters_.back();
      indents_.push_back(depth);
      characters_.push_back(characters);
      add(TokenKind::Indent, at, 0);
      return checkTabs(isDeeper);
    }
    while (depth < indents_.back()) {
      indents_.pop_back();
      characters_.pop_back();
      add(TokenKind::Dedent, at, 0);
    }
    if (depth == indents_.back())
      return checkTabs(characters == characters_.back());
    bad(here(at), "the line is indented as no block around it");
    indents_.push_back(depth);
    characters_.push_back(characters);
  }

  void newLine() {
    if (brackets_.empty()) endLine();
    ++at_;
    ++line_;
    lineStart_ = at_;
    isLineStart_ = brackets_.empty();
    if (brackets_.empty() || at_ >= text_.size()) return;
    const StringRef rest = text_.substr(at_, 16);
    static constexpr StringRef kStarts[] = {"def ",    "class ", "@",
                                            "import ", "from ",  "async def "};
    if (llvm::none_of(kStarts,
                      [&](StringRef word) { return rest.starts_with(word); }))
      return;
    bad(brackets_.back(), "a bracket is not closed");
    brackets_.clear();
    endLine();
    isLineStart_ = true;
  }

  void step() {
    const char c = text_[at_];
    if (c == '\n') return newLine();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
      ++at_;
    } else if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == '\\' && joinsLines()) {
      at_ = text_.find('\n', at_) + 1;
      ++line_;
      lineStart_ = at_;
    } else if (beginsString()) {
      string();
    } else if (beginsName(c)) {
      size_t end = at_;
      while (end < text_.size() && continuesName(text_[end])) ++end;
      add(TokenKind::Name, at_, end - at_);
      at_ = end;
    } else if (llvm::isDigit(c) || (c == '.' && at_ + 1 < text_.size() &&
                                    llvm::isDigit(text_[at_ + 1]))) {
      number();
    } else {
      sign();
    }
  }

  bool joinsLines() const {
    const StringRef rest = text_.substr(at_ + 1);
    return rest.starts_with("\n") || rest.starts_with("\r\n");
  }

  bool beginsString() const {
    StringRef rest = text_.substr(at_, 3);
    for (int k = 0; k < 2 && !rest.empty(); ++k)
      if (StringRef("rRbBfFuU").contains(rest.front()))
        rest = rest.drop_front();
    return !rest.empty() && (rest.front() == '"' || rest.front() == '\'');
  }

  void string() {
    const size_t begin = at_;
    const Place place = here(begin);
    while (text_[at_] != '"' && text_[at_] != '\'') ++at_;
    const StringRef quote = text_.substr(at_, 1);
    const std::string three(3, quote.front());
    const bool isLong = text_.substr(at_).starts_with(three);
    at_ += isLong ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (isLong ? text_.substr(at_).starts_with(three) : c == quote.front()) {
        at_ += isLong ? 3 : 1;
        tokens_.push_back({TokenKind::String, text_.slice(begin, at_), place});
        return;
      }
      if (c == '\n' && !isLong) break;
      if (c == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        if (text_[at_] == '\r' && at_ + 1 < text_.size()) ++at_;
      }
      if (text_[at_] == '\n') {
        ++line_;
        lineStart_ = at_ + 1;
      }
      ++at_;
    }
    bad(place, "a string does not end");
  }

  void number() {
    size_t end = at_;
    const StringRef rest = text_.substr(at_);
    const bool isHex = rest.starts_with_insensitive("0x");
    while (end < text_.size()) {
      const char c = text_[end];
      const bool isSign = (c == '+' || c == '-') && !isHex && end > at_ &&
                          (text_[end - 1] == 'e' || text_[end - 1] == 'E');
      if (!llvm::isAlnum(c) && c != '.' && c != '_' && !isSign) break;
      ++end;
    }
    add(TokenKind::Number, at_, end - at_);
    at_ = end;
  }

  void sign() {
    static constexpr StringRef kSigns[] = {
        "**=", "//=", ">>=", "<<=", "...", "!=", "==", "<=", ">=", "->",
        "+=",  "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "@=", ":=",
        "**",  "//",  "<<",  ">>",  "+",   "-",  "*",  "/",  "%",  "@",
        "&",   "|",   "^",   "~",   "<",   ">",  "(",  ")",  "[",  "]",
        "{",   "}",   ",",   ":",   ".",   ";",  "="};
    const StringRef rest = text_.substr(at_);
    const auto *found = llvm::find_if(
        kSigns, [&](StringRef sign) { return rest.starts_with(sign); });
    if (found == std::end(kSigns)) {
      bad(here(at_), "this character begins no token of Python");
      ++at_;
      return;
    }
    if (*found == "(" || *found == "[" || *found == "{")
      brackets_.push_back(here(at_));
    if ((*found == ")" || *found == "]" || *found == "}") && !brackets_.empty())
      brackets_.pop_back();
    add(TokenKind::Sign, at_, found->size());
    at_ += found->size();
  }

  StringRef text_;
  size_t at_ = 0, lineStart_ = 0;
  uint32_t line_;
  bool isLineStart_ = true;
  /// Of the blocks that are open: where a tab goes to the next 8, and where it
  /// counts as one, as Python compares both.
  std::vector<int64_t> indents_ = {0}, characters_ = {0};
  std::vector<Place> brackets_;  ///< that are open
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokensOf(StringRef text, uint32_t firstLine) {
  return Tokenizer(text, firstLine).run();
}

StringRef nameOf(RefusalKind kind) {
  switch (kind) {
    case RefusalKind::Syntax:
      return "syntax";
    case RefusalKind::Name:
      return "name";
    case RefusalKind::Type:
      return "type";
    case RefusalKind::Shape:
      return "shape";
    case RefusalKind::Triton:
      return "triton";
    case RefusalKind::Unsupported:
      return "unsupported";
    case RefusalKind::Limit:
      break;
  }
  return "limit";
}

absl::Status Refusal::status() const {
  return withOwnKind(errorAt(place, nameOf(kind).str() + ": " + message));
}

}  // namespace indexical::python
