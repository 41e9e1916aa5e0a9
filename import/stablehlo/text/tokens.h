// The tokens of a text of MLIR, as far as one must know them to find where an
// op begins and ends.
//
//   %0:2 = foo.bar %x {n = 1} : tensor<4xf32>
//
//   Value `%0`, Other `:`, Number `2`, Other `=`, Word `foo.bar`, Value `%x`,
//   Open `{`, …
//
// Comments and white space are passed over, strings are one token. `<` and `>`
// are brackets: at the level of ops they stand around types and attributes,
// and comparisons are written with `>=` and `<=`.
#ifndef INDEXICAL_IMPORT_STABLEHLO_TEXT_TOKENS_H
#define INDEXICAL_IMPORT_STABLEHLO_TEXT_TOKENS_H

#include <cstddef>
#include <cstdint>

#include "llvm/ADT/StringRef.h"

namespace indexical {

enum class TokenKind : uint8_t {
  End,
  Word,       ///< `foo.bar`, `to`, `x`
  Value,      ///< `%0`, `%0#1`
  Symbol,     ///< `@f`, `@"f g"`
  Attribute,  ///< `#map`, `#foo.bar`
  Type,       ///< `!foo.bar`
  Block,      ///< `^bb0`
  String,     ///< with its quotes
  Number,
  Open,   ///< one of `( [ { <`
  Close,  ///< one of `) ] } >`
  Arrow,  ///< `->`
  Other,
};

struct Token {
  TokenKind kind = TokenKind::End;
  llvm::StringRef text;
  size_t begin = 0;
  bool opensLine = false;  ///< only white space stands before it in its line

  size_t end() const { return begin + text.size(); }
  bool is(llvm::StringRef exactly) const { return text == exactly; }
};

class Tokens {
 public:
  explicit Tokens(llvm::StringRef text, size_t at = 0);
  /// Returns the next token; one of kind End, again and again, behind the last.
  Token next();
  size_t offset() const { return at_; }

 private:
  void passBlanks();
  size_t sizeOfToken(TokenKind &kind) const;

  llvm::StringRef text_;
  size_t at_;
  bool opensLine_;
};

/// Returns the type or attribute of `text` that begins with `first`, with its
/// brackets, and leads `tokens`, which stand behind `first`, past them.
llvm::StringRef withBrackets(llvm::StringRef text, const Token &first,
                             Tokens &tokens);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_TEXT_TOKENS_H
