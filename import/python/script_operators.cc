// The operators and comprehensions of script.h.
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/launch.h"
#include "indexical/import/python/script.h"

namespace indexical::python {

using kernels::SizeKind;
using llvm::StringRef;

ScriptValue Script::binary(StringRef sign, const ScriptValue &a,
                           const ScriptValue &b) {
  auto isSequence = [](const ScriptValue &value) {
    return value.object && (value.object->kind == ScriptKind::List ||
                            value.object->kind == ScriptKind::Tuple);
  };
  if (isSequence(a) || isSequence(b)) {
    const ScriptObject &one = *(isSequence(a) ? a : b).object;
    if (sign == "+" && isSequence(a) && isSequence(b) &&
        a.object->kind == b.object->kind) {
      ScriptObject *made = make(one.kind);
      made->items = a.object->items;
      llvm::append_range(made->items, b.object->items);
      made->isOpen = a.object->isOpen || b.object->isOpen;
      if (!step(static_cast<int64_t>(made->items.size()))) return {};
      return of(made);
    }
    if (sign == "+" && one.kind == ScriptKind::List &&
        !(isSequence(a) ? b : a).isKnown()) {
      ScriptObject *made = make(one.kind);
      made->items = one.items;
      made->isOpen = true;
      ++doubts_;
      return of(made);
    }
    const auto times = small(isSequence(a) ? b : a);
    if (sign == "*" && times && !one.isOpen &&
        (one.items.empty() ||
         *times < static_cast<int64_t>(kMostItems / one.items.size()))) {
      ScriptObject *made = make(one.kind);
      for (int64_t k = 0; k < *times && !one.items.empty(); ++k)
        llvm::append_range(made->items, one.items);
      step(static_cast<int64_t>(made->items.size()));
      return of(made);
    }
    ++doubts_;
    return lost({a, b});
  }
  if (a.object || b.object) {
    ++doubts_;
    return lost({a, b});
  }
  ScriptValue made;
  if (a.constant && b.constant) {
    ConstantResult result = constantBinary(sign, *a.constant, *b.constant);
    if (result.error.empty()) made = of(std::move(result.value));
  }
  if (!made.constant) {
    ++doubts_;
    made = symbol();
  }
  if (const auto kind = sizeKindOf(sign)) combine(*kind, a, b, made);
  return made;
}

std::optional<bool> Script::areEqual(const ScriptValue &a, const ScriptValue &b,
                                     int depth) {
  if (!a.isKnown() || !b.isKnown() || depth > 8 || !step()) return std::nullopt;
  if (a.constant && b.constant) {
    const ConstantResult made = constantCompare("==", *a.constant, *b.constant);
    return made.error.empty() ? std::optional<bool>(isTrue(made.value))
                              : std::nullopt;
  }
  if (a.constant || b.constant) {
    const ScriptKind kind = (a.object ? a : b).object->kind;
    if (kind == ScriptKind::Path) return std::nullopt;
    return false;
  }
  if (a.object == b.object) return true;
  if (a.object->kind != b.object->kind ||
      (a.object->kind != ScriptKind::List &&
       a.object->kind != ScriptKind::Tuple) ||
      a.object->isOpen || b.object->isOpen)
    return std::nullopt;
  if (a.object->items.size() != b.object->items.size()) return false;
  bool isKnown = true;
  for (auto [x, y] : llvm::zip(a.object->items, b.object->items)) {
    const auto same = areEqual(x, y, depth + 1);
    if (same && !*same) return false;
    isKnown &= same.has_value();
  }
  return isKnown ? std::optional<bool>(true) : std::nullopt;
}

ScriptValue Script::compare(StringRef sign, const ScriptValue &a,
                            const ScriptValue &b) {
  std::optional<bool> holds;
  if (sign == "==" || sign == "!=") {
    holds = areEqual(a, b);
    if (holds && sign == "!=") holds = !*holds;
  } else if (sign == "is" || sign == "is not") {
    if (a.isKnown() && b.isKnown()) {
      auto isOnly = [](const ScriptValue &value) {
        return value.constant && (value.constant->isNone() ||
                                  value.constant->is(ValueKind::Bool));
      };
      auto mayBeAny = [](const ScriptValue &value) {
        return value.object && value.object->kind == ScriptKind::Path;
      };
      if (a.object && b.object && !mayBeAny(a) && !mayBeAny(b))
        holds = a.object == b.object && a.object->kind != ScriptKind::Method;
      else if ((isOnly(a) || isOnly(b)) && !mayBeAny(a) && !mayBeAny(b))
        holds = a.constant && b.constant &&
                a.constant->kind == b.constant->kind && *areEqual(a, b);
    }
    if (holds && sign == "is not") holds = !*holds;
  } else if (sign == "in" || sign == "not in") {
    if (b.object && a.isKnown() &&
        (b.object->kind == ScriptKind::List ||
         b.object->kind == ScriptKind::Tuple)) {
      holds = b.object->isOpen ? std::nullopt : std::optional<bool>(false);
      for (const ScriptValue &each : b.object->items) {
        const auto same = areEqual(a, each);
        if (same && *same) {
          holds = true;
          break;
        }
        if (!same) holds = std::nullopt;
      }
    } else if (b.object && a.constant && b.object->kind == ScriptKind::Dict) {
      if (found(*b.object, *a.constant))
        holds = true;
      else if (!b.object->isOpen)
        holds = false;
    } else if (a.constant && b.constant) {
      const ConstantResult made =
          constantCompare("in", *a.constant, *b.constant);
      if (made.error.empty()) holds = isTrue(made.value);
    }
    if (holds && sign == "not in") holds = !*holds;
  } else if (a.constant && b.constant) {
    const ConstantResult made = constantCompare(sign, *a.constant, *b.constant);
    if (made.error.empty()) holds = isTrue(made.value);
  }
  if (holds) return of(Value::boolean(*holds));
  ++doubts_;
  return symbol();
}

std::optional<bool> Script::truthOf(const ScriptValue &value) {
  if (value.constant) return isTrue(*value.constant);
  if (!value.object) return std::nullopt;
  const ScriptObject &object = *value.object;
  switch (object.kind) {
    case ScriptKind::List:
    case ScriptKind::Tuple:
    case ScriptKind::Dict:
      if (object.isLazy) return true;
      if (!object.items.empty()) return true;
      return object.isOpen ? std::nullopt : std::optional<bool>(false);
    case ScriptKind::Path:
      return std::nullopt;
    default:
      return true;
  }
}

std::optional<std::vector<ScriptValue>> Script::itemsOf(
    const ScriptValue &value) {
  if (!value.object || value.object->isOpen ||
      value.object->items.size() > kMostItems ||
      !step(static_cast<int64_t>(value.object->items.size())))
    return std::nullopt;
  if (value.object->kind == ScriptKind::List ||
      value.object->kind == ScriptKind::Tuple)
    return value.object->items;
  if (value.object->kind != ScriptKind::Dict) return std::nullopt;
  Values keys;
  for (const Value &key : value.object->keys) keys.push_back(of(key));
  return keys;
}

//===-- Comprehensions ----------------------------------------------------===//

ScriptValue Script::comprehension(const Node &node) {
  const bool isLazy = node.text == "generator";
  if (isLazy) {
    // Python makes the items when they are passed.
    Mentions mentions;
    mention(&node, mentions, true);
    if (!mentions.changed.empty() || !mentions.bound.empty()) {
      doubtExpression(node);
      ++doubts_;
      return symbol();
    }
  }
  scopes_.emplace_back();
  ScriptScope &scope = scopes_.back();
  scope.kind = ScriptScope::Kind::Inner;
  scope.parent = frames_.back().scope;
  ScriptObject *made =
      make(node.text == "dict" ? ScriptKind::Dict : ScriptKind::List);
  addComprehended(node, 1, scope, *made);
  frames_.back().scope = scope.parent;
  if (node.text == "set") return lost({of(made)});
  if (isLazy) {
    made->isLazy = true;
    Mentions mentions;
    mention(&node, mentions, true);
    for (StringRef each : mentions.reached) made->sources.push_back(name(each));
    for (StringRef each : mentions.elements)
      made->sources.push_back(name(each));
  }
  return of(made);
}

void Script::addComprehended(const Node &node, size_t loop, ScriptScope &scope,
                             ScriptObject &into) {
  if (isLost_) return;
  if (loop == node.parts.size()) {
    const Node &element = *node.parts[0];
    if (into.kind != ScriptKind::Dict) {
      into.items.push_back(evaluate(&element));
      if (into.items.size() > kMostItems) loseAll();
      return;
    }
    const ScriptValue key = evaluate(element.parts[0]);
    ScriptValue value = evaluate(element.parts[1]);
    if (key.constant)
      put(into, *key.constant, std::move(value));
    else
      escape(of(&into));
    return;
  }
  const Node &each = *node.parts[loop];
  // The first source belongs to the scope around.
  if (loop == 1) frames_.back().scope = scope.parent;
  const ScriptValue source = evaluate(each.parts[1], true);
  frames_.back().scope = &scope;
  ScriptObject *list = source.object && source.object->kind == ScriptKind::List
                           ? source.object
                           : nullptr;
  auto open = [&] {
    ++doubts_;
    escapeItems(source);
    // The rest runs perhaps, and perhaps often.
    if (into.kind == ScriptKind::Dict) escape(of(&into));
    into.isOpen = true;
    for (const Node *part : llvm::ArrayRef(each.parts).drop_front(2))
      doubtExpression(*part);
    for (const Node *part : llvm::ArrayRef(node.parts).drop_front(loop + 1))
      doubtExpression(*part);
    doubtExpression(*node.parts[0]);
  };
  const auto items = list ? std::nullopt : itemsOf(source);
  if (!list && !items) {
    open();
    return;
  }
  for (size_t k = 0;; ++k) {
    if (isLost_ || !step()) return;
    if (list && list->isOpen) {
      open();
      return;
    }
    if (k >= (list ? list->items.size() : items->size())) return;
    if (!bindWithin(*each.parts[0], list ? list->items[k] : (*items)[k],
                    scope)) {
      open();
      return;
    }
    bool isTaken = true;
    for (const Node *test : llvm::drop_begin(each.parts, 2)) {
      const auto holds = truthOf(evaluate(test));
      if (!holds) {
        open();
        isTaken = false;
        break;
      }
      if (!*holds) {
        isTaken = false;
        break;
      }
    }
    if (isTaken) addComprehended(node, loop + 1, scope, into);
    frames_.back().scope = &scope;
  }
}

bool Script::bindWithin(const Node &target, const ScriptValue &value,
                        ScriptScope &scope) {
  if (target.kind == NodeKind::Name) {
    scope.names[target.text] = value;
    return true;
  }
  if (target.kind == NodeKind::Subscript) escape(evaluate(target.parts[0]));
  const auto items = itemsOf(value);
  if ((target.kind != NodeKind::Tuple && target.kind != NodeKind::List) ||
      !items || items->size() != target.parts.size())
    return false;
  for (auto [part, item] : llvm::zip(target.parts, *items))
    if (!bindWithin(*part, item, scope)) return false;
  return true;
}

/// Whether an expression is `….get_current_target().backend`.
bool Script::isBackend(const Node &node) const {
  return node.kind == NodeKind::Attribute && node.text == "backend" &&
         node.parts[0]->kind == NodeKind::Call &&
         lastNameOf(node.parts[0]) == "get_current_target";
}

}  // namespace indexical::python
