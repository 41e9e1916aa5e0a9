#include "indexical/import/stablehlo/text/foreign_ops.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/OpDefinition.h"

#include "indexical/import/stablehlo/text/tokens.h"

namespace indexical {
namespace {

using llvm::StringRef;
using PassedOver = ForeignOps::PassedOver;

// No dialect has this type. A value of such a type is one element that stands
// for all (shapeOf), so that no read through it is lost.
constexpr StringRef kNoType = "!unknown.type";

//===-- Where ops begin and end -------------------------------------------===//

// Ops of builtin and func are written without their dialect.
bool isNameOfOp(StringRef word) {
  return word.contains('.') || word == "return" || word == "call" ||
         word == "func" || word == "module";
}

// Whether `%a, %b:2 =` begins with this token, which is a value.
bool isBinding(StringRef text, const Token &first) {
  Tokens rest(text, first.end());
  for (Token token = rest.next(); token.opensLine == false;
       token = rest.next()) {
    if (token.is("=")) return true;
    if (!token.is(",") && !token.is(":") && token.kind != TokenKind::Value &&
        token.kind != TokenKind::Number)
      return false;
  }
  return false;
}

// Whether an op, a label or an alias begins with this token, the first of its
// line at the depth of the ops before it.
bool beginsNext(StringRef text, const Token &token) {
  const StringRef behind = text.substr(token.end()).ltrim();
  switch (token.kind) {
    case TokenKind::Value:
      return isBinding(text, token);
    case TokenKind::Word:
      return isNameOfOp(token.text);
    case TokenKind::String:
      return behind.starts_with("(");
    case TokenKind::Attribute:
    case TokenKind::Type:
      return behind.starts_with("=");
    case TokenKind::Block:
      return true;
    default:
      return false;
  }
}

// Returns the tokens of an op behind its name, which ends at `at`.
std::vector<Token> tokensOfOp(StringRef text, size_t at) {
  std::vector<Token> all;
  Tokens tokens(text, at);
  int depth = 0;
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       token = tokens.next()) {
    if (depth == 0 && token.opensLine && beginsNext(text, token)) break;
    if (token.kind == TokenKind::Open) ++depth;
    if (token.kind == TokenKind::Close && --depth < 0) break;
    all.push_back(token);
  }
  return all;
}

//===-- What its text says ------------------------------------------------===//

// The parts of the tokens between commas that stand outside of brackets.
std::vector<StringRef> partsOf(StringRef text, llvm::ArrayRef<Token> tokens) {
  std::vector<StringRef> parts;
  size_t begin = 0;
  int depth = 0;
  auto take = [&](size_t end) {
    if (end > begin)
      parts.push_back(text.slice(tokens[begin].begin, tokens[end - 1].end()));
    begin = end + 1;
  };
  for (size_t k = 0; k < tokens.size(); ++k) {
    if (tokens[k].kind == TokenKind::Open) ++depth;
    if (tokens[k].kind == TokenKind::Close) --depth;
    if (depth == 0 && tokens[k].is(",")) take(k);
  }
  take(tokens.size());
  return parts;
}

// Returns the tokens behind the last `->`, `to` or `into` outside of brackets,
// or behind the last `:`, up to a dictionary or a location; none if there is no
// such sign.
llvm::ArrayRef<Token> typesAtTheEnd(llvm::ArrayRef<Token> tokens) {
  std::optional<size_t> arrow, colon;
  size_t end = tokens.size();
  int depth = 0;
  for (size_t k = 0; k < tokens.size(); ++k) {
    const Token &token = tokens[k];
    if (depth == 0 && (colon || arrow) && end == tokens.size() &&
        (token.is("{") || token.is("loc") || token.is("attributes")))
      end = k;
    if (token.kind == TokenKind::Open) ++depth;
    if (token.kind == TokenKind::Close) --depth;
    if (depth != 0) continue;
    if (token.is(":")) {
      colon = k;
      arrow.reset();
      end = tokens.size();
    }
    if (token.kind == TokenKind::Arrow || token.is("to") || token.is("into"))
      arrow = k;
  }
  if (!arrow && !colon) return {};
  const size_t begin = arrow.value_or(colon.value_or(0)) + 1;
  llvm::ArrayRef<Token> types =
      tokens.slice(begin, std::max(begin, end) - begin);
  // `(a, b)` as a whole.
  if (types.size() < 2 || !types.front().is("(")) return types;
  depth = 0;
  for (const Token &token : types.drop_back()) {
    if (token.kind == TokenKind::Open) ++depth;
    if (token.kind == TokenKind::Close && --depth == 0) return types;
  }
  return types.drop_front().drop_back();
}

bool looksLikeType(StringRef text) {
  return !text.empty() && (llvm::isAlpha(text.front()) || text.front() == '!' ||
                           text.front() == '(');
}

std::vector<std::string> typesOf(StringRef text, llvm::ArrayRef<Token> tokens,
                                 size_t count) {
  std::vector<StringRef> parts = partsOf(text, typesAtTheEnd(tokens));
  if (!llvm::all_of(parts, looksLikeType)) parts.clear();
  // One type is that of each result; of several, `select` gives the last.
  if (parts.size() == 1) parts.resize(count, parts[0]);
  if (count == 1 && parts.size() > 1) parts = {parts.back()};
  if (parts.size() != count) parts.assign(count, kNoType);
  return std::vector<std::string>(parts.begin(), parts.end());
}

// Collects the values that the op defines for itself: `%a =`, and the arguments
// of blocks.
llvm::StringSet<> definedIn(StringRef text, llvm::ArrayRef<Token> tokens) {
  llvm::StringSet<> defined;
  for (size_t k = 0; k < tokens.size(); ++k) {
    const Token &token = tokens[k];
    if (token.kind == TokenKind::Value &&
        text.substr(token.end()).ltrim().starts_with("="))
      defined.insert(token.text);
    if (token.kind == TokenKind::Value && token.opensLine &&
        isBinding(text, token))
      for (size_t at = k; at < tokens.size() && !tokens[at].is("="); ++at)
        if (tokens[at].kind == TokenKind::Value)
          defined.insert(tokens[at].text);
    if (token.kind == TokenKind::Block && k + 1 < tokens.size() &&
        tokens[k + 1].is("(")) {
      int depth = 0;
      for (size_t at = k + 1; at < tokens.size(); ++at) {
        if (tokens[at].kind == TokenKind::Open) ++depth;
        if (tokens[at].kind == TokenKind::Close && --depth == 0) break;
        if (tokens[at].kind == TokenKind::Value)
          defined.insert(tokens[at].text);
      }
    }
  }
  return defined;
}

// Whether the tokens, from `k` on, go on to a region of ops before the next op
// begins: then the value at `k` may be bound for it.
bool leadsToRegion(StringRef text, llvm::ArrayRef<Token> tokens, size_t k) {
  int depth = 0;
  for (size_t at = k + 1; at < tokens.size(); ++at) {
    const Token &token = tokens[at];
    if (depth == 0 &&
        (token.is("}") || (token.opensLine && beginsNext(text, token))))
      return false;
    if (token.kind == TokenKind::Open) ++depth;
    // The value may stand in brackets itself.
    if (token.kind == TokenKind::Close && depth > 0) --depth;
    if (!token.is("{") || at + 1 == tokens.size()) continue;
    const Token &next = tokens[at + 1];
    const bool isAttribute = next.kind == TokenKind::Word &&
                             text.substr(next.end()).ltrim().starts_with("=");
    if (beginsNext(text, next) && !isAttribute) return true;
  }
  return false;
}

std::vector<PassedOver::Operand> operandsOf(StringRef text,
                                            llvm::ArrayRef<Token> tokens) {
  const llvm::StringSet<> defined = definedIn(text, tokens);
  llvm::StringSet<> seen;
  std::vector<PassedOver::Operand> operands;
  for (size_t k = 0; k < tokens.size(); ++k)
    if (tokens[k].kind == TokenKind::Value &&
        !defined.contains(tokens[k].text.split('#').first) &&
        seen.insert(tokens[k].text).second)
      operands.push_back({tokens[k].text.str(), tokens[k].begin,
                          leadsToRegion(text, tokens, k)});
  return operands;
}

// The text with values numbered in the order of their first use, and one space
// between tokens.
std::string numberedText(llvm::ArrayRef<Token> tokens) {
  llvm::StringMap<size_t> numbers;
  std::string text;
  for (const Token &token : tokens) {
    if (!text.empty()) text += ' ';
    if (token.kind == TokenKind::Value)
      text +=
          '%' +
          std::to_string(
              numbers.try_emplace(token.text, numbers.size()).first->second);
    else
      text += token.text;
  }
  return text;
}

// The results that `%a, %b:2 =` binds; `before` are the tokens up to the `=`.
void takeResults(llvm::ArrayRef<Token> before, PassedOver &op) {
  size_t k = before.size() - 1;
  while (k > 0) {
    int count = 1;
    if (before[k - 1].kind == TokenKind::Number && k >= 3 &&
        before[k - 2].is(":")) {
      if (before[k - 1].text.getAsInteger(10, count) || count < 1) return;
      k -= 2;
    }
    if (before[k - 1].kind != TokenKind::Value) return;
    op.results.insert(op.results.begin(), before[k - 1].text.str());
    op.counts.insert(op.counts.begin(), count);
    if (k < 2 || !before[k - 2].is(",")) return;
    k -= 2;
  }
}

}  // namespace

