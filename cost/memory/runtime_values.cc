#include "indexical/cost/memory/runtime_values.h"

#include <map>
#include <optional>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/memory/warp_sums.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// The value as a map of the dimensions and ranges of `map`.
absl::StatusOr<IndexingMap> valueMap(const IndexingMap &map,
                                     const std::string &name,
                                     const std::string &value) {
  std::string heads[2], domain;
  auto list = [&](VariableKind kind, llvm::ArrayRef<Variable> variables) {
    for (uint32_t i = 0; i < variables.size(); ++i) {
      std::string own = map.nameOf({kind, i});
      std::string &head = heads[kind == VariableKind::Range];
      head += (head.empty() ? "" : ", ") + own;
      domain += (domain.empty() ? ", domain: " : ", ") + own + " in " +
                variables[i].bounds.str();
    }
  };
  list(VariableKind::Dimension, map.dimensions());
  list(VariableKind::Range, map.ranges());
  auto parsed = parseMap("(" + heads[0] + ")" +
                         (heads[1].empty() ? "" : "[" + heads[1] + "]") +
                         " -> (" + value + ")" + domain);
  if (!parsed.ok() || parsed->results().size() != 1)
    return absl::InvalidArgumentError("`" + value + "`, the value of `" + name +
                                      "`, is not an expression in the "
                                      "dimensions and ranges of the read");
  return parsed;
}

enum class Side : uint8_t { Below, Inside, Above };

/// Returns the map restricted to a value on that side of the variable's bounds.
absl::StatusOr<IndexingMap> withValue(const IndexingMap &map, uint32_t i,
                                      const IndexingMap &value, Side side) {
  const Interval bounds = map.runtime()[i].bounds;
  auto written = [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
    auto same = [&](VariableId id) { return b.pool().variable(id); };
    ExpressionImport import(value.expressions(), b.pool(), same);
    Expr element = b.expression(import(value.results()[0]));
    switch (side) {
      case Side::Below:
        b.constraint(element, {Interval::kMinusInfinity, bounds.lower - 1});
        return b.constant(bounds.lower);
      case Side::Above:
        b.constraint(element, {bounds.upper + 1, Interval::kInfinity});
        return b.constant(bounds.upper);
      case Side::Inside:
        break;
    }
    b.constraint(element, bounds);
    return element;
  };
  INDEXICAL_ASSIGN_OR_RETURN(auto replaced, replaceRuntime(map, i, written));
  SimplifyOptions options;
  options.foldPoints = false;
  return simplify(replaced, options);
}

std::optional<uint32_t> runtimeNamed(const IndexingMap &map,
                                     const std::string &name) {
  for (uint32_t i = 0; i < map.visibleRuntimeCount(); ++i)
    if (map.nameOf({VariableKind::Runtime, i}) == name) return i;
  return std::nullopt;
}

/// Returns the map with its standard names written out, which would change when
/// variables are removed.
absl::StatusOr<IndexingMap> withNames(const IndexingMap &map) {
  uint32_t next = 0;
  auto name = [&](IndexingMapBuilder &, RuntimeVariable &variable) {
    if (variable.name.empty())
      variable.name = standardName({VariableKind::Runtime, next});
    ++next;
  };
  return withRuntime(map, name);
}

}  // namespace

absl::StatusOr<IndexingRelation> withRuntimeValues(
    const IndexingRelation &relation,
    const std::vector<std::pair<std::string, std::string>> &values) {
  IndexingRelation now = relation;
  if (values.empty()) return now;
  IndexingRelation named;
  for (const IndexingMap &piece : relation.pieces()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto map, withNames(piece));
    named.add(std::move(map));
  }
  named.weaken(relation.precision());
  now = std::move(named);
  for (const auto &[name, text] : values) {
    bool found = false;
    IndexingRelation next;
    for (const IndexingMap &piece : now.pieces()) {
      const auto i = runtimeNamed(piece, name);
      if (!i) {
        next.add(piece);
        continue;
      }
      found = true;
      INDEXICAL_ASSIGN_OR_RETURN(auto value, valueMap(piece, name, text));
      const RuntimeVariable &variable = piece.runtime()[*i];
      for (Side side : {Side::Below, Side::Inside, Side::Above}) {
        const bool isOut = side != Side::Inside;
        if (isOut && (!variable.clamped || !variable.bounds.isFinite()))
          continue;
        INDEXICAL_ASSIGN_OR_RETURN(auto map, withValue(piece, *i, value, side));
        next.add(std::move(map));
      }
    }
    if (!found)
      return absl::InvalidArgumentError("the read has no runtime variable `" +
                                        name + "`");
    next.weaken(now.precision());
    now = std::move(next);
  }
  return now;
}

