#include "indexical/import/stablehlo/text/old_syntax.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/stablehlo/text/tokens.h"

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

// Whether the word promises something of an op's operands.
bool isPromise(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"nneg", "disjoint", "exact", "samesign", "overflow"}, true)
      .Cases({"nonNeg", "isDisjoint", "isExact"}, true)  // as properties
      .Default(false);
}

// Reads promises, until a token that is none. Passes over `<nsw, nuw>`. Returns
// the offset behind the last one, or nothing if there is none.
std::optional<size_t> passPromises(Tokens &tokens, Token &token) {
  std::optional<size_t> end;
  while (token.kind == TokenKind::Word && isPromise(token.text)) {
    end = token.end();
    token = tokens.next();
    if (token.is("<")) {
      do token = tokens.next();
      while (token.kind == TokenKind::Word || token.is(","));
      if (!token.is(">")) return std::nullopt;
      end = token.end();
      token = tokens.next();
    }
    if (token.is(",")) token = tokens.next();
  }
  return end;
}

// Returns `tensor<4xf32>` for `memref<4xf32, 1>`; nothing if it is no memref.
std::optional<std::string> tensorOf(StringRef memory) {
  if (!memory.consume_front("memref<") || !memory.consume_back(">"))
    return std::nullopt;
  int depth = 0;
  for (size_t k = 0; k < memory.size(); ++k) {
    if (memory[k] == '<' || memory[k] == '(') ++depth;
    if (memory[k] == '>' || memory[k] == ')') --depth;
    if (memory[k] == ',' && depth == 0) {
      memory = memory.take_front(k);
      break;
    }
  }
  return ("tensor<" + memory + ">").str();
}

// Returns what an old level of a sparse tensor is called today: `compressed-nu`
// is `compressed(nonunique)`. Returns "" for one that is not known.
std::string levelOfToday(StringRef level) {
  llvm::SmallVector<StringRef, 3> words;
  level.trim('"').split(words, '-');
  if (words[0] != "dense" && words[0] != "compressed" &&
      words[0] != "singleton")
    return "";
  std::string marks;
  for (StringRef word : llvm::ArrayRef(words).drop_front()) {
    if (word != "nu" && word != "no") return "";
    marks += (marks.empty() ? "" : ", ") +
             std::string(word == "nu" ? "nonunique" : "nonordered");
  }
  return words[0].str() + (marks.empty() ? "" : "(" + marks + ")");
}

// Returns the promise at the offset, as promisesFrom says.
std::optional<TextPart> promiseAt(StringRef text, size_t offset) {
  Tokens tokens(text, offset);
  Token token = tokens.next();
  if (token.kind == TokenKind::String) {
    if (!token.text.starts_with("\"arith.")) return std::nullopt;
    int depth = 0;
    token = tokens.next();
    for (; token.kind != TokenKind::End; token = tokens.next()) {
      if (depth == 0 && token.is("<")) break;
      if (token.kind == TokenKind::Open) ++depth;
      if (token.kind == TokenKind::Close && --depth < 0) return std::nullopt;
      if (depth == 0 && token.is(":")) return std::nullopt;
    }
    TextPart part{token.begin, 0};
    if (token.kind == TokenKind::End || !tokens.next().is("{"))
      return std::nullopt;
    token = tokens.next();
    if (!passPromises(tokens, token) || !token.is("}")) return std::nullopt;
    token = tokens.next();
    if (!token.is(">")) return std::nullopt;
    part.end = token.end();
    return part;
  }
  TextPart part{token.begin, 0};
  const auto end = passPromises(tokens, token);
  if (!end || (!token.is(":") && !token.is("{"))) return std::nullopt;
  part.end = *end;
  return part;
}

}  // namespace

std::vector<TextPart> promisesFrom(StringRef text, size_t offset) {
  std::vector<TextPart> parts;
  const auto first = promiseAt(text, offset);
  if (!first) return parts;
  parts.push_back(*first);
  const bool isGeneric = text[first->begin] == '<';
  const StringRef word = text.substr(first->begin).take_while(llvm::isAlpha);
  Tokens tokens(text, first->end);
  Token before;
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       before = token, token = tokens.next()) {
    const bool mayBe =
        isGeneric ? token.kind == TokenKind::String
                  : before.kind == TokenKind::Value && token.text == word;
    if (const auto part = mayBe ? promiseAt(text, token.begin) : std::nullopt)
      parts.push_back(*part);
  }
  return parts;
}

bool leavePromisesOut(TextEdits &edits, size_t offset) {
  const auto parts = promisesFrom(edits.original(), offset);
  for (const TextPart &part : parts) edits.replace(part.begin, part.end, "");
  return !parts.empty();
}

bool writeModule(TextEdits &edits, StringRef name, size_t offset) {
  if (name != "gpu.module") return false;
  Tokens tokens(edits.original(), offset + name.size());
  if (tokens.next().kind != TokenKind::Symbol) return false;
  // What a module of kernels says of itself is not for other modules.
  if (!tokens.next().is("{")) return false;
  edits.replace(offset, offset + name.size(), "module");
  return true;
}

