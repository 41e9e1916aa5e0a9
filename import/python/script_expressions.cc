// The expressions of script.h.
#include <cmath>

#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/launch.h"
#include "indexical/import/python/script.h"

namespace indexical::python {

using kernels::SizeKind;
using kernels::SizeTerm;
using llvm::StringRef;

//===-- Values ------------------------------------------------------------===//

bool Script::step(int64_t count) {
  steps_ += count;
  if (steps_ > most_) loseAll();
  return !isLost_;
}

ScriptValue Script::of(Value value) const {
  ScriptValue made;
  made.constant = std::make_shared<const Value>(std::move(value));
  return made;
}

ScriptObject *Script::make(ScriptKind kind, std::string name) {
  step();
  objects_.emplace_back();
  objects_.back().kind = kind;
  objects_.back().name = std::move(name);
  return &objects_.back();
}

ScriptValue Script::tuple(Values items) {
  ScriptObject *made = make(ScriptKind::Tuple);
  made->items = std::move(items);
  return of(made);
}

/// Returns a value that is not known. That of a key is always the same one.
ScriptValue Script::symbol(std::string key) {
  int64_t number = 0;
  if (key.empty() || key.size() > 200) {
    number = ++nextSymbol_;
  } else {
    int64_t &known = symbols_[key];
    if (!known) known = ++nextSymbol_;
    number = known;
  }
  ScriptValue made;
  made.size = std::make_shared<const SizeTerm>(
      SizeTerm::of("#" + std::to_string(number)));
  made.sizeTerms = 1;
  return made;
}

std::string Script::keyOf(const ScriptValue &value) const {
  return !value.isKnown() && value.size && value.size->kind == SizeKind::Name
             ? value.size->name
             : "";
}

std::optional<int64_t> Script::small(const ScriptValue &value) const {
  return value.constant ? smallOf(*value.constant) : std::nullopt;
}

void Script::combine(SizeKind kind, const ScriptValue &a, const ScriptValue &b,
                     ScriptValue &into) const {
  if (into.object || (!a.size && !b.size)) return;
  auto termOf = [&](const ScriptValue &value) -> std::optional<SizeTerm> {
    if (value.size) return *value.size;
    const auto number = small(value);
    return number ? std::optional<SizeTerm>(SizeTerm::of(*number))
                  : std::nullopt;
  };
  auto x = termOf(a), y = termOf(b);
  const int terms = a.sizeTerms + b.sizeTerms + 1;
  if (!x || !y || terms > kMostTerms) {
    into.size = nullptr;
    into.sizeTerms = 0;
    return;
  }
  into.size = std::make_shared<const SizeTerm>(
      SizeTerm::of(kind, *std::move(x), *std::move(y)));
  into.sizeTerms = terms;
}

bool Script::mayChange(ScriptObject &object) {
  if (object.isEscaped) return false;
  if (isRunningLaunches_ && object.isOld) {
    escape(&object);
    return false;
  }
  ++object.version;
  return true;
}

std::optional<Value> Script::constantOf(const ScriptValue &value,
                                        int depth) const {
  if (value.constant) return *value.constant;
  if (!value.object || depth > 8) return std::nullopt;
  const ScriptObject &object = *value.object;
  switch (object.kind) {
    case ScriptKind::List:
    case ScriptKind::Tuple: {
      if (object.isOpen || object.items.size() > kMostItems)
        return std::nullopt;
      std::vector<Value> items;
      for (const ScriptValue &each : object.items) {
        auto item = constantOf(each, depth + 1);
        if (!item) return std::nullopt;
        items.push_back(*std::move(item));
      }
      Value made = Value::tuple(std::move(items));
      if (made.integer > static_cast<int64_t>(kMostItems)) return std::nullopt;
      return made;
    }
    case ScriptKind::Path:
      return Value::module(object.name);
    case ScriptKind::Builtin:
      return Value::builtin(object.name);
    case ScriptKind::Kernel: {
      const auto found = kernels_.find(object.facts->begin);
      if (found == kernels_.end()) return std::nullopt;
      return Value::ofFunction(found->second);
    }
    default:
      return std::nullopt;
  }
}

//===-- Names -------------------------------------------------------------===//

ScriptValue Script::name(StringRef name) {
  return nameIn(frames_.back().scope, name);
}

ScriptValue Script::nameIn(ScriptScope *scope, StringRef name) {
  for (ScriptScope *each = scope; each; each = each->parent) {
    if (each->kind == ScriptScope::Kind::Class && each != scope) continue;
    const auto declared = each->declared.find(name);
    if (declared != each->declared.end()) {
      if (declared->second == "global") break;
      continue;
    }
    if (each->kind == ScriptScope::Kind::Module) break;
    const auto found = each->names.find(name);
    if (found != each->names.end()) return found->second;
    if (each->locals && each->locals->count(name)) {
      ++doubts_;
      return symbol();
    }
  }
  const auto found = module().names.find(name);
  if (found != module().names.end()) return found->second;
  if (!importsAll_) {
    static constexpr StringRef kBuiltins[] = {
        "range",   "len",    "min",        "max",      "sum",       "abs",
        "int",     "float",  "bool",       "str",      "list",      "tuple",
        "dict",    "sorted", "reversed",   "zip",      "enumerate", "map",
        "filter",  "print",  "isinstance", "any",      "all",       "globals",
        "locals",  "vars",   "exec",       "eval",     "setattr",   "delattr",
        "compile", "set",    "hasattr",    "callable", "type",      "id",
        "repr",    "round",  "divmod",     "pow",      "__import__"};
    if (llvm::is_contained(kBuiltins, name))
      return of(make(ScriptKind::Builtin, name.str()));
  }
  // Texts that are cut out of a file keep the usual names of its imports.
  if (name == "tl") return pathOf("triton.language");
  if (name == "triton") return pathOf("triton");
  ++doubts_;
  return symbol();
}

ScriptValue Script::pathOf(const std::string &full) {
  if (!overridden_.empty()) {
    if (const auto found = overridden_.find(full); found != overridden_.end())
      return found->second;
    for (const auto &[path, value] : overridden_)
      if (StringRef(full).starts_with(path + ".")) return symbol();
  }
  static constexpr StringRef kOfPython[] = {
      "sys.modules", "sys._getframe", "inspect.currentframe", "inspect.stack"};
  if (llvm::is_contained(kOfPython, full)) {
    // The file itself may be changed by these.
    loseAll();
    return {};
  }
  const auto [of_, last] = StringRef(full).rsplit('.');
  if (of_ == "triton.language")
    if (const auto element = elementOfName(last))
      return of(Value::ofType(plain(*element)));
  if (of_ == "math") {
    if (last == "pi") return of(Value::real(3.14159265358979323846));
    if (last == "e") return of(Value::real(2.71828182845904523536));
    if (last == "tau") return of(Value::real(6.28318530717958647692));
    if (last == "inf") return of(Value::real(HUGE_VAL));
    if (last == "nan") return of(Value::real(std::nan("")));
  }
  return of(make(ScriptKind::Path, full));
}

ScriptValue Script::attribute(const ScriptValue &from, StringRef name) {
  if (from.constant) {
    ScriptObject *made = make(ScriptKind::Method, name.str());
    made->items.push_back(from);
    return of(made);
  }
  if (!from.object) {
    if (name == "configs" && from.branches)
      for (const ScriptValue &each : *from.branches)
        if (each.object && each.object->facts) openLists(*each.object->facts);
    const std::string key = keyOf(from);
    ScriptValue made = symbol(key.empty() ? "" : key + "." + name.str());
    static constexpr StringRef kLooks[] = {"numel", "size",     "stride",
                                           "dim",   "nelement", "element_size"};
    if (llvm::is_contained(kLooks, name)) looks_.insert(made.size->name);
    return made;
  }
  ScriptObject &object = *from.object;
  switch (object.kind) {
    case ScriptKind::Path:
      return pathOf(object.name + "." + name.str());
    case ScriptKind::Config:
    case ScriptKind::Class: {
      const auto found = object.fields.find(name.str());
      if (found != object.fields.end()) return found->second;
      ++doubts_;
      return lost({from});
    }
    case ScriptKind::Kernel: {
      const auto &layers = object.facts->layers;
      if (name == "configs") {
        if (object.layer < layers.size() &&
            !layers[object.layer].isHeuristics && !layers[object.layer].isLost)
          return layers[object.layer].value;
        openLists(*object.facts);
        return symbol();
      }
      if (name == "fn" && object.layer < layers.size()) {
        ScriptObject *made = make(ScriptKind::Kernel, object.name);
        made->facts = object.facts;
        made->layer = object.layer + 1;
        return of(made);
      }
      // k.run(x, n, grid=grid, warmup=False)
      if (name == "run") {
        ScriptObject *made = make(ScriptKind::Launcher, object.name);
        made->facts = object.facts;
        made->layer = object.layer;
        return of(made);
      }
      ++doubts_;
      return symbol();
    }
    case ScriptKind::List:
    case ScriptKind::Tuple:
    case ScriptKind::Dict: {
      ScriptObject *made = make(ScriptKind::Method, name.str());
      made->items.push_back(from);
      return of(made);
    }
    default:
      ++doubts_;
      return lost({from});
  }
}

//===-- Expressions -------------------------------------------------------===//

ScriptValue Script::lazy(Values items, Values sources) {
  ScriptObject *made = make(ScriptKind::List);
  made->isLazy = true;
  made->items = std::move(items);
  made->sources = std::move(sources);
  step(static_cast<int64_t>(made->items.size()));
  return of(made);
}

ScriptValue Script::settled(ScriptValue value) {
  if (!value.object || !value.object->isLazy) return value;
  ++doubts_;
  for (const ScriptValue &each : value.object->sources) escape(each);
  return lost({value});
}

ScriptValue Script::evaluate(const Node *node, bool isPassed) {
  if (!node || isLost_) return {};
  if (++levels_ > kMostLevels || !step()) {
    --levels_;
    loseAll();
    return {};
  }
  ScriptValue made = evaluate_(*node);
  --levels_;
  return isPassed ? made : settled(std::move(made));
}

ScriptValue Script::evaluate_(const Node &node) {
  const auto &parts = node.parts;
  switch (node.kind) {
    case NodeKind::Name:
      return name(node.text);
    case NodeKind::Number: {
      ConstantResult number = constantNumber(node.text);
      if (number.error.empty()) return of(std::move(number.value));
      break;
    }
    case NodeKind::String:
      return of(Value::string(node.text.str()));
    case NodeKind::Constant:
      if (node.text == "None") return of(Value::none());
      if (node.text != "...") return of(Value::boolean(node.text == "True"));
      return symbol();
    case NodeKind::Attribute:
      return attribute(evaluate(parts[0]), node.text);
    case NodeKind::Subscript:
      return subscript(node);
    case NodeKind::Call:
      return call(node);
    case NodeKind::Binary: {
      const ScriptValue a = evaluate(parts[0]);
      return binary(node.text, a, evaluate(parts[1]));
    }
    case NodeKind::Unary: {
      const ScriptValue value = evaluate(parts[0]);
      if (node.text == "not") {
        const auto holds = truthOf(value);
        return holds ? of(Value::boolean(!*holds)) : symbol();
      }
      if (!value.constant) break;
      ConstantResult made = constantUnary(node.text, *value.constant);
      if (made.error.empty()) return of(std::move(made.value));
      break;
    }
    case NodeKind::Compare: {
      if (parts.size() == 2 && isBackend(*parts[0]) &&
          parts[1]->kind == NodeKind::String &&
          (node.text == "==" || node.text == "!=")) {
        evaluate(parts[0]);
        asksBackend_ = true;
        return of(
            Value::boolean((parts[1]->text == "cuda") == (node.text == "==")));
      }
      ScriptValue left = evaluate(parts[0]);
      StringRef signs = node.text;
      bool isKnown = true;
      for (size_t k = 1; k < parts.size(); ++k) {
        StringRef sign;
        std::tie(sign, signs) = signs.split(',');
        ScriptValue right = evaluate(parts[k]);
        const ScriptValue holds = compare(sign, left, right);
        const auto truth = truthOf(holds);
        if (truth && !*truth) {
          return isKnown ? of(Value::boolean(false)) : symbol();
        }
        isKnown &= truth.has_value();
        if (!truth)
          for (const Node *part : llvm::ArrayRef(parts).drop_front(k + 1))
            doubtExpression(*part);
        left = std::move(right);
        if (!isKnown) break;
      }
      return isKnown ? of(Value::boolean(true)) : symbol();
    }
    case NodeKind::Logical: {
      const bool isAnd = node.text == "and";
      ScriptValue made = evaluate(parts[0]);
      for (size_t k = 1; k < parts.size(); ++k) {
        const auto holds = truthOf(made);
        if (holds && *holds != isAnd) return made;
        if (holds) {
          made = evaluate(parts[k]);
          continue;
        }
        escape(made);
        for (; k < parts.size(); ++k) {
          doubtExpression(*parts[k]);
          escape(evaluate(parts[k]));
          doubtExpression(*parts[k]);
        }
        ++doubts_;
        return symbol();
      }
      return made;
    }
    case NodeKind::Conditional: {
      const auto holds = truthOf(evaluate(parts[0]));
      if (holds) return evaluate(parts[*holds ? 1 : 2]);
      ++doubts_;
      doubtExpression(*parts[1]);
      doubtExpression(*parts[2]);
      const ScriptValue a = evaluate(parts[1]), b = evaluate(parts[2]);
      doubtExpression(*parts[1]);
      doubtExpression(*parts[2]);
      return isSame(a, b) ? a : lost({a, b});
    }
    case NodeKind::Tuple:
    case NodeKind::List:
    case NodeKind::Set: {
      ScriptObject *made = make(
          node.kind == NodeKind::List ? ScriptKind::List : ScriptKind::Tuple);
      for (const Node *part : parts) {
        if (part->kind != NodeKind::Starred) {
          made->items.push_back(evaluate(part));
          continue;
        }
        const ScriptValue of = evaluate(part->parts[0], true);
        if (const auto items = itemsOf(of)) {
          llvm::append_range(made->items, *items);
        } else {
          escapeItems(of);
          made->isOpen = true;
          ++doubts_;
        }
      }
      if (!step(static_cast<int64_t>(made->items.size()))) return {};
      if (node.kind == NodeKind::Set) return lost({of(made)});
      return of(made);
    }
    case NodeKind::Dict: {
      ScriptObject *made = make(ScriptKind::Dict);
      for (size_t k = 0; k + 1 < parts.size(); k += 2) {
        const ScriptValue key = evaluate(parts[k]);
        ScriptValue value = evaluate(parts[k + 1]);
        if (!parts[k] && value.object &&
            value.object->kind == ScriptKind::Dict && !value.object->isOpen) {
          const ScriptObject &from = *value.object;
          for (auto [each, item] : llvm::zip(from.keys, from.items))
            put(*made, each, item);
        } else if (parts[k] && key.constant) {
          put(*made, *key.constant, std::move(value));
        } else {
          // Any key may have another value.
          escape(value);
          escape(of(made));
          ++doubts_;
        }
      }
      return of(made);
    }
    case NodeKind::Walrus: {
      ScriptValue value = evaluate(parts[0]);
      bind(node.text, value);
      return value;
    }
    case NodeKind::Lambda:
      return of(functionObject(node));
    case NodeKind::Comprehension:
      return comprehension(node);
    case NodeKind::Other:
      if (node.text == "a text" || node.text == "a string") {
        ++doubts_;
        return symbol();
      }
      [[fallthrough]];
    default:
      ++doubts_;
      doubtExpression(node);
      return symbol();
  }
  ++doubts_;
  return symbol();
}

ScriptValue Script::subscript(const Node &node) {
  const auto &parts = node.parts;
  const ScriptValue from = evaluate(parts[0]);
  ScriptObject *kernel = from.object && from.object->kind == ScriptKind::Kernel
                             ? from.object
                             : nullptr;
  if (!from.object && from.branches)
    for (const ScriptValue &each : *from.branches)
      if (each.object && each.object->kind == ScriptKind::Kernel && !kernel)
        kernel = each.object;
  const bool isSlice = parts.size() == 2 && parts[1]->kind == NodeKind::Slice;
  if (isSlice) {
    std::vector<std::optional<int64_t>> ends;
    bool isKnown = true;
    for (const Node *part : parts[1]->parts) {
      const ScriptValue end = evaluate(part);
      ends.push_back(small(end));
      isKnown &= !part || ends.back();
    }
    if (isKnown && from.object && !from.object->isOpen &&
        (from.object->kind == ScriptKind::List ||
         from.object->kind == ScriptKind::Tuple) &&
        ends[2].value_or(1) != 0) {
      const ScriptObject &list = *from.object;
      const int64_t count = list.items.size(), by = ends[2].value_or(1);
      auto clamp = [&](std::optional<int64_t> end, int64_t absent) {
        if (!end) return absent;
        if (*end < 0)
          *end = *end < -count ? -1 : *end + count;
        else if (*end > count)
          *end = count;
        if (by > 0) return std::max<int64_t>(*end, 0);
        return std::min<int64_t>(*end, count - 1);
      };
      const int64_t begin = clamp(ends[0], by > 0 ? 0 : count - 1);
      const int64_t end = clamp(ends[1], by > 0 ? count : -1);
      ScriptObject *made = make(list.kind);
      for (int64_t k = begin; by > 0 ? k < end : k > end; k += by) {
        if (k >= 0 && k < count) made->items.push_back(list.items[k]);
        if (by > count || by < -count) break;
      }
      step(count);
      return of(made);
    }
    return lost({from});
  }
  Values indices;
  for (const Node *part : llvm::drop_begin(parts)) {
    if (part->kind == NodeKind::Slice || part->kind == NodeKind::Starred) {
      doubtExpression(*part);
      indices.push_back(symbol());
    } else {
      indices.push_back(evaluate(part));
    }
  }
  if (kernel) {
    ScriptObject *made = make(ScriptKind::Launcher, kernel->name);
    made->facts = kernel->facts;
    made->layer = kernel->layer;
    made->items.push_back(indices.size() == 1 ? indices[0] : tuple(indices));
    return of(made);
  }
  if (indices.size() > 1) return lost({from, tuple(std::move(indices))});
  return item(from, indices[0]);
}

ScriptValue Script::item(const ScriptValue &from, const ScriptValue &at) {
  if (!from.isKnown()) {
    escape(at);
    const std::string key = keyOf(from);
    return symbol(key.empty() || !at.constant
                      ? ""
                      : key + "[" + wordsOf(*at.constant) + "]");
  }
  if (from.object && at.constant) {
    ScriptObject &object = *from.object;
    if (object.kind == ScriptKind::Dict) {
      if (ScriptValue *known = found(object, *at.constant)) return *known;
    } else if ((object.kind == ScriptKind::List ||
                object.kind == ScriptKind::Tuple) &&
               !object.isOpen) {
      const auto number = small(at);
      const auto size = static_cast<int64_t>(object.items.size());
      if (number && *number >= -size && *number < size)
        return object.items[*number < 0 ? *number + size : *number];
    }
  }
  ++doubts_;
  escapeItems(from);
  escape(at);
  return symbol();
}

}  // namespace indexical::python
