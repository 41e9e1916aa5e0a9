// A cursor over HLO text.
//
// HLO has few kinds of token, and which one may follow is always known, so the
// lexer makes no stream of tokens: its caller asks for what the grammar wants
// next. White space and comments before it are skipped.
//
//   Lexer lexer(source, "%a.3 = f32[4] add(b, c), metadata={op_name=\"}\"}");
//   llvm::StringRef name = lexer.takeName();  // a.3
//   bool found = lexer.consume('=');          // true
//   ...
//   lexer.takeValue(value);  // {op_name="}"}: brackets and quotes balanced
//
// Functions that return bool note an error in the source when they return
// false, except the ones named `consume…`, which only look.
#ifndef INDEXICAL_HLO_LEXER_H
#define INDEXICAL_HLO_LEXER_H

#include <cstdint>
#include <string>

#include "llvm/ADT/StringRef.h"

#include "indexical/hlo/source.h"
#include "indexical/indexing/diagnostic.h"

namespace indexical {

/// Brackets, tuples and nested expressions end with an error beyond this depth.
constexpr int kNestingLimit = 256;

class Lexer {
 public:
  /// Reads `part`, a view of the source's text.
  Lexer(Source &source, llvm::StringRef part)
      : source_(source), counted_(source.text().begin()) {
    enter(part);
  }

  /// Goes on with another part of the text.
  void enter(llvm::StringRef part) {
    current_ = part.begin();
    end_ = part.end();
  }

  /// Like enter, for a part that begins at the first character of a line whose
  /// number is known.
  void enterLine(llvm::StringRef part, uint32_t line) {
    enter(part);
    counted_ = part.begin();
    line_ = line;
    lineOffset_ = part.begin() - source_.text().begin();
  }

  Source &source() { return source_; }

  /// Skips white space, `// …` and `/* … */`.
  void skipSpace() {
    while (current_ != end_) {
      char c = *current_;
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
        ++current_;
      else if (c != '/' || !skipComment())
        return;
    }
  }
  bool atEnd() {
    skipSpace();
    return current_ == end_;
  }
  /// The next character that is no space, or 0 at the end.
  char peek() {
    skipSpace();
    return current_ == end_ ? '\0' : *current_;
  }
  /// The next character, a space too, or 0 at the end.
  char peekHere() const { return current_ == end_ ? '\0' : *current_; }

  bool consume(char c) {
    if (peek() != c || current_ == end_) return false;
    ++current_;
    return true;
  }
  /// Like consume, but does not skip space before the character.
  bool consumeHere(char c) {
    if (current_ == end_ || *current_ != c) return false;
    ++current_;
    return true;
  }
  bool consumeArrow();
  bool expect(char c);

  /// Letters, digits, `_`, `.`, `-`; empty if there are none. The `-` of `->`
  /// is not part of a word.
  llvm::StringRef takeWord();
  /// A word, a `%` before it left out.
  llvm::StringRef takeName();
  /// Like takeWord, but does not skip space before the word.
  llvm::StringRef takeWordHere();

  /// A decimal integer, perhaps with a sign.
  bool takeInteger(int64_t &value);

  /// `"…"`, backslashes escape; `text` is the text between the quotes.
  bool takeString(llvm::StringRef &text);
  /// A bracket and all that it holds; `text` has both brackets.
  bool takeBalanced(llvm::StringRef &text);
  /// The value of an attribute: everything up to the comma, bracket or next
  /// instruction that ends it; `[2,4]<=[8]`, `mesh['a'=2] {'b'}`, `1x2`.
  bool takeValue(llvm::StringRef &text);
  /// The text of a shape, which is only skipped.
  bool takeShapeText(llvm::StringRef &text);

  const char *position() const { return current_; }
  void setPosition(const char *position) { current_ = position; }
  /// The rest of the part, from here.
  llvm::StringRef rest() const {
    return llvm::StringRef(current_, end_ - current_);
  }
  /// The place of `position`. Cheap if `position` is not before that of the
  /// last call, since lines are counted on from there.
  Place placeHere(const char *position);

  /// "expected …, found …" at the current position.
  bool failExpected(const llvm::Twine &what);
  bool fail(const llvm::Twine &message, llvm::StringRef suggestion = "") {
    return source_.fail(current_, message, suggestion);
  }

 private:
  bool skipComment();
  bool skipString();
  bool skipBrackets();
  bool continuesValue();

  Source &source_;
  const char *current_, *end_;
  uint32_t line_ = 1;
  size_t lineOffset_ = 0;  // of the first character of `line_`
  const char *counted_;    // lines are counted up to here
};

/// Describes the beginning of `text` for messages: a word, a character, the
/// number of a byte, or "the end of the text".
std::string describeNext(llvm::StringRef text);

/// Whether a layout comes next, behind a shape of that rank, and not a body.
/// Either may stand right behind the shape or after a space; a layout after a
/// space is one that names all dimensions.
bool opensLayout(llvm::StringRef rest, int64_t rank);

}  // namespace indexical

#endif  // INDEXICAL_HLO_LEXER_H