std::vector<PassedOver::Operand> operandsIn(StringRef text, size_t begin,
                                            size_t end) {
  std::vector<Token> inside;
  Tokens tokens(text, begin);
  for (Token token = tokens.next();
       token.kind != TokenKind::End && token.begin < end; token = tokens.next())
    inside.push_back(token);
  return operandsOf(text, inside);
}

llvm::StringSet<> namesDefinedIn(StringRef text) {
  llvm::StringSet<> names;
  std::vector<bool> isList;  // of the open brackets: whether they are round
  Tokens tokens(text);
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       token = tokens.next()) {
    if (token.kind == TokenKind::Open) isList.push_back(token.is("("));
    if (token.kind == TokenKind::Close && !isList.empty()) isList.pop_back();
    if (token.kind != TokenKind::Value) continue;
    const StringRef behind = text.substr(token.end()).ltrim();
    const bool isArgument =
        !isList.empty() && isList.back() && behind.starts_with(":");
    if (isArgument || behind.starts_with("=") || isBinding(text, token))
      names.insert(token.text);
  }
  return names;
}

//===-- Passing over ------------------------------------------------------===//

bool ForeignOps::passOver(StringRef dialectOrName, size_t offset) {
  return passOver(dialectOrName, offset, edits_.original().size());
}

