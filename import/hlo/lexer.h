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
#ifndef INDEXICAL_IMPORT_HLO_LEXER_H
#define INDEXICAL_IMPORT_HLO_LEXER_H

#include <cstdint>
#include <string>

#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/source.h"
#include "indexical/indexing/diagnostic.h"

namespace indexical {

/// Brackets, tuples and nested expressions end with an error beyond this depth.
constexpr int kNestingLimit = 256;

class Lexer {
 public:
  /// Makes a lexer that reads `part`, a view of the source's text.
  Lexer(Source &source, llvm::StringRef part)
      : source_(source), counted_(source.text().begin()) {
    enter(part);
  }

  /// Makes the lexer read another part of the text.
  void enter(llvm::StringRef part) {
    current_ = part.begin();
    end_ = part.end();
  }

  /// Makes the lexer read another part of the text, which begins at the first
  /// character of line `line`.
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
  /// Skips space and returns the next character, or 0 at the end.
  char peek() {
    skipSpace();
    return current_ == end_ ? '\0' : *current_;
  }
  /// Returns the very next character, which may be a space, or 0 at the end.
  char peekHere() const { return current_ == end_ ? '\0' : *current_; }

  bool consume(char c) {
    if (peek() != c || current_ == end_) return false;
    ++current_;
    return true;
  }
  /// Takes `c` if it is the very next character, and returns whether it was. A
  /// space before `c` is not skipped.
  bool consumeHere(char c) {
    if (current_ == end_ || *current_ != c) return false;
    ++current_;
    return true;
  }
  bool consumeArrow();
  bool expect(char c);

  /// Takes and returns a word of letters, digits, `_`, `.` and `-`; empty if
  /// none is next. The `-` of `->` is not part of a word.
  llvm::StringRef takeWord();
  /// Takes a word and a `%` before it, and returns the word.
  llvm::StringRef takeName();
  /// Returns the word that begins at the very next character, and takes it;
  /// empty if none begins there, as before a space.
  llvm::StringRef takeWordHere();

  /// Reads a decimal integer, perhaps with a sign, into `value`.
  bool takeInteger(int64_t &value);

  /// Reads `"…"`, in which backslashes escape; `text` is the text between the
  /// quotes.
  bool takeString(llvm::StringRef &text);
  /// Reads a bracket and all that it holds; `text` has both brackets.
  bool takeBalanced(llvm::StringRef &text);
  /// Reads the value of an attribute: everything up to the comma, bracket or
  /// next instruction that ends it; `[2,4]<=[8]`, `mesh['a'=2] {'b'}`, `1x2`.
  bool takeValue(llvm::StringRef &text);
  /// Skips a shape; `text` is the skipped text.
  bool takeShapeText(llvm::StringRef &text);

  const char *position() const { return current_; }
  void setPosition(const char *position) { current_ = position; }
  /// Returns the rest of the part, from the current position on.
  llvm::StringRef rest() const {
    return llvm::StringRef(current_, end_ - current_);
  }
  /// Returns the line and column of `position`. Cheap if `position` is not
  /// before that of the last call, since lines are counted on from there.
  Place placeHere(const char *position);

  /// Notes the error "expected …, found …" at the current position, and returns
  /// false.
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

/// Returns whether a layout, and not a body, comes next behind a shape of that
/// rank. Either may stand right behind the shape or after a space; a layout
/// after a space is one that names all dimensions.
bool opensLayout(llvm::StringRef rest, int64_t rank);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_LEXER_H
