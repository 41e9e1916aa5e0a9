#include "indexical/import/stablehlo/dialect/text_checks.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using llvm::StringRef;

// The parser's stack overflows with more nested calls.
constexpr int kMostBrackets = 256;
constexpr uint64_t kMostElements = 1 << 20;
constexpr uint64_t kMostResults = 1 << 20;
constexpr uint64_t kMostLeaves = 1 << 16;

bool isNameCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
}

// The types that `!name = …` defines, each by its parts.
class Aliases {
 public:
  explicit Aliases(StringRef text) : text_(text) {}

  bool isDefining() const { return !name_.empty(); }

  // Reads `!name`, a definition or a use. Brackets of an alias are not in the
  // text of its use, so its depth is added to that of the use.
  absl::Status meet(size_t at, int depth) {
    const StringRef name = text_.drop_front(at + 1).take_while(isNameCharacter);
    const StringRef rest = text_.drop_front(at + 1 + name.size());
    if (depth == 0 && rest.ltrim(" \t").starts_with("=")) {
      name_ = name;
      type_ = {};
      return absl::OkStatus();
    }
    const auto known = types_.find(name);
    if (known == types_.end()) return absl::OkStatus();
    const Type &used = known->second;
    if (depth + used.depth > kMostBrackets)
      return errorAt(placeOfOffset(text_, at),
                     "types are nested deeper than " +
                         std::to_string(kMostBrackets) + " here");
    if (!isDefining()) return absl::OkStatus();
    type_.depth = std::max(type_.depth, depth + used.depth);
    type_.leaves = llvm::SaturatingAdd(type_.leaves, used.leaves);
    if (type_.leaves > kMostLeaves)
      return errorAt(placeOfOffset(text_, at), "a type has more than " +
                                                   std::to_string(kMostLeaves) +
                                                   " leaves here");
    return absl::OkStatus();
  }

  void endLine() {
    if (!isDefining()) return;
    type_.leaves = std::max<uint64_t>(1, type_.leaves);
    types_[name_] = type_;
    name_ = StringRef();
  }

 private:
  struct Type {
    int depth = 1;
    uint64_t leaves = 0;  ///< of the aliases in it
  };
  const StringRef text_;
  llvm::StringMap<Type> types_;
  StringRef name_;  ///< of the one that is being defined
  Type type_;
};

// Checks the number after `#`, behind a value's name: `%x#3`.
absl::Status checkResultNumber(StringRef text, size_t at) {
  StringRef digits = text.drop_front(at + 1).take_while(llvm::isDigit);
  uint64_t number = 0;
  if (digits.empty() ||
      (!digits.getAsInteger(10, number) && number < kMostResults))
    return absl::OkStatus();
  return errorAt(placeOfOffset(text, at + 1),
                 "a result's number is below " + std::to_string(kMostResults));
}

// Walks over the text as MLIR's lexer would, for brackets, aliases and numbers
// of results.
absl::Status checkNesting(StringRef text) {
  int depth = 0;
  Aliases aliases(text);
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
        for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
          if (text[i] == '\\') ++i;
        break;
      case '/':
        if (text.substr(i).starts_with("//")) i = text.find('\n', i);
        if (i == StringRef::npos) return absl::OkStatus();
        if (text[i] == '\n' && depth == 0) aliases.endLine();
        break;
      case '\n':
        if (depth == 0) aliases.endLine();
        break;
      case '!':
        INDEXICAL_RETURN_IF_ERROR(aliases.meet(i, depth));
        break;
      case '#':
        if (i > 0 && isNameCharacter(text[i - 1]))
          INDEXICAL_RETURN_IF_ERROR(checkResultNumber(text, i));
        break;
      case '(':
      case '[':
      case '{':
      case '<':
        if (++depth > kMostBrackets)
          return errorAt(placeOfOffset(text, i),
                         "brackets are nested deeper than " +
                             std::to_string(kMostBrackets) + " here");
        break;
      case '>':
        if (i > 0 && text[i - 1] == '-') break;
        [[fallthrough]];
      case ')':
      case ']':
      case '}':
        depth = std::max(0, depth - 1);
        break;
    }
  }
  return absl::OkStatus();
}

// For `tensor.from_elements %0, … : tensor<2x3xf32>`, MLIR writes down the type
// of each element before it counts the operands, and aborts if there are too
// many.
absl::Status checkElementLists(StringRef text) {
  constexpr StringRef kName = ".from_elements ";
  for (size_t at = text.find(kName); at != StringRef::npos;
       at = text.find(kName, at + kName.size())) {
    size_t type = text.find(':', at);
    if (type == StringRef::npos) break;
    StringRef dimensions = text.drop_front(type).split('<').second.take_until(
        [](char c) { return c == '>' || c == '\n'; });
    uint64_t elements = 1, size = 0;
    while (!dimensions.consumeInteger(10, size)) {
      bool overflow = false;
      elements = llvm::SaturatingMultiply(elements, size, &overflow);
      if (elements > kMostElements)
        return errorAt(placeOfOffset(text, at + 1),
                       "a tensor whose elements are listed has at most " +
                           std::to_string(kMostElements) + " of them");
      if (!dimensions.consume_front("x")) break;
    }
    // A size that does not fit into 64 bits is an error.
    if (dimensions.take_while(llvm::isDigit).size() > 19)
      return errorAt(placeOfOffset(text, at + 1), "a size is too large");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status checkText(StringRef text) {
  INDEXICAL_RETURN_IF_ERROR(checkNesting(text));
  return checkElementLists(text);
}

}  // namespace indexical