bool ForeignOps::passOverLast(StringRef name, size_t offset) {
  const size_t at = edits_.original().take_front(offset).rfind(name);
  return at != StringRef::npos && passOver(name, at, at);
}

bool ForeignOps::passOver(StringRef dialectOrName, size_t first, size_t last) {
  const StringRef text = edits_.original();
  const bool isOneOp = dialectOrName.contains('.');
  bool any = false;
  std::vector<Token> before;
  Tokens tokens(text);
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       token = tokens.next()) {
    const bool isCalled =
        token.kind == TokenKind::Word && token.begin >= first &&
        token.begin <= last &&
        (isOneOp ? token.is(dialectOrName)
                 : token.text.split('.').first == dialectOrName &&
                       token.text.contains('.'));
    const StringRef behind = text.substr(token.end()).ltrim();
    const bool isBound = !before.empty() && before.back().is("=") &&
                         before.size() > 1 &&
                         (before[before.size() - 2].kind == TokenKind::Value ||
                          before[before.size() - 2].kind == TokenKind::Number);
    const bool isOp =
        isCalled && !behind.starts_with("=") &&
        // Where MLIR's parser looked for an op there is one.
        (isBound || token.opensLine || token.begin == first ||
         (!before.empty() && (before.back().is("{") || before.back().is("}")) &&
          !behind.starts_with(",") && !behind.starts_with("}")));
    if (!isOp) {
      before.push_back(token);
      continue;
    }
    const std::vector<Token> inside = tokensOfOp(text, token.end());
    PassedOver op;
    op.begin = token.begin;
    op.end = inside.empty() ? token.end() : inside.back().end();
    op.name = (isOneOp ? "unknown." : "") + token.text.str();
    op.text = numberedText(inside);
    if (isBound) takeResults(before, op);
    size_t count = 0;
    for (int each : op.counts) count += each;
    op.types = typesOf(text, inside, count);
    op.operands = operandsOf(text, inside);
    write(op);
    // What was passed over inside of it goes with it.
    llvm::erase_if(ops_, [&op](const PassedOver &each) {
      return each.begin >= op.begin && each.begin < op.end;
    });
    const auto place = llvm::upper_bound(
        ops_, op.begin,
        [](size_t at, const PassedOver &each) { return at < each.begin; });
    tokens = Tokens(text, op.end);
    before.clear();
    ops_.insert(place, std::move(op));
    any = true;
  }
  return any;
}

void ForeignOps::write(const PassedOver &op) {
  std::string with;
  llvm::raw_string_ostream out(with);
  out << '"' << op.name << "\"() {" << kForeignText << " = \"";
  llvm::printEscapedString(op.text, out);
  out << "\"} : () -> (" << llvm::join(op.types, ", ") << ')';
  edits_.replace(op.begin, op.end, std::move(with));
}

//===-- Types of results --------------------------------------------------===//

