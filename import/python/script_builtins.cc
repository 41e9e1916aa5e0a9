// The functions of Python and Triton that script.h knows.
#include <cmath>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/python/script.h"

namespace indexical::python {

using kernels::SizeKind;
using llvm::DynamicAPInt;
using llvm::StringRef;

namespace {

/// Whether a function may reach names that it is not given.
bool reachesAll(StringRef name) {
  static constexpr StringRef kNames[] = {"globals", "locals",  "vars",
                                         "exec",    "eval",    "setattr",
                                         "delattr", "compile", "__import__"};
  return llvm::is_contained(kNames, name);
}

/// `triton.next_power_of_2`, which spreads the bits of 64 bits.
int64_t nextPowerOfTwo(int64_t number) {
  if (number <= 0) return 0;
  uint64_t bits = static_cast<uint64_t>(number) - 1;
  for (int shift = 1; shift <= 32; shift *= 2) bits |= bits >> shift;
  return static_cast<int64_t>(bits + 1);
}

}  // namespace

ScriptValue Script::builtin(StringRef name, const Arguments &arguments) {
  const Values &given = arguments.positional;
  const bool isPlain = arguments.named.empty() && !arguments.isOpen;
  const size_t count = given.size();
  auto fails = [&] {
    ++doubts_;
    for (const auto &[key, value] : arguments.named) escape(settled(value));
    for (const ScriptValue &each : given) escape(settled(each));
    othersRun();
    return symbol();
  };
  if (reachesAll(name)) {
    loseAll();
    return {};
  }
  if (name == "print") {
    for (const ScriptValue &each : given) settled(each);
    return of(Value::none());
  }
  if (name == "isinstance" || name == "type" || name == "id" ||
      name == "hasattr" || name == "callable" || name == "repr") {
    ++doubts_;
    return symbol();
  }
  if (name == "dict") {
    ScriptObject *made = make(ScriptKind::Dict);
    if (count == 1) {
      const ScriptObject *from = given[0].object;
      if (from && from->kind == ScriptKind::Dict) {
        made->keys = from->keys;
        made->items = from->items;
        made->isOpen = from->isOpen;
      } else if (const auto items = itemsOf(given[0])) {
        for (const ScriptValue &each : *items) {
          const auto pair = itemsOf(each);
          if (!pair || pair->size() != 2 || !(*pair)[0].constant)
            return fails();
          put(*made, *(*pair)[0].constant, (*pair)[1]);
        }
      } else {
        return fails();
      }
    }
    if (count > 1) return fails();
    for (const auto &[key, value] : arguments.named)
      put(*made, Value::string(key), settled(value));
    if (arguments.isOpen) escape(made);
    return of(made);
  }
  if (name == "sorted" && count == 1 && !arguments.isOpen) {
    bool isReverse = false;
    const auto items = itemsOf(given[0]);
    if (!items) return fails();
    for (const auto &[key, value] : arguments.named) {
      const auto holds = truthOf(value);
      if (key != "reverse" || !holds) return fails();
      isReverse = *holds;
    }
    const bool areNumbers = llvm::all_of(*items, [](const ScriptValue &each) {
      return each.constant && each.constant->isNumber();
    });
    const bool areTexts = llvm::all_of(*items, [](const ScriptValue &each) {
      return each.constant && each.constant->is(ValueKind::String);
    });
    if (!areNumbers && !areTexts) return fails();
    ScriptObject *made = make(ScriptKind::List);
    made->items = *items;
    llvm::stable_sort(
        made->items, [&](const ScriptValue &a, const ScriptValue &b) {
          return isTrue(
              constantCompare(isReverse ? ">" : "<", *a.constant, *b.constant)
                  .value);
        });
    return of(made);
  }
  if (name == "enumerate" && count == 1 && arguments.named.size() == 1 &&
      arguments.named[0].first == "start") {
    Arguments own;
    own.positional = {given[0], arguments.named[0].second};
    return builtin(name, own);
  }
  if (!isPlain) return fails();
  if (name == "list" || name == "tuple") {
    ScriptObject *made =
        make(name == "list" ? ScriptKind::List : ScriptKind::Tuple);
    if (count == 0) return of(made);
    if (count == 1 && given[0].object &&
        (given[0].object->kind == ScriptKind::List ||
         given[0].object->kind == ScriptKind::Tuple)) {
      made->items = given[0].object->items;
      made->isOpen = given[0].object->isOpen;
      step(static_cast<int64_t>(made->items.size()));
      return of(made);
    }
    const auto items = count == 1 ? itemsOf(given[0]) : std::nullopt;
    if (!items) return fails();
    made->items = *items;
    return of(made);
  }
  if (name == "len" && count == 1) {
    // In UTF-8 a letter may be several bytes.
    if (given[0].constant && given[0].constant->is(ValueKind::String) &&
        llvm::all_of(given[0].constant->text,
                     [](char c) { return llvm::isASCII(c); }))
      return of(
          Value::whole(static_cast<int64_t>(given[0].constant->text.size())));
    if (given[0].object && !given[0].object->isLazy)
      if (const auto items = itemsOf(given[0]))
        return of(Value::whole(static_cast<int64_t>(items->size())));
    ++doubts_;
    const std::string key = keyOf(given[0]);
    return symbol(key.empty() ? "" : "len " + key);
  }
  if (name == "range" && count >= 1 && count <= 3) {
    std::vector<int64_t> ends;
    for (const ScriptValue &each : given) {
      const auto number = small(each);
      if (!number || *number > (int64_t{1} << 40) ||
          *number < -(int64_t{1} << 40))
        return fails();
      ends.push_back(*number);
    }
    if (count == 1) ends.insert(ends.begin(), 0);
    if (count < 3) ends.push_back(1);
    if (ends[2] == 0) return fails();
    Values items;
    for (int64_t at = ends[0]; ends[2] > 0 ? at < ends[1] : at > ends[1];
         at += ends[2]) {
      if (items.size() >= kMostItems) return fails();
      items.push_back(of(Value::whole(at)));
    }
    step(static_cast<int64_t>(items.size()));
    return tuple(std::move(items));
  }
  if ((name == "min" || name == "max") && count >= 1) {
    Values items = given;
    if (count == 1) {
      const auto own = itemsOf(given[0]);
      if (!own || own->empty()) return fails();
      items = *own;
    }
    ScriptValue best = items[0];
    const SizeKind kind = name == "min" ? SizeKind::Min : SizeKind::Max;
    for (const ScriptValue &each : llvm::drop_begin(items)) {
      ScriptValue made = symbol();
      if (each.object || best.object) return fails();
      if (each.constant && best.constant) {
        const ConstantResult isNext = constantCompare(
            name == "min" ? "<" : ">", *each.constant, *best.constant);
        if (!isNext.error.empty()) return fails();
        made = isTrue(isNext.value) ? each : best;
        made.size = nullptr;
      } else {
        ++doubts_;
      }
      combine(kind, best, each, made);
      best = std::move(made);
    }
    return best;
  }
  if (name == "sum" && (count == 1 || count == 2)) {
    const auto items = itemsOf(given[0]);
    if (!items) return fails();
    ScriptValue total = count == 2 ? given[1] : of(Value::whole(0));
    for (const ScriptValue &each : *items) total = binary("+", total, each);
    return total;
  }
  if ((name == "any" || name == "all") && count == 1) {
    const auto items = itemsOf(given[0]);
    if (!items) return fails();
    for (const ScriptValue &each : *items) {
      const auto holds = truthOf(each);
      if (!holds) return fails();
      if (*holds == (name == "any")) return of(Value::boolean(*holds));
    }
    return of(Value::boolean(name == "all"));
  }
  if (name == "bool" && count == 1) {
    const auto holds = truthOf(given[0]);
    return holds ? of(Value::boolean(*holds)) : fails();
  }
  if (name == "int" && count == 1 && !given[0].object) {
    if (!given[0].constant) {
      ++doubts_;
      return given[0];
    }
    const Value &value = *given[0].constant;
    ScriptValue made = given[0];
    if (value.is(ValueKind::Integer)) return made;
    int64_t number = 0;
    if (value.is(ValueKind::Bool)) return of(Value::whole(value.integer));
    if (value.is(ValueKind::Float) && std::fabs(value.number) < 9e15)
      return of(Value::whole(static_cast<int64_t>(value.number)));
    if (value.is(ValueKind::String) && !value.text.empty() &&
        value.text.size() < 18 &&
        StringRef(value.text).find_first_not_of("0123456789") ==
            StringRef::npos &&
        !StringRef(value.text).getAsInteger(10, number))
      return of(Value::whole(number));
    return fails();
  }
  if (count == 1 && given[0].constant) {
    const Value &value = *given[0].constant;
    if (name == "float" && value.isNumber())
      return of(Value::real(realOf(value)));
    if (name == "str" && value.is(ValueKind::String)) return given[0];
    if (name == "str" && (value.is(ValueKind::Integer) ||
                          value.is(ValueKind::Bool) || value.isNone()))
      return of(Value::string(wordsOf(value)));
    if (name == "abs" && value.isWhole())
      return of(
          Value::whole(value.integer < 0 ? -value.integer : value.integer));
    if (name == "abs" && value.is(ValueKind::Float))
      return of(Value::real(std::fabs(value.number)));
  }
  if (name == "pow" && count == 2) return binary("**", given[0], given[1]);
  if (name == "reversed" && count == 1) {
    auto items = itemsOf(given[0]);
    if (!items) return fails();
    std::reverse(items->begin(), items->end());
    return lazy(std::move(*items), given);
  }
  if (name == "enumerate" && (count == 1 || count == 2)) {
    const auto items = itemsOf(given[0]);
    const auto start = count == 2 ? small(given[1]) : int64_t{0};
    if (!items || !start || *start > (int64_t{1} << 40)) return fails();
    Values made;
    for (auto [k, each] : llvm::enumerate(*items))
      made.push_back(
          tuple({of(Value::whole(*start + static_cast<int64_t>(k))), each}));
    return lazy(std::move(made), given);
  }
  if (name == "zip") {
    std::vector<Values> lists;
    size_t most = kMostItems;
    for (const ScriptValue &each : given) {
      auto items = itemsOf(each);
      if (!items) return fails();
      most = std::min(most, items->size());
      lists.push_back(*std::move(items));
    }
    Values made;
    for (size_t k = 0; k < most && !lists.empty(); ++k) {
      Values row;
      for (const Values &list : lists) row.push_back(list[k]);
      made.push_back(tuple(std::move(row)));
    }
    return lazy(std::move(made), given);
  }
  if ((name == "map" || name == "filter") && count == 2) {
    const auto items = itemsOf(given[1]);
    const ScriptValue &by = given[0];
    const bool isOwn = by.object && by.object->kind == ScriptKind::Function;
    const bool isNone = by.constant && by.constant->isNone();
    if (isOwn) {
      const Mentions &mentions = mentionsOf(*by.object->text);
      if (!mentions.changed.empty() || !mentions.outer.empty() ||
          !mentions.inner.empty())
        return fails();
    }
    if (!items || (!isOwn && !(isNone && name == "filter") &&
                   !(by.object && (by.object->kind == ScriptKind::Builtin ||
                                   by.object->kind == ScriptKind::Path))))
      return fails();
    Values made;
    bool isOpen = false;
    for (const ScriptValue &each : *items) {
      Arguments own;
      own.positional.push_back(each);
      const ScriptValue value = isNone ? each : callOf(by, own, {});
      if (isLost_) return {};
      if (name == "map") {
        made.push_back(value);
        continue;
      }
      const auto holds = truthOf(value);
      isOpen |= !holds;
      if (holds && *holds) made.push_back(each);
    }
    const ScriptValue all = lazy(std::move(made), given);
    all.object->isOpen = isOpen;
    return all;
  }
  return fails();
}

ScriptValue Script::path(const std::string &full, const Arguments &arguments) {
  const Values &given = arguments.positional;
  const bool isPlain = arguments.named.empty() && !arguments.isOpen;
  const auto [module, name] = StringRef(full).rsplit('.');
  if (module.starts_with("triton") && name == "Config")
    return config(arguments);
  if (reachesAll(name) && module == "builtins") {
    loseAll();
    return {};
  }
  if (module == "triton" || module == "triton.language") {
    if (name == "cdiv" && isPlain && given.size() == 2) {
      const ScriptValue &a = given[0], &b = given[1];
      // (a + b - 1) // b
      const ScriptValue one = of(Value::whole(1));
      ScriptValue made = binary("//", binary("-", binary("+", a, b), one), b);
      if (!made.object) combine(SizeKind::CeilDiv, a, b, made);
      return made;
    }
    if (name == "next_power_of_2" && isPlain && given.size() == 1) {
      if (const auto number = small(given[0]);
          number && *number <= (int64_t{1} << 62))
        return of(Value::whole(nextPowerOfTwo(*number)));
      ++doubts_;
      return symbol();
    }
    if (name == "constexpr" && isPlain && given.size() == 1) return given[0];
  }
  if (full == "itertools.product" && !arguments.isOpen) {
    std::vector<Values> lists;
    int64_t repeat = 1;
    bool isKnown = true;
    for (const auto &[key, value] : arguments.named) {
      isKnown &= key == "repeat" && small(value);
      if (isKnown) repeat = *small(value);
    }
    for (const ScriptValue &each : given) {
      auto items = itemsOf(each);
      isKnown &= items.has_value();
      if (items) lists.push_back(*std::move(items));
    }
    if (isKnown && repeat >= 0 && repeat * lists.size() <= 16) {
      std::vector<Values> rows = {{}};
      for (int64_t turn = 0; turn < repeat; ++turn)
        for (const Values &list : lists) {
          std::vector<Values> next;
          for (const Values &row : rows)
            for (const ScriptValue &each : list) {
              next.push_back(row);
              next.back().push_back(each);
              if (next.size() > kMostItems || !step()) {
                loseAll();
                return {};
              }
            }
          rows = std::move(next);
        }
      Values made;
      for (Values &row : rows) made.push_back(tuple(std::move(row)));
      return lazy(std::move(made), {});
    }
  }
  if (module == "math" && isPlain && given.size() == 1 && given[0].constant &&
      given[0].constant->isNumber()) {
    const double x = realOf(*given[0].constant);
    if ((name == "ceil" || name == "floor") && std::fabs(x) < 9e15)
      return of(Value::whole(
          static_cast<int64_t>(name == "ceil" ? std::ceil(x) : std::floor(x))));
    if (name == "sqrt" && x >= 0) return of(Value::real(std::sqrt(x)));
    if (name == "log2" && x > 0) return of(Value::real(std::log2(x)));
    if (name == "log" && x > 0) return of(Value::real(std::log(x)));
    if (name == "log10" && x > 0) return of(Value::real(std::log10(x)));
    if (name == "exp" && x < 700) return of(Value::real(std::exp(x)));
  }
  Arguments own = arguments;
  for (ScriptValue &each : own.positional) each = settled(each);
  for (auto &[key, value] : own.named) value = settled(value);
  return unknownCall({}, own);
}

/// `triton.Config(kwargs, num_warps=4, num_stages=…)`
ScriptValue Script::config(const Arguments &arguments) {
  ScriptObject *made = make(ScriptKind::Config);
  static constexpr StringRef kNames[] = {
      "kwargs",  "num_warps", "num_stages", "num_ctas",
      "maxnreg", "pre_hook",  "ir_override"};
  if (!arguments.isOpen) made->fields["num_warps"].constant = defaultWarps_;
  for (auto [k, value] : llvm::enumerate(arguments.positional))
    if (k < std::size(kNames)) made->fields[kNames[k].str()] = settled(value);
  for (const auto &[name, value] : arguments.named)
    made->fields[name] = settled(value);
  if (arguments.isOpen) {
    for (StringRef name : kNames)
      made->fields.try_emplace(name.str(), symbol());
    ++doubts_;
  }
  return of(made);
}

}  // namespace indexical::python
