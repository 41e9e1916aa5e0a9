#include "indexical/import/python/module.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/launch.h"

namespace indexical::python {
namespace {

using llvm::StringRef;

bool isOtherBranch(const Token &token) {
  return token.is("else") || token.is("elif") || token.is("except") ||
         token.is("finally");
}

bool isJit(const std::string &name) {
  return name == "triton.jit" || name == "jit" || name == "triton.runtime.jit";
}

/// Decorators of languages that are not Triton's.
bool isForeign(StringRef name) {
  return name == "gluon.jit" || name == "helion.kernel" ||
         name == "pl.kernel" || name == "plgpu.kernel" ||
         name == "pallas.kernel" || name == "cute.kernel" ||
         name == "cute.jit" || name == "T.prim_func" ||
         name == "tilelang.jit" || name == "wp.kernel";
}

/// Launches that are read, and names of the host that one of them knows.
constexpr size_t kMostLaunches = 256;
constexpr size_t kMostLocals = 4096;

class ModuleReader {
 public:
  explicit ModuleReader(ModuleText &into) : into_(into) {}

  void run() {
    Parser parser(into_.tokens, into_.store);
    while (parser.token().kind != TokenKind::End) {
      const size_t before = parser.at();
      parser.refusal.reset();
      statement(parser);
      if (parser.at() == before) parser.skip();
    }
  }

 private:
  void statement(Parser &parser) {
    const Token token = parser.token();
    if (token.place.column == 1) {
      enter(token);
      isPerhaps_ = token.is("if") || token.is("for") || token.is("while");
    }
    noteLine(parser.at());
    hideAssigned(parser.at());
    if (token.is("@") || token.is("def") || token.is("async")) {
      definition(parser);
    } else if (token.is("import") || token.is("from")) {
      import(parser);
    } else if (token.is("class")) {
      hide(parser.next().text);
      const size_t begin = parser.at();
      parser.skipStatement();
      host(begin, parser.at());
    } else if (token.is("if") || token.is("else") || token.is("elif") ||
               token.is("try") || token.is("except") || token.is("finally") ||
               token.is("with") || token.is("for") || token.is("while")) {
      // Its block is read as the file's own lines.
      const size_t begin = parser.at();
      while (parser.token().kind != TokenKind::NewLine &&
             parser.token().kind != TokenKind::End)
        parser.skip();
      enter(token);
      host(begin, parser.at());
    } else if (token.kind == TokenKind::Name) {
      constant(parser);
    } else {
      parser.skip();
    }
  }

  /// Notes where functions and other statements of the file begin and end.
  void noteLine(size_t begin) {
    const Token &token = into_.tokens[begin];
    if (token.place.column != 1 || token.kind == TokenKind::NewLine ||
        token.kind == TokenKind::Indent || token.kind == TokenKind::Dedent ||
        token.is("@") || token.is("async") || token.is("class") ||
        token.is("import") || token.is("from") || isOtherBranch(token))
      return;
    Parser parser(into_.tokens, into_.store);
    parser.goTo(begin);
    if (token.is("def")) {
      const StringRef name = parser.next().text;
      const auto [at, isNew] = into_.hostFunctions.try_emplace(name, begin);
      if (!isNew) at->second.reset();
      return;
    }
    do parser.skipStatement();
    while (isOtherBranch(parser.token()) && parser.token().place.column == 1);
    into_.lines.push_back({begin, parser.at()});
  }

  /// Begins a block, or a line of the file. A block within another branch is of
  /// that branch.
  void enter(const Token &header) {
    if (isBranch_ && header.place.column > branchColumn_) return;
    isBranch_ = isOtherBranch(header);
    branchColumn_ = header.place.column;
  }

  /// Notes that the value of the name is known only when the file runs. In
  /// another branch the name keeps what the first one made of it.
  void hide(StringRef name) {
    if (isBranch_ && isKnown(name)) {
      into_.branched.insert(name);
      return;
    }
    into_.constants[name] = nullptr;
    loseFunction(name);
  }
  bool isKnown(StringRef name) const {
    return isKnownOtherwise(name) || functionAt_.count(name);
  }

  bool isKnownOtherwise(StringRef name) const {
    return into_.constants.count(name) || into_.imports.count(name);
  }

  /// Refuses a function whose name the file gives something else: `h = f(h)`.
  void loseFunction(StringRef name) {
    const auto at = functionAt_.find(name);
    if (at == functionAt_.end()) return;
    JitFunction &function = into_.functions[at->second];
    if (!function.refusal)
      function.refusal =
          Refusal{RefusalKind::Name, function.text.place,
                  "the file gives `" + name.str() +
                      "` another meaning, which is known only when it runs"};
  }