bool writeLevels(TextEdits &edits, size_t offset) {
  Tokens tokens(edits.original(), offset);
  Token token = tokens.next();
  while (token.kind == TokenKind::Word || token.kind == TokenKind::Attribute)
    token = tokens.next();
  if (!token.is("<") || !tokens.next().is("{")) return false;
  token = tokens.next();
  if (!token.is("dimLevelType")) return false;
  const size_t begin = token.begin;
  if (!tokens.next().is("=") || !tokens.next().is("[")) return false;
  std::string dimensions, levels;
  int count = 0;
  for (token = tokens.next(); !token.is("]"); token = tokens.next()) {
    if (token.is(",")) continue;
    const std::string level =
        token.kind == TokenKind::String ? levelOfToday(token.text) : "";
    if (level.empty()) return false;
    const std::string name = "d" + std::to_string(count++);
    dimensions += (dimensions.empty() ? "" : ", ") + name;
    levels += (levels.empty() ? "" : ", ") + name + " : " + level;
  }
  const size_t end = token.end();
  if (!tokens.next().is("}")) return false;
  edits.replace(begin, end, "map = (" + dimensions + ") -> (" + levels + ")");
  return true;
}

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

bool writeBothTypes(TextEdits &edits) {
  const StringRef text = edits.original();
  struct Edit {
    size_t begin, end;
    std::string with;
  };
  std::vector<Edit> all;
  Tokens tokens(text);
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       token = tokens.next()) {
    const bool toMemory =
        token.is("bufferization.to_memref") || token.is("memref.buffer_cast");
    const bool toTensor =
        token.is("bufferization.to_tensor") || token.is("memref.tensor_load");
    if (!toMemory && !toTensor) continue;
    const Token name = token;
    // Up to the type; a dictionary of attributes may stand before it.
    int depth = 0;
    for (token = tokens.next(); token.kind != TokenKind::End;
         token = tokens.next()) {
      if (token.kind == TokenKind::Open) ++depth;
      if (token.kind == TokenKind::Close && --depth < 0) return false;
      if (depth == 0 && (token.is(":") || token.opensLine)) break;
    }
    if (!token.is(":")) return false;
    const Token first = tokens.next();
    const StringRef type = withBrackets(text, first, tokens);
    Tokens behind = tokens;
    const bool hasBoth = behind.next().is("to");
    const auto tensor = tensorOf(type);
    if (!tensor && !hasBoth) return false;
    all.push_back(
        {name.begin, name.end(),
         toMemory ? "bufferization.to_buffer" : "bufferization.to_tensor"});
    if (hasBoth) continue;
    const size_t at = toMemory ? first.begin : first.begin + type.size();
    all.push_back({at, at, toMemory ? *tensor + " to " : " to " + *tensor});
  }
  for (Edit &edit : all)
    edits.replace(edit.begin, edit.end, std::move(edit.with));
  return !all.empty();
}

bool writeWindows(TextEdits &edits) {
  bool any = false;
  Tokens tokens(edits.original());
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       token = tokens.next()) {
    if (!token.is("\"window\"")) continue;
    edits.replace(token.begin, token.end(), "\"reduction\"");
    any = true;
  }
  return any;
}

bool writeAxes(TextEdits &edits, size_t offset) {
  struct Edit {
    size_t begin, end;
    const char *with;
  };
  std::vector<Edit> all;
  std::optional<size_t> op;  // where its name begins
  bool isOfThis = false;
  int depth = 0;
  Tokens tokens(edits.original());
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       token = tokens.next()) {
    if (token.text.ltrim('"').starts_with("tosa.")) {
      op = token.begin;
      depth = 0;
    }
    if (token.kind == TokenKind::Open) ++depth;
    if (token.kind == TokenKind::Close) --depth;
    // Types follow the attributes.
    if (depth == 0 && token.is(":")) op.reset();
    if (!op || !token.is("axis")) continue;
    Tokens behind = tokens;
    if (!behind.next().is("=")) continue;
    const Token number = behind.next();
    if (number.kind != TokenKind::Number) continue;
    const bool hasType = behind.next().is(":");
    const Token type = behind.next();
    if (hasType && !type.is("i64")) continue;
    if (hasType)
      all.push_back({type.begin, type.end(), "i32"});
    else
      all.push_back({number.end(), number.end(), " : i32"});
    isOfThis |= *op <= offset && offset <= token.begin;
  }
  if (!isOfThis) return false;
  for (const Edit &edit : all) edits.replace(edit.begin, edit.end, edit.with);
  return true;
}

void writeTosaWords(TextEdits &edits) {
  static constexpr std::pair<StringRef, StringRef> kWords[] = {
      {"nan_mode", "nan_mode"},
      {"mode", "resize_mode"},
      {"rounding_mode", "rounding_mode"}};
  bool isOfTosa = false, isGeneric = false;
  int depth = 0;
  Tokens tokens(edits.original());
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       token = tokens.next()) {
    if (token.text.ltrim('"').starts_with("tosa.")) {
      isOfTosa = true;
      isGeneric = token.text.starts_with("\"");
      depth = 0;
    }
    if (token.kind == TokenKind::Open) ++depth;
    if (token.kind == TokenKind::Close) --depth;
    // Types follow the attributes.
    if (depth == 0 && token.is(":")) isOfTosa = false;
    if (!isOfTosa) continue;
    const auto *row = llvm::find_if(
        kWords, [&](const auto &each) { return token.is(each.first); });
    if (row == std::end(kWords)) continue;
    Tokens behind = tokens;
    if (!behind.next().is("=")) continue;
    const Token value = behind.next();
    StringRef word = value.text;
    if (!word.consume_front("\"") || !word.consume_back("\"") || word.empty() ||
        !llvm::all_of(word,
                      [](char c) { return llvm::isUpper(c) || c == '_'; }))
      continue;
    edits.replace(value.begin, value.end(),
                  isGeneric ? ("#tosa." + row->second + "<" + word + ">").str()
                            : word.str());
  }
}

}  // namespace indexical