absl::StatusOr<IndexingRelation> withSourcesByName(
    const IndexingRelation &relation) {
  auto hasNone = [](const IndexingMap &piece) {
    return llvm::any_of(piece.runtime(), [](const RuntimeVariable &variable) {
      return variable.source.kind == RuntimeSource::Kind::None;
    });
  };
  if (llvm::none_of(relation.pieces(), hasNone)) return relation;
  std::map<std::string, int64_t> numbers;
  IndexingRelation all;
  for (const IndexingMap &piece : relation.pieces()) {
    uint32_t next = 0;
    auto name = [&](IndexingMapBuilder &, RuntimeVariable &variable) {
      const std::string own = piece.nameOf({VariableKind::Runtime, next++});
      if (variable.source.kind != RuntimeSource::Kind::None) return;
      // Numbers of tensors are not negative.
      const int64_t number =
          numbers.try_emplace(own, -2 - int64_t(numbers.size())).first->second;
      variable.source.kind = RuntimeSource::Kind::Element;
      variable.source.tensor = number;
      variable.clamped = true;
    };
    INDEXICAL_ASSIGN_OR_RETURN(auto map, withRuntime(piece, name));
    all.add(std::move(map));
  }
  all.weaken(relation.precision());
  return all;
}

namespace lanes {
namespace {

/// Returns a text that is equal for two variables exactly if they are the same
/// shared variable.
std::string keyOf(const IndexingMap &map, uint32_t i) {
  const RuntimeVariable &variable = map.runtime()[i];
  std::string key = std::to_string(static_cast<int>(variable.source.kind)) +
                    " " + std::to_string(variable.source.tensor) + " " +
                    std::to_string(variable.source.dimension) +
                    (variable.clamped ? variable.bounds.str() : "");
  for (FormId form : variable.index)
    key += " " + std::to_string(map.expressions().constant(form));
  for (int64_t collective : variable.collectives)
    key += " at " + std::to_string(collective);
  return key;
}

/// Returns the factor of the variable in the address; nothing if the variable
/// occurs anywhere else, or restricts the map.
std::optional<int64_t> addedWith(const IndexingMap &map, uint32_t i) {
  const ExpressionTable &table = map.expressions();
  auto isIt = [&](const Atom &atom) {
    return atom.asVariable() == VariableId{VariableKind::Runtime, i};
  };
  auto usesIt = [&](FormId form) {
    bool uses = false;
    table.visitVariables({form}, [&](VariableId id) {
      uses |= id == VariableId{VariableKind::Runtime, i};
    });
    return uses;
  };
  if (map.runtime()[i].restricts()) return std::nullopt;
  int64_t coefficient = 0;
  for (const Term &term : table.terms(map.results()[0])) {
    const Atom &atom = table.atom(term.atom);
    if (isIt(atom))
      coefficient = term.coefficient;
    else if (llvm::any_of(atom.operands(), usesIt))
      return std::nullopt;
  }
  for (const Constraint &constraint : map.constraints())
    if (usesIt(constraint.form)) return std::nullopt;
  return coefficient;
}

/// Returns a value of the variable for which all holds that the map asks of it,
/// if the map asks something, but has the variable nowhere else.
std::optional<int64_t> holdingValue(const IndexingMap &map, uint32_t i) {
  const ExpressionTable &table = map.expressions();
  const VariableId variable{VariableKind::Runtime, i};
  auto usesIt = [&](FormId form) {
    bool uses = false;
    table.visitVariables({form},
                         [&](VariableId id) { uses |= id == variable; });
    return uses;
  };
  if (llvm::any_of(map.results(), usesIt)) return std::nullopt;
  for (const RuntimeVariable &other : map.runtime())
    if (llvm::any_of(other.index, usesIt)) return std::nullopt;
  bool isAsked = map.runtime()[i].restricts();
  Interval values = map.runtime()[i].bounds;
  for (const Constraint &constraint : map.constraints()) {
    if (!usesIt(constraint.form)) continue;
    const llvm::ArrayRef<Term> terms = table.terms(constraint.form);
    if (terms.size() != 1 ||
        !(table.atom(terms[0].atom).asVariable() == variable))
      return std::nullopt;
    values = values.intersect(constraint.bounds.preimageOfMul(
        terms[0].coefficient, table.constant(constraint.form)));
    isAsked = true;
  }
  if (!isAsked || values.isEmpty()) return std::nullopt;
  return values.hasLower()   ? values.lower
         : values.hasUpper() ? values.upper
                             : 0;
}

/// Gives a value for which all conditions hold to each shared variable that
/// only stands in conditions on itself. Returns whether there are any: nothing
/// is read for other values.
absl::StatusOr<bool> holdConditions(LaunchPiece &piece) {
  bool areAny = false;
  for (uint32_t i = 0; i < piece.map.visibleRuntimeCount();) {
    const auto value =
        isCommon(piece.map, i) ? holdingValue(piece.map, i) : std::nullopt;
    if (!value) {
      ++i;
      continue;
    }
    auto written = [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
      return b.constant(*value);
    };
    INDEXICAL_ASSIGN_OR_RETURN(auto replaced,
                               replaceRuntime(piece.map, i, written));
    INDEXICAL_ASSIGN_OR_RETURN(piece.map, simplify(replaced));
    areAny = true;
    i = 0;
  }
  return areAny;
}

struct Shared {
  Interval values;
  bool added = true, restricts = false;
  size_t pieces = 0;
  int64_t coefficient = 0;
};

absl::StatusOr<std::vector<LaunchPiece>> withCommonValue(
    const std::vector<LaunchPiece> &pieces, const std::string &key,
    int64_t value) {
  std::vector<LaunchPiece> made;
  for (const LaunchPiece &piece : pieces) {
    LaunchPiece now = piece;
    for (uint32_t i = 0; i < now.map.runtime().size(); ++i) {
      if (!isCommon(now.map, i) || keyOf(now.map, i) != key) continue;
      if (!now.map.runtime()[i].bounds.contains(value)) {
        now.map = IndexingMap::knownEmpty();
        break;
      }
      auto written = [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
        return b.constant(value);
      };
      INDEXICAL_ASSIGN_OR_RETURN(auto replaced,
                                 replaceRuntime(now.map, i, written));
      INDEXICAL_ASSIGN_OR_RETURN(now.map, simplify(replaced));
      break;
    }
    if (!now.map.isKnownEmpty()) made.push_back(std::move(now));
  }
  return made;
}

}  // namespace

absl::StatusOr<std::vector<RuntimeCase>> runtimeCases(
    std::vector<LaunchPiece> pieces, int64_t bits, int64_t line, int64_t most) {
  bool mayReadNothing = false;
  if (pieces.size() == 1) {
    INDEXICAL_ASSIGN_OR_RETURN(mayReadNothing, holdConditions(pieces[0]));
  }
  std::map<std::string, Shared> shared;
  for (LaunchPiece &piece : pieces) {
    if (piece.map.runtime().empty()) continue;
    // Hidden variables only say which elements other variables are.
    for (uint32_t i = 0; i < piece.map.visibleRuntimeCount(); ++i) {
      if (!isCommon(piece.map, i)) continue;
      auto [entry, isNew] = shared.try_emplace(keyOf(piece.map, i));
      Shared &of = entry->second;
      const Interval bounds = piece.map.runtime()[i].bounds;
      of.values = isNew ? bounds : of.values.hull(bounds);
      of.restricts |= piece.map.runtime()[i].restricts();
      ++of.pieces;
      const auto coefficient = addedWith(piece.map, i);
      of.added &= coefficient && (isNew || of.coefficient == *coefficient);
      of.coefficient = coefficient.value_or(0);
    }
  }
  std::vector<RuntimeTerm> added;
  const size_t count = pieces.size();
  std::vector<RuntimeCase> cases = {{std::move(pieces), {0}}};
  for (auto &[key, of] : shared) {
    if (of.added && of.pieces == count && of.values.isFinite()) {
      added.push_back({of.coefficient * bits, of.values, 1});
      continue;
    }
    const int64_t values = of.values.count();
    if (values > most / static_cast<int64_t>(cases.size()))
      return std::vector<RuntimeCase>();
    std::vector<RuntimeCase> next;
    for (const RuntimeCase &before : cases)
      for (int64_t v = of.values.lower; v <= of.values.upper; ++v) {
        INDEXICAL_ASSIGN_OR_RETURN(auto now,
                                   withCommonValue(before.pieces, key, v));
        next.push_back({std::move(now), {0}});
      }
    // If the value is outside of its bounds, nothing is read.
    if (of.restricts) next.emplace_back();
    cases = std::move(next);
  }
  if (mayReadNothing) cases.emplace_back();
  const auto shifts = shiftsOf(added, line);
  for (RuntimeCase &one : cases) one.shifts = shifts;
  return cases;
}

}  // namespace lanes
}  // namespace indexical
