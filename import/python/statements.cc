// The statements of syntax.h.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include "indexical/import/python/nesting.h"
#include "indexical/import/python/syntax.h"

namespace indexical::python {

using llvm::StringRef;

void Parser::skipStatement() {
  while (token().kind != TokenKind::NewLine && token().kind != TokenKind::End)
    skip();
  if (token().kind == TokenKind::NewLine) skip();
  if (token().kind != TokenKind::Indent) return;
  int64_t depth = 0;
  do {
    if (token().kind == TokenKind::Indent) ++depth;
    if (token().kind == TokenKind::Dedent) --depth;
    if (token().kind == TokenKind::End) return;
    skip();
  } while (depth > 0);
}

bool Parser::endsLine() {
  const TokenKind kind = token().kind;
  return kind == TokenKind::NewLine || kind == TokenKind::End ||
         kind == TokenKind::Dedent || token().is(";");
}

Node *Parser::block() {
  const Nesting nested(*this);
  if (!nested.isAllowed() || !require(":")) return nullptr;
  std::vector<Node *> found;
  const Place place = token().place;
  if (token().kind != TokenKind::NewLine) {
    if (isOfHost)
      hostSimples(found);
    else
      simpleStatements(found);
  } else {
    skip();
    if (token().kind != TokenKind::Indent) return expected("an indented block");
    skip();
    while (!refusal && token().kind != TokenKind::Dedent &&
           token().kind != TokenKind::End)
      statements(found);
    if (token().kind == TokenKind::Dedent) skip();
  }
  if (refusal) return nullptr;
  return make(NodeKind::Block, place, {}, std::move(found));
}

Node *Parser::lines(size_t end) {
  std::vector<Node *> found;
  const Place place = token().place;
  while (!refusal && at_ < end && token().kind != TokenKind::End)
    statements(found);
  return refusal ? nullptr : make(NodeKind::Block, place, {}, std::move(found));
}

void Parser::statements(std::vector<Node *> &into) {
  if (isOfHost) {
    hostStatement(into);
    return;
  }
  const Place place = token().place;
  Node *made = nullptr;
  if (token().is("if")) {
    made = ifStatement();
  } else if (token().is("for")) {
    made = forStatement();
  } else if (token().is("while")) {
    made = whileStatement();
  } else if (token().is("@") || token().is("def") || token().is("class") ||
             token().is("with") || token().is("try") || token().is("async")) {
    const StringRef word = token().text;
    while (token().is("@")) skipStatement();
    skipStatement();
    while (token().is("except") || token().is("finally") || token().is("else"))
      skipStatement();
    made = make(NodeKind::Statement, place, word);
  } else if (token().kind == TokenKind::Indent) {
    expected("a statement");
    return;
  } else {
    simpleStatements(into);
    return;
  }
  if (made) into.push_back(made);
}

void Parser::simpleStatements(std::vector<Node *> &into) {
  while (!refusal) {
    Node *made = simpleStatement();
    if (!made) return;
    into.push_back(made);
    if (take(";") && token().kind != TokenKind::NewLine) continue;
    if (token().kind == TokenKind::NewLine)
      skip();
    else if (token().kind != TokenKind::End &&
             token().kind != TokenKind::Dedent)
      expected("the end of the line");
    return;
  }
}

Node *Parser::simpleStatement() {
  const Place place = token().place;
  const StringRef word = token().text;
  if (token().kind == TokenKind::Name) {
    if (word == "return") {
      skip();
      Node *value = nullptr;
      if (!endsLine() && !(value = expressionList())) return nullptr;
      return make(NodeKind::Return, place, {}, {value});
    }
    if (word == "break" || word == "continue" || word == "raise" ||
        word == "pass" || word == "global" || word == "nonlocal" ||
        word == "import" || word == "from" || word == "assert" ||
        word == "del") {
      while (!endsLine() && token().kind != TokenKind::Bad) skip();
      if (token().kind == TokenKind::Bad) return expected("a statement");
      if (word == "del") return make(NodeKind::Statement, place, word);
      const bool jumps =
          word == "break" || word == "continue" || word == "raise";
      return make(jumps ? NodeKind::Jump : NodeKind::Pass, place, word);
    }
  }
  return assignment();
}

Node *Parser::assignment() {
  const Place place = token().place;
  Node *first = expressionList();
  if (!first) return nullptr;
  if (take(":")) {
    Node *annotation = expression(), *value = nullptr;
    if (!annotation) return nullptr;
    if (take("=") && !(value = expressionList())) return nullptr;
    return make(NodeKind::Annotated, place, {}, {first, annotation, value});
  }
  static constexpr StringRef kAugmented[] = {
      "+=", "-=", "*=",  "/=",  "//=", "%=", "&=",
      "|=", "^=", ">>=", "<<=", "**=", "@="};
  if (token().kind == TokenKind::Sign &&
      llvm::is_contained(kAugmented, token().text)) {
    const StringRef sign = token().text.drop_back();
    skip();
    Node *value = expressionList();
    if (!value) return nullptr;
    return make(NodeKind::Augmented, place, sign, {first, value});
  }
  if (!token().is("=")) return make(NodeKind::Expression, place, {}, {first});
  std::vector<Node *> parts = {first};
  while (take("=")) {
    Node *next = expressionList();
    if (!next) return nullptr;
    parts.push_back(next);
  }
  return make(NodeKind::Assign, place, {}, std::move(parts));
}

Node *Parser::ifStatement() {
  const Nesting nested(*this);
  if (!nested.isAllowed()) return nullptr;
  const Place place = token().place;
  skip();
  Node *test = expression();
  Node *then = test ? block() : nullptr;
  if (!then) return nullptr;
  Node *other = nullptr;
  const Place at = token().place;
  if (token().is("elif")) {
    Node *inner = ifStatement();
    if (!inner) return nullptr;
    other = make(NodeKind::Block, at, {}, {inner});
  } else if (take("else") && !(other = block())) {
    return nullptr;
  }
  return make(NodeKind::If, place, {}, {test, then, other});
}

Node *Parser::forStatement() {
  const Place place = token().place;
  skip();
  Node *target = targets();
  if (!target || !require("in")) return nullptr;
  Node *source = expressionList();
  Node *body = source ? block() : nullptr, *other = nullptr;
  if (!body || (take("else") && !(other = block()))) return nullptr;
  return make(NodeKind::For, place, {}, {target, source, body, other});
}

Node *Parser::whileStatement() {
  const Place place = token().place;
  skip();
  Node *test = expression();
  Node *body = test ? block() : nullptr, *other = nullptr;
  if (!body || (take("else") && !(other = block()))) return nullptr;
  return make(NodeKind::While, place, {}, {test, body, other});
}

std::vector<Node *> Parser::decorators() {
  std::vector<Node *> found;
  while (!refusal && take("@")) {
    Node *each = expression();
    if (!each) break;
    found.push_back(each);
    if (token().kind != TokenKind::NewLine) {
      expected("the end of the line");
      break;
    }
    skip();
  }
  return found;
}

Parameter Parser::parameter(bool &isKeywordOnly) {
  Parameter made;
  made.place = token().place;
  if (token().is("*") || token().is("**")) {
    const bool isStar = token().is("*");
    skip();
    if (isStar) isKeywordOnly = true;
    if (isStar && (token().is(",") || token().is(")"))) return made;
    made.isRest = true;
  }
  made.isKeywordOnly = isKeywordOnly;
  if (token().kind != TokenKind::Name) {
    expected("a parameter");
    return made;
  }
  made.name = token().text;
  skip();
  if (take(":")) made.annotation = expression();
  if (!refusal && take("=")) made.value = expression();
  return made;
}

void Parser::add(Parameter parameter, std::vector<Parameter> &parameters) {
  if (llvm::any_of(parameters, [&](const Parameter &other) {
        return other.name == parameter.name;
      })) {
    refuse(RefusalKind::Syntax, parameter.place,
           ("two parameters `" + parameter.name + "`").str());
    return;
  }
  const bool needsValue = !parameters.empty() && parameters.back().value &&
                          !parameter.value && !parameter.isKeywordOnly &&
                          !parameter.isRest;
  if (needsValue)
    refuse(RefusalKind::Syntax, parameter.place,
           ("`" + parameter.name + "` has no value behind a parameter that has")
               .str());
  parameters.push_back(std::move(parameter));
}

std::optional<FunctionText> Parser::function(std::vector<Node *> decorators) {
  FunctionText made;
  made.decorators = std::move(decorators);
  made.place = token().place;
  skip();
  if (token().kind != TokenKind::Name) {
    expected("the name of a function");
    return std::nullopt;
  }
  made.name = token().text;
  skip();
  if (!require("(")) return made;
  bool isKeywordOnly = false;
  while (!refusal && !token().is(")")) {
    if (take("/")) {
      if (!take(",")) break;
      continue;
    }
    Parameter each = parameter(isKeywordOnly);
    if (!refusal && !each.name.empty()) add(std::move(each), made.parameters);
    if (!take(",")) break;
  }
  if (refusal || !require(")")) return made;
  if (take("->") && !expression()) return made;
  made.body = block();
  return made;
}

}  // namespace indexical::python