bool ForeignOps::learnType(StringRef message, size_t offset) {
  StringRef name, type;
  if (message.consume_front("use of value '")) {
    // `%0' expects different type than prior uses: 'T' vs 'U'`. The text of
    // the use says which of several results it is.
    name = Tokens(edits_.original(), offset).next().text;
    type = message.split("prior uses: '").second.split("' vs '").first;
  } else if (message.consume_front("definition of SSA value '")) {
    name = message.take_until([](char c) { return c == '\''; });
    type = message.split("used here with type '").second.split('\'').first;
  }
  const auto [value, number] = name.split('#');
  size_t result = 0;
  if (type.empty() || (!number.empty() && number.getAsInteger(10, result)))
    return false;
  // The last definition that stands before the use, else the first behind it.
  PassedOver *found = nullptr;
  size_t first = 0;
  for (PassedOver &op : ops_) {
    if (found && op.begin > offset) break;
    size_t at = 0;
    for (size_t k = 0; k < op.results.size(); at += op.counts[k++])
      if (op.results[k] == value &&
          result < static_cast<size_t>(op.counts[k])) {
        found = &op;
        first = at;
      }
  }
  if (!found || found->types[first + result] == type) return false;
  found->types[first + result] = type.str();
  write(*found);
  return true;
}

bool ForeignOps::forgetTypes(size_t offset) {
  for (PassedOver &op : ops_) {
    if (op.begin != offset) continue;
    if (llvm::all_of(op.types,
                     [](const std::string &type) { return type == kNoType; }))
      return false;
    op.types.assign(op.types.size(), kNoType.str());
    write(op);
    return true;
  }
  return false;
}

//===-- Operands ----------------------------------------------------------===//

namespace {

// Whether what is defined in the region can be used in the other one.
bool isSeen(mlir::Region *region, mlir::Region *from) {
  for (; from; from = from->getParentRegion()) {
    if (from == region) return true;
    if (from->getParentOp()->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
      return false;
  }
  return false;
}

// The values of a module by their names.
class Names {
 public:
  explicit Names(const mlir::AsmParserState &state) {
    for (const auto &op : state.getOpDefs())
      for (const auto &group : op.resultGroups)
        add(group.definition.loc, op.op->getResult(group.startIndex));
    for (const auto &block : state.getBlockDefs())
      for (const auto &[k, argument] : llvm::enumerate(block.arguments))
        add(argument.loc, block.block->getArgument(k));
  }

  /// Returns what the name means in the op, or null.
  mlir::Value find(StringRef name, mlir::Operation *op,
                   const char *where) const {
    auto [root, number] = name.split('#');
    unsigned result = 0;
    if (!number.empty() && number.getAsInteger(10, result)) return {};
    const auto all = named_.find(root);
    if (all == named_.end()) return {};
    for (const auto &named : llvm::reverse(all->second)) {
      mlir::Value value = named.second;
      if (named.first >= where ||
          !isSeen(value.getParentRegion(), op->getParentRegion()))
        continue;
      if (result == 0) return value;
      const auto group = llvm::dyn_cast<mlir::OpResult>(value);
      if (!group) return {};
      const unsigned k = group.getResultNumber() + result;
      if (k < group.getOwner()->getNumResults())
        return group.getOwner()->getResult(k);
    }
    return {};
  }

 private:
  void add(llvm::SMRange range, mlir::Value value) {
    if (!range.isValid()) return;
    const char *begin = range.Start.getPointer();
    const StringRef text(begin, range.End.getPointer() - begin);
    named_[text.split(':').first.rtrim()].push_back({begin, value});
  }

  /// In the order of the text.
  llvm::StringMap<std::vector<std::pair<const char *, mlir::Value>>> named_;
};

}  // namespace

const PassedOver::Operand *ForeignOps::attachOperands(
    const mlir::AsmParserState &state, const EditedText &text) {
  if (ops_.empty()) return nullptr;
  llvm::DenseMap<size_t, const PassedOver *> byOffset;
  for (const PassedOver &op : ops_) byOffset[text.edited(op.begin)] = &op;
  const Names names(state);
  const PassedOver::Operand *missing = nullptr;
  for (const auto &definition : state.getOpDefs()) {
    const char *at = definition.loc.Start.getPointer();
    const auto found = byOffset.find(at - text.text.data());
    if (found == byOffset.end()) continue;
    llvm::SmallVector<mlir::Value> operands;
    for (const PassedOver::Operand &operand : found->second->operands) {
      if (const mlir::Value value = names.find(operand.name, definition.op, at))
        operands.push_back(value);
      else if (!operand.mayBeBound &&
               (!missing || operand.offset < missing->offset))
        missing = &operand;
    }
    definition.op->insertOperands(0, operands);
  }
  return missing;
}

}  // namespace indexical
