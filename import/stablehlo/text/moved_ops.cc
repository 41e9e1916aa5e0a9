#include "indexical/import/stablehlo/text/moved_ops.h"

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

#include "indexical/import/stablehlo/text/tokens.h"

namespace indexical {
namespace {

using llvm::StringRef;

// Returns the new name of an op that has nothing but another one.
StringRef newNameOf(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("tensor.pack", "linalg.pack")
      .Case("tensor.unpack", "linalg.unpack")
      .Default("");
}

// Returns the dimensions of a product of its factors and its result.
StringRef mapsOfProduct(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("linalg.matmul_transpose_a", "k, m;k, n;m, n;m, n, k")
      .Case("linalg.matmul_transpose_b", "m, k;n, k;m, n;m, n, k")
      .Case("linalg.batch_matmul_transpose_a",
            "b, k, m;b, k, n;b, m, n;b, m, n, k")
      .Case("linalg.batch_matmul_transpose_b",
            "b, m, k;b, n, k;b, m, n;b, m, n, k")
      .Default("");
}

bool writeProduct(TextEdits &edits, StringRef name, size_t offset) {
  llvm::SmallVector<StringRef, 4> parts;
  mapsOfProduct(name).split(parts, ';');
  if (parts.size() != 4) return false;
  const bool isBatch = name.contains("batch_");
  std::string maps = isBatch ? "linalg.batch_matmul" : "linalg.matmul";
  maps += " indexing_maps = [";
  for (int k = 0; k < 3; ++k)
    maps += (k ? ", affine_map<(" : "affine_map<(") + parts[3].str() +
            ") -> (" + parts[k].str() + ")>";
  edits.replace(offset, offset + name.size(), maps + "]");
  return true;
}

// `[%n, 4]` of init_tensor as `(%n)`.
bool writeEmpty(TextEdits &edits, StringRef name, size_t offset) {
  Tokens tokens(edits.original(), offset + name.size());
  Token token = tokens.next();
  if (!token.is("[")) return false;
  std::string sizes;
  for (token = tokens.next(); !token.is("]"); token = tokens.next()) {
    if (token.kind == TokenKind::Value)
      sizes += (sizes.empty() ? "" : ", ") + token.text.str();
    else if (token.kind != TokenKind::Number && !token.is(","))
      return false;
  }
  edits.replace(offset, token.end(), "tensor.empty(" + sizes + ")");
  return true;
}

// `{fun = #linalg.unary_fn<exp>}` as a kind.
bool writeElementwise(TextEdits &edits, StringRef name, size_t offset) {
  const bool isUnary = name == "linalg.elemwise_unary";
  Tokens tokens(edits.original(), offset + name.size());
  Token token = tokens.next();
  size_t end = offset + name.size();
  std::string kind = isUnary ? "exp" : "add";  // where it says nothing
  if (token.is("{")) {
    if (!tokens.next().is("fun") || !tokens.next().is("=") ||
        !tokens.next().is(isUnary ? "#linalg.unary_fn" : "#linalg.binary_fn") ||
        !tokens.next().is("<"))
      return false;
    kind = tokens.next().text.str();
    if (!tokens.next().is(">")) return false;
    token = tokens.next();
    if (!token.is("}")) return false;  // as `cast`, which says of what sign
    end = token.end();
  }
  edits.replace(
      offset, end,
      "linalg.elementwise kind=#linalg.elementwise_kind<" + kind + ">");
  return true;
}

// Returns `f32` of `vector<4xf32>`; nothing if the type is an alias.
std::optional<std::string> elementOf(StringRef vector) {
  if (!vector.consume_front("vector<") || !vector.consume_back(">"))
    return std::nullopt;
  while (true) {
    const StringRef rest = vector.ltrim();
    const size_t size = rest.find_first_not_of("0123456789[]");
    if (size == 0 || size == StringRef::npos || rest[size] != 'x')
      return rest.str();
    vector = rest.drop_front(size + 1);
  }
}

// Ops of one element of a vector, whose type stands at the end.
bool writeOfVector(TextEdits &edits, StringRef name, size_t offset) {
  const StringRef text = edits.original();
  Tokens tokens(text, offset + name.size());
  int depth = 0;
  std::optional<size_t> colon, beginOfType;  // of the index's type
  std::optional<size_t> endOfType;
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       token = tokens.next()) {
    if (depth == 0 && token.is(":")) {
      colon = token.end();
      break;
    }
    if (token.kind == TokenKind::Open) ++depth;
    if (token.kind == TokenKind::Close && --depth < 0) return false;
    if (depth == 1 && token.is(":")) beginOfType = token.begin;
    if (depth == 0 && token.is("]")) endOfType = token.begin;
  }
  if (!colon) return false;
  const Token first = tokens.next();
  const StringRef type = withBrackets(text, first, tokens);
  const auto element = elementOf(type);
  if (!element) return false;
  if (beginOfType && endOfType) edits.replace(*beginOfType, *endOfType, "");
  const bool isInsert = name == "vector.insertelement";
  const bool isSplat = name == "vector.splat";
  edits.replace(offset, offset + name.size(),
                isSplat    ? "vector.broadcast"
                : isInsert ? "vector.insert"
                           : "vector.extract");
  edits.replace(first.begin, first.begin,
                *element + (isSplat    ? " to "
                            : isInsert ? " into "
                                       : " from "));
  return true;
}

}  // namespace

bool writeSuccessor(TextEdits &edits, StringRef name, size_t offset) {
  if (!edits.original().substr(offset).starts_with(name)) return false;
  if (const StringRef other = newNameOf(name); !other.empty()) {
    edits.replace(offset, offset + name.size(), other.str());
    return true;
  }
  if (name == "linalg.init_tensor") return writeEmpty(edits, name, offset);
  if (name == "linalg.elemwise_unary" || name == "linalg.elemwise_binary")
    return writeElementwise(edits, name, offset);
  if (name == "vector.extractelement" || name == "vector.insertelement" ||
      name == "vector.splat")
    return writeOfVector(edits, name, offset);
  return writeProduct(edits, name, offset);
}

}  // namespace indexical
