#include "indexical/stablehlo/text/old_syntax.h"

#include <optional>
#include <string>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/stablehlo/text/tokens.h"

namespace indexical {
namespace {

using llvm::StringRef;

// `2x3` of `tensor<2x3xf32>` as `2, 3`; nothing if a size is not known.
std::optional<std::string> sizesOf(StringRef type) {
  const size_t open = type.find('<');
  if (open == StringRef::npos) return std::nullopt;
  StringRef rest = type.drop_front(open + 1).ltrim();
  std::string sizes;
  while (!rest.empty() && (llvm::isDigit(rest.front()) || rest[0] == '?')) {
    const auto [size, behind] = rest.split('x');
    if (size.empty() || !llvm::all_of(size, llvm::isDigit)) return std::nullopt;
    sizes += (sizes.empty() ? "" : ", ") + size.str();
    rest = behind;
  }
  return sizes;
}

}  // namespace

bool writeOutputShape(TextEdits &edits, size_t offset) {
  Tokens tokens(edits.original(), offset);
  int depth = 0;
  std::optional<size_t> colon;
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       token = tokens.next()) {
    if (token.kind == TokenKind::Open) ++depth;
    if (token.kind == TokenKind::Close && --depth < 0) return false;
    if (depth != 0) continue;
    if (token.is(":")) colon = token.begin;
    if (!token.is("into")) continue;
    const auto sizes = sizesOf(edits.original().substr(token.end()));
    if (!colon || !sizes) return false;
    edits.replace(*colon, *colon, "output_shape [" + *sizes + "] ");
    return true;
  }
  return false;
}

bool quoteMemorySpace(TextEdits &edits, size_t offset) {
  const StringRef text = edits.original();
  StringRef space;
  bool any = false;
  // The first pass finds the attribute, the second one all of its kind.
  for (size_t from : {offset, size_t(0)}) {
    Tokens tokens(text, from);
    Token before;
    for (Token token = tokens.next(); token.kind != TokenKind::End;) {
      const Token here = token;
      if (here.kind == TokenKind::Attribute && before.is(",")) {
        const StringRef whole = withBrackets(text, here, tokens);
        token = tokens.next();
        if (token.is(">") && space.empty()) {
          space = whole;
          break;
        }
        if (token.is(">") && whole == space) {
          std::string quoted;
          llvm::raw_string_ostream out(quoted);
          out << '"';
          llvm::printEscapedString(space, out);
          out << '"';
          edits.replace(here.begin, here.begin + whole.size(), quoted);
          any = true;
        }
      } else {
        token = tokens.next();
      }
      before = here;
    }
    if (space.empty()) return false;
  }
  return any;
}

}  // namespace indexical
