// The tokens of a Python text.
//
//   if a:          if  a  :  NewLine
//       b = 1      Indent  b  =  1  NewLine  Dedent
//
// Lines within brackets are one line. A line that begins at the left margin
// with `def`, `class`, `@` or `import` closes open brackets: the error is then
// about the bracket, and the rest part of the file is still read.
#ifndef INDEXICAL_IMPORT_PYTHON_TOKENS_H
#define INDEXICAL_IMPORT_PYTHON_TOKENS_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical::python {

enum class TokenKind : uint8_t {
  Name,
  Number,
  String,  ///< with its prefix and quotes
  Sign,    ///< an operator or a bracket
  NewLine,
  Indent,
  Dedent,
  Bad,  ///< `message` has the error
  End,
};

struct Token {
  TokenKind kind = TokenKind::End;
  llvm::StringRef text;  ///< of the file
  Place place;
  const char *message = "";

  bool is(llvm::StringRef word) const {
    return text == word && (kind == TokenKind::Sign || kind == TokenKind::Name);
  }
};

/// The message of a name that is not in Python's normal form. Another name may
/// be the same.
inline constexpr char kNotNormal[] =
    "a name with these characters is another one in normal form (NFKC), and is "
    "not read";

/// Returns the tokens of the text, the last of which is End. The text must
/// outlive them. Its first line has the number `firstLine`.
std::vector<Token> tokensOf(llvm::StringRef text, uint32_t firstLine = 1);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_TOKENS_H
