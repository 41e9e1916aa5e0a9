// The words and numbers of a map's text (map_text.h).
//
//   s("d0 mod 4", 0)
//   s.word()            d0
//   s.next()            `m`: no number comes next
//   s.takeOperator()    Mod
//
// The next token begins at `at_`. To take a token is to pass over the space
// behind it too, so that each character is looked at once. Between tokens are
// spaces, and comments at the beginning of a line.
#ifndef INDEXICAL_INDEXING_MAP_PARSER_SCANNER_H
#define INDEXICAL_INDEXING_MAP_PARSER_SCANNER_H

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include "indexical/indexing/interval.h"

namespace indexical {

/// A function that returns false has set `status_`, except for `peek…` and
/// `take…`, which report no errors.
class MapScanner {
 public:
  enum class Operator : uint8_t { None, Times, Floor, Ceil, Mod };

  explicit MapScanner(llvm::StringRef text, size_t start)
      : text_(text), start_(start), at_(start), ended_(start) {}

  /// Passes over white space and comment lines. Returns whether text is left.
  bool more() {
    moveTo(at_);
    return at_ < text_.size();
  }
  size_t offset() const { return at_; }

  /// Returns the next character, or 0 at the end. Takes nothing.
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool isAtArrow() const {
    return next() == '-' && at_ + 1 < text_.size() && text_[at_ + 1] == '>';
  }
  bool peek(char token) const { return at_ < text_.size() && next() == token; }
  bool peek(llvm::StringRef word) const;
  llvm::StringRef peekWord() const;

  bool take(char token) {
    if (!peek(token)) return false;
    advance(1);
    return true;
  }
  bool take(llvm::StringRef word) {
    if (!peek(word)) return false;
    advance(word.size());
    return true;
  }
  /// Takes a name and returns it; empty if none comes next.
  llvm::StringRef word() {
    const llvm::StringRef word = peekWord();
    if (!word.empty()) advance(word.size());
    return word;
  }
  /// Takes an operator that binds as a product does, and returns it: `*`,
  /// `floordiv`, `floorDiv` or `/`, `ceildiv` or `ceilDiv`, `mod` or `%`.
  /// Returns None if none comes next.
  Operator takeOperator();

  bool want(char token, llvm::StringRef where) {
    return take(token) || failWanted(llvm::StringRef(&token, 1), where);
  }
  bool want(llvm::StringRef word, llvm::StringRef where) {
    return take(word) || failWanted(word, where);
  }
  bool wantArrow();
  bool number(bool negative, int64_t &value);
  bool interval(Interval &bounds);

 protected:
  void advance(size_t size) {
    ended_ = at_ + size;
    moveTo(ended_);
  }
  void moveTo(size_t offset) {
    at_ = offset;
    const size_t size = text_.size();
    // The next token is mostly here, or behind one space.
    if (at_ < size && isPlain(text_[at_])) return;
    if (at_ + 1 < size && text_[at_] == ' ' && isPlain(text_[at_ + 1]))
      ++at_;
    else
      skip();
  }
  /// Notes the first error, and returns false.
  bool fail(size_t offset, const llvm::Twine &message,
            llvm::StringRef suggestion = "");

  const llvm::StringRef text_;
  const size_t start_;
  size_t at_;
  size_t ended_;  ///< where the last token ended
  absl::Status status_;

 private:
  /// Returns whether neither a space nor a comment can begin with the
  /// character.
  static bool isPlain(char c) { return c > ' ' && c != '/' && c != '#'; }
  void skip();
  bool bound(int64_t &value);
  bool failWanted(llvm::StringRef token, llvm::StringRef where);
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_MAP_PARSER_SCANNER_H
