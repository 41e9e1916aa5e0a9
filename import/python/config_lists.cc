#include "indexical/import/python/config_lists.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/launch.h"

namespace indexical::python {
namespace {

using llvm::StringRef;

// Statements that are run for one list, and functions in each other.
constexpr int64_t kMostListSteps = 20'000;
constexpr int kMostListCalls = 8;

/// Whether an expression is `….get_current_target().backend`.
bool isBackend(const Node &node) {
  return node.kind == NodeKind::Attribute && node.text == "backend" &&
         node.parts[0]->kind == NodeKind::Call &&
         lastNameOf(node.parts[0]) == "get_current_target";
}

}  // namespace

std::vector<Config> ConfigLists::read() {
  Configs found;
  for (const Node *decorator : function_.decorators) {
    if (decorator->kind != NodeKind::Call ||
        !lastNameOf(decorator).ends_with("autotune"))
      continue;
    const Node *list = keywordOf(*decorator, "configs");
    if (!list && decorator->parts.size() > 1 &&
        decorator->parts[1]->kind != NodeKind::Keyword)
      list = decorator->parts[1];
    add(list, {}, found);
  }
  return found;
}

const Node *ConfigLists::resolved(const Node *node) const {
  for (int depth = 0; node && node->kind == NodeKind::Name && depth < 8;
       ++depth) {
    const auto found = module_.constants.find(node->text);
    if (found == module_.constants.end()) return node;
    node = found->second;
  }
  return node;
}

//===-- Expressions -------------------------------------------------------===//

void ConfigLists::add(const Node *node, const Scope &scope, Configs &into) {
  if (refusal) return;
  auto addAll = [&](const std::optional<Configs> &configs) {
    if (!configs || into.size() + configs->size() > kMostConfigs)
      isOpen = true;
    else
      llvm::append_range(into, *configs);
  };
  if (!node) {
    isOpen = true;
  } else if (node->kind == NodeKind::Name) {
    const auto known = scope.lists.find(node->text.str());
    if (known != scope.lists.end()) {
      addAll(known->second);
      return;
    }
    const Scope file = scopeOfFile(node->text);
    const auto list = file.lists.find(node->text.str());
    addAll(list == file.lists.end() ? std::nullopt : list->second);
  } else if (node->kind == NodeKind::List || node->kind == NodeKind::Tuple) {
    for (const Node *part : node->parts)
      add(part->kind == NodeKind::Starred ? part->parts[0] : part, scope, into);
  } else if (node->kind == NodeKind::Binary && node->text == "+") {
    add(node->parts[0], scope, into);
    add(node->parts[1], scope, into);
  } else if (node->kind == NodeKind::Comprehension) {
    addComprehension(*node, 1, scope, into);
  } else if (node->kind == NodeKind::Conditional) {
    const auto holds = truthOf(node->parts[0], scope);
    if (holds)
      add(node->parts[*holds ? 1 : 2], scope, into);
    else
      isOpen = true;
  } else if (node->kind == NodeKind::Dict ||
             (node->kind == NodeKind::Call && lastNameOf(node) == "Config")) {
    addOne(*node, scope, into);
  } else if (node->kind == NodeKind::Call) {
    addAll(called(*node, scope));
  } else {
    isOpen = true;
  }
}

void ConfigLists::addOne(const Node &node, const Scope &scope, Configs &into) {
  const bool isCall = node.kind == NodeKind::Call;
  const Node *dict = isCall ? keywordOf(node, "kwargs") : &node;
  if (!dict && node.parts.size() > 1) dict = node.parts[1];
  const bool isLocal = dict && dict->kind == NodeKind::Name &&
                       (scope.lists.count(dict->text.str()) ||
                        scope.values.count(dict->text.str()));
  dict = isLocal ? nullptr : resolved(dict);
  if (!dict || dict->kind != NodeKind::Dict) {
    isOpen = true;
    return;
  }
  Config config;
  for (size_t k = 0; k + 1 < dict->parts.size(); k += 2) {
    const Node *key = dict->parts[k];
    auto value = valueOfHost(module_, dict->parts[k + 1], scope.values);
    if (!key || key->kind != NodeKind::String || !value) {
      isOpen = true;
      return;
    }
    // Inductor writes the options of the launch among the constants.
    const bool isParameter = llvm::any_of(
        function_.text.parameters,
        [&](const Parameter &each) { return each.name == key->text; });
    if (!isCall && !isParameter) {
      if (key->text == "num_warps") config.warps = smallOf(*value);
      continue;
    }
    config.values.push_back({key->text.str(), *std::move(value)});
  }
  // Config(kwargs, num_warps, num_stages)
  const Node *given = isCall ? keywordOf(node, "num_warps") : nullptr;
  if (isCall && !given && node.parts.size() > 2 &&
      node.parts[2]->kind != NodeKind::Keyword)
    given = node.parts[2];
  if (given) {
    const auto warps = valueOfHost(module_, given, scope.values);
    if (warps) config.warps = smallOf(*warps);
    config.areWarpsOpen = !config.warps;
  }
  if (into.size() >= kMostConfigs) {
    refusal =
        Refusal{RefusalKind::Limit, node.place, "more than 64 configurations"};
    return;
  }
  into.push_back(std::move(config));
}

void ConfigLists::addComprehension(const Node &node, size_t loop, Scope scope,
                                   Configs &into) {
  if (refusal) return;
  if (loop == node.parts.size()) {
    add(node.parts[0], scope, into);
    return;
  }
  const Node &each = *node.parts[loop];
  const auto items = itemsOf(each.parts[1], scope);
  if (!items) {
    isOpen = true;
    return;
  }
  for (const Value &item : *items) {
    if (!bind(*each.parts[0], item, scope)) {
      isOpen = true;
      return;
    }
    bool isTaken = true;
    for (const Node *test : llvm::drop_begin(each.parts, 2)) {
      const auto holds = truthOf(test, scope);
      isOpen |= !holds;
      isTaken &= holds.value_or(false);
    }
    if (isTaken) addComprehension(node, loop + 1, scope, into);
  }
}

std::optional<std::vector<Value>> ConfigLists::itemsOf(const Node *source,
                                                       const Scope &scope) {
  if (source->kind == NodeKind::Call && source->parts[0]->isName("range")) {
    std::vector<int64_t> ends;
    for (const Node *part : llvm::drop_begin(source->parts)) {
      const auto value = valueOfHost(module_, part, scope.values);
      const auto number = value ? smallOf(*value) : std::nullopt;
      if (!number) return std::nullopt;
      ends.push_back(*number);
    }
    if (ends.size() == 1) ends.insert(ends.begin(), 0);
    if (ends.size() == 2) ends.push_back(1);
    if (ends.size() != 3 || ends[2] == 0) return std::nullopt;
    std::vector<Value> items;
    for (int64_t at = ends[0]; ends[2] > 0 ? at < ends[1] : at > ends[1];
         at += ends[2]) {
      if (items.size() > kMostConfigs) return std::nullopt;
      items.push_back(Value::whole(at));
    }
    return items;
  }
  std::optional<Value> value;
  if (source->kind == NodeKind::Name &&
      !scope.values.count(source->text.str())) {
    const Scope file = scopeOfFile(source->text);
    const auto found = file.values.find(source->text.str());
    if (found != file.values.end()) value = found->second;
  } else {
    value = valueOfHost(module_, source, scope.values);
  }
  if (!value || !value->is(ValueKind::Tuple)) return std::nullopt;
  return *value->items;
}

bool ConfigLists::bind(const Node &target, const Value &value, Scope &scope) {
  if (target.kind == NodeKind::Name) {
    scope.lists.erase(target.text.str());
    scope.values[target.text.str()] = value;
    return true;
  }
  if (target.kind != NodeKind::Tuple || !value.is(ValueKind::Tuple) ||
      value.items->size() != target.parts.size())
    return false;
  for (auto [part, item] : llvm::zip(target.parts, *value.items))
    if (!bind(*part, item, scope)) return false;
  return true;
}

std::optional<bool> ConfigLists::truthOf(const Node *node, const Scope &scope) {
  if (const auto value = valueOfHost(module_, node, scope.values))
    return isTrue(*value);
  if (node->kind == NodeKind::Compare && node->text == "==" &&
      node->parts.size() == 2 && isBackend(*node->parts[0]) &&
      node->parts[1]->kind == NodeKind::String) {
    asksBackend = true;
    return node->parts[1]->text == "cuda";
  }
  if (node->kind == NodeKind::Unary && node->text == "not") {
    const auto holds = truthOf(node->parts[0], scope);
    return holds ? std::optional<bool>(!*holds) : std::nullopt;
  }
  // def is_cuda(): return ….get_current_target().backend == "cuda"
  if (node->kind != NodeKind::Call || node->parts.size() != 1 ||
      depth_ >= kMostListCalls)
    return std::nullopt;
  const auto text = functionOf(lastNameOf(node));
  if (!text || text->body->parts.size() != 1 ||
      text->body->parts[0]->kind != NodeKind::Return ||
      !text->body->parts[0]->parts[0])
    return std::nullopt;
  ++depth_;
  const auto holds = truthOf(text->body->parts[0]->parts[0], {});
  --depth_;
  return holds;
}

//===-- Functions and lines of the file -----------------------------------===//

std::optional<FunctionText> ConfigLists::functionOf(StringRef name) {
  const auto at = module_.hostFunctions.find(name);
  const auto hidden = module_.constants.find(name);
  if (at == module_.hostFunctions.end() || !at->second ||
      hidden == module_.constants.end() || hidden->second)
    return std::nullopt;
  Parser parser(module_.tokens, store_);
  parser.goTo(*at->second);
  auto text = parser.function({});
  if (parser.refusal || !text || !text->body) return std::nullopt;
  return text;
}

std::optional<std::vector<Config>> ConfigLists::whole(const Node *node,
                                                      const Scope &scope) {
  const bool wasOpen = std::exchange(isOpen, false);
  Configs found;
  add(node, scope, found);
  const bool isWhole = !isOpen && !refusal;
  isOpen = wasOpen;
  refusal.reset();
  return isWhole ? std::optional<Configs>(std::move(found)) : std::nullopt;
}

std::optional<std::vector<Config>> ConfigLists::called(const Node &call,
                                                       const Scope &scope) {
  if (call.parts[0]->kind != NodeKind::Name || depth_ >= kMostListCalls)
    return std::nullopt;
  // The function might change a list that it is given.
  for (const Node *part : llvm::drop_begin(call.parts)) {
    const Node *given = part->kind == NodeKind::Keyword ? part->parts[0] : part;
    if (given->kind == NodeKind::Name && scope.lists.count(given->text.str()))
      return std::nullopt;
  }
  const auto text = functionOf(call.parts[0]->text);
  if (!text) return std::nullopt;
  Scope own;
  size_t place = 0;
  for (const Parameter &parameter : text->parameters) {
    if (parameter.isRest) return std::nullopt;
    const Node *given = keywordOf(call, parameter.name);
    bool isDefault = false;
    if (!given && ++place < call.parts.size() &&
        call.parts[place]->kind != NodeKind::Keyword)
      given = call.parts[place];
    if (!given) {
      given = parameter.value;
      isDefault = true;
    }
    if (const auto value =
            valueOfHost(module_, given, isDefault ? Names() : scope.values))
      own.values[parameter.name.str()] = *value;
    else
      own.lists[parameter.name.str()] = std::nullopt;
  }
  ++depth_;
  const Flow flow = run(text->body, own);
  --depth_;
  return flow == Flow::Return ? std::move(own.returned) : std::nullopt;
}

std::optional<std::vector<Config>> ConfigLists::wholeOrLost(const Node *node,
                                                            Scope &scope) {
  auto found = whole(node, scope);
  if (!found) lose(node, scope);
  return found;
}

ConfigLists::Scope ConfigLists::scopeOfFile(StringRef name) {
  Scope scope;
  auto loseName = [&] {
    scope.values.erase(name.str());
    scope.lists[name.str()] = std::nullopt;
  };
  if (depth_ >= kMostListCalls || isChangedWithin(name)) {
    loseName();
    return scope;
  }
  ++depth_;
  for (const auto &[begin, end] : module_.lines) {
    bool isNamed = false;
    for (size_t k = begin; k < end && !isNamed; ++k)
      isNamed = module_.tokens[k].kind == TokenKind::Name &&
                module_.tokens[k].text == name;
    if (!isNamed) continue;
    Parser parser(module_.tokens, store_);
    parser.goTo(begin);
    const Node *lines = parser.lines(end);
    if (parser.refusal || run(lines, scope) != Flow::Next) loseName();
  }
  --depth_;
  return scope;
}

/// Whether a function of the file may change what a name of the file is, and
/// the name is not the function's own.
bool ConfigLists::isChangedWithin(StringRef name) const {
  const auto &tokens = module_.tokens;
  auto line = module_.lines.begin();
  bool isOwn = false, isChanged = false;
  for (size_t k = 0; k + 2 < tokens.size(); ++k) {
    while (line != module_.lines.end() && line->second <= k) ++line;
    if (line != module_.lines.end() && line->first <= k) continue;
    const Token &token = tokens[k], &next = tokens[k + 1];
    if (token.place.column == 1) {
      if (isChanged && !isOwn) return true;
      isOwn = isChanged = false;
    }
    if (token.kind != TokenKind::Name || token.text != name) continue;
    if (k > 0 && tokens[k - 1].is(".")) continue;
    if (k > 0 && tokens[k - 1].is("global")) return true;
    isOwn |= next.is("=");
    const bool isFirst = k == 0 || tokens[k - 1].kind == TokenKind::NewLine ||
                         tokens[k - 1].kind == TokenKind::Indent ||
                         tokens[k - 1].kind == TokenKind::Dedent;
    isChanged |= (next.is(".") && changesList(tokens[k + 2].text)) ||
                 (next.is("[") && isFirst) || next.is("+=");
  }
  return isChanged && !isOwn;
}

//===-- Statements --------------------------------------------------------===//

ConfigLists::Flow ConfigLists::run(const Node *block, Scope &scope) {
  if (!block) return Flow::Next;
  for (const Node *statement : block->parts) {
    if (++steps_ > kMostListSteps) return Flow::Lost;
    if (const Flow flow = step(*statement, scope); flow != Flow::Next)
      return flow;
  }
  return Flow::Next;
}

ConfigLists::Flow ConfigLists::step(const Node &statement, Scope &scope) {
  const auto &parts = statement.parts;
  switch (statement.kind) {
    case NodeKind::Pass:
      return Flow::Next;
    case NodeKind::Expression:
      if (parts[0]->kind != NodeKind::Call ||
          (!parts[0]->parts[0]->isName("print") &&
           !isListChanged(*parts[0], scope)))
        lose(parts[0], scope);
      return Flow::Next;
    case NodeKind::Assign:
      for (const Node *target : llvm::ArrayRef(parts).drop_back())
        assign(*target, parts.size() == 2 ? parts.back() : nullptr, scope);
      return Flow::Next;
    case NodeKind::Annotated:
      if (parts[2]) assign(*parts[0], parts[2], scope);
      return Flow::Next;
    case NodeKind::Augmented:
      if (parts[0]->kind == NodeKind::Name && statement.text == "+" &&
          scope.lists.count(parts[0]->text.str())) {
        extend(parts[0]->text.str(), wholeOrLost(parts[1], scope), scope);
        return Flow::Next;
      }
      lose(parts[0], scope);
      return Flow::Next;
    case NodeKind::If: {
      const auto holds = truthOf(parts[0], scope);
      if (!holds) return Flow::Lost;
      return run(parts[*holds ? 1 : 2], scope);
    }
    case NodeKind::For:
      return loop(statement, scope);
    case NodeKind::Return:
      scope.returned = whole(parts[0], scope);
      return Flow::Return;
    case NodeKind::Jump:
      return statement.text == "continue" ? Flow::Continue
             : statement.text == "break"  ? Flow::Break
                                          : Flow::Lost;
    case NodeKind::Statement:
      // A function or a class within is made, not run.
      return statement.text == "def" || statement.text == "class" ? Flow::Next
                                                                  : Flow::Lost;
    default:
      return Flow::Lost;
  }
}

ConfigLists::Flow ConfigLists::loop(const Node &statement, Scope &scope) {
  const auto items = itemsOf(statement.parts[1], scope);
  if (!items) return Flow::Lost;
  bool isWhole = true;
  for (const Value &item : *items) {
    if (!bind(*statement.parts[0], item, scope)) return Flow::Lost;
    const Flow flow = run(statement.parts[2], scope);
    if (flow == Flow::Return || flow == Flow::Lost) return flow;
    if (flow == Flow::Break) {
      isWhole = false;
      break;
    }
  }
  return isWhole ? run(statement.parts[3], scope) : Flow::Next;
}

/// Gives a name its value, or the list that it is. A null value is not known.
void ConfigLists::assign(const Node &target, const Node *value, Scope &scope) {
  if (target.kind != NodeKind::Name || !value) {
    lose(&target, scope);
    return;
  }
  const std::string name = target.text.str();
  auto number = valueOfHost(module_, value, scope.values);
  // Two names of one list: a change of one would be a change of the other.
  const bool isSame = value->kind == NodeKind::Name;
  if (isSame) lose(value, scope);
  auto list = isSame || number ? std::nullopt : wholeOrLost(value, scope);
  scope.values.erase(name);
  scope.lists[name] = std::move(list);
  if (!number) return;
  // An empty list may become one of numbers, too.
  if (number->is(ValueKind::Tuple) && number->items->empty())
    scope.lists[name] = Configs();
  else
    scope.lists.erase(name);
  scope.values[name] = *std::move(number);
}

void ConfigLists::extend(const std::string &name, std::optional<Configs> more,
                         Scope &scope) {
  scope.values.erase(name);
  auto &list = scope.lists[name];
  if (!list || !more || list->size() + more->size() > kMostConfigs)
    list.reset();
  else
    llvm::append_range(*list, *more);
}

/// Runs `list.append(x)` and `list.extend(x)`. Returns false for other calls.
bool ConfigLists::isListChanged(const Node &call, Scope &scope) {
  const Node &of = *call.parts[0];
  if (of.kind != NodeKind::Attribute || call.parts.size() != 2 ||
      (of.text != "append" && of.text != "extend") ||
      of.parts[0]->kind != NodeKind::Name)
    return false;
  const std::string name = of.parts[0]->text.str();
  if (const auto known = scope.values.find(name);
      known != scope.values.end() && known->second.is(ValueKind::Tuple)) {
    if (const auto value = valueOfHost(module_, call.parts[1], scope.values)) {
      auto items = *known->second.items;
      if (of.text == "append")
        items.push_back(*value);
      else if (value->is(ValueKind::Tuple))
        llvm::append_range(items, *value->items);
      else
        return false;
      scope.lists.erase(name);
      known->second = Value::tuple(std::move(items));
      return true;
    }
  }
  if (!scope.lists.count(name)) return false;
  extend(name, wholeOrLost(call.parts[1], scope), scope);
  return true;
}

/// Forgets each name that code may change which is not followed.
void ConfigLists::lose(const Node *node, Scope &scope) {
  if (!node) return;
  if (node->kind == NodeKind::Name) {
    scope.values.erase(node->text.str());
    scope.lists[node->text.str()] = std::nullopt;
  }
  for (const Node *part : node->parts) lose(part, scope);
}

}  // namespace indexical::python
