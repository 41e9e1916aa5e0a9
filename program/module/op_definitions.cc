#include "indexical/program/module/op_definitions.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/access.h"
#include "indexical/ops/families.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Maps that were given, one for each operand: of each result, or of all.
class GivenMaps : public AccessMaps {
 public:
  explicit GivenMaps(std::vector<std::vector<IndexingMap>> results)
      : results_(std::move(results)) {}

  absl::Status verify(const OpShapes &shapes) const override;
  absl::Status describe(const OpShapes &shapes, int64_t result, int64_t operand,
                        AccessList &list) const override;

 private:
  const std::vector<IndexingMap> &mapsOf(size_t result) const {
    return results_[results_.size() == 1 ? 0 : result];
  }

  std::vector<std::vector<IndexingMap>> results_;
};

absl::Status mismatch(size_t operand, StringRef what, size_t given,
                      llvm::Twine of, const ArrayShape &shape) {
  return absl::InvalidArgumentError(
      ("the map that is given for operand " + llvm::Twine(operand) + " has " +
       llvm::Twine(given) + " " + what + ", but " + of + ", " + shape.str() +
       ", has " + llvm::Twine(shape.rank()) + " dimensions")
          .str());
}

absl::Status GivenMaps::verify(const OpShapes &shapes) const {
  const size_t results = shapes.results.size();
  if (results_.size() != 1 && results_.size() != results)
    return absl::InvalidArgumentError(
        "maps are given for " + std::to_string(results_.size()) +
        " results, but there are " + std::to_string(results));
  for (size_t r = 0; r < results; ++r) {
    const std::vector<IndexingMap> &maps = mapsOf(r);
    if (shapes.operands.size() != maps.size())
      return absl::InvalidArgumentError("a map is needed for each of the " +
                                        std::to_string(shapes.operands.size()) +
                                        " operands, but there are " +
                                        std::to_string(maps.size()));
    const std::string name =
        results == 1 ? "the result" : "result " + std::to_string(r);
    for (auto [k, map] : llvm::enumerate(maps)) {
      if (map.isKnownEmpty()) continue;
      const ArrayShape &result = shapes.results[r];
      if (static_cast<int64_t>(map.dimensions().size()) != result.rank())
        return mismatch(k, "dimension variables", map.dimensions().size(), name,
                        result);
      const ArrayShape &operand = shapes.operands[k];
      if (static_cast<int64_t>(map.results().size()) != operand.rank())
        return mismatch(k, "results", map.results().size(), "the operand",
                        operand);
    }
  }
  return absl::OkStatus();
}

absl::Status GivenMaps::describe(const OpShapes &shapes, int64_t result,
                                 int64_t operand, AccessList &list) const {
  const IndexingMap &map = mapsOf(result)[operand];
  if (map.isKnownEmpty()) return absl::OkStatus();
  Access &access = list.add();
  access.result = access.loopsOver(shapes.results[result]);
  Access::Exprs ranges;
  for (const Variable &range : map.ranges())
    ranges.push_back(access.loop(range.bounds));
  auto loopOf = [&](VariableId id) {
    const bool isRange = id.kind == VariableKind::Range;
    return (isRange ? ranges : access.result)[id.index].form();
  };
  ExpressionImport import(map.expressions(), access.pool(), loopOf);
  auto imported = [&](FormId form) {
    return Expr(&access.pool(), import(form));
  };
  for (FormId form : map.results()) access.operand.push_back(imported(form));
  for (auto [k, dimension] : llvm::enumerate(map.dimensions()))
    if (dimension.bounds != Interval::all())
      access.constraint(access.result[k], dimension.bounds);
  for (const Constraint &c : map.constraints())
    access.constraint(imported(c.form), c.bounds);
  return absl::OkStatus();
}

//===-- Ops of shapes -----------------------------------------------------===//

absl::StatusOr<Op> elementwise(const CustomCall &) {
  return Op(ElementwiseOp());
}

absl::StatusOr<Op> broadcasting(const CustomCall &call) {
  OpShapes shapes;
  for (const Shape *operand : call.operands)
    for (const ArrayShape &leaf : operand->leaves())
      shapes.operands.push_back(leaf);
  shapes.results = call.result.leaves();
  return broadcastingOp(std::move(shapes));
}

