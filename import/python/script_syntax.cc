// The syntax of the host's code, beyond that of kernels: definitions, imports,
// `with`, `try`, `del` and others. A statement with an error is Unread, and has
// the names of its tokens.
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/python/nesting.h"
#include "indexical/import/python/syntax.h"

namespace indexical::python {

using llvm::StringRef;

namespace {

bool continues(const Token &token) {
  return token.is("else") || token.is("elif") || token.is("except") ||
         token.is("finally");
}

}  // namespace

Node *Parser::namesOf(size_t begin, size_t end) {
  std::set<StringRef> found;
  std::vector<Node *> parts;
  auto add = [&](StringRef name, Place place) {
    if (found.insert(name).second)
      parts.push_back(make(NodeKind::Name, place, name));
  };
  for (size_t k = begin; k < end; ++k) {
    const Token &each = tokens_[k];
    if (each.kind == TokenKind::Name) {
      add(each.text, each.place);
    } else if (each.kind == TokenKind::String) {
      const Node *within = formatted(each.place, each.text);
      for (const Node *name : within->parts) add(name->text, each.place);
    }
  }
  // A definition's `return` is its own.
  const Token &first = tokens_[begin];
  const bool isDefinition = first.is("def") || first.is("class") ||
                            first.is("@") || first.is("async");
  bool returns = false, jumps = false;
  for (size_t k = begin; k < end; ++k) {
    const Token &each = tokens_[k];
    returns |= each.is("return") && !isDefinition;
    jumps |= (each.is("break") || each.is("continue")) && !isDefinition &&
             !first.is("for") && !first.is("while");
    if (!each.is("global") && !each.is("nonlocal")) continue;
    std::vector<Node *> names;
    for (; k + 1 < end &&
           (tokens_[k + 1].kind == TokenKind::Name || tokens_[k + 1].is(","));
         ++k)
      if (!tokens_[k + 1].is(","))
        names.push_back(
            make(NodeKind::Name, tokens_[k + 1].place, tokens_[k + 1].text));
    parts.push_back(
        make(NodeKind::Names, each.place, each.text, std::move(names)));
  }
  const char *leaves =
      returns ? (jumps ? "return break" : "return") : (jumps ? "break" : "");
  return make(NodeKind::Unread, first.place, leaves, std::move(parts));
}

/// The words of a text may be names of its expressions.
Node *Parser::formatted(Place place, StringRef text) {
  std::set<StringRef> found;
  std::vector<Node *> parts;
  for (size_t k = 0; k < text.size();) {
    size_t end = k;
    while (end < text.size() && (llvm::isAlnum(text[end]) || text[end] == '_'))
      ++end;
    const StringRef word = text.slice(k, end);
    if (!word.empty() && !llvm::isDigit(word[0]) && found.insert(word).second)
      parts.push_back(make(NodeKind::Name, place, word));
    k = end == k ? k + 1 : end;
  }
  // `{(x := 1)}` binds x.
  for (size_t at = text.find(":="); at != StringRef::npos;
       at = text.find(":=", at + 2)) {
    const StringRef before = text.take_front(at).rtrim();
    size_t begin = before.size();
    while (begin &&
           (llvm::isAlnum(before[begin - 1]) || before[begin - 1] == '_' ||
            static_cast<unsigned char>(before[begin - 1]) >= 0x80))
      --begin;
    if (begin < before.size())
      parts.push_back(make(NodeKind::Walrus, place, before.substr(begin)));
  }
  // Whether it may do more than to show values.
  const char *what = text.contains(":=")  ? "a text that assigns"
                     : text.contains('(') ? "a formatted string"
                                          : "a text";
  return make(NodeKind::Other, place, what, std::move(parts));
}

void Parser::hostSimples(std::vector<Node *> &into) {
  while (!refusal) {
    if (token().is("import") || token().is("from"))
      hostImport(into);
    else if (Node *simple = hostSimple())
      into.push_back(simple);
    if (refusal || (take(";") && token().kind != TokenKind::NewLine)) continue;
    if (token().kind == TokenKind::NewLine)
      skip();
    else if (token().kind != TokenKind::End &&
             token().kind != TokenKind::Dedent)
      expected("the end of the line");
    break;
  }
}

void Parser::hostStatement(std::vector<Node *> &into) {
  const size_t begin = at_, size = into.size();
  if (token().kind == TokenKind::Indent) {
    skip();
    return;
  }
  if (Node *made = hostCompound()) {
    into.push_back(made);
  } else if (!refusal) {
    hostSimples(into);
  }
  if (!refusal) return;
  refusal.reset();
  into.resize(size);
  goTo(begin);
  while (token().is("@")) skipStatement();
  do skipStatement();
  while (continues(token()));
  if (at_ == begin) skip();
  into.push_back(namesOf(begin, at_));
}

/// Returns null for a statement of one line, and after an error.
Node *Parser::hostCompound() {
  if (token().is("if")) return ifStatement();
  if (token().is("for")) return forStatement();
  if (token().is("while")) return whileStatement();
  if (token().is("with")) return hostWith();
  if (token().is("try")) return hostTry();
  if (token().is("match")) {
    const size_t begin = at_;
    if (Node *made = hostMatch()) return made;
    if (refusal) return nullptr;
    goTo(begin);
  }
  std::vector<Node *> found = decorators();
  if (refusal) return nullptr;
  const bool isAsync = token().is("async") && next().is("def");
  if (isAsync) skip();
  if (token().is("def")) return hostFunction(std::move(found), isAsync);
  if (token().is("class")) return hostClass(std::move(found));
  if (!found.empty() || token().is("async")) expected("a definition");
  return nullptr;
}

Node *Parser::hostSimple() {
  const Place place = token().place;
  const StringRef word = token().text;
  if (token().kind == TokenKind::Name) {
    if (word == "global" || word == "nonlocal") {
      std::vector<Node *> names;
      do {
        skip();
        if (token().kind != TokenKind::Name) return expected("a name");
        names.push_back(make(NodeKind::Name, token().place, token().text));
        skip();
      } while (token().is(","));
      return make(NodeKind::Names, place, word, std::move(names));
    }
    if (word == "del" || word == "assert" || word == "yield") {
      skip();
      if (word == "yield") take("from");
      Node *of = endsLine() ? nullptr : expressionList();
      if (!of && word != "yield") return expected("an expression");
      if (word == "yield") {
        std::vector<Node *> parts;
        if (of) parts.push_back(of);
        return make(NodeKind::Expression, place, {},
                    {make(NodeKind::Other, place, "yield", std::move(parts))});
      }
      return word == "del" ? make(NodeKind::Delete, place, {}, {of})
                           : make(NodeKind::Statement, place, "assert", {of});
    }
  }
  return simpleStatement();
}

void Parser::hostImport(std::vector<Node *> &into) {
  const bool isFrom = token().is("from");
  const Place place = token().place;
  skip();
  auto dotted = [&] {
    std::string name;
    while (token().kind == TokenKind::Name || token().is(".") ||
           token().is("...")) {
      if (token().is("import") || token().is("as")) break;
      name += token().text;
      skip();
    }
    return name;
  };
  std::string of;
  if (isFrom) {
    of = dotted() + ".";
    if (!require("import")) return;
    take("(");
    if (take("*")) {
      into.push_back(make(NodeKind::Import, place, "*"));
      return;
    }
  }
  while (token().kind == TokenKind::Name) {
    const StringRef first = token().text;
    const std::string name = dotted();
    StringRef as = first;
    bool isRenamed = false;
    if (take("as")) {
      as = token().text;
      isRenamed = true;
      skip();
    }
    store_.strings.push_back(of + (isFrom || isRenamed ? name : first.str()));
    into.push_back(make(NodeKind::Import, place, store_.strings.back(),
                        {make(NodeKind::Name, place, as)}));
    if (!take(",")) break;
  }
  take(")");
}

Node *Parser::hostLambda() {
  const Nesting nested(*this);
  if (!nested.isAllowed()) return nullptr;
  const Place place = token().place;
  skip();
  FunctionText made;
  made.place = place;
  bool isKeywordOnly = false;
  while (!token().is(":")) {
    if (take("/")) {
      take(",");
      continue;
    }
    Parameter each;
    each.place = token().place;
    if (token().is("*") || token().is("**")) {
      isKeywordOnly |= token().is("*");
      const bool isStar = take("*");
      if (!isStar) skip();
      if (isStar && take(",")) continue;
      each.isRest = true;
      if (!isStar) each.isKeywordOnly = true;
    } else {
      each.isKeywordOnly = isKeywordOnly;
    }
    if (token().kind != TokenKind::Name) return expected("a parameter");
    each.name = token().text;
    skip();
    if (take("=") && !(each.value = expression())) return nullptr;
    add(std::move(each), made.parameters);
    if (refusal || !take(",")) break;
  }
  if (refusal || !require(":")) return nullptr;
  made.body = expression();
  if (!made.body) return nullptr;
  std::vector<Node *> parts = {made.body};
  for (const Parameter &each : made.parameters)
    parts.push_back(make(NodeKind::Name, each.place, each.name));
  store_.functions.push_back(std::move(made));
  Node *lambda = make(NodeKind::Lambda, place, {}, std::move(parts));
  lambda->function = &store_.functions.back();
  return lambda;
}

Node *Parser::hostFunction(std::vector<Node *> decorators, bool isAsync) {
  FunctionText made;
  made.begin = at_;
  made.place = token().place;
  made.isLazy = isAsync;
  skip();
  if (token().kind != TokenKind::Name) return expected("a name");
  made.name = token().text;
  skip();
  if (!require("(")) return nullptr;
  bool isKeywordOnly = false;
  while (!token().is(")")) {
    if (take("/")) {
      if (!take(",")) break;
      continue;
    }
    const bool isDict = token().is("**");
    Parameter each = parameter(isKeywordOnly);
    // `**x` is told from `*x`.
    if (each.isRest) each.isKeywordOnly = isDict;
    if (!refusal && !each.name.empty()) add(std::move(each), made.parameters);
    if (refusal) return nullptr;
    if (!take(",")) break;
  }
  if (!require(")")) return nullptr;
  std::vector<Node *> parts = std::move(decorators);
  if (take("->")) {
    Node *result = expression();
    if (!result) return nullptr;
    parts.push_back(make(NodeKind::Keyword, result->place, "->", {result}));
  }
  if (!token().is(":")) return expected("`:`");
  made.bodyBegin = at_;
  skipStatement();
  for (size_t k = made.bodyBegin; k < at_; ++k)
    made.isLazy |= tokens_[k].is("yield");
  store_.functions.push_back(std::move(made));
  const FunctionText *function = &store_.functions.back();
  Node *node = make(NodeKind::Function, function->place, function->name,
                    std::move(parts));
  node->function = function;
  return node;
}

Node *Parser::hostClass(std::vector<Node *> decorators) {
  const Place place = token().place;
  skip();
  if (token().kind != TokenKind::Name) return expected("a name");
  const StringRef name = token().text;
  Node *bases = make(NodeKind::Name, place, name);
  skip();
  if (token().is("(") && !(bases = call(bases))) return nullptr;
  Node *body = block();
  if (!body) return nullptr;
  std::vector<Node *> parts = {bases, body};
  llvm::append_range(parts, decorators);
  return make(NodeKind::Class, place, name, std::move(parts));
}

Node *Parser::hostWith() {
  const Place place = token().place;
  skip();
  std::vector<Node *> parts;
  do {
    Node *item = expression(), *target = nullptr;
    if (!item || (take("as") && !(target = postfix()))) return nullptr;
    parts.push_back(item);
    parts.push_back(target);
  } while (take(","));
  Node *body = block();
  if (!body) return nullptr;
  parts.push_back(body);
  return make(NodeKind::With, place, {}, std::move(parts));
}

Node *Parser::hostTry() {
  const Place place = token().place;
  skip();
  std::vector<Node *> parts = {block(), nullptr, nullptr};
  if (!parts[0]) return nullptr;
  while (token().is("except")) {
    const Place at = token().place;
    skip();
    take("*");
    Node *type = token().is(":") ? nullptr : expressionList();
    StringRef name;
    if (take("as")) {
      name = token().text;
      skip();
    }
    Node *body = refusal ? nullptr : block();
    if (!body) return nullptr;
    parts.push_back(make(NodeKind::Handler, at, name, {type, body}));
  }
  if (take("else") && !(parts[1] = block())) return nullptr;
  if (take("finally") && !(parts[2] = block())) return nullptr;
  return make(NodeKind::Try, place, {}, std::move(parts));
}

//===-- match -------------------------------------------------------------===//
//
//   match v:                      v' = v
//     case 1 | 2: A               if v' == 1 or v' == 2: A
//     case x if x > 3: B          else: x = v'
//                                       if x > 3: B
//     case [a, *b]: C                   else: if ?(v'): a = b = ?(v')
//                                             if ?(v'): C
//     case _: D                               else: D
//
// `?` is a function that is not known. It may change what it is given.

/// The question that a pattern asks, and the names that it binds.
struct Parser::Pattern {
  Node *condition = nullptr;  ///< null if it fits all
  Node *bound = nullptr;      ///< an assignment, or null
};

/// Returns null without an error if `match` is a name here.
Node *Parser::hostMatch() {
  const Place place = token().place;
  skip();
  Node *subject = endsLine() ? nullptr : expressionList();
  const bool isMatch =
      subject && token().is(":") && next().kind == TokenKind::NewLine;
  if (!isMatch) {
    refusal.reset();
    return nullptr;
  }
  skip();
  skip();
  if (token().kind != TokenKind::Indent || !next().is("case")) {
    if (!next().is("case")) return nullptr;
    return expected("`case`");
  }
  skip();
  store_.strings.push_back("match " + std::to_string(place.line) + ":" +
                           std::to_string(place.column));
  Node *name = make(NodeKind::Name, place, store_.strings.back());
  Node *assigned = make(NodeKind::Assign, place, {}, {name, subject});
  Node *cases = matchCases(name);
  if (!cases) return nullptr;
  if (token().kind != TokenKind::Dedent) return expected("`case`");
  skip();
  return make(NodeKind::Block, place, {}, {assigned, cases});
}

/// Reads the cases from here on, as a block.
Node *Parser::matchCases(Node *subject) {
  const Nesting nested(*this);
  if (!nested.isAllowed()) return nullptr;
  const Place place = token().place;
  if (!token().is("case")) return make(NodeKind::Block, place);
  skip();
  size_t end = at_;
  for (int open = 0; end + 1 < tokens_.size(); ++end) {
    const Token &each = tokens_[end];
    if (each.is("(") || each.is("[") || each.is("{")) ++open;
    if (each.is(")") || each.is("]") || each.is("}")) --open;
    if (each.kind == TokenKind::NewLine ||
        (open == 0 && (each.is(":") || each.is("if"))))
      break;
  }
  if (end == at_) return expected("a pattern");
  const Pattern fits = pattern(end, subject->text);
  goTo(end);
  Node *condition = fits.condition;
  if (take("if")) {
    Node *guard = expression();
    if (!guard) return nullptr;
    condition = condition
                    ? make(NodeKind::Logical, place, "and", {condition, guard})
                    : guard;
  }
  Node *body = block();
  Node *others = body ? matchCases(subject) : nullptr;
  if (!others) return nullptr;
  std::vector<Node *> parts;
  if (fits.bound && fits.condition)
    parts.push_back(
        make(NodeKind::If, place, {},
             {fits.condition, make(NodeKind::Block, place, {}, {fits.bound}),
              nullptr}));
  else if (fits.bound)
    parts.push_back(fits.bound);
  if (condition)
    parts.push_back(make(NodeKind::If, place, {}, {condition, body, others}));
  else
    parts.push_back(body);
  return make(NodeKind::Block, place, {}, std::move(parts));
}

/// Returns what the pattern up to a token means.
Parser::Pattern Parser::pattern(size_t end, StringRef subject) {
  const Place place = token().place;
  auto isWord = [](const Token &each) {
    return each.is("None") || each.is("True") || each.is("False");
  };
  auto ofSubject = [&] { return make(NodeKind::Name, place, subject); };
  Pattern made;
  if (end == at_ + 1 && token().kind == TokenKind::Name && !isWord(token())) {
    if (!token().is("_"))
      made.bound =
          make(NodeKind::Assign, place, {},
               {make(NodeKind::Name, place, token().text), ofSubject()});
    return made;
  }
  // Literals and dotted names, with `|` between them.
  std::vector<Node *> choices;
  size_t at = at_;
  for (;; ++at) {
    const size_t begin = at;
    const bool isNegative = tokens_[at].is("-");
    at += isNegative;
    const Token &first = tokens_[at];
    const bool isNumber = first.kind == TokenKind::Number &&
                          !first.text.ends_with_insensitive("j");
    const bool isText = first.kind == TokenKind::String && !isNegative &&
                        (first.text[0] == '"' || first.text[0] == '\'');
    bool isDotted = false;
    ++at;
    if (first.kind == TokenKind::Name && !isNegative)
      for (; at + 1 < end && tokens_[at].is(".") &&
             tokens_[at + 1].kind == TokenKind::Name;
           at += 2)
        isDotted = true;
    const bool isValue =
        isNumber || isText || isDotted || (isWord(first) && !isNegative);
    if (!isValue || at > end || (at < end && !tokens_[at].is("|"))) {
      choices.clear();
      break;
    }
    goTo(begin);
    Node *value = isNegative ? unary() : postfix();
    if (!value || at_ != at) {
      refusal.reset();
      choices.clear();
      break;
    }
    choices.push_back(make(NodeKind::Compare, place,
                           isWord(first) ? "is" : "==", {ofSubject(), value}));
    if (at == end) break;
  }
  if (!choices.empty()) {
    made.condition = choices.size() == 1
                         ? choices[0]
                         : make(NodeKind::Logical, place, "or", choices);
    return made;
  }
  // Any other one may bind its names.
  auto unknown = [&] {
    return make(NodeKind::Call, place, {},
                {make(NodeKind::Name, place, "?"), ofSubject()});
  };
  std::vector<Node *> bound;
  for (size_t k = at_; k < end; ++k)
    if (tokens_[k].kind == TokenKind::Name && !isWord(tokens_[k]) &&
        !tokens_[k].is("_") && !tokens_[k].is("as") &&
        !(k && tokens_[k - 1].is(".")))
      bound.push_back(make(NodeKind::Name, place, tokens_[k].text));
  made.condition = unknown();
  if (!bound.empty()) {
    bound.push_back(unknown());
    made.bound = make(NodeKind::Assign, place, {}, std::move(bound));
  }
  return made;
}

}  // namespace indexical::python