  /// Hides what a line assigns otherwise than by `name = value` at its begin:
  /// `C += 1`, `A = C = 1`, `A, C = x`, `if x: C = 1`, `for C in x:`,
  /// `with x as C:`, `del C`, `(C := 1)`, `C.append(1)`, `C[0] = 1`.
  void hideAssigned(size_t begin) {
    const auto &tokens = into_.tokens;
    const Token &first = tokens[begin];
    const bool isInLine = begin > 0 &&
                          tokens[begin - 1].kind != TokenKind::NewLine &&
                          tokens[begin - 1].kind != TokenKind::Indent &&
                          tokens[begin - 1].kind != TokenKind::Dedent;
    if (isInLine ||
        (first.kind != TokenKind::Name && first.kind != TokenKind::Sign) ||
        first.is("import") || first.is("from") || first.is("@") ||
        first.is("def") || first.is("async") || first.is("class"))
      return;
    const Token &second = tokens[std::min(begin + 1, tokens.size() - 1)];
    bool isTarget = first.is("for") || first.is("del") ||
                    (first.kind == TokenKind::Name && second.is(","));
    bool isType = first.kind == TokenKind::Name && second.is(":") &&
                  !isOtherBranch(first) && !first.is("try");
    int64_t depth = 0;
    for (size_t k = begin; k + 1 < tokens.size(); ++k) {
      const Token &token = tokens[k], &next = tokens[k + 1];
      if (token.kind == TokenKind::NewLine) break;
      if (token.is("(") || token.is("[") || token.is("{")) ++depth;
      if (token.is(")") || token.is("]") || token.is("}")) --depth;
      if (token.is("in") || token.is("=")) isTarget = false;
      if (token.is("=")) isType = false;
      if (token.is("as") && next.kind == TokenKind::Name) hide(next.text);
      if (token.kind != TokenKind::Name || isType ||
          (k > begin && tokens[k - 1].is(".")))
        continue;
      const bool isAgain = next.is("=") && k > begin;
      const bool isChanged = next.kind == TokenKind::Sign &&
                             next.text.size() > 1 && next.text.ends_with("=") &&
                             next.text != "==" && next.text != "!=" &&
                             next.text != "<=" && next.text != ">=";
      // `C.append(1)`, `C[0] = 1`
      const bool isGrown = next.is(".") && k + 3 < tokens.size() &&
                           tokens[k + 3].is("(") &&
                           changesList(tokens[k + 2].text);
      const bool isFilled = k == begin && next.is("[") && assignsAtDepth0(k);
      const bool isWord = token.is("for") || token.is("del");
      if (next.is(":=") || isGrown || isFilled || (isTarget && !isWord) ||
          (depth == 0 && (isAgain || isChanged)))
        hide(token.text);
    }
  }

  /// Whether the line at the token assigns to what it begins with.
  bool assignsAtDepth0(size_t at) const {
    int64_t depth = 0;
    for (; into_.tokens[at].kind != TokenKind::NewLine &&
           into_.tokens[at].kind != TokenKind::End;
         ++at) {
      const Token &token = into_.tokens[at];
      if (token.is("(") || token.is("[") || token.is("{")) ++depth;
      if (token.is(")") || token.is("]") || token.is("}")) --depth;
      if (depth == 0 && token.kind == TokenKind::Sign &&
          token.text.ends_with("=") && !token.is("==") && !token.is("!=") &&
          !token.is("<=") && !token.is(">="))
        return true;
    }
    return false;
  }

  void constant(Parser &parser) {
    const size_t begin = parser.at();
    const StringRef name = parser.token().text;
    const bool isAssigned = parser.next().is("=") || parser.next().is(":");
    if (isAssigned) {
      const bool isAnnotated = parser.next().is(":");
      parser.skip();
      parser.skip();
      const Node *annotation = isAnnotated ? parser.expression() : nullptr;
      if (isConstexpr(annotation)) into_.constexprs.insert(name);
      if (!isAnnotated || parser.token().is("=")) {
        if (isAnnotated) parser.skip();
        Node *value = parser.expressionList();
        const bool isWhole = !parser.refusal && value &&
                             parser.token().kind == TokenKind::NewLine;
        const bool isNone = isWhole && value->kind == NodeKind::Constant &&
                            value->text == "None";
        if (isPerhaps_ &&
            (into_.constants.count(name) || functionAt_.count(name))) {
          hide(name);
        } else if (!isBranch_ || !isKnown(name)) {
          into_.constants[name] = isWhole ? value : nullptr;
          loseFunction(name);
        } else if (!isNone) {
          into_.branched.insert(name);
        }
        hostLocals_[name] = hostLocals_.count(name) ? nullptr : value;
      }
    }
    parser.goTo(begin);
    parser.skipStatement();
    host(begin, parser.at());
  }