//===-- Configurations ----------------------------------------------------===//

/// A number or a word that a call's configuration must have under a key.
struct Setting {
  std::string key, value;
  bool operator==(const Setting &other) const {
    return key == other.key && value == other.value;
  }
};
using Settings = std::vector<Setting>;

bool isWord(char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; }

/// Returns the value that stands behind a key, without quotes; nothing if what
/// stands there is no key with a number or a word.
std::optional<StringRef> valueBehind(StringRef text) {
  text.consume_front("\"");
  text = text.ltrim();
  if (!text.consume_front(":") && !text.consume_front("=")) return std::nullopt;
  text = text.ltrim();
  if (text.consume_front("\"")) {
    const size_t end = text.find('"');
    if (end == StringRef::npos) return std::nullopt;
    return text.take_front(end);
  }
  const StringRef word =
      text.take_while([](char c) { return isWord(c) || c == '-' || c == '+'; });
  if (word.empty()) return std::nullopt;
  return word;
}

/// Returns the value of the key in a configuration of JSON or of MLIR,
/// `{"axis": 1}` or `{axis = 1 : i64}`, however deep it stands. Nothing if
/// there is none, or if it has several values.
std::optional<StringRef> valueOf(StringRef key, StringRef configuration) {
  std::optional<StringRef> found;
  for (size_t at = configuration.find(key); at != StringRef::npos;
       at = configuration.find(key, at + 1)) {
    const StringRef behind = configuration.drop_front(at + key.size());
    const bool isWhole = (at == 0 || !isWord(configuration[at - 1])) &&
                         (behind.empty() || !isWord(behind.front()));
    const auto value = isWhole ? valueBehind(behind) : std::nullopt;
    if (!value) continue;
    if (found && *found != *value) return std::nullopt;
    found = value;
  }
  return found;
}

bool holds(llvm::ArrayRef<Setting> settings, StringRef configuration) {
  return llvm::all_of(settings, [&](const Setting &setting) {
    return valueOf(setting.key, configuration) == StringRef(setting.value);
  });
}

/// Returns the keys whose values a line can have as settings, each once.
std::vector<std::string> keysOf(StringRef configuration) {
  std::vector<std::string> keys;
  for (size_t at = 0; at < configuration.size();) {
    const StringRef key = configuration.drop_front(at).take_while(isWord);
    at += std::max<size_t>(1, key.size());
    if (key.empty() || llvm::is_contained(keys, key)) continue;
    const auto value = valueOf(key, configuration);
    const bool isWritten =
        value && !value->empty() && llvm::all_of(*value, [](char c) {
          return isWord(c) || c == '-' || c == '+';
        });
    if (isWritten) keys.push_back(key.str());
  }
  return keys;
}

/// The definitions of one name: those for a configuration, and one for all
/// others.
struct Cases {
  std::vector<std::pair<Settings, CustomCallBuilder>> cases;

  const CustomCallBuilder *find(StringRef configuration) const {
    const CustomCallBuilder *other = nullptr;
    for (const auto &[settings, builder] : cases) {
      if (settings.empty())
        other = &builder;
      else if (holds(settings, configuration))
        return &builder;
    }
    return other;
  }
};

/// What is read is not known.
Op opaque() {
  CoverOp op;
  op.precision = Precision::Opaque;
  op.reason = "no definition is for its backend_config";
  return Op(std::move(op));
}

using IsKnown = llvm::function_ref<bool(StringRef)>;

absl::Status add(StringRef name, CustomCallBuilder builder,
                 CustomCallRegistry &registry, IsKnown isKnown) {
  if (isKnown && isKnown(name))
    return absl::InvalidArgumentError(
        "`" + name.str() +
        "` is an op that Indexical knows; only others can be defined");
  if (registry.find(name))
    return absl::InvalidArgumentError("`" + name.str() + "` is defined twice");
  registry.add(name, std::move(builder));
  return absl::OkStatus();
}

//===-- Text --------------------------------------------------------------===//

