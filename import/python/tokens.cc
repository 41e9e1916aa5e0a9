#include "indexical/import/python/tokens.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

#include "indexical/import/python/refusal.h"
#include "indexical/indexing/own_kind.h"

namespace indexical::python {
namespace {

using llvm::StringRef;

bool beginsName(char c) {
  return llvm::isAlpha(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool continuesName(char c) { return beginsName(c) || llvm::isDigit(c); }

/// Returns the size of digits, between which single `_` may stand.
size_t digitsOf(StringRef text, llvm::function_ref<bool(char)> isDigit) {
  size_t size = 0;
  while (size < text.size()) {
    const size_t at = size && text[size] == '_' ? size + 1 : size;
    if (at >= text.size() || !isDigit(text[at])) break;
    size = at + 1;
  }
  return size;
}

/// Returns the size of the number that a text begins with; 0 if it is not one.
size_t numberOf(StringRef text) {
  const auto isDecimal = [](char c) { return llvm::isDigit(c); };
  if (text.size() > 1 && text[0] == '0') {
    const char base = llvm::toLower(text[1]);
    const unsigned most = base == 'x'   ? 16
                          : base == 'o' ? 8
                          : base == 'b' ? 2
                                        : 0;
    if (most) {
      const size_t under = text.substr(2).starts_with("_");
      const size_t size = digitsOf(text.substr(2 + under), [&](char c) {
        return llvm::hexDigitValue(c) < most;
      });
      return size ? 2 + under + size : 0;
    }
  }
  const size_t whole = digitsOf(text, isDecimal);
  size_t size = whole;
  if (text.substr(size).starts_with("."))
    size += 1 + digitsOf(text.substr(size + 1), isDecimal);
  if (text.substr(size).starts_with_insensitive("e")) {
    const bool isSigned =
        StringRef("+-").contains(size + 1 < text.size() ? text[size + 1] : ' ');
    const size_t digits = digitsOf(text.substr(size + 1 + isSigned), isDecimal);
    if (digits) size += 1 + isSigned + digits;
  }
  if (text.substr(size).starts_with_insensitive("j")) return size + 1;
  // 0777 and 01 are not numbers, 00 is.
  const StringRef digits = text.take_front(whole);
  if (size == whole && digits.starts_with("0") &&
      digits.find_first_not_of("0_") != StringRef::npos)
    return 0;
  return size;
}

/// Whether Python takes each character of a name as it is written. It brings
/// names into the normal form NFKC, in which others may be equal: 𝐯 is v.
bool isInNormalForm(StringRef name) {
  static constexpr std::pair<uint32_t, uint32_t> kSame[] = {
      {0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x131},    {0x134, 0x13E},
      {0x141, 0x148},   {0x14A, 0x17E},   {0x391, 0x3A1},   {0x3A3, 0x3A9},
      {0x3AC, 0x3CE},   {0x400, 0x482},   {0x48A, 0x52F},   {0x5D0, 0x5EA},
      {0x3041, 0x3096}, {0x30A1, 0x30FA}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}};
  const auto *at = reinterpret_cast<const llvm::UTF8 *>(name.begin());
  const auto *const end = reinterpret_cast<const llvm::UTF8 *>(name.end());
  while (at < end) {
    if (*at < 0x80) {
      ++at;
      continue;
    }
    llvm::UTF32 code = 0;
    if (llvm::convertUTF8Sequence(&at, end, &code, llvm::strictConversion) !=
            llvm::conversionOK ||
        llvm::none_of(kSame, [&](const auto &range) {
          return range.first <= code && code <= range.second;
        }))
      return false;
  }
  return true;
}

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
    // The line belongs to the block, and makes it wrong.
    if (!llvm::is_contained(indents_, depth))
      bad(here(at), "the line is indented as no block around it");
    while (depth < indents_.back()) {
      indents_.pop_back();
      characters_.pop_back();
      add(TokenKind::Dedent, at, 0);
    }
    if (depth == indents_.back())
      return checkTabs(characters == characters_.back());
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
    if (c == '\n' || (c == '\r' && text_.substr(at_ + 1, 1) != "\n"))
      return newLine();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
      ++at_;
    } else if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r')
        ++at_;
    } else if (c == '\\' && joinsLines()) {
      at_ += text_.substr(at_ + 1).starts_with("\r\n") ? 3 : 2;
      ++line_;
      lineStart_ = at_;
    } else if (beginsString()) {
      string();
    } else if (beginsName(c)) {
      size_t end = at_;
      while (end < text_.size() && continuesName(text_[end])) ++end;
      if (isInNormalForm(text_.slice(at_, end)))
        add(TokenKind::Name, at_, end - at_);
      else
        bad(here(at_), kNotNormal);
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
    return rest.starts_with("\n") || rest.starts_with("\r");
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
      if ((c == '\n' || c == '\r') && !isLong) break;
      if (c == '\\' && at_ + 1 < text_.size()) ++at_;
      if (text_.substr(at_).starts_with("\r\n")) ++at_;
      if (text_[at_] == '\n' || text_[at_] == '\r') {
        ++line_;
        lineStart_ = at_ + 1;
      }
      ++at_;
    }
    bad(place, "a string does not end");
  }

  void number() {
    const StringRef rest = text_.substr(at_);
    const size_t size = numberOf(rest);
    const StringRef behind = rest.substr(size);
    // `1if x else 2` is Python.
    static constexpr StringRef kWords[] = {"and", "else", "for", "if",
                                           "in",  "is",   "not", "or"};
    const bool isWhole = behind.empty() || !continuesName(behind[0]) ||
                         llvm::any_of(kWords, [&](StringRef word) {
                           return behind.starts_with(word);
                         });
    if (size && isWhole) {
      add(TokenKind::Number, at_, size);
      at_ += size;
      return;
    }
    size_t end = at_;
    while (end < text_.size() &&
           (continuesName(text_[end]) || text_[end] == '.'))
      ++end;
    bad(here(at_), "this is not a number");
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
