// The expressions of syntax.h.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/python/nesting.h"
#include "indexical/import/python/syntax.h"

namespace indexical::python {

using llvm::StringRef;

Node *Parser::make(NodeKind kind, Place place, StringRef text,
                   std::vector<Node *> parts) {
  store_.nodes.push_back({kind, place, text, std::move(parts)});
  return &store_.nodes.back();
}

Node *Parser::refuse(RefusalKind kind, Place place, std::string message) {
  if (!refusal) refusal = Refusal{kind, place, std::move(message)};
  return nullptr;
}

Node *Parser::expected(const char *what) {
  const Token &at = token();
  if (at.kind == TokenKind::Bad)
    return refuse(RefusalKind::Syntax, at.place, at.message);
  std::string found = at.text.str();
  if (at.kind == TokenKind::NewLine || at.kind == TokenKind::End ||
      at.kind == TokenKind::Dedent)
    found = "the end of the line";
  else if (at.kind == TokenKind::Indent)
    found = "an indented line";
  else
    found = "`" + found.substr(0, 40) + "`";
  return refuse(RefusalKind::Syntax, at.place,
                std::string("expected ") + what + ", not " + found);
}

bool Parser::take(StringRef word) {
  if (!token().is(word)) return false;
  skip();
  return true;
}

bool Parser::require(StringRef word) {
  if (take(word)) return true;
  expected(("`" + word + "`").str().c_str());
  return false;
}

Node *Parser::expressionList() {
  const Place place = token().place;
  Node *first = token().is("*") ? index() : expression();
  if (!first || !token().is(",")) return first;
  std::vector<Node *> parts = {first};
  while (take(",")) {
    if (endsLine() || token().is("=") || token().is(")") || token().is("]") ||
        token().is(":"))
      break;
    Node *next = token().is("*") ? index() : expression();
    if (!next) return nullptr;
    parts.push_back(next);
  }
  return make(NodeKind::Tuple, place, {}, std::move(parts));
}

Node *Parser::expression() {
  const Place place = token().place;
  if (token().is("lambda")) return isOfHost ? hostLambda() : lambda();
  Node *value = logical("or");
  if (!value) return nullptr;
  if (token().is(":=")) {
    const Nesting nested(*this);
    if (!nested.isAllowed()) return nullptr;
    skip();
    Node *given = expression();
    if (!given) return nullptr;
    if (isOfHost && value->kind == NodeKind::Name)
      return make(NodeKind::Walrus, place, value->text, {given});
    return make(NodeKind::Other, place, "an assignment within an expression");
  }
  if (!token().is("if")) return value;
  const Nesting nested(*this);
  if (!nested.isAllowed()) return nullptr;
  skip();
  Node *test = logical("or");
  if (!test || !require("else")) return nullptr;
  Node *other = expression();
  if (!other) return nullptr;
  return make(NodeKind::Conditional, place, {}, {test, value, other});
}

Node *Parser::lambda() {
  const Nesting nested(*this);
  if (!nested.isAllowed()) return nullptr;
  const Place place = token().place;
  skip();
  std::vector<Node *> parts = {nullptr};
  while (!token().is(":") && !endsLine()) {
    if (token().kind == TokenKind::Name) {
      const StringRef name = token().text;
      if (llvm::any_of(llvm::drop_begin(parts),
                       [&](const Node *each) { return each->text == name; }))
        return refuse(RefusalKind::Syntax, token().place,
                      ("two parameters `" + name + "`").str());
      parts.push_back(make(NodeKind::Name, token().place, name));
    }
    skip();
    if (take("=") && !expression()) return nullptr;
  }
  if (!require(":")) return nullptr;
  parts[0] = expression();
  if (!parts[0]) return nullptr;
  return make(NodeKind::Lambda, place, {}, std::move(parts));
}

Node *Parser::logical(StringRef word) {
  const bool isOr = word == "or";
  const Place place = token().place;
  auto operand = [&] { return isOr ? logical("and") : notTest(); };
  Node *first = operand();
  if (!first || !token().is(word)) return first;
  std::vector<Node *> parts = {first};
  while (take(word)) {
    Node *next = operand();
    if (!next) return nullptr;
    parts.push_back(next);
    if (parts.size() > kMostChained)
      return refuse(RefusalKind::Limit, place, "a chain of too many operands");
  }
  return make(NodeKind::Logical, place, word, std::move(parts));
}

Node *Parser::notTest() {
  if (!token().is("not")) return compare();
  const Nesting nested(*this);
  if (!nested.isAllowed()) return nullptr;
  const Place place = token().place;
  skip();
  Node *of = notTest();
  return of ? make(NodeKind::Unary, place, "not", {of}) : nullptr;
}

Node *Parser::compare() {
  static constexpr StringRef kSigns[] = {
      "<", ">", "==", ">=", "<=", "!=", "in", "is"};
  const Place place = token().place;
  Node *first = binary(0);
  if (!first) return nullptr;
  std::vector<Node *> parts = {first};
  StringRef sign;
  while (true) {
    StringRef found;
    if (token().is("not") && next().is("in")) {
      skip();
      found = "not in";
    } else if (token().kind != TokenKind::String &&
               llvm::is_contained(kSigns, token().text)) {
      found = token().text;
      if (found == "is" && next().is("not")) {
        skip();
        found = "is not";
      }
    } else {
      break;
    }
    skip();
    Node *right = binary(0);
    if (!right) return nullptr;
    if (sign.empty()) {
      sign = found;
    } else if (isOfHost) {
      // All signs of a chain.
      store_.strings.push_back((sign + "," + found).str());
      sign = store_.strings.back();
    }
    parts.push_back(right);
  }
  if (parts.size() == 1) return first;
  return make(NodeKind::Compare, place, sign, std::move(parts));
}

Node *Parser::binary(int level) {
  static constexpr StringRef kSigns[][5] = {
      {"|"},        {"^"},      {"&"},
      {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"}};
  constexpr int kLevels = 6;
  if (level == kLevels) return unary();
  const Place place = token().place;
  Node *left = binary(level + 1);
  int chained = 0;
  while (left && token().kind == TokenKind::Sign &&
         llvm::is_contained(kSigns[level], token().text)) {
    const StringRef sign = token().text;
    skip();
    Node *right = binary(level + 1);
    if (!right) return nullptr;
    left = make(NodeKind::Binary, place, sign, {left, right});
    if (++chained > kMostChained)
      return refuse(RefusalKind::Limit, place, "a chain of too many operands");
  }
  return left;
}

Node *Parser::unary() {
  if (!token().is("-") && !token().is("+") && !token().is("~")) return power();
  const Nesting nested(*this);
  if (!nested.isAllowed()) return nullptr;
  const Place place = token().place;
  const StringRef sign = token().text;
  skip();
  Node *of = unary();
  return of ? make(NodeKind::Unary, place, sign, {of}) : nullptr;
}

Node *Parser::power() {
  const Place place = token().place;
  if (token().is("await") && isOfHost) {
    skip();
    Node *of = postfix();
    return of ? make(NodeKind::Other, place, "await", {of}) : nullptr;
  }
  if (token().is("await"))
    return refuse(RefusalKind::Unsupported, place, "`await` in a kernel");
  Node *base = postfix();
  if (!base || !token().is("**")) return base;
  const Nesting nested(*this);
  if (!nested.isAllowed()) return nullptr;
  skip();
  Node *exponent = unary();
  if (!exponent) return nullptr;
  return make(NodeKind::Binary, place, "**", {base, exponent});
}

Node *Parser::postfix() {
  Node *of = atom();
  int chained = 0;
  while (of) {
    if (token().is(".")) {
      skip();
      if (token().kind != TokenKind::Name) return expected("a name");
      of = make(NodeKind::Attribute, of->place, token().text, {of});
      skip();
    } else if (token().is("[")) {
      of = subscript(of);
    } else if (token().is("(")) {
      of = call(of);
    } else {
      break;
    }
    if (++chained > kMostChained)
      return refuse(RefusalKind::Limit, token().place,
                    "a chain of too many operands");
  }
  return of;
}

Node *Parser::index() {
  const Place place = token().place;
  if (take("*")) {
    Node *of = expression();
    return of ? make(NodeKind::Starred, place, {}, {of}) : nullptr;
  }
  std::vector<Node *> parts = {nullptr, nullptr, nullptr};
  auto isEnd = [&] {
    return token().is(":") || token().is(",") || token().is("]");
  };
  if (!isEnd() && !(parts[0] = expression())) return nullptr;
  if (!token().is(":")) {
    if (parts[0]) return parts[0];
    return expected("an index");
  }
  skip();
  if (!isEnd() && !(parts[1] = expression())) return nullptr;
  if (take(":") && !isEnd() && !(parts[2] = expression())) return nullptr;
  return make(NodeKind::Slice, place, {}, std::move(parts));
}

Node *Parser::subscript(Node *of) {
  const Nesting nested(*this);
  if (!nested.isAllowed()) return nullptr;
  skip();
  std::vector<Node *> parts = {of};
  while (!token().is("]")) {
    Node *each = index();
    if (!each) return nullptr;
    parts.push_back(each);
    if (!take(",")) break;
  }
  if (parts.size() == 1) return expected("an index");
  if (!require("]")) return nullptr;
  return make(NodeKind::Subscript, of->place, {}, std::move(parts));
}

Node *Parser::call(Node *of) {
  const Nesting nested(*this);
  if (!nested.isAllowed()) return nullptr;
  skip();
  std::vector<Node *> parts = {of};
  while (!token().is(")")) {
    const Place place = token().place;
    Node *each = nullptr;
    if (token().kind == TokenKind::Name && next().is("=")) {
      const StringRef name = token().text;
      if (llvm::any_of(parts, [&](const Node *other) {
            return other->kind == NodeKind::Keyword && other->text == name;
          }))
        return refuse(RefusalKind::Syntax, place,
                      ("two arguments `" + name + "`").str());
      skip();
      skip();
      Node *value = expression();
      if (!value) return nullptr;
      each = make(NodeKind::Keyword, place, name, {value});
    } else if (token().is("*") || token().is("**")) {
      const bool isDict = token().is("**");
      skip();
      Node *value = expression();
      if (!value) return nullptr;
      each = make(isDict ? NodeKind::Keyword : NodeKind::Starred, place, {},
                  {value});
    } else {
      if (llvm::any_of(parts, [](const Node *other) {
            return other->kind == NodeKind::Keyword;
          }))
        return refuse(RefusalKind::Syntax, place,
                      "a positional argument behind one with a name");
      each = expression();
      if (each && token().is("for")) {
        each = comprehension(each, place);
        if (each && isOfHost) each->text = "generator";
      }
    }
    if (!each) return nullptr;
    parts.push_back(each);
    if (!take(",")) break;
  }
  if (!require(")")) return nullptr;
  return make(NodeKind::Call, of->place, {}, std::move(parts));
}

Node *Parser::atom() {
  const Token &at = token();
  switch (at.kind) {
    case TokenKind::Number:
      return number();
    case TokenKind::String:
      return string();
    case TokenKind::Name: {
      static constexpr StringRef kConstants[] = {"None", "True", "False"};
      static constexpr StringRef kWords[] = {
          "if",    "else",  "for",    "in",  "is",   "and",  "or",
          "while", "def",   "return", "del", "with", "from", "import",
          "class", "yield", "lambda", "as",  "elif", "try",  "not"};
      if (llvm::is_contained(kWords, at.text)) break;
      const bool isConstant = llvm::is_contained(kConstants, at.text);
      skip();
      return make(isConstant ? NodeKind::Constant : NodeKind::Name, at.place,
                  at.text);
    }
    case TokenKind::Sign:
      if (at.text == "...") {
        skip();
        return make(NodeKind::Constant, at.place, at.text);
      }
      if (at.text == "(" || at.text == "[") return bracket();
      if (at.text == "{") return braces();
      break;
    default:
      break;
  }
  return expected("an expression");
}

Node *Parser::bracket() {
  const Nesting nested(*this);
  if (!nested.isAllowed()) return nullptr;
  const Place place = token().place;
  const bool isList = token().is("[");
  const StringRef close = isList ? "]" : ")";
  skip();
  std::vector<Node *> parts;
  bool isTuple = isList;
  while (!token().is(close)) {
    Node *each = token().is("*") ? index() : expression();
    if (!each) return nullptr;
    if (parts.empty() && token().is("for")) {
      each = comprehension(each, place);
      if (!each || !require(close)) return nullptr;
      if (isOfHost) each->text = isList ? "list" : "generator";
      return each;
    }
    parts.push_back(each);
    if (!take(",")) break;
    isTuple = true;
  }
  if (!require(close)) return nullptr;
  if (!isTuple && parts.size() == 1) return parts[0];
  return make(isList ? NodeKind::List : NodeKind::Tuple, place, {},
              std::move(parts));
}

Node *Parser::braces() {
  const Nesting nested(*this);
  if (!nested.isAllowed()) return nullptr;
  const Place place = token().place;
  skip();
  std::vector<Node *> parts;
  bool isSet = false;
  while (!token().is("}")) {
    Node *key = nullptr;
    if (!take("**")) {
      key = expression();
      if (!key) return nullptr;
      if (token().is(",") || token().is("}")) {
        isSet = true;
        if (isOfHost) parts.push_back(key);
        if (!take(",")) break;
        continue;
      }
      if (!token().is("for") && !require(":")) return nullptr;
    }
    const bool isKey = token().is("for");
    Node *value = isKey ? key : expression();
    if (!value) return nullptr;
    if (token().is("for")) {
      if (isOfHost && !isKey)
        value = make(NodeKind::Tuple, place, {}, {key, value});
      Node *made = comprehension(value, place);
      if (!made || !require("}")) return nullptr;
      if (!isOfHost) return make(NodeKind::Other, place, "a comprehension");
      made->text = isKey ? "set" : "dict";
      return made;
    }
    parts.push_back(key);
    parts.push_back(value);
    if (!take(",")) break;
  }
  if (!require("}")) return nullptr;
  if (isSet && isOfHost)
    return make(NodeKind::Set, place, {}, std::move(parts));
  if (isSet) return make(NodeKind::Other, place, "a set");
  return make(NodeKind::Dict, place, {}, std::move(parts));
}

Node *Parser::comprehension(Node *element, Place place) {
  std::vector<Node *> parts = {element};
  while (token().is("for")) {
    const Place at = token().place;
    skip();
    std::vector<Node *> loop = {targets()};
    if (!loop[0] || !require("in")) return nullptr;
    Node *source = logical("or");
    if (!source) return nullptr;
    loop.push_back(source);
    while (take("if")) {
      Node *test = logical("or");
      if (!test) return nullptr;
      loop.push_back(test);
    }
    parts.push_back(make(NodeKind::For, at, {}, std::move(loop)));
  }
  return make(NodeKind::Comprehension, place, {}, std::move(parts));
}

Node *Parser::targets() {
  const Place place = token().place;
  Node *first = postfix();
  if (!first || !token().is(",")) return first;
  std::vector<Node *> parts = {first};
  while (take(",")) {
    if (token().is("in")) break;
    Node *next = postfix();
    if (!next) return nullptr;
    parts.push_back(next);
  }
  return make(NodeKind::Tuple, place, {}, std::move(parts));
}

Node *Parser::number() {
  const Token at = token();
  skip();
  if (at.text.ends_with_insensitive("j"))
    return make(NodeKind::Other, at.place, "a complex number");
  return make(NodeKind::Number, at.place, at.text);
}

/// Appends what the escapes of a string mean.
static void appendText(StringRef raw, bool isRaw, std::string &into) {
  for (size_t k = 0; k < raw.size(); ++k) {
    if (raw[k] != '\\' || isRaw || k + 1 == raw.size()) {
      into += raw[k];
      continue;
    }
    const char c = raw[++k];
    if (c == 'n')
      into += '\n';
    else if (c == 't')
      into += '\t';
    else if (c != '\n')
      into += c;
  }
}

Node *Parser::string() {
  const Place place = token().place;
  std::string &text = store_.strings.emplace_back();
  bool isFormat = false, isEscaped = false;
  while (token().kind == TokenKind::String) {
    StringRef raw = token().text;
    bool isRaw = false;
    while (raw.front() != '"' && raw.front() != '\'') {
      isRaw |= llvm::toLower(raw.front()) == 'r';
      isFormat |= llvm::toLower(raw.front()) == 'f';
      isEscaped |= llvm::toLower(raw.front()) == 'b';
      raw = raw.drop_front();
    }
    const std::string three(3, raw.front());
    const size_t quotes = raw.size() >= 6 && raw.starts_with(three) ? 3 : 1;
    raw = raw.drop_front(quotes).drop_back(quotes);
    // The contents of other escapes and of bytes are not read.
    for (size_t at = 0; !isRaw && (at = raw.find('\\', at)) != StringRef::npos;
         at += 2)
      isEscaped |=
          at + 1 < raw.size() && !StringRef("nt\n\\'\"").contains(raw[at + 1]);
    appendText(raw, isRaw, text);
    skip();
  }
  if (isOfHost && (isFormat || isEscaped))
    return isFormat ? formatted(place, text)
                    : make(NodeKind::Other, place, "a string");
  if (isFormat) return make(NodeKind::Other, place, "a formatted string");
  return make(NodeKind::String, place, text);
}

}  // namespace indexical::python
