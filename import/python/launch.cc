#include "indexical/import/python/launch.h"

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace indexical::python {
namespace {

using kernels::SizeKind;
using kernels::SizeTerm;
using llvm::StringRef;

/// An expression of the host as text, or "" if it is of none of a few kinds.
std::string keyOf(const Node *node, int depth = 0) {
  if (!node || depth > 8) return "";
  auto list = [&](llvm::ArrayRef<Node *> parts) {
    std::string text;
    for (const Node *part : parts)
      absl::StrAppend(&text, keyOf(part, depth + 1), ",");
    return text;
  };
  switch (node->kind) {
    case NodeKind::Name:
    case NodeKind::Number:
      return node->text.str();
    case NodeKind::String:
      return absl::StrCat("'", node->text.str(), "'");
    case NodeKind::Attribute:
      return absl::StrCat(keyOf(node->parts[0], depth + 1), ".",
                          node->text.str());
    case NodeKind::Subscript:
    case NodeKind::Call:
      return absl::StrCat(
          keyOf(node->parts[0], depth + 1),
          node->kind == NodeKind::Call ? "(" : "[",
          list(llvm::ArrayRef<Node *>(node->parts).drop_front()), "]");
    default:
      return "";
  }
}

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
    static constexpr std::pair<StringRef, SizeKind> kSigns[] = {
        {"+", SizeKind::Add},
        {"-", SizeKind::Sub},
        {"*", SizeKind::Mul},
        {"//", SizeKind::FloorDiv},
        {"%", SizeKind::Mod}};
    for (const auto &[sign, kind] : kSigns)
      if (node->text == sign) return both(kind, node->parts[0], node->parts[1]);
    return std::nullopt;
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
    : module_(module), function_(function) {
  for (const Launch &launch : module.launches)
    if (launch.kernel == function.text.name) {
      launch_ = &launch;
      break;
    }
  if (!launch_) return;
  size_t place = 0;
  for (const Node *argument : launch_->arguments) {
    std::string name;
    const Node *value = argument;
    if (argument->kind == NodeKind::Keyword) {
      name = argument->text.str();
      value = argument->parts[0];
    } else if (argument->kind == NodeKind::Starred ||
               place >= function.text.parameters.size()) {
      break;
    } else {
      name = function.text.parameters[place++].name.str();
    }
    if (const std::string key = keyOf(value);
        !key.empty() && value->kind != NodeKind::Number)
      passed_.try_emplace(key, name);
  }
}

const Parameter *LaunchReader::parameter(StringRef name) const {
  for (const Parameter &each : function_.text.parameters)
    if (each.name == name) return &each;
  return nullptr;
}

std::optional<Value> valueOfHost(const ModuleText &module, const Node *node,
                                 const std::map<std::string, Value> &names) {
  if (!node) return std::nullopt;
  Lowering host(module, "");
  Value value = host.evaluate(node, names);
  if (host.refusal || value.is(ValueKind::Undefined)) return std::nullopt;
  return value;
}

/// Follows names to what they are assigned.
const Node *LaunchReader::resolved(const Node *node, int depth) const {
  if (!node || node->kind != NodeKind::Name || depth > 8) return node;
  if (launch_)
    if (const auto found = launch_->locals.find(node->text);
        found != launch_->locals.end())
      return resolved(found->second, depth + 1);
  if (const auto found = module_.constants.find(node->text);
      found != module_.constants.end())
    return resolved(found->second, depth + 1);
  return node;
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

//===-- Launches ----------------------------------------------------------===//

std::map<std::string, Value> LaunchReader::constants() {
  std::map<std::string, Value> found;
  if (!launch_) return found;
  size_t place = 0;
  for (const Node *argument : launch_->arguments) {
    std::string name;
    const Node *node = argument;
    if (argument->kind == NodeKind::Keyword) {
      name = argument->text.str();
      node = argument->parts[0];
    } else if (argument->kind == NodeKind::Starred ||
               place >= function_.text.parameters.size()) {
      break;
    } else {
      name = function_.text.parameters[place++].name.str();
    }
    const bool isWarps = name == "num_warps";
    const Parameter *of = parameter(name);
    if (!isWarps && (!of || !isConstexpr(of->annotation))) continue;
    std::map<std::string, Value> known;
    const Node *value = resolved(node);
    if (!value) continue;
    if (auto constant = valueOf(value)) {
      const bool isPlain = constant->isNumber() || constant->isNone() ||
                           constant->is(ValueKind::String) ||
                           constant->is(ValueKind::Type);
      if (isPlain) found[name] = *std::move(constant);
    }
  }
  return found;
}

std::optional<Value> LaunchReader::heuristic(
    const std::string &name, const std::map<std::string, Value> &known) {
  for (const Node *decorator : function_.decorators) {
    if (decorator->kind != NodeKind::Call ||
        lastNameOf(decorator) != "heuristics")
      continue;
    const Node *dict = keywordOf(*decorator, "values");
    if (!dict && decorator->parts.size() > 1) dict = decorator->parts[1];
    const Node *lambda = entryOf(resolved(dict), name);
    if (!lambda || lambda->kind != NodeKind::Lambda) continue;
    std::map<std::string, Value> names;
    if (lambda->parts.size() > 1)
      for (const auto &[key, value] : known)
        names[absl::StrCat(lambda->parts[1]->text.str(), "[", key, "]")] =
            value;
    return valueOf(lambda->parts[0], names);
  }
  return std::nullopt;
}

bool LaunchReader::isUnspecialized(StringRef name) {
  for (const Node *decorator : function_.text.decorators) {
    if (decorator->kind != NodeKind::Call) continue;
    const Node *list = resolved(keywordOf(*decorator, "do_not_specialize"));
    if (!list ||
        (list->kind != NodeKind::List && list->kind != NodeKind::Tuple))
      continue;
    for (const Node *part : list->parts)
      if (parameterAt(part) == name) return true;
  }
  return false;
}

std::optional<SizeTerm> LaunchReader::sizeOf(const Node *node, StringRef meta,
                                             int depth) {
  return sizeBy(
      node,
      [&](const Node *leaf) -> std::optional<SizeTerm> {
        if (leaf->kind == NodeKind::Subscript && leaf->parts.size() == 2 &&
            !meta.empty() && leaf->parts[0]->isName(meta) &&
            leaf->parts[1]->kind == NodeKind::String &&
            parameter(leaf->parts[1]->text))
          return SizeTerm::of(leaf->parts[1]->text.str());
        if (const auto found = passed_.find(keyOf(leaf));
            found != passed_.end() && parameter(found->second))
          return SizeTerm::of(found->second);
        if (leaf->kind != NodeKind::Name || depth > 8) return std::nullopt;
        const Node *value = resolved(leaf);
        if (!value || value == leaf) return std::nullopt;
        return sizeOf(value, meta, depth + 1);
      },
      0);
}

std::vector<SizeTerm> LaunchReader::grid() {
  if (!launch_) return {};
  const Node *node = resolved(launch_->grid);
  if (!node) return {};
  StringRef meta;
  if (node->kind == NodeKind::Lambda) {
    if (node->parts.size() > 1) meta = node->parts[1]->text;
    node = resolved(node->parts[0]);
  }
  if (!node) return {};
  std::vector<const Node *> sides;
  if (node->kind == NodeKind::Tuple || node->kind == NodeKind::List)
    sides.assign(node->parts.begin(), node->parts.end());
  else
    sides.push_back(node);
  std::vector<SizeTerm> found;
  for (const Node *side : sides) {
    auto size = sizeOf(side, meta, 0);
    if (!size || found.size() == 3) return {};
    found.push_back(*std::move(size));
  }
  return found;
}

}  // namespace indexical::python