/// Reads definitions, and finds the places of their parts in the text.
class DefinitionReader {
 public:
  DefinitionReader(StringRef text, CustomCallRegistry &registry,
                   IsKnown isKnown)
      : text_(text), registry_(registry), isKnown_(isKnown) {}

  absl::Status read();

 private:
  absl::Status line(StringRef content);
  absl::StatusOr<Settings> settings(StringRef written);
  absl::StatusOr<IndexingMap> map(StringRef written);
  Place placeOf(StringRef part) const {
    return placeOfOffset(text_, part.data() - text_.data());
  }

  StringRef text_;
  CustomCallRegistry &registry_;
  IsKnown isKnown_;
  /// By name. A builder of the registry keeps them.
  llvm::StringMap<std::shared_ptr<Cases>> names_;
};

absl::Status DefinitionReader::read() {
  for (StringRef line : llvm::split(text_, '\n')) {
    const StringRef content = line.trim();
    if (content.empty() || content.starts_with("#") ||
        content.starts_with("//"))
      continue;
    INDEXICAL_RETURN_IF_ERROR(this->line(content));
  }
  return absl::OkStatus();
}

/// Reads `{axis=1,mode=rms}`.
absl::StatusOr<Settings> DefinitionReader::settings(StringRef written) {
  Settings settings;
  if (written.empty()) return settings;
  const StringRef inside = written.drop_front(1).drop_back(
      written.size() > 1 && written.ends_with("}") ? 1 : 0);
  for (StringRef part : llvm::split(inside, ',')) {
    const auto [key, value] = part.split('=');
    if (!written.ends_with("}") || key.empty() || value.empty() ||
        !llvm::all_of(key, isWord))
      return errorAt(placeOf(written),
                     "expected what backend_config has, as `{axis=1}` or "
                     "`{axis=1,mode=rms}`, without spaces");
    settings.push_back({key.str(), value.trim('"').str()});
  }
  return settings;
}

absl::Status DefinitionReader::line(StringRef content) {
  const StringRef head = content.take_until(llvm::isSpace);
  const StringRef name = head.take_until([](char c) { return c == '{'; });
  const StringRef meaning = content.drop_front(head.size()).ltrim();
  INDEXICAL_ASSIGN_OR_RETURN(Settings when,
                             settings(head.drop_front(name.size())));
  CustomCallBuilder builder;
  if (meaning == "elementwise") {
    builder = elementwise;
  } else if (meaning == "broadcasting") {
    builder = broadcasting;
  } else if (meaning.starts_with("(") || meaning.starts_with("KNOWN")) {
    std::vector<std::vector<IndexingMap>> results;
    for (StringRef result : llvm::split(meaning, '|')) {
      std::vector<IndexingMap> &maps = results.emplace_back();
      for (StringRef part : llvm::split(result, ';')) {
        INDEXICAL_ASSIGN_OR_RETURN(auto map, this->map(part.trim()));
        maps.push_back(std::move(map));
      }
    }
    auto given = std::make_shared<GivenMaps>(std::move(results));
    builder = [given](const CustomCall &) {
      CustomOp op;
      op.maps = given;
      return Op(std::move(op));
    };
  } else {
    const StringRef end = meaning.empty() ? content.take_back(0) : meaning;
    return errorAt(placeOf(end),
                   "expected what `" + name.str() +
                       "` reads: `elementwise`, `broadcasting`, or a map for "
                       "each operand, as `(d0) -> (d0)`",
                   nearest(meaning, {"elementwise", "broadcasting"}));
  }
  std::shared_ptr<Cases> &known = names_[name];
  if (!known) {
    known = std::make_shared<Cases>();
    auto chosen = [cases = known](const CustomCall &call) {
      const CustomCallBuilder *own = cases->find(call.backendConfig);
      return own ? (*own)(call) : opaque();
    };
    INDEXICAL_RETURN_IF_ERROR(withPlace(
        add(name, std::move(chosen), registry_, isKnown_), placeOf(name)));
  }
  for (const auto &[settings, other] : known->cases)
    if (settings == when)
      return errorAt(placeOf(name), "`" + head.str() + "` is defined twice");
  known->cases.push_back({std::move(when), std::move(builder)});
  return absl::OkStatus();
}

