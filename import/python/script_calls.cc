// The calls of script.h: functions of the file, launches, and methods.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/script.h"

namespace indexical::python {

using kernels::SizeTerm;
using llvm::StringRef;

ScriptValue Script::call(const Node &node) {
  const ScriptValue callee = evaluate(node.parts[0]);
  Arguments arguments;
  for (const Node *part : llvm::drop_begin(node.parts)) {
    if (part->kind == NodeKind::Starred) {
      const ScriptValue value = evaluate(part->parts[0], true);
      if (const auto items = itemsOf(value); items && !arguments.isOpen) {
        llvm::append_range(arguments.positional, *items);
      } else {
        escapeItems(value);
        arguments.isOpen = true;
      }
    } else if (part->kind == NodeKind::Keyword && part->text.empty()) {
      const ScriptValue value = evaluate(part->parts[0]);
      if (value.object && value.object->kind == ScriptKind::Dict &&
          !value.object->isOpen) {
        for (auto [key, item] :
             llvm::zip(value.object->keys, value.object->items))
          arguments.named.push_back({key.text, item});
      } else {
        escapeItems(value);
        arguments.isOpen = true;
      }
    } else if (part->kind == NodeKind::Keyword) {
      arguments.named.push_back(
          {part->text.str(), evaluate(part->parts[0], true)});
    } else if (arguments.isOpen) {
      // Its place is not known.
      escape(evaluate(part));
    } else {
      arguments.positional.push_back(evaluate(part, true));
    }
  }
  return isLost_ ? ScriptValue() : callOf(callee, arguments, node.place);
}

ScriptValue Script::callOf(const ScriptValue &callee, Arguments &arguments,
                           Place place) {
  const ScriptKind kind =
      callee.object ? callee.object->kind : ScriptKind::Class;
  if (kind != ScriptKind::Builtin && kind != ScriptKind::Method &&
      kind != ScriptKind::Path) {
    for (ScriptValue &each : arguments.positional) each = settled(each);
    for (auto &[name, value] : arguments.named) value = settled(value);
  }
  switch (kind) {
    case ScriptKind::Function:
      return function(*callee.object, arguments);
    case ScriptKind::Builtin:
      return builtin(callee.object->name, arguments);
    case ScriptKind::Method:
      return method(callee.object->items[0], callee.object->name, arguments);
    case ScriptKind::Path:
      return path(callee.object->name, arguments);
    case ScriptKind::Launcher:
      launch(*callee.object, arguments, place);
      return unknownCall({}, arguments);
    default:
      return unknownCall(callee, arguments);
  }
}

ScriptValue Script::unknownCall(const ScriptValue &callee,
                                const Arguments &arguments) {
  ++doubts_;
  bool arePlain = arguments.named.empty() && !arguments.isOpen;
  std::string key = keyOf(callee);
  arePlain &= !key.empty() && looks_.count(key);
  auto give = [&](const ScriptValue &value) {
    if (value.object && value.object->facts &&
        value.object->kind == ScriptKind::Kernel)
      openLists(*value.object->facts);
    arePlain &= value.constant != nullptr;
    if (value.constant) key += "," + wordsOf(*value.constant);
    escape(value);
  };
  for (const ScriptValue &each : arguments.positional) give(settled(each));
  for (const auto &[name, value] : arguments.named) give(settled(value));
  escape(callee);
  othersRun();
  return symbol(arePlain ? key + "()" : "");
}

//===-- Functions of the file ---------------------------------------------===//

const Node *Script::bodyOf(const FunctionText &text) {
  if (text.body) return text.body;
  const auto [at, isNew] = bodies_.try_emplace(&text, nullptr);
  if (isNew && text.bodyBegin) {
    Parser parser(tokens_, store_);
    parser.isOfHost = true;
    parser.goTo(text.bodyBegin);
    const Node *body = parser.block();
    at->second = parser.refusal ? nullptr : body;
  }
  return at->second;
}

ScriptValue Script::function(ScriptObject &function,
                             const Arguments &arguments) {
  const FunctionText &text = *function.text;
  const Node *body = bodyOf(text);
  if (text.isLazy || !body || calls_ >= kMostCalls) {
    if (calls_ >= kMostCalls) ++doubts_;
    return unknownCall(of(&function), arguments);
  }
  ran_.insert(&text);
  scopes_.emplace_back();
  ScriptScope &scope = scopes_.back();
  scope.kind = ScriptScope::Kind::Function;
  scope.parent = function.closure;
  scope.locals = &localsOf(text);
  size_t place = 0;
  std::vector<bool> isUsed(arguments.named.size());
  bool fits = true;
  for (auto [number, parameter] : llvm::enumerate(text.parameters)) {
    ScriptValue value;
    if (parameter.isRest && !parameter.isKeywordOnly) {
      Values rest;
      for (; place < arguments.positional.size(); ++place)
        rest.push_back(arguments.positional[place]);
      value = tuple(std::move(rest));
      value.object->isOpen = arguments.isOpen;
    } else if (parameter.isRest) {
      ScriptObject *rest = make(ScriptKind::Dict);
      for (auto [k, each] : llvm::enumerate(arguments.named))
        if (!isUsed[k]) {
          put(*rest, Value::string(each.first), each.second);
          isUsed[k] = true;
        }
      rest->isOpen = arguments.isOpen;
      value = of(rest);
    } else {
      bool isGiven = false;
      if (!parameter.isKeywordOnly && place < arguments.positional.size()) {
        value = arguments.positional[place++];
        isGiven = true;
      }
      for (auto [k, each] : llvm::enumerate(arguments.named))
        if (!isGiven && each.first == parameter.name) {
          value = each.second;
          isUsed[k] = isGiven = true;
        }
      if (!isGiven && arguments.isOpen) {
        escape(function.defaults[number]);
        value = symbol();
      } else if (!isGiven) {
        fits &= parameter.value != nullptr;
        value = function.defaults[number];
      }
    }
    if (!value.isKnown() && !value.size) value = symbol();
    scope.names[parameter.name] = std::move(value);
  }
  fits &= place == arguments.positional.size() &&
          !llvm::is_contained(isUsed, false);
  if (!fits) return unknownCall(of(&function), arguments);
  ++calls_;
  Frame frame;
  frame.scope = &scope;
  frame.result = of(Value::none());
  frames_.push_back(std::move(frame));
  ScriptValue made;
  if (text.name.empty()) {
    made = evaluate(body);
  } else {
    const Flow flow = block(body);
    made = frames_.back().result;
    if (flow != Flow::Next && flow != Flow::Return) {
      ++doubts_;
      made = lost({made});
    } else if (frames_.back().mayReturn && flow == Flow::Next) {
      made = lost({made});
    }
  }
  frames_.pop_back();
  --calls_;
  return isLost_ ? ScriptValue() : made;
}

std::optional<Value> Script::called(const ScriptValue &function,
                                    const std::map<std::string, Value> &known) {
  if (!function.object) return std::nullopt;
  const bool wasLost = std::exchange(isLost_, false);
  const bool wasRunning = std::exchange(isRunningLaunches_, true);
  most_ = steps_ + kMostOfFunction;
  for (ScriptObject &object : objects_) object.isOld = true;
  for (ScriptScope &scope : scopes_) scope.isOld = true;
  ScriptObject *given = make(ScriptKind::Dict);
  for (const auto &[name, value] : known)
    put(*given, Value::string(name), of(value));
  given->isOpen = true;
  Arguments arguments;
  arguments.positional.push_back(of(given));
  const ScriptValue value = callOf(function, arguments, {});
  const bool isWhole = !isLost_;
  isLost_ = wasLost;
  isRunningLaunches_ = wasRunning;
  return isWhole && value.constant ? std::optional<Value>(*value.constant)
                                   : std::nullopt;
}

//===-- Launches ----------------------------------------------------------===//

void Script::launch(ScriptObject &launcher, Arguments arguments, Place place) {
  const KernelFacts &facts = *launcher.facts;
  // The decorators that it passes over give it nothing: not one of the launches
  // of which the file's configurations are told.
  if (launcher.layer) return;
  ScriptValue grid = launcher.items.empty() ? ScriptValue() : launcher.items[0];
  if (launcher.items.empty())
    llvm::erase_if(arguments.named, [&](const auto &each) {
      if (each.first == "grid") grid = each.second;
      return each.first == "grid" || each.first == "warmup";
    });
  ScriptLaunch made;
  made.kernel = facts.begin;
  made.place = place;
  made.isOpen = arguments.isOpen;
  size_t at = 0;
  for (const Parameter &parameter : facts.text->parameters) {
    if (at >= arguments.positional.size()) break;
    if (parameter.isRest || parameter.isKeywordOnly) break;
    made.arguments.push_back(
        {parameter.name.str(), arguments.positional[at++]});
  }
  llvm::append_range(made.arguments, arguments.named);
  made.grid = gridOf(grid, made);
  for (ScriptLaunch &each : launches_) {
    if (each.place.line != place.line || each.place.column != place.column ||
        each.kernel != made.kernel)
      continue;
    // A value that differs from turn to turn is not known.
    each.isOpen |= made.isOpen;
    const auto find = [](auto &arguments, const std::string &name) {
      return llvm::find_if(arguments,
                           [&](const auto &own) { return own.first == name; });
    };
    for (auto &[name, value] : each.arguments) {
      const auto other = find(made.arguments, name);
      if (other == made.arguments.end() || !isSame(other->second, value))
        value = ScriptValue();
    }
    for (const auto &[name, value] : made.arguments)
      if (find(each.arguments, name) == each.arguments.end())
        each.arguments.push_back({name, ScriptValue()});
    bool isSameGrid = each.grid.size() == made.grid.size();
    for (size_t k = 0; isSameGrid && k < made.grid.size(); ++k)
      isSameGrid = textOf(each.grid[k]) == textOf(made.grid[k]);
    if (!isSameGrid) each.grid.clear();
    return;
  }
  if (launches_.size() < kMostLaunches) launches_.push_back(std::move(made));
}

bool Script::hasOtherLaunches(size_t def) {
  launches();
  return isFileLost_ || launchedElsewhere_.count(def);
}

/// Notes the kernels that the text of the host names, but where it is known to
/// launch them: `f = partial(k)`, `run({'a': k})`.
void Script::findOtherLaunches() {
  std::multimap<StringRef, size_t> named;
  for (const auto &[def, facts] : facts_) named.emplace(facts.text->name, def);
  std::set<std::pair<uint32_t, uint32_t>> places;
  for (const ScriptLaunch &each : launches_)
    places.insert({each.place.line, each.place.column});
  const auto isLineBegin = [&](size_t at) {
    const TokenKind before = at ? tokens_[at - 1].kind : TokenKind::NewLine;
    return before == TokenKind::NewLine || before == TokenKind::Indent ||
           before == TokenKind::Dedent;
  };
  static constexpr StringRef kLooks[] = {"configs", "cache", "arg_names",
                                         "best_config"};
  for (size_t k = 0; k + 2 < tokens_.size(); ++k) {
    const Token &token = tokens_[k];
    // Kernels call others, and do not launch them.
    if (facts_.count(k)) {
      const uint32_t column = token.place.column;
      while (k + 3 < tokens_.size() &&
             !(isLineBegin(k + 1) && tokens_[k + 1].place.column <= column &&
               tokens_[k + 1].kind != TokenKind::Dedent))
        ++k;
      continue;
    }
    if (token.kind == TokenKind::String) {
      const StringRef prefix =
          token.text.take_while([](char c) { return c != '"' && c != '\''; });
      if (!prefix.contains_insensitive("f")) continue;
      for (const auto &[name, def] : named)
        if (token.text.contains(name)) launchedElsewhere_.insert(def);
      continue;
    }
    if (token.kind != TokenKind::Name) continue;
    const auto [first, last] = named.equal_range(token.text);
    if (first == last ||
        (k && (tokens_[k - 1].is(".") || tokens_[k - 1].is("def"))) ||
        tokens_[k + 1].is("=") ||
        (tokens_[k + 1].is(".") &&
         llvm::is_contained(kLooks, tokens_[k + 2].text)) ||
        places.count({token.place.line, token.place.column}))
      continue;
    for (auto each = first; each != last; ++each)
      launchedElsewhere_.insert(each->second);
  }
}

std::vector<SizeTerm> Script::gridOf(const ScriptValue &grid,
                                     const ScriptLaunch &launch) {
  const FunctionText &text = *factsOf(launch.kernel)->text;
  ScriptValue sides = grid;
  if (grid.object && (grid.object->kind == ScriptKind::Function ||
                      grid.object->kind == ScriptKind::Builtin)) {
    // The dictionary has the kernel's arguments.
    ScriptObject *meta = make(ScriptKind::Dict);
    for (const Parameter &parameter : text.parameters) {
      ScriptValue value;
      value.size =
          std::make_shared<const SizeTerm>(SizeTerm::of(parameter.name.str()));
      value.sizeTerms = 1;
      put(*meta, Value::string(parameter.name.str()), std::move(value));
    }
    meta->isOpen = true;
    Arguments arguments;
    arguments.positional.push_back(of(meta));
    sides = callOf(grid, arguments, launch.place);
  }
  std::map<std::string, std::string> passed;
  for (const auto &[name, value] : launch.arguments)
    if (value.size && value.size->kind == kernels::SizeKind::Name)
      passed.try_emplace(value.size->name, name);
  Values each = {sides};
  if (sides.object) {
    const auto items = itemsOf(sides);
    if (!items) return {};
    each = *items;
  }
  if (each.empty() || each.size() > 3) return {};
  std::vector<SizeTerm> made;
  for (const ScriptValue &side : each) {
    std::optional<SizeTerm> size;
    if (side.size)
      size = sizeIn(*side.size, passed, text);
    else if (const auto number = small(side))
      size = SizeTerm::of(*number);
    if (!size) return {};
    made.push_back(*std::move(size));
  }
  return made;
}

/// Returns a size in the names of the kernel's parameters.
std::optional<SizeTerm> Script::sizeIn(
    const SizeTerm &term, const std::map<std::string, std::string> &passed,
    const FunctionText &text) {
  if (term.kind == kernels::SizeKind::Number) return term;
  if (term.kind == kernels::SizeKind::Name) {
    const auto isParameter = [&](StringRef name) {
      return llvm::any_of(text.parameters, [&](const Parameter &each) {
        return each.name == name;
      });
    };
    if (isParameter(term.name)) return term;
    if (const auto found = passed.find(term.name);
        found != passed.end() && isParameter(found->second))
      return SizeTerm::of(found->second);
    if (const auto found = known_.find(term.name); found != known_.end())
      return SizeTerm::of(found->second);
    return std::nullopt;
  }
  auto a = sizeIn(term.operands[0], passed, text);
  auto b = sizeIn(term.operands[1], passed, text);
  if (!a || !b) return std::nullopt;
  return SizeTerm::of(term.kind, *std::move(a), *std::move(b));
}

//===-- Methods -----------------------------------------------------------===//

void Script::put(ScriptObject &dict, const Value &key, ScriptValue value) {
  if (ScriptValue *known = found(dict, key)) {
    *known = std::move(value);
    return;
  }
  if (dict.isEscaped) escape(value);
  if (dict.isEscaped) return;
  dict.keys.push_back(key);
  dict.items.push_back(std::move(value));
  if (dict.keys.size() > kMostItems) loseAll();
}

ScriptValue *Script::found(ScriptObject &dict, const Value &key) {
  step(static_cast<int64_t>(dict.keys.size() / 8));
  for (auto [each, item] : llvm::zip(dict.keys, dict.items)) {
    const ConstantResult same = constantCompare("==", each, key);
    if (same.error.empty() && isTrue(same.value)) return &item;
  }
  return nullptr;
}

ScriptValue Script::method(const ScriptValue &self, StringRef name,
                           const Arguments &arguments) {
  bool isDone = false;
  ScriptValue made;
  if (self.object && !arguments.isOpen && !self.object->isLazy) {
    if (self.object->kind == ScriptKind::List)
      made = listMethod(*self.object, name, arguments, isDone);
    else if (self.object->kind == ScriptKind::Dict)
      made = dictMethod(*self.object, name, arguments, isDone);
  }
  if (isDone) return made;
  ++doubts_;
  if (self.object) escape(self);
  for (const ScriptValue &each : arguments.positional) escape(settled(each));
  for (const auto &[key, value] : arguments.named) escape(settled(value));
  othersRun();
  return symbol();
}

ScriptValue Script::listMethod(ScriptObject &self, StringRef name,
                               const Arguments &arguments, bool &isDone) {
  const Values &given = arguments.positional;
  if (name == "copy" && given.empty()) {
    ScriptObject *made = make(ScriptKind::List);
    made->items = self.items;
    made->isOpen = self.isOpen;
    isDone = true;
    return of(made);
  }
  if (!arguments.named.empty() &&
      (name != "sort" || !given.empty() || arguments.named.size() > 1 ||
       arguments.named[0].first != "reverse"))
    return {};
  if (!mayChange(self)) return {};
  const auto size = static_cast<int64_t>(self.items.size());
  isDone = true;
  if (name == "append" && given.size() == 1) {
    self.items.push_back(settled(given[0]));
    if (self.items.size() > kMostItems) loseAll();
  } else if (name == "extend" && given.size() == 1) {
    if (given[0].object &&
        (given[0].object->kind == ScriptKind::List ||
         given[0].object->kind == ScriptKind::Tuple || itemsOf(given[0]))) {
      const bool isDict = given[0].object->kind == ScriptKind::Dict;
      const Values items = isDict ? *itemsOf(given[0]) : given[0].object->items;
      self.isOpen |= given[0].object->isOpen;
      llvm::append_range(self.items, items);
      step(static_cast<int64_t>(items.size()));
      if (self.items.size() > kMostItems) loseAll();
    } else {
      ++doubts_;
      escapeItems(given[0]);
      self.isOpen = true;
    }
  } else if (name == "clear" && given.empty()) {
    self.items.clear();
    self.isOpen = false;
  } else if (self.isOpen) {
    isDone = false;
    return {};
  } else if (name == "reverse" && given.empty()) {
    std::reverse(self.items.begin(), self.items.end());
  } else if (name == "insert" && given.size() == 2 && small(given[0])) {
    int64_t at = *small(given[0]);
    at = std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
    self.items.insert(self.items.begin() + at, settled(given[1]));
    if (self.items.size() > kMostItems) loseAll();
  } else if (name == "pop" && given.size() <= 1 && size &&
             (given.empty() || small(given[0]))) {
    int64_t at = given.empty() ? size - 1 : *small(given[0]);
    if (at < 0) at += size;
    if (at < 0 || at >= size) {
      isDone = false;
      return {};
    }
    ScriptValue made = self.items[at];
    self.items.erase(self.items.begin() + at);
    return made;
  } else if (name == "remove" && given.size() == 1) {
    for (int64_t k = 0; k < size; ++k) {
      const auto same = areEqual(self.items[k], given[0]);
      if (!same) break;
      if (!*same) continue;
      self.items.erase(self.items.begin() + k);
      return of(Value::none());
    }
    isDone = false;
    return {};
  } else if (name == "sort" && given.empty()) {
    Arguments own = arguments;
    own.positional.push_back(of(&self));
    const ScriptValue sorted = builtin("sorted", own);
    if (!sorted.object) {
      isDone = false;
      return {};
    }
    self.items = sorted.object->items;
  } else {
    isDone = false;
    return {};
  }
  return of(Value::none());
}

ScriptValue Script::dictMethod(ScriptObject &self, StringRef name,
                               const Arguments &arguments, bool &isDone) {
  const Values &given = arguments.positional;
  isDone = true;
  if (arguments.named.empty()) {
    if (name == "get" && !given.empty() && given.size() <= 2 &&
        given[0].constant) {
      if (ScriptValue *known = found(self, *given[0].constant)) return *known;
      if (!self.isOpen) return given.size() > 1 ? given[1] : of(Value::none());
      ++doubts_;
      return lost(given);
    }
    if (!self.isOpen && given.empty() &&
        (name == "keys" || name == "values" || name == "items")) {
      Values items;
      for (auto [key, item] : llvm::zip(self.keys, self.items))
        items.push_back(name == "keys"     ? of(key)
                        : name == "values" ? item
                                           : tuple({of(key), item}));
      return lazy(std::move(items), {of(&self)});
    }
    if (name == "copy" && given.empty()) {
      ScriptObject *made = make(ScriptKind::Dict);
      made->keys = self.keys;
      made->items = self.items;
      made->isOpen = self.isOpen;
      return of(made);
    }
  }
  if (!mayChange(self)) {
    isDone = false;
    return {};
  }
  const bool isDict = given.size() == 1 && given[0].object &&
                      given[0].object->kind == ScriptKind::Dict &&
                      !given[0].object->isOpen;
  if (name == "update" && (given.empty() || isDict)) {
    if (isDict) {
      const ScriptObject from = *given[0].object;
      for (auto [key, item] : llvm::zip(from.keys, from.items))
        put(self, key, item);
    }
    for (const auto &[key, value] : arguments.named)
      put(self, Value::string(key), settled(value));
    return of(Value::none());
  }
  if (arguments.named.empty() && given.size() >= 1 && given.size() <= 2 &&
      given[0].constant && !self.isOpen) {
    ScriptValue *known = found(self, *given[0].constant);
    if (name == "pop" && known) {
      const size_t at = known - self.items.data();
      ScriptValue made = *known;
      self.items.erase(self.items.begin() + at);
      self.keys.erase(self.keys.begin() + at);
      return made;
    }
    if (name == "pop" && given.size() == 2) return given[1];
    if (name == "setdefault") {
      if (known) return *known;
      ScriptValue made = given.size() > 1 ? given[1] : of(Value::none());
      put(self, *given[0].constant, made);
      return made;
    }
  }
  if (name == "clear" && given.empty()) {
    self.items.clear();
    self.keys.clear();
    self.isOpen = false;
    return of(Value::none());
  }
  isDone = false;
  return {};
}

}  // namespace indexical::python