  void import(Parser &parser) {
    // import a.b as c, d      from a.b import (c as d, e)
    const bool isFrom = parser.token().is("from");
    parser.skip();
    auto dotted = [&] {
      std::string name;
      while (parser.token().kind == TokenKind::Name || parser.token().is(".") ||
             parser.token().is("...")) {
        if (parser.token().is("import") || parser.token().is("as")) break;
        name += parser.token().text;
        parser.skip();
      }
      return name;
    };
    std::string of;
    if (isFrom) {
      of = dotted() + ".";
      if (parser.token().is("import")) parser.skip();
      if (parser.token().is("(")) parser.skip();
    }
    while (parser.token().kind == TokenKind::Name) {
      const StringRef first = parser.token().text;
      const std::string name = dotted();
      StringRef as = first;
      bool isRenamed = false;
      if (parser.token().is("as")) {
        parser.skip();
        as = parser.token().text;
        parser.skip();
        isRenamed = true;
      }
      const std::string full = of + (isFrom || isRenamed ? name : first.str());
      if (!isBranch_ || !isKnown(as)) {
        into_.imports[as] = full;
        into_.constants.erase(as);
        loseFunction(as);
      } else if (const auto other = into_.imports.find(as);
                 other == into_.imports.end() ||
                 StringRef(other->second).rsplit('.').second !=
                     StringRef(full).rsplit('.').second) {
        // `libdevice` means the same from either place.
        into_.branched.insert(as);
      }
      if (!parser.token().is(",")) break;
      parser.skip();
    }
    while (parser.token().kind != TokenKind::NewLine &&
           parser.token().kind != TokenKind::End)
      parser.skip();
  }

  void definition(Parser &parser) {
    const size_t begin = parser.at();
    std::vector<Node *> decorators = parser.decorators();
    if (parser.refusal) {
      // What it is of is not known: all that it has is passed over.
      parser.goTo(begin);
      parser.skipStatement();
      return;
    }
    if (!parser.token().is("def")) {
      parser.goTo(begin);
      while (parser.token().is("@")) parser.skipStatement();
      const size_t at = parser.at();
      parser.skipStatement();
      host(at, parser.at());
      return;
    }
    bool isKernel = false;
    std::string foreign;
    std::vector<Node *> others;
    for (Node *each : decorators) {
      const Node *of = each->kind == NodeKind::Call ? each->parts[0] : each;
      const std::string name = dottedName(of);
      const auto imported =
          into_.imports.find(StringRef(name).split('.').first);
      const bool isTriton =
          name != "jit" || (imported != into_.imports.end() &&
                            StringRef(imported->second).contains("triton"));
      if (isForeign(name) ||
          (name == "jit" && imported != into_.imports.end() &&
           StringRef(imported->second).contains("gluon")))
        foreign = name;
      else if (isJit(name) && isTriton)
        isKernel = true;
      else
        others.push_back(each);
    }
    const size_t at = parser.at();
    if (!foreign.empty()) {
      into_.foreign.push_back(
          {RefusalKind::Unsupported, parser.token().place,
           "a function under `" + foreign + "` is not a Triton kernel"});
      into_.foreignNames.push_back(parser.next().text.str());
    }
    if (isKernel && foreign.empty()) {
      JitFunction made;
      auto text = parser.function(std::move(decorators));
      if (text) {
        made.text = std::move(*text);
        made.refusal = parser.refusal;
        made.decorators = std::move(others);
        add(std::move(made));
      }
      if (!parser.refusal) return;
    } else if (foreign.empty()) {
      // `def max(a, b)` hides Python's own.
      hide(parser.next().text);
      if (parser.token().place.column != 1)
        into_.hostFunctions[parser.next().text] = std::nullopt;
    }
    parser.goTo(at);
    parser.skipStatement();
    host(at, parser.at());
  }

  void add(JitFunction made) {
    const StringRef name = made.text.name;
    const auto [at, isNew] =
        functionAt_.try_emplace(name, into_.functions.size());
    if (isNew) {
      if (isBranch_ && isKnownOtherwise(name)) into_.branched.insert(name);
      into_.functions.push_back(std::move(made));
    } else if (isBranch_) {
      into_.branched.insert(name);
    } else if (isPerhaps_) {
      loseFunction(name);
    } else {
      into_.functions[at->second] = std::move(made);
    }
  }