/// `, domain: d0 in [0, inf], …` for the variables in front of the arrow.
std::string openDomain(StringRef map) {
  std::string domain;
  llvm::SmallVector<StringRef, 8> names;
  const StringRef lists = map.take_front(map.find("->"));
  llvm::SplitString(lists, names, "()[]{}, \t");
  for (StringRef name : names)
    domain +=
        (domain.empty() ? ", domain: " : ", ") + name.str() + " in [0, inf]";
  return domain;
}

absl::StatusOr<IndexingMap> DefinitionReader::map(StringRef written) {
  const bool hasDomain = written.contains("domain");
  auto map = parseMap(written.str() + (hasDomain ? "" : openDomain(written)));
  auto columnOf = [](const absl::Status &status) {
    return indexical::placeOf(status).value_or(Place{1, 1}).column;
  };
  // No error may be about the domain, which the text does not have.
  if (!map.ok() && columnOf(map.status()) > written.size())
    map = parseMap(written);
  if (!map.ok()) {
    Place place = placeOf(written);
    place.column += columnOf(map.status()) - 1;
    const auto message = map.status().message();
    return errorAt(place, {message.data(), message.size()},
                   suggestionOf(map.status()));
  }
  if (!map->runtime().empty())
    return errorAt(placeOf(written),
                   "the map of an op has no runtime variables, for nothing "
                   "would say whose values they are");
  return map;
}

}  // namespace

absl::StatusOr<Op> broadcastingOp(OpShapes shapes) {
  BroadcastingOp op;
  static_cast<OpShapes &>(op) = std::move(shapes);
  if (op.results.size() != 1)
    return absl::InvalidArgumentError(
        "an op that broadcasts has one result, but there are " +
        std::to_string(op.results.size()));
  const int64_t rank = op.results[0].rank();
  for (const ArrayShape &operand : op.operands) {
    Int64s &dimensions = op.dimensions.emplace_back();
    if (operand.rank() > rank)
      return absl::InvalidArgumentError(
          "an operand must have at most the rank of the result, " +
          op.results[0].str() + ", but is " + operand.str());
    for (int64_t k = 0; k < operand.rank(); ++k)
      dimensions.push_back(rank - operand.rank() + k);
  }
  return Op(std::move(op));
}

std::vector<std::optional<std::string>> definitionHeads(
    StringRef name, llvm::ArrayRef<std::string> configurations) {
  const size_t count = configurations.size();
  if (count == 1) return {name.str()};
  std::vector<std::string> keys;
  for (const std::string &each : configurations)
    for (std::string &key : keysOf(each))
      if (!llvm::is_contained(keys, key)) keys.push_back(std::move(key));
  auto tells = [&](llvm::ArrayRef<Setting> settings, size_t own) {
    for (size_t k = 0; k < count; ++k)
      if (k != own && holds(settings, configurations[k])) return false;
    return !settings.empty();
  };
  std::vector<std::optional<std::string>> heads(count);
  for (size_t own = 0; own < count; ++own) {
    // One setting, if that suffices; else all in which another one differs.
    Settings all, chosen;
    for (const std::string &key : keys) {
      const auto value = valueOf(key, configurations[own]);
      if (!value || llvm::all_of(configurations, [&](StringRef other) {
            return valueOf(key, other) == value;
          }))
        continue;
      all.push_back({key, value->str()});
      if (chosen.empty() && tells(all.back(), own)) chosen = {all.back()};
    }
    if (chosen.empty()) chosen = std::move(all);
    if (!tells(chosen, own)) continue;
    std::string head = name.str();
    for (auto [k, setting] : llvm::enumerate(chosen))
      head += (k ? "," : "{") + setting.key + "=" + setting.value;
    heads[own] = head + "}";
  }
  return heads;
}

absl::Status addElementwise(StringRef name, CustomCallRegistry &registry,
                            IsKnown isKnown) {
  return add(name, elementwise, registry, isKnown);
}

absl::Status addOpDefinitions(StringRef text, CustomCallRegistry &registry,
                              IsKnown isKnown) {
  return DefinitionReader(text, registry, isKnown).read();
}

}  // namespace indexical
