// Finds the objects and names that code may change which is not followed.
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/launch.h"
#include "indexical/import/python/script.h"

namespace indexical::python {

using llvm::StringRef;

namespace {

/// Returns the name that an expression begins with, or null: `a` of `a.b[0].c`.
const Node *rootOf(const Node *node) {
  while (node->kind == NodeKind::Attribute ||
         node->kind == NodeKind::Subscript || node->kind == NodeKind::Starred)
    node = node->parts[0];
  return node->kind == NodeKind::Name ? node : nullptr;
}

bool changesObject(StringRef method) {
  static constexpr StringRef kNames[] = {
      "append", "extend",  "insert",   "remove",      "pop",
      "clear",  "sort",    "reverse",  "setdefault",  "update",
      "add",    "discard", "__iadd__", "__setitem__", "popitem"};
  return llvm::is_contained(kNames, method);
}

/// Whether a function of Python only passes the items of what it is given.
bool onlyLooks(StringRef name) {
  static constexpr StringRef kNames[] = {
      "len",       "print", "range", "isinstance", "list",   "tuple",   "zip",
      "enumerate", "min",   "max",   "sum",        "sorted", "int",     "str",
      "float",     "bool",  "any",   "all",        "dict",   "reversed"};
  return llvm::is_contained(kNames, name);
}

}  // namespace

//===-- Objects -----------------------------------------------------------===//

void Script::escape(const ScriptValue &value) {
  if (value.object) escape(value.object);
}

void Script::escape(ScriptObject *first) {
  std::vector<ScriptObject *> open = {first};
  std::set<ScriptObject *> seen;
  auto add = [&](const ScriptValue &value) {
    if (value.object) open.push_back(value.object);
  };
  while (!open.empty()) {
    ScriptObject &object = *open.back();
    open.pop_back();
    if (!seen.insert(&object).second || !step()) continue;
    switch (object.kind) {
      case ScriptKind::List:
      case ScriptKind::Dict:
      case ScriptKind::Config:
      case ScriptKind::Class:
        for (const ScriptValue &each : object.items) add(each);
        for (const auto &[name, value] : object.fields) add(value);
        for (const ScriptValue &each : object.sources) add(each);
        object.items.clear();
        object.keys.clear();
        object.fields.clear();
        object.isOpen = object.isEscaped = true;
        break;
      case ScriptKind::Tuple:
      case ScriptKind::Method:
        for (const ScriptValue &each : object.items) add(each);
        break;
      case ScriptKind::Function:
        if (object.isEscaped) break;
        object.isEscaped = true;
        isChanged_ = true;
        for (const ScriptValue &each : object.defaults) add(each);
        escapedFunctions_.push_back(&object);
        break;
      default:
        break;
    }
  }
}

/// Notes that the items of a value may change, but not which it has.
void Script::escapeItems(const ScriptValue &value) {
  if (!value.object) return;
  ScriptObject &object = *value.object;
  switch (object.kind) {
    case ScriptKind::List:
    case ScriptKind::Tuple:
    case ScriptKind::Dict:
    case ScriptKind::Config:
    case ScriptKind::Class: {
      // Copies, because an object may hold itself.
      const Values items = object.items;
      const auto fields = object.fields;
      for (const ScriptValue &each : items) escape(each);
      for (const auto &[name, each] : fields) escape(each);
      break;
    }
    default:
      break;
  }
}

ScriptValue Script::lost(llvm::ArrayRef<ScriptValue> from) {
  for (const ScriptValue &each : from) escape(each);
  return symbol();
}

bool Script::isSame(const ScriptValue &a, const ScriptValue &b) const {
  if (a.object || b.object) return a.object == b.object;
  if (!a.constant || !b.constant) {
    return !a.constant && !b.constant && a.size && b.size &&
           textOf(*a.size) == textOf(*b.size);
  }
  if (a.constant == b.constant) return true;
  if (a.constant->kind != b.constant->kind) return false;
  if (a.constant->is(ValueKind::Type))
    return a.constant->type == b.constant->type;
  const ConstantResult same = constantCompare("==", *a.constant, *b.constant);
  return same.error.empty() && isTrue(same.value);
}

/// Returns the value of a name that one of two branches makes.
ScriptValue Script::merged(const ScriptValue &a, const ScriptValue &b,
                           bool wasBound) {
  ScriptValue made = lost({a, b});
  if (wasBound) return made;
  Values branches;
  for (const ScriptValue *each : {&a, &b}) {
    if (each->isKnown())
      branches.push_back(*each);
    else if (each->branches && !each->isDoubted)
      llvm::append_range(branches, *each->branches);
  }
  if (!branches.empty() && branches.size() < 64)
    made.branches = std::make_shared<const Values>(std::move(branches));
  return made;
}

void Script::loseAll() {
  if (isLost_) return;
  isLost_ = true;
  if (isRunningLaunches_) return;
  launches_.clear();
  for (auto &[begin, facts] : facts_) {
    for (KernelFacts::Layer &layer : facts.layers) layer.isLost = true;
    facts.defaults.clear();
    facts.unspecialized = ScriptValue();
  }
}

//===-- Mentions ----------------------------------------------------------===//

void Script::mentionTarget(const Node &target, Mentions &into, bool isOwn) {
  switch (target.kind) {
    case NodeKind::Name:
      if (isOwn) into.bound.insert(target.text);
      return;
    case NodeKind::Tuple:
    case NodeKind::List:
    case NodeKind::Starred:
      for (const Node *part : target.parts) mentionTarget(*part, into, isOwn);
      return;
    case NodeKind::Attribute:
    case NodeKind::Subscript:
      if (const Node *root = rootOf(&target)) {
        into.reached.insert(root->text);
        into.changed.insert(root->text);
        if (target.kind == NodeKind::Attribute && target.text == "configs")
          into.kernels.insert(root->text);
      }
      for (const Node *part : target.parts) mention(part, into, isOwn);
      return;
    default:
      mention(&target, into, isOwn);
  }
}

void Script::mentionFunction(const FunctionText &text, Mentions &into) {
  const Mentions own = mentionsOf(text);
  const auto &locals = localsOf(text);
  auto add = [&](const std::set<StringRef> &from, std::set<StringRef> &to) {
    for (StringRef name : from)
      if (!locals.count(name)) to.insert(name);
  };
  add(own.reached, into.reached);
  add(own.elements, into.elements);
  add(own.changed, into.changed);
  add(own.kernels, into.kernels);
  add(own.unread, into.unread);
  into.inner.insert(own.outer.begin(), own.outer.end());
  into.inner.insert(own.inner.begin(), own.inner.end());
}

void Script::mention(const Node *node, Mentions &into, bool isOwn) {
  if (!node || isLost_) return;
  // It only looks: eight nodes are a step.
  if (++mentioned_ % 8 == 0 && !step()) return;
  auto all = [&](llvm::ArrayRef<Node *> nodes) {
    for (const Node *each : nodes) mention(each, into, isOwn);
  };
  const auto &parts = node->parts;
  // An object whose items alone are passed on.
  auto items = [&](const Node *of) {
    if (of && of->kind == NodeKind::Name)
      into.elements.insert(of->text);
    else
      mention(of, into, isOwn);
  };
  switch (node->kind) {
    case NodeKind::Name:
      into.reached.insert(node->text);
      return;
    case NodeKind::Attribute: {
      if (node->text == "configs")
        if (const Node *root = rootOf(node)) into.kernels.insert(root->text);
      static constexpr StringRef kNumbers[] = {
          "num_warps", "num_stages", "num_ctas", "shape", "dtype", "device"};
      if (llvm::is_contained(kNumbers, node->text) &&
          parts[0]->kind == NodeKind::Name)
        return;
      items(parts[0]);
      return;
    }
    case NodeKind::Subscript:
      // c.kwargs['B']
      if (parts[0]->kind == NodeKind::Attribute && parts[0]->text == "kwargs" &&
          parts[0]->parts[0]->kind == NodeKind::Name) {
        all(llvm::ArrayRef(parts).drop_front());
        return;
      }
      items(parts[0]);
      all(llvm::ArrayRef(parts).drop_front());
      return;
    case NodeKind::Call: {
      const Node &callee = *parts[0];
      bool looks = false;
      if (callee.kind == NodeKind::Attribute) {
        if (const Node *root = rootOf(&callee)) {
          into.reached.insert(root->text);
          if (changesObject(callee.text)) into.changed.insert(root->text);
          if (callee.parts[0]->kind == NodeKind::Attribute &&
              callee.parts[0]->text == "configs")
            into.kernels.insert(root->text);
        }
        mention(callee.parts[0], into, isOwn);
      } else {
        looks = callee.kind == NodeKind::Name && onlyLooks(callee.text) &&
                !module().names.count(callee.text);
        mention(&callee, into, isOwn);
      }
      for (const Node *part : llvm::drop_begin(parts)) {
        const bool isMany =
            part->kind == NodeKind::Starred ||
            (part->kind == NodeKind::Keyword && part->text.empty());
        const Node *given =
            part->kind == NodeKind::Starred || part->kind == NodeKind::Keyword
                ? part->parts[0]
                : part;
        if (isMany || looks)
          items(given);
        else
          mention(given, into, isOwn);
      }
      return;
    }
    case NodeKind::Comprehension:
      mention(parts[0], into, isOwn);
      for (const Node *each : llvm::drop_begin(parts)) {
        items(each->parts[1]);
        all(llvm::ArrayRef(each->parts).drop_front(2));
      }
      return;
    case NodeKind::Walrus:
      if (isOwn) into.bound.insert(node->text);
      all(parts);
      return;
    case NodeKind::Lambda:
      for (const Parameter &parameter : node->function->parameters)
        mention(parameter.value, into, isOwn);
      mentionFunction(*node->function, into);
      return;
    case NodeKind::Function:
      if (isOwn) into.bound.insert(node->text);
      for (const Parameter &parameter : node->function->parameters) {
        mention(parameter.value, into, isOwn);
        mention(parameter.annotation, into, isOwn);
      }
      all(parts);
      if (!kernels_.count(node->function->begin))
        mentionFunction(*node->function, into);
      return;
    case NodeKind::Class:
      if (isOwn) into.bound.insert(node->text);
      if (parts[0]->kind == NodeKind::Call) mention(parts[0], into, isOwn);
      mention(parts[1], into, false);
      all(llvm::ArrayRef(parts).drop_front(2));
      return;
    case NodeKind::Compare:
      for (const Node *part : parts) items(part);
      return;
    case NodeKind::Assign:
      for (const Node *target : llvm::ArrayRef(parts).drop_back())
        mentionTarget(*target, into, isOwn);
      mention(parts.back(), into, isOwn);
      return;
    case NodeKind::Annotated:
      // Without a value, too, a name is the function's own.
      if (parts[2] || parts[0]->kind == NodeKind::Name)
        mentionTarget(*parts[0], into, isOwn);
      mention(parts[1], into, isOwn);
      mention(parts[2], into, isOwn);
      return;
    case NodeKind::Augmented:
      mentionTarget(*parts[0], into, isOwn);
      if (const Node *root = rootOf(parts[0])) {
        into.reached.insert(root->text);
        into.changed.insert(root->text);
      }
      items(parts[1]);
      return;
    case NodeKind::For:
      mentionTarget(*parts[0], into, isOwn);
      items(parts[1]);
      all(llvm::ArrayRef(parts).drop_front(2));
      return;
    case NodeKind::With:
      for (size_t k = 0; k + 2 < parts.size(); k += 2) {
        mention(parts[k], into, isOwn);
        if (parts[k + 1]) mentionTarget(*parts[k + 1], into, isOwn);
      }
      mention(parts.back(), into, isOwn);
      return;
    case NodeKind::Handler:
      if (isOwn && !node->text.empty()) into.bound.insert(node->text);
      all(parts);
      return;
    case NodeKind::Delete: {
      std::vector<Node *> targets = {parts[0]};
      if (parts[0]->kind == NodeKind::Tuple) targets = parts[0]->parts;
      for (const Node *each : targets) {
        mentionTarget(*each, into, isOwn);
        const Node *root =
            each->kind == NodeKind::Name ? nullptr : rootOf(each);
        if (!root) continue;
        into.reached.insert(root->text);
        into.changed.insert(root->text);
      }
      return;
    }
    case NodeKind::Import:
      if (isOwn && !parts.empty()) into.bound.insert(parts[0]->text);
      return;
    case NodeKind::Names:
      for (const Node *name : parts) into.outer[name->text] = node->text;
      return;
    case NodeKind::Return:
      into.returns = true;
      all(parts);
      return;
    case NodeKind::Unread:
      into.returns |= node->text.contains("return");
      for (const Node *name : parts) {
        if (name->kind == NodeKind::Names) {
          mention(name, into, isOwn);
          continue;
        }
        into.reached.insert(name->text);
        into.kernels.insert(name->text);
        into.unread.insert(name->text);
      }
      return;
    case NodeKind::Other:
      if (node->text == "a text") {
        for (const Node *part : parts) items(part);
        return;
      }
      if (node->text == "a text that assigns")
        for (const Node *part : parts)
          if (part->kind == NodeKind::Name) into.unread.insert(part->text);
      all(parts);
      return;
    default:
      all(parts);
  }
}

const Script::Mentions &Script::mentionsOf(const FunctionText &text) {
  const auto found = mentions_.find(&text);
  if (found != mentions_.end()) return found->second;
  // A function that is within itself cannot be.
  mentions_[&text];
  Mentions made;
  if (const Node *body = bodyOf(text)) {
    mention(body, made, true);
  } else {
    for (size_t k = text.bodyBegin; k < tokens_.size(); ++k) {
      if (tokens_[k].kind == TokenKind::End || !step()) break;
      if (tokens_[k].place.column == 1 && k > text.bodyBegin + 1) break;
      if (tokens_[k].kind != TokenKind::Name) continue;
      made.reached.insert(tokens_[k].text);
      made.unread.insert(tokens_[k].text);
    }
  }
  return mentions_[&text] = std::move(made);
}

const std::set<StringRef> &Script::localsOf(const FunctionText &text) {
  const auto found = locals_.find(&text);
  if (found != locals_.end()) return found->second;
  const Mentions &mentions = mentionsOf(text);
  std::set<StringRef> made;
  for (StringRef name : mentions.bound)
    if (!mentions.outer.count(name)) made.insert(name);
  for (const Parameter &parameter : text.parameters)
    made.insert(parameter.name);
  return locals_[&text] = std::move(made);
}

//===-- Effects -----------------------------------------------------------===//

void Script::expose(const Mentions &mentions, ScriptScope *scope) {
  static constexpr StringRef kAll[] = {"globals", "locals",  "vars",
                                       "exec",    "eval",    "setattr",
                                       "delattr", "compile", "__import__"};
  auto valueOf = [&](StringRef name) -> ScriptValue {
    const ScriptValue value = nameIn(scope, name);
    if (value.object && value.object->kind == ScriptKind::Builtin &&
        llvm::is_contained(kAll, value.object->name))
      loseAll();
    return value;
  };
  const int64_t doubts = doubts_;
  for (StringRef name : mentions.reached) {
    escape(valueOf(name));
    if (isLost_) return;
  }
  for (StringRef name : mentions.elements) escapeItems(valueOf(name));
  for (StringRef name : mentions.kernels) {
    const ScriptValue value = valueOf(name);
    if (value.object && value.object->kind == ScriptKind::Kernel)
      openLists(*value.object->facts);
  }
  doubts_ = doubts;
}

void Script::othersRun() {
  if (!isChanged_) return;
  isChanged_ = false;
  for (int turn = 0; turn < 64 && !isLost_; ++turn) {
    for (size_t k = exposed_; k < escapedFunctions_.size(); ++k) {
      const ScriptObject &each = *escapedFunctions_[k];
      const Mentions &mentions = mentionsOf(*each.text);
      const auto &locals = localsOf(*each.text);
      auto watch = [&](const std::set<StringRef> &names, StringRef what) {
        for (StringRef name : names)
          if (!locals.count(name)) watched_.insert({each.closure, name, what});
      };
      watch(mentions.reached, "reached");
      watch(mentions.elements, "elements");
      watch(mentions.kernels, "kernels");
      watch(mentions.unread, "unread");
      for (const auto *names : {&mentions.outer, &mentions.inner})
        for (const auto &[name, word] : *names)
          if (word == "global" || !locals.count(name))
            watched_.insert({each.closure, name, word});
    }
    exposed_ = escapedFunctions_.size();
    if (!step(static_cast<int64_t>(watched_.size()))) return;
    Frame frame;
    frames_.push_back(std::move(frame));
    const std::set<Watched> watched = watched_;
    for (const Watched &each : watched) {
      if (isLost_) break;
      ScriptScope *scope = each.scope;
      Mentions one;
      if (each.what == "reached") {
        one.reached.insert(each.name);
      } else if (each.what == "elements") {
        one.elements.insert(each.name);
      } else if (each.what == "kernels") {
        one.kernels.insert(each.name);
      } else if (each.what == "global") {
        frames_.back().scope = &module();
        const bool isKernel = [&] {
          const auto found = module().names.find(each.name);
          return found != module().names.end() && found->second.object &&
                 found->second.object->kind == ScriptKind::Kernel;
        }();
        forget(each.name, isKernel);
      } else {
        // The scope that has the name.
        for (; scope; scope = scope->parent)
          if (scope->names.count(each.name)) break;
        if (scope && (each.what == "nonlocal" ||
                      scope->kind == ScriptScope::Kind::Module)) {
          frames_.back().scope = scope;
          forget(each.name, each.what == "unread");
        }
      }
      expose(one, each.scope);
    }
    frames_.pop_back();
    if (exposed_ == escapedFunctions_.size()) break;
  }
  isChanged_ = false;
}

void Script::doubt(const Mentions &mentions) {
  ScriptScope *scope = frames_.back().scope;
  expose(mentions, scope);
  for (StringRef name : mentions.bound) forget(name, false);
  forgetOuter(mentions);
  for (StringRef name : mentions.unread) {
    ScriptScope *const own = scopeFor(name);
    if (own->names.count(name)) forget(name, true);
  }
  isChanged_ = true;
  othersRun();
}

void Script::forgetOuter(const Mentions &mentions) {
  // A name that the function has declared as another scope's.
  for (StringRef name : mentions.bound)
    if (isOuter(name)) forget(name, false);
  for (const auto *names : {&mentions.outer, &mentions.inner})
    for (const auto &[name, word] : *names) {
      ScriptScope *scope = word == "global" ? &module() : frames_.back().scope;
      while (scope && !scope->names.count(name)) scope = scope->parent;
      if (!scope) continue;
      Frame frame;
      frame.scope = scope;
      frames_.push_back(std::move(frame));
      forget(name, false);
      frames_.pop_back();
    }
}

void Script::doubtStatement(const Node &node) {
  ++doubts_;
  Mentions mentions;
  mention(&node, mentions, true);
  doubt(mentions);
}

void Script::doubtExpression(const Node &node) {
  Mentions mentions;
  mention(&node, mentions, true);
  doubt(mentions);
}

void Script::doubtUncalled() {
  if (isLost_) return;
  for (const auto &[place, object] : functions_) {
    if (ran_.count(object->text)) continue;
    const Mentions &mentions = mentionsOf(*object->text);
    const auto &locals = localsOf(*object->text);
    for (StringRef name : mentions.changed)
      if (!locals.count(name)) escape(nameIn(object->closure, name));
    for (StringRef name : mentions.kernels) {
      if (locals.count(name)) continue;
      const ScriptValue value = nameIn(object->closure, name);
      if (value.object && value.object->kind == ScriptKind::Kernel)
        openLists(*value.object->facts);
    }
  }
}

}  // namespace indexical::python
