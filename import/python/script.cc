// The statements of script.h.
#include "indexical/import/python/script.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/launch.h"
#include "indexical/import/python/nesting.h"

namespace indexical::python {

using llvm::StringRef;

//===-- The file ----------------------------------------------------------===//

void Script::run() {
  scopes_.emplace_back();
  Frame frame;
  frame.scope = &module();
  frames_.push_back(std::move(frame));
  module().isCaptured = true;
  Parser parser(tokens_, store_);
  parser.isOfHost = true;
  while (parser.token().kind != TokenKind::End && !isLost_) {
    const size_t before = parser.at();
    if (parser.token().kind == TokenKind::NewLine ||
        parser.token().kind == TokenKind::Dedent) {
      parser.skip();
      continue;
    }
    std::vector<Node *> read;
    parser.hostStatement(read);
    if (parser.at() == before) parser.skip();
    for (const Node *node : read)
      if (statement(*node) == Flow::Lost) doubtStatement(*node);
  }
  doubtUncalled();
  isFileLost_ = isLost_;
  for (auto &[begin, facts] : facts_)
    for (KernelFacts::Layer &layer : facts.layers)
      if (!layer.isLost && !isLost_) layer.last = copied(layer.value);
  if (!isLost_) return;
  for (auto &[name, value] : module().names)
    if (value.object && value.object->kind == ScriptKind::Kernel) {
      value.isDoubted = true;
    } else {
      value = ScriptValue();
    }
}

const std::vector<ScriptLaunch> &Script::launches() {
  if (areLaunchesRead_) return launches_;
  areLaunchesRead_ = true;
  const bool wasLost = isLost_;
  for (ScriptObject &object : objects_) object.isOld = true;
  for (ScriptScope &scope : scopes_) scope.isOld = true;
  isRunningLaunches_ = true;
  const std::vector<ScriptLaunch> ofLines = launches_;
  // The second pass tells each function what later ones may change.
  for (int pass = 0; pass < 2; ++pass) {
    launches_ = ofLines;
    runFunctions();
  }
  isLost_ = wasLost;
  findOtherLaunches();
  llvm::stable_sort(launches_,
                    [](const ScriptLaunch &a, const ScriptLaunch &b) {
                      return std::tie(a.place.line, a.place.column) <
                             std::tie(b.place.line, b.place.column);
                    });
  return launches_;
}

void Script::runFunctions() {
  const int64_t most = steps_ + kMostSteps;
  // A function may add those that it defines.
  std::pair<uint32_t, uint32_t> last = {0, 0};
  for (auto at = functions_.upper_bound(last); at != functions_.end();
       at = functions_.upper_bound(last)) {
    last = at->first;
    ScriptObject &each = *at->second;
    const Node *body = bodyOf(*each.text);
    if (!body) continue;
    isLost_ = false;
    most_ = std::min(steps_ + kMostOfFunction, most);
    scopes_.emplace_back();
    ScriptScope &scope = scopes_.back();
    scope.kind = ScriptScope::Kind::Function;
    scope.parent = each.closure;
    scope.locals = &localsOf(*each.text);
    for (const Parameter &parameter : each.text->parameters)
      scope.names[parameter.name] = symbol();
    Frame frame;
    frame.scope = &scope;
    frames_.push_back(std::move(frame));
    if (each.text->body && each.text->name.empty())
      evaluate(body);
    else
      block(body);
    frames_.pop_back();
  }
}

ScriptValue Script::copied(const ScriptValue &value, int depth) {
  const bool isHeld =
      value.object && (value.object->kind == ScriptKind::List ||
                       value.object->kind == ScriptKind::Tuple ||
                       value.object->kind == ScriptKind::Dict ||
                       value.object->kind == ScriptKind::Config);
  if (!isHeld) return value;
  if (depth > 6 || !step()) return {};
  ScriptObject *made = make(value.object->kind);
  *made = *value.object;
  for (ScriptValue &each : made->items) each = copied(each, depth + 1);
  for (auto &[name, each] : made->fields) each = copied(each, depth + 1);
  step(static_cast<int64_t>(made->items.size()));
  return of(made);
}

ScriptValue Script::global(StringRef name) const {
  const auto found = scopes_.front().names.find(name);
  return found == scopes_.front().names.end() ? ScriptValue() : found->second;
}

const KernelFacts *Script::factsOf(size_t def) const {
  const auto found = facts_.find(def);
  return found == facts_.end() ? nullptr : &found->second;
}

//===-- Names -------------------------------------------------------------===//

/// Returns the scope in which a statement binds a name.
ScriptScope *Script::scopeFor(StringRef name) {
  ScriptScope *scope = frames_.back().scope;
  while (scope->kind == ScriptScope::Kind::Inner) scope = scope->parent;
  const auto declared = scope->declared.find(name);
  if (declared == scope->declared.end()) return scope;
  if (declared->second == "global") return &module();
  for (ScriptScope *each = scope->parent; each; each = each->parent)
    if (each->kind == ScriptScope::Kind::Function && each->locals &&
        each->locals->count(name))
      return each;
  return &module();
}

bool Script::isOuter(StringRef name) const {
  const ScriptScope *scope = frames_.back().scope;
  while (scope->kind == ScriptScope::Kind::Inner) scope = scope->parent;
  return scope->declared.count(name) > 0;
}

void Script::bind(StringRef name, ScriptValue value) {
  ScriptScope *scope = scopeFor(name);
  if (scope->isCaptured) isChanged_ = true;
  // After a `return` that was perhaps passed, a statement perhaps does not run.
  const bool isDoubtful =
      isOuter(name) &&
      llvm::any_of(frames_, [](const Frame &frame) { return frame.mayReturn; });
  if (isDoubtful ||
      (isRunningLaunches_ && (scope == &module() || scope->isOld))) {
    escape(value);
    forget(name, false);
    return;
  }
  // A size that has a name may be a kernel's argument.
  if (value.constant && value.constant->is(ValueKind::Integer) && !value.size) {
    if (const auto number = smallOf(*value.constant)) {
      const ScriptValue made = symbol();
      value.size = made.size;
      value.sizeTerms = 1;
      known_[value.size->name] = *number;
    }
  }
  scope->names[name] = std::move(value);
}

void Script::forget(StringRef name, bool keeps) {
  ScriptScope *scope = scopeFor(name);
  if (scope->isCaptured) isChanged_ = true;
  ScriptValue made = symbol();
  if (const auto before = scope->names.find(name);
      keeps && before != scope->names.end()) {
    made.isDoubted = true;
    if (before->second.isKnown())
      made.branches = std::make_shared<const Values>(Values(1, before->second));
    else
      made.branches = before->second.branches;
  }
  scope->names[name] = std::move(made);
}

void Script::assign(const Node &target, ScriptValue value) {
  if (!step()) return;
  switch (target.kind) {
    case NodeKind::Name:
      bind(target.text, std::move(value));
      return;
    case NodeKind::Tuple:
    case NodeKind::List: {
      const size_t count = target.parts.size();
      size_t starred = count;
      for (size_t k = 0; k < count; ++k)
        if (target.parts[k]->kind == NodeKind::Starred) starred = k;
      const auto items = itemsOf(value);
      const bool fits =
          items && (starred == count ? items->size() == count
                                     : items->size() + 1 >= count);
      if (!fits) escape(value);
      if (!fits) ++doubts_;
      for (size_t k = 0; k < count; ++k) {
        const Node &each = *target.parts[k];
        if (each.kind == NodeKind::Starred) {
          ScriptObject *rest = make(ScriptKind::List);
          rest->isOpen = !fits;
          if (fits)
            rest->items.assign(
                items->begin() + k,
                items->begin() + k + (items->size() + 1 - count));
          assign(*each.parts[0], of(rest));
        } else if (fits) {
          assign(each, (*items)[k < starred ? k : items->size() - (count - k)]);
        } else {
          const std::string key = keyOf(value);
          assign(each, symbol(key.empty() || starred < count
                                  ? ""
                                  : key + "[" + std::to_string(k) + "]"));
        }
      }
      return;
    }
    case NodeKind::Starred:
      assign(*target.parts[0], std::move(value));
      return;
    case NodeKind::Attribute: {
      const ScriptValue of = evaluate(target.parts[0]);
      if (!of.object) {
        escape(value);
        if (target.text == "configs" && of.branches)
          for (const ScriptValue &each : *of.branches)
            if (each.object && each.object->facts)
              openLists(*each.object->facts);
        return;
      }
      ScriptObject &object = *of.object;
      if (object.kind == ScriptKind::Path) {
        escape(value);
        overridden_[object.name + "." + target.text.str()] = std::move(value);
      } else if (object.kind == ScriptKind::Kernel) {
        if (target.text == "configs" &&
            object.layer < object.facts->layers.size() &&
            !object.facts->layers[object.layer].isHeuristics &&
            !isRunningLaunches_) {
          object.facts->layers[object.layer].value = value;
          object.facts->layers[object.layer].isLost = !value.object;
        } else {
          openLists(*object.facts);
        }
      } else if ((object.kind == ScriptKind::Config ||
                  object.kind == ScriptKind::Class) &&
                 mayChange(object)) {
        object.fields[target.text.str()] = std::move(value);
      } else {
        escape(value);
        escape(of);
      }
      return;
    }
    case NodeKind::Subscript: {
      const ScriptValue of = evaluate(target.parts[0]);
      const bool isPlain =
          target.parts.size() == 2 && target.parts[1]->kind != NodeKind::Slice;
      const ScriptValue at =
          isPlain ? evaluate(target.parts[1]) : ScriptValue();
      if (!isPlain)
        for (const Node *part : llvm::drop_begin(target.parts))
          doubtExpression(*part);
      if (of.object && at.constant && mayChange(*of.object)) {
        ScriptObject &object = *of.object;
        const auto number = smallOf(*at.constant);
        const auto size = static_cast<int64_t>(object.items.size());
        if (object.kind == ScriptKind::Dict) {
          put(object, *at.constant, std::move(value));
          return;
        }
        if (object.kind == ScriptKind::List && !object.isOpen && number &&
            *number >= -size && *number < size) {
          object.items[*number < 0 ? *number + size : *number] =
              std::move(value);
          return;
        }
      }
      ++doubts_;
      escape(value);
      escape(of);
      return;
    }
    default:
      ++doubts_;
      escape(value);
      doubtExpression(target);
  }
}

//===-- Statements --------------------------------------------------------===//

Script::Flow Script::block(const Node *node) {
  if (!node) return Flow::Next;
  for (const Node *each : node->parts)
    if (const Flow flow = statement(*each); flow != Flow::Next) return flow;
  return Flow::Next;
}

Script::Flow Script::statement(const Node &node) {
  if (isLost_ || !step()) return Flow::Lost;
  // An operator on a value that is not known may call a method of the file.
  if (!escapedFunctions_.empty()) othersRun();
  const auto &parts = node.parts;
  switch (node.kind) {
    case NodeKind::Pass:
      return Flow::Next;
    case NodeKind::Block:
      return block(&node);
    case NodeKind::Expression:
      evaluate(parts[0]);
      return Flow::Next;
    case NodeKind::Assign: {
      const Node &first = *parts[0];
      const bool isPassed =
          parts.size() == 2 &&
          (first.kind == NodeKind::Tuple || first.kind == NodeKind::List);
      const ScriptValue value = evaluate(parts.back(), isPassed);
      for (const Node *target : llvm::ArrayRef(parts).drop_back())
        assign(*target, value);
      return Flow::Next;
    }
    case NodeKind::Annotated: {
      const ScriptValue value = parts[2] ? evaluate(parts[2]) : ScriptValue();
      if (!hasLazyAnnotations_ &&
          frames_.back().scope->kind != ScriptScope::Kind::Function)
        evaluate(parts[1]);
      if (parts[2]) assign(*parts[0], value);
      return Flow::Next;
    }
    case NodeKind::Augmented:
      augment(node);
      return Flow::Next;
    case NodeKind::If:
      return ifStatement(node);
    case NodeKind::For:
      return forStatement(node);
    case NodeKind::While:
      return whileStatement(node);
    case NodeKind::Try:
      return tryStatement(node);
    case NodeKind::With:
      return withStatement(node);
    case NodeKind::Class:
      classStatement(node);
      return Flow::Next;
    case NodeKind::Function:
      functionStatement(node);
      return Flow::Next;
    case NodeKind::Import:
      importStatement(node);
      return Flow::Next;
    case NodeKind::Delete:
      deleteStatement(*parts[0]);
      return Flow::Next;
    case NodeKind::Names:
      for (const Node *name : parts)
        frames_.back().scope->declared[name->text] = node.text;
      return Flow::Next;
    case NodeKind::Return: {
      ScriptValue value = parts[0] ? evaluate(parts[0]) : of(Value::none());
      Frame &frame = frames_.back();
      if (frame.mayReturn)
        frame.result = lost({frame.result, value});
      else
        frame.result = std::move(value);
      return Flow::Return;
    }
    case NodeKind::Jump:
      return node.text == "continue" ? Flow::Continue
             : node.text == "break"  ? Flow::Break
                                     : Flow::Stop;
    case NodeKind::Statement:
      if (node.text == "assert") {
        const ScriptValue value = evaluate(
            parts[0]->kind == NodeKind::Tuple ? parts[0]->parts[0] : parts[0]);
        const auto holds = truthOf(value);
        if (!holds) ++doubts_;
        return holds && !*holds ? Flow::Stop : Flow::Next;
      }
      [[fallthrough]];
    default:
      ++doubts_;
      doubtStatement(node);
      if (node.kind != NodeKind::Unread) return Flow::Next;
      if (node.text.contains("return") &&
          frames_.back().scope->kind == ScriptScope::Kind::Function) {
        frames_.back().result = lost({frames_.back().result});
        frames_.back().mayReturn = true;
      }
      return node.text.contains("break") ? Flow::Lost : Flow::Next;
  }
}

void Script::augment(const Node &node) {
  const Node &target = *node.parts[0];
  if (target.kind == NodeKind::Name) {
    const ScriptValue before = name(target.text);
    const ScriptValue value = evaluate(node.parts[1], true);
    const bool isList =
        before.object && before.object->kind == ScriptKind::List;
    if (isList && node.text == "+") {
      Arguments arguments;
      arguments.positional.push_back(value);
      method(before, "extend", arguments);
      bind(target.text, before);
      return;
    }
    if (isList || (before.object && before.object->kind == ScriptKind::Dict)) {
      escape(before);
      escape(value);
      forget(target.text, false);
      ++doubts_;
      return;
    }
    bind(target.text, binary(node.text, before, settled(value)));
    return;
  }
  // The object and the index are evaluated twice, so they must be plain.
  const bool isPlain =
      (target.kind == NodeKind::Attribute &&
       target.parts[0]->kind == NodeKind::Name) ||
      (target.kind == NodeKind::Subscript && target.parts.size() == 2 &&
       target.parts[0]->kind == NodeKind::Name &&
       (target.parts[1]->kind == NodeKind::Name ||
        target.parts[1]->kind == NodeKind::String ||
        target.parts[1]->kind == NodeKind::Number));
  const ScriptValue before = isPlain ? evaluate(&target) : ScriptValue();
  const ScriptValue value = evaluate(node.parts[1]);
  if (!isPlain || before.object || !before.constant) {
    escape(before);
    escape(value);
    if (target.kind == NodeKind::Subscript) escape(evaluate(target.parts[0]));
    doubtExpression(target);
    if (isPlain) assign(target, symbol());
    ++doubts_;
    return;
  }
  assign(target, binary(node.text, before, value));
}

void Script::deleteStatement(const Node &node) {
  if (node.kind == NodeKind::Tuple) {
    for (const Node *each : node.parts) deleteStatement(*each);
    return;
  }
  if (node.kind == NodeKind::Name) {
    forget(node.text, false);
    return;
  }
  if (node.kind == NodeKind::Subscript && node.parts.size() == 2 &&
      node.parts[1]->kind != NodeKind::Slice) {
    const ScriptValue of = evaluate(node.parts[0]);
    const ScriptValue at = evaluate(node.parts[1]);
    Arguments arguments;
    arguments.positional.push_back(at);
    if (of.object && at.constant &&
        (of.object->kind == ScriptKind::List ||
         of.object->kind == ScriptKind::Dict)) {
      method(of, "pop", arguments);
      return;
    }
    ++doubts_;
    escape(of);
    return;
  }
  ++doubts_;
  if (node.kind == NodeKind::Subscript) escape(evaluate(node.parts[0]));
  doubtExpression(node);
}

void Script::importStatement(const Node &node) {
  if (node.text == "*") {
    // It may give any name another meaning, but not those of kernels.
    importsAll_ = true;
    ++doubts_;
    ScriptScope *scope = frames_.back().scope;
    for (auto &[name, value] : scope->names)
      if (!value.object || (value.object->kind != ScriptKind::Path &&
                            value.object->kind != ScriptKind::Kernel))
        forget(name, false);
    return;
  }
  ++doubts_;
  if (node.text == "__future__.annotations") hasLazyAnnotations_ = true;
  bind(node.parts[0]->text, pathOf(node.text.str()));
}

}  // namespace indexical::python
