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
    if (token.is("@") || token.is("def") || token.is("async")) {
      definition(parser);
    } else if (token.is("import") || token.is("from")) {
      import(parser);
    } else if (token.is("class")) {
      hide(parser.next().text);
      parser.skipStatement();
    } else if (token.is("if") || token.is("else") || token.is("elif") ||
               token.is("try") || token.is("except") || token.is("finally") ||
               token.is("with") || token.is("for") || token.is("while")) {
      // Its block is read as the file's own lines.
      while (parser.token().kind != TokenKind::NewLine &&
             parser.token().kind != TokenKind::End)
        parser.skip();
      enter(token);
    } else if (token.kind == TokenKind::Name) {
      constant(parser);
    } else {
      parser.skip();
    }
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
      }
    }
    parser.goTo(begin);
    parser.skipStatement();
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
      parser.skipStatement();
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
        made.begin = at;
        made.decorators = std::move(others);
        add(std::move(made));
      }
      if (!parser.refusal) return;
    } else if (foreign.empty()) {
      // `def max(a, b)` hides Python's own.
      hide(parser.next().text);
    }
    parser.goTo(at);
    parser.skipStatement();
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

  ModuleText &into_;
  /// Whether another branch may define the same.
  bool isBranch_ = false;
  uint32_t branchColumn_ = 1;  ///< where the header of the branch begins
  /// Whether the lines may run not at all, or again.
  bool isPerhaps_ = false;
  std::map<StringRef, size_t> functionAt_;  ///< in `functions`
};

}  // namespace

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

/// Adds what the file's run makes of the names.
static void runModule(ModuleText &into) {
  std::map<size_t, const FunctionText *> kernels;
  for (const JitFunction &each : into.functions)
    kernels[each.begin] = &each.text;
  into.script = std::make_shared<Script>(into.tokens, std::move(kernels));
  const Script &script = *into.script;
  into.script->run();
  for (JitFunction &function : into.functions) {
    const KernelFacts *facts = script.factsOf(function.begin);
    for (Parameter &parameter : function.text.parameters) {
      const Node *value = parameter.value;
      if (value && value->kind == NodeKind::Unary) value = value->parts[0];
      if (!value || value->kind == NodeKind::Number ||
          value->kind == NodeKind::String || value->kind == NodeKind::Constant)
        continue;
      parameter.isComputed = true;
      if (!facts) continue;
      const auto found = facts->defaults.find(parameter.name);
      if (found == facts->defaults.end()) continue;
      if (auto known = script.constantOf(found->second))
        parameter.computed = std::make_shared<const Value>(*std::move(known));
    }
    if (!facts || function.refusal) continue;
    auto isOwn = [&](const ScriptValue &value) {
      return value.object && value.object->kind == ScriptKind::Kernel &&
             value.object->facts == facts;
    };
    const ScriptValue last = script.global(function.text.name);
    if (isOwn(last) || script.isLost() ||
        (last.branches && llvm::any_of(*last.branches, isOwn)))
      continue;
    function.refusal =
        Refusal{RefusalKind::Name, function.text.place,
                "the file gives `" + function.text.name.str() +
                    "` another meaning, which is known only when it runs"};
  }
  for (const auto &[name, value] : script.names()) {
    std::optional<Value> known = script.constantOf(value);
    if (!known && value.branches && !value.isDoubted) {
      known = script.constantOf(value.branches->front());
      if (known) into.branched.insert(name);
    }
    const auto import = into.imports.find(name);
    if (import != into.imports.end() && !into.constants.count(name)) {
      const bool isImport = (known && known->is(ValueKind::Module) &&
                             known->text == import->second) ||
                            (!known && value.branches);
      if (isImport) continue;
    }
    if (known) into.values.emplace(name, *std::move(known));
    into.constants.try_emplace(name, nullptr);
  }
}

void readModule(StringRef text, ModuleText &into, uint32_t firstLine) {
  into.tokens = tokensOf(text, firstLine);
  ModuleReader(into).run();
  runModule(into);
}

}  // namespace indexical::python
