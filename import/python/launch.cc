#include "indexical/import/python/launch.h"

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace indexical::python {
namespace {

using kernels::SizeKind;
using kernels::SizeTerm;
using llvm::StringRef;

using SizeLeaf = llvm::function_ref<std::optional<SizeTerm>(const Node *)>;

/// Returns the size that an expression is. `leaf` knows names and other leaves.
std::optional<SizeTerm> sizeBy(const Node *node, SizeLeaf leaf, int depth) {
  if (!node || depth > 32) return std::nullopt;
  if (auto known = leaf(node)) return known;
  if (node->kind == NodeKind::Number) {
    const ConstantResult number = constantNumber(node->text);
    const auto small =
        number.error.empty() ? smallOf(number.value) : std::nullopt;
    return small ? std::optional<SizeTerm>(SizeTerm::of(*small)) : std::nullopt;
  }
  auto both = [&](SizeKind kind, const Node *a,
                  const Node *b) -> std::optional<SizeTerm> {
    auto x = sizeBy(a, leaf, depth + 1), y = sizeBy(b, leaf, depth + 1);
    if (!x || !y) return std::nullopt;
    return SizeTerm::of(kind, *std::move(x), *std::move(y));
  };
  if (node->kind == NodeKind::Binary) {
    const auto kind = sizeKindOf(node->text);
    return kind ? both(*kind, node->parts[0], node->parts[1]) : std::nullopt;
  }
  if (node->kind != NodeKind::Call) return std::nullopt;
  const StringRef name = lastNameOf(node);
  const size_t count = node->parts.size() - 1;
  if (name == "int" && count == 1)
    return sizeBy(node->parts[1], leaf, depth + 1);
  if (name == "cdiv" && count == 2)
    return both(SizeKind::CeilDiv, node->parts[1], node->parts[2]);
  if ((name == "min" || name == "max") && count >= 2) {
    const SizeKind kind = name == "min" ? SizeKind::Min : SizeKind::Max;
    auto made = sizeBy(node->parts[1], leaf, depth + 1);
    for (size_t k = 2; made && k <= count; ++k) {
      auto next = sizeBy(node->parts[k], leaf, depth + 1);
      if (!next) return std::nullopt;
      made = SizeTerm::of(kind, *std::move(made), *std::move(next));
    }
    return made;
  }
  return std::nullopt;
}

}  // namespace

std::optional<SizeKind> sizeKindOf(StringRef sign) {
  return llvm::StringSwitch<std::optional<SizeKind>>(sign)
      .Case("+", SizeKind::Add)
      .Case("-", SizeKind::Sub)
      .Case("*", SizeKind::Mul)
      .Case("//", SizeKind::FloorDiv)
      .Case("%", SizeKind::Mod)
      .Default(std::nullopt);
}

const Node *keywordOf(const Node &call, StringRef name) {
  for (const Node *part : llvm::drop_begin(call.parts))
    if (part->kind == NodeKind::Keyword && part->text == name)
      return part->parts[0];
  return nullptr;
}

const Node *entryOf(const Node *dict, StringRef key) {
  if (!dict || dict->kind != NodeKind::Dict) return nullptr;
  for (size_t k = 0; k + 1 < dict->parts.size(); k += 2)
    if (const Node *each = dict->parts[k];
        each && each->kind == NodeKind::String && each->text == key)
      return dict->parts[k + 1];
  return nullptr;
}

StringRef lastNameOf(const Node *node) {
  if (node->kind == NodeKind::Call) node = node->parts[0];
  return node->kind == NodeKind::Name || node->kind == NodeKind::Attribute
             ? node->text
             : StringRef();
}

bool isConstexpr(const Node *annotation) {
  if (!annotation) return false;
  if (annotation->kind == NodeKind::String)
    return annotation->text.ends_with("constexpr");
  return StringRef(dottedName(annotation)).ends_with("constexpr");
}

std::optional<SizeTerm> sizeOfNames(const Node *node) {
  return sizeBy(
      node,
      [](const Node *leaf) -> std::optional<SizeTerm> {
        if (leaf->kind != NodeKind::Name) return std::nullopt;
        return SizeTerm::of(leaf->text.str());
      },
      0);
}

LaunchReader::LaunchReader(const ModuleText &module,
                           const JitFunction &function)
    : module_(module),
      function_(function),
      script_(*module.script),
      facts_(module.script->factsOf(function.begin)) {
  for (const ScriptLaunch &launch : script_.launches())
    if (launch.kernel == function.begin) {
      launch_ = &launch;
      break;
    }
}

const Parameter *LaunchReader::parameter(StringRef name) const {
  for (const Parameter &each : function_.text.parameters)
    if (each.name == name) return &each;
  return nullptr;
}

std::optional<Value> LaunchReader::valueOf(const Node *node) {
  if (!node) return std::nullopt;
  Lowering host(module_, "");
  Value value = host.evaluate(node);
  if (host.refusal || value.is(ValueKind::Undefined)) return std::nullopt;
  return value;
}

//===-- Inductor ----------------------------------------------------------===//

/// Returns the parameter that a key of `signature` or `constants` names: by its
/// name, its number, or a tuple of that.
std::string LaunchReader::parameterAt(const Node *key) const {
  if (key && key->kind == NodeKind::Tuple && key->parts.size() == 1)
    key = key->parts[0];
  if (!key) return "";
  if (key->kind == NodeKind::String) return key->text.str();
  size_t place = 0;
  if (key->kind != NodeKind::Number || key->text.getAsInteger(10, place) ||
      place >= function_.text.parameters.size())
    return "";
  return function_.text.parameters[place].name.str();
}

InductorMeta LaunchReader::inductor() {
  InductorMeta found;
  for (const Node *decorator : function_.decorators) {
    if (decorator->kind != NodeKind::Call) continue;
    const Node *meta = keywordOf(*decorator, "triton_meta");
    if (!meta) meta = keywordOf(*decorator, "meta");
    if (!meta || meta->kind != NodeKind::Dict) continue;
    found.isThere = true;
    found.isReduction = lastNameOf(decorator).contains("reduction");
    found.isPersistent = lastNameOf(decorator).contains("persistent");
    found.isCooperative = lastNameOf(decorator).contains("cooperative");
    found.isReduction |= lastNameOf(decorator) == "split_scan";
    if (const Node *hint = keywordOf(*decorator, "reduction_hint"))
      found.hint = lastNameOf(hint).str();
    auto numberAt = [&](const Node *node) -> int64_t {
      const auto value = valueOf(node);
      return value ? smallOf(*value).value_or(0) : 0;
    };
    const Node *counts = keywordOf(*decorator, "inductor_meta");
    found.loads = numberAt(entryOf(counts, "num_load")) +
                  numberAt(entryOf(counts, "num_reduction"));
    // A reduction along both sides gives a program so many rows.
    if (const auto split = numberAt(entryOf(counts, "RSPLIT_SIZE")); split > 0)
      found.split = split;
    if (const Node *persistent = entryOf(counts, "persistent_reduction"))
      found.isPersistent |= persistent->text == "True";
    if (const Node *device = entryOf(meta, "device");
        device && device->kind == NodeKind::Call)
      found.major = numberAt(keywordOf(*device, "major"));
    if (const auto warps = valueOf(keywordOf(*decorator, "num_warps")))
      found.warps = smallOf(*warps);
    if (const Node *types = entryOf(meta, "signature");
        types && types->kind == NodeKind::Dict)
      for (size_t k = 0; k + 1 < types->parts.size(); k += 2) {
        const Node *text = types->parts[k + 1];
        if (text->kind != NodeKind::String) continue;
        if (const auto type = typeOfSignature(text->text))
          found.types[parameterAt(types->parts[k])] = *type;
      }
    if (const Node *constants = entryOf(meta, "constants");
        constants && constants->kind == NodeKind::Dict)
      for (size_t k = 0; k + 1 < constants->parts.size(); k += 2)
        if (const auto value = valueOf(constants->parts[k + 1]))
          found.constants[parameterAt(constants->parts[k])] = *value;
    const Node *hints = keywordOf(*decorator, "size_hints");
    found.areHintsNamed = hints && hints->kind == NodeKind::Dict;
    if (found.areHintsNamed) {
      for (size_t k = 0; k + 1 < hints->parts.size(); k += 2)
        if (const auto value = valueOf(hints->parts[k + 1]))
          if (const auto size = smallOf(*value);
              size && hints->parts[k] &&
              hints->parts[k]->kind == NodeKind::String)
            found.sizeHints[hints->parts[k]->text.rtrim('_').str()] = *size;
    } else if (hints && (hints->kind == NodeKind::List ||
                         hints->kind == NodeKind::Tuple)) {
      // Without names: x and r of a reduction; else the last one is x.
      const size_t count = hints->parts.size();
      for (auto [place, hint] : llvm::enumerate(hints->parts)) {
        const bool isLast = found.isReduction && place + 1 == count;
        const size_t axis = found.isReduction ? place : count - 1 - place;
        const std::string name =
            isLast ? "r" : std::string(1, "xyz"[axis > 2 ? 2 : axis]);
        if (const auto value = valueOf(hint))
          if (const auto size = smallOf(*value)) found.sizeHints[name] = *size;
      }
    }
  }
  return found;
}

//===-- Configurations ----------------------------------------------------===//

/// Returns what a `triton.Config`, or Inductor's dictionary, has; std::nullopt
/// if it is not known.
std::optional<Config> LaunchReader::configOf(const ScriptObject &object) const {
  Config made;
  const ScriptObject *dict = &object;
  const bool isConfig = object.kind == ScriptKind::Config;
  if (isConfig) {
    const auto kwargs = object.fields.find("kwargs");
    dict = kwargs == object.fields.end() ? nullptr : kwargs->second.object;
    const auto warps = object.fields.find("num_warps");
    const ScriptValue given =
        warps == object.fields.end() ? ScriptValue() : warps->second;
    if (!script_.isDefaultWarps(given)) {
      if (given.constant) made.warps = smallOf(*given.constant);
      const bool isNone = given.constant && given.constant->isNone();
      made.areWarpsOpen = !made.warps && !isNone;
    }
  }
  if (!dict || dict->kind != ScriptKind::Dict || dict->isOpen)
    return std::nullopt;
  for (auto [key, item] : llvm::zip(dict->keys, dict->items)) {
    auto value = script_.constantOf(item);
    // A name of another file is not known.
    if (!key.is(ValueKind::String) || !value || value->is(ValueKind::Module) ||
        value->is(ValueKind::Builtin))
      return std::nullopt;
    // Inductor writes the options of the launch among the constants.
    if (!isConfig && !parameter(key.text)) {
      if (key.text == "num_warps") made.warps = smallOf(*value);
      continue;
    }
    made.values.push_back({key.text, *std::move(value)});
  }
  return made;
}

std::vector<Config> LaunchReader::configsOf(const KernelFacts::Layer &layer) {
  std::vector<Config> found;
  const ScriptObject *list = layer.last.object;
  if (!list ||
      (list->kind != ScriptKind::List && list->kind != ScriptKind::Tuple)) {
    isOpen = true;
    return found;
  }
  isOpen |= list->isOpen;
  for (const ScriptValue &each : list->items) {
    std::optional<Config> made;
    if (each.object) made = configOf(*each.object);
    if (made)
      found.push_back(*std::move(made));
    else
      isOpen = true;
  }
  if (found.size() <= kMostConfigs) return found;
  if (layer.isWritten && !refusal)
    refusal =
        Refusal{RefusalKind::Limit, layer.place, "more than 64 configurations"};
  found.resize(kMostConfigs);
  isOpen = true;
  return found;
}

std::vector<Config> LaunchReader::configs() {
  std::vector<Config> made;
  if (!facts_) {
    isOpen = llvm::any_of(function_.decorators, [](const Node *each) {
      const StringRef name = lastNameOf(each);
      return name.ends_with("autotune") || name == "libtuner";
    });
    return made;
  }
  bool isFirst = true;
  for (auto [number, layer] : llvm::enumerate(facts_->layers)) {
    if (layer.isHeuristics) continue;
    std::vector<Config> own = configsOf(layer), all;
    if (refusal) return {};
    // Triton makes one configuration without values of an empty list.
    if (own.empty()) {
      if (!isOpen) continue;
      return {};
    }
    if (isFirst) made.emplace_back();
    isFirst = false;
    for (const Config &outer : made)
      for (const Config &inner : own) {
        Config both = outer;
        both.begins.resize(number + 1, both.values.size());
        llvm::append_range(both.values, inner.values);
        both.warps = inner.warps;
        both.areWarpsOpen = inner.areWarpsOpen;
        if (all.size() < kMostConfigs)
          all.push_back(std::move(both));
        else
          isOpen = true;
      }
    made = std::move(all);
  }
  for (Config &each : made)
    each.begins.resize(facts_->layers.size() + 1, each.values.size());
  return made;
}

bool LaunchReader::areHeuristicsOpen() const {
  if (!facts_) return false;
  return llvm::any_of(facts_->layers, [](const KernelFacts::Layer &each) {
    return each.isHeuristics &&
           (!each.last.object || each.last.object->isOpen ||
            each.last.object->kind != ScriptKind::Dict);
  });
}

LaunchReader::Given LaunchReader::heuristics(
    const Config *config, std::map<std::string, Value> known) {
  Given made;
  if (!facts_) return made;
  for (auto [number, layer] : llvm::enumerate(facts_->layers)) {
    if (!layer.isHeuristics) {
      for (size_t k = config ? config->begins[number] : 0;
           config && k < config->begins[number + 1]; ++k)
        known[config->values[k].first] = config->values[k].second;
      continue;
    }
    const ScriptObject *dict = layer.last.object;
    if (!dict || dict->kind != ScriptKind::Dict) continue;
    for (size_t k = 0; k < dict->keys.size() && k < dict->items.size(); ++k) {
      const std::string name = dict->keys[k].text;
      auto value = script_.called(dict->items[k], known);
      known.erase(name);
      if (value) known[name] = *value;
      made[name] = std::move(value);
    }
  }
  return made;
}

//===-- Launches ----------------------------------------------------------===//

std::map<std::string, Value> LaunchReader::constants() const {
  return launch_ ? constantsOf(*launch_) : std::map<std::string, Value>();
}

std::map<std::string, Value> LaunchReader::constantsOf(
    const ScriptLaunch &launch) const {
  std::map<std::string, Value> found;
  for (const auto &[name, value] : launch.arguments) {
    const Parameter *of = parameter(name);
    if (name != "num_warps" && (!of || !isConstexpr(of->annotation))) continue;
    if (!value.constant) continue;
    const Value &constant = *value.constant;
    if (constant.isNumber() || constant.isNone() ||
        constant.is(ValueKind::String) || constant.is(ValueKind::Type))
      found[name] = constant;
  }
  return found;
}

std::optional<uint32_t> LaunchReader::line() const {
  return launch_ ? std::optional<uint32_t>(launch_->place.line) : std::nullopt;
}

bool LaunchReader::hasOtherLaunches() const {
  if (facts_ && script_.hasOtherLaunches(function_.begin)) return true;
  // Another launch may be known, and have other constants or another grid.
  const auto wordsOfLaunch = [&](const ScriptLaunch &launch) {
    std::string words;
    for (const auto &[name, value] : constantsOf(launch))
      absl::StrAppend(&words, name, "=", wordsOf(value), ";");
    for (const SizeTerm &side : launch.grid)
      absl::StrAppend(&words, textOf(side), ",");
    return words;
  };
  return launch_ && llvm::any_of(script_.launches(), [&](const auto &each) {
           return each.kernel == function_.begin && &each != launch_ &&
                  wordsOfLaunch(each) != wordsOfLaunch(*launch_);
         });
}

bool LaunchReader::isGivenUnknown(StringRef name) const {
  if (!launch_) return false;
  for (const auto &[given, value] : launch_->arguments)
    if (given == name) return !value.constant;
  return launch_->isOpen;
}

bool LaunchReader::areWarpsOpen() const {
  if (!launch_) return false;
  for (const auto &[name, value] : launch_->arguments)
    if (name == "num_warps") return !value.constant;
  return launch_->isOpen;
}

std::vector<SizeTerm> LaunchReader::grid() {
  return launch_ ? launch_->grid : std::vector<SizeTerm>();
}

bool LaunchReader::isUnspecialized(StringRef name) {
  const auto list =
      facts_ ? script_.constantOf(facts_->unspecialized) : std::nullopt;
  if (!list || !list->is(ValueKind::Tuple)) return false;
  for (const Value &each : *list->items) {
    if (each.is(ValueKind::String) && each.text == name) return true;
    const auto place = smallOf(each);
    if (place && *place >= 0 &&
        static_cast<size_t>(*place) < function_.text.parameters.size() &&
        function_.text.parameters[*place].name == name)
      return true;
  }
  return false;
}

}  // namespace indexical::python