  /// Looks for launches in the tokens of what runs on the host.
  void host(size_t begin, size_t end) {
    const auto &tokens = into_.tokens;
    // What the function assigns, beside what the file does.
    std::map<StringRef, Node *> locals;
    bool isStart = true;
    for (size_t k = begin; k + 1 < end; ++k) {
      const Token &token = tokens[k];
      if (token.is("def")) locals.clear();
      const bool isName = token.kind == TokenKind::Name;
      if (isStart && isName && tokens[k + 1].is("=")) {
        Parser parser(tokens, into_.store);
        parser.goTo(k + 2);
        Node *value = parser.expressionList();
        const bool isNew = !locals.count(token.text);
        locals[token.text] = isNew && !parser.refusal &&
                                     parser.token().kind == TokenKind::NewLine
                                 ? value
                                 : nullptr;
      }
      isStart = token.kind == TokenKind::NewLine ||
                token.kind == TokenKind::Indent ||
                token.kind == TokenKind::Dedent;
      if (!isName || !tokens[k + 1].is("[") ||
          (k > begin && tokens[k - 1].is(".")))
        continue;
      Parser parser(tokens, into_.store);
      parser.goTo(k);
      Node *call = parser.postfix();
      if (parser.refusal) {
        // What it has read is not read again, so that a line takes one pass.
        k = std::max(k + 1, parser.at()) - 1;
        continue;
      }
      if (!call || call->kind != NodeKind::Call ||
          call->parts[0]->kind != NodeKind::Subscript ||
          call->parts[0]->parts[0]->kind != NodeKind::Name)
        continue;
      Launch launch;
      launch.kernel = token.text;
      launch.place = token.place;
      const Node &subscript = *call->parts[0];
      launch.grid = subscript.parts[1];
      if (subscript.parts.size() > 2) {
        into_.store.nodes.push_back(
            {NodeKind::Tuple,
             launch.grid->place,
             {},
             std::vector<Node *>(subscript.parts.begin() + 1,
                                 subscript.parts.end())});
        launch.grid = &into_.store.nodes.back();
      }
      if (into_.launches.size() >= kMostLaunches ||
          locals.size() + hostLocals_.size() > kMostLocals)
        return;
      launch.arguments.assign(call->parts.begin() + 1, call->parts.end());
      launch.locals = locals;
      launch.locals.insert(hostLocals_.begin(), hostLocals_.end());
      into_.launches.push_back(std::move(launch));
    }
  }

  ModuleText &into_;
  /// Whether another branch may define the same.
  bool isBranch_ = false;
  uint32_t branchColumn_ = 1;  ///< where the header of the branch begins
  /// Whether the lines may run not at all, or again.
  bool isPerhaps_ = false;
  std::map<StringRef, Node *> hostLocals_;
  std::map<StringRef, size_t> functionAt_;  ///< in `functions`
};

}  // namespace

bool changesList(StringRef method) {
  return method == "append" || method == "extend" || method == "insert" ||
         method == "remove" || method == "pop" || method == "clear" ||
         method == "sort" || method == "reverse" || method == "update" ||
         method == "setdefault" || method == "add";
}

bool keepsMeaning(const Node &decorator) {
  const bool isCall = decorator.kind == NodeKind::Call;
  const std::string full = dottedName(isCall ? decorator.parts[0] : &decorator);
  const StringRef name = StringRef(full).rsplit('.').second.empty()
                             ? StringRef(full)
                             : StringRef(full).rsplit('.').second;
  return name.ends_with("autotune") || name == "heuristics" ||
         name == "libentry" || name == "libtuner" ||
         StringRef(full).starts_with("triton_heuristics.") ||
         (isCall && (keywordOf(decorator, "triton_meta") ||
                     keywordOf(decorator, "inductor_meta") ||
                     keywordOf(decorator, "meta")));
}

std::string dottedName(const Node *node) {
  if (node->kind == NodeKind::Name) return node->text.str();
  if (node->kind != NodeKind::Attribute) return "";
  const std::string of = dottedName(node->parts[0]);
  return of.empty() ? "" : of + "." + node->text.str();
}

const JitFunction *ModuleText::find(StringRef name) const {
  const auto found = llvm::find_if(functions, [&](const JitFunction &function) {
    return function.text.name == name;
  });
  return found == functions.end() ? nullptr : &*found;
}

void readModule(StringRef text, ModuleText &into, uint32_t firstLine) {
  into.tokens = tokensOf(text, firstLine);
  ModuleReader(into).run();
}

}  // namespace indexical::python
