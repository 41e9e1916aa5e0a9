#include "indexical/exact/regions.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Whether the source's index depends on dimensions alone, so that the value is
/// one for each index of the map.
bool dependsOnDimensionsAlone(const IndexingMap &piece,
                              const RuntimeVariable &variable) {
  bool alone = true;
  piece.expressions().visitVariables(variable.index, [&](VariableId id) {
    alone &= id.kind == VariableKind::Dimension;
  });
  return alone;
}

/// The index in canonical form on the dimensions' box: constraints do not bear
/// on it. Nothing if arithmetic leaves 64 bits.
std::optional<IndexingMap> canonicalIndex(const IndexingMap &piece,
                                          const RuntimeVariable &variable) {
  IndexingMapBuilder b;
  auto same = [&](VariableId id) { return b.pool().variable(id); };
  ExpressionImport import(piece.expressions(), b.pool(), same);
  for (const Variable &v : piece.dimensions()) b.dimension(v.bounds);
  for (FormId form : variable.index) b.result(b.expression(import(form)));
  auto map = b.build();
  if (map.ok()) map = simplify(*map);
  if (!map.ok() || map->isKnownEmpty()) return std::nullopt;
  return *std::move(map);
}

/// The index as text, in which names do not count.
std::string textOfIndex(const IndexingMap &piece,
                        const RuntimeVariable &variable) {
  auto index = canonicalIndex(piece, variable);
  std::string text;
  for (size_t i = 0; i < variable.index.size(); ++i)
    text += " " + (index ? index->str(index->results()[i])
                         : piece.str(variable.index[i]));
  return text;
}

bool dependsOnIndex(const IndexingMap &piece, const RuntimeVariable &variable) {
  if (!dependsOnDimensionsAlone(piece, variable)) return true;
  auto index = canonicalIndex(piece, variable);
  return !index || !llvm::all_of(index->results(), [&](FormId form) {
    return index->expressions().isConstant(form);
  });
}

/// A key that is the same for variables that are one. Variables that vary with
/// ranges are counted: the first one of a piece may be the first one of another
/// piece. The pairs compare the elements that they read.
std::string keyOf(const IndexingMap &piece, uint32_t i) {
  const RuntimeVariable &v = piece.runtime()[i];
  if (v.source.kind == RuntimeSource::Kind::None)
    return "name " + piece.nameOf({VariableKind::Runtime, i});
  std::string key = std::to_string(static_cast<int>(v.source.kind)) + " " +
                    std::to_string(v.source.tensor) + " " +
                    std::to_string(v.source.dimension) + " " +
                    std::to_string(v.source.count);
  if (v.clamped) key += " " + v.bounds.str();
  for (int64_t collective : v.collectives)
    key += " via " + std::to_string(collective);
  if (dependsOnDimensionsAlone(piece, v)) return key + textOfIndex(piece, v);
  size_t before = 0;
  for (const RuntimeVariable &other : piece.runtime().take_front(i))
    before +=
        other.source == v.source && !dependsOnDimensionsAlone(piece, other);
  return key + " varies " + std::to_string(before);
}

}  // namespace

Parameters::Parameters(
    std::initializer_list<const IndexingRelation *> relations) {
  std::vector<std::string> keys;
  for (const IndexingRelation *relation : relations)
    for (const IndexingMap &piece : relation->pieces()) {
      auto &numbers = numbers_[&piece];
      for (uint32_t i = 0; i < piece.runtime().size(); ++i) {
        std::string key = keyOf(piece, i);
        const RuntimeVariable &v = piece.runtime()[i];
        numbers.push_back(llvm::find(keys, key) - keys.begin());
        if (numbers.back() < keys.size()) {
          if (v.source.kind == RuntimeSource::Kind::None) {
            Interval &values = list_[numbers.back()].values;
            values = values.hull(v.bounds);
          }
          continue;
        }
        keys.push_back(std::move(key));
        Parameter parameter;
        parameter.variable = v;
        parameter.name = piece.nameOf({VariableKind::Runtime, i});
        parameter.owner = &piece;
        parameter.number = i;
        parameter.values =
            v.clamped || v.source.kind == RuntimeSource::Kind::None
                ? v.bounds
                : v.source.values();
        parameter.variesWithRanges = !dependsOnDimensionsAlone(piece, v);
        parameter.dependsOnIndex = dependsOnIndex(piece, v);
        vary_ |= parameter.variesWithRanges;
        list_.push_back(std::move(parameter));
      }
    }
}

System::Forms Parameters::addTo(System &system) const {
  System::Forms forms;
  for (const Parameter &parameter : list_)
    forms.push_back(system.add(parameter.values));
  return forms;
}

System::Forms PieceVariables::flat(const IndexingMap &piece,
                                   const Parameters &from) const {
  System::Forms forms = index;
  forms.append(ranges);
  for (uint32_t i = 0; i < piece.runtime().size(); ++i)
    forms.push_back(parameters[from.numberOf(piece, i)]);
  return forms;
}

absl::StatusOr<IndexingMap> regionOf(const IndexingMap &piece,
                                     const Parameters &parameters,
                                     Places places) {
  if (piece.isKnownEmpty()) return piece;
  System system;
  PieceVariables variables;
  for (const Variable &v : piece.dimensions())
    variables.index.push_back(system.add(v.bounds));
  variables.parameters = parameters.addTo(system);
  for (const Variable &v : piece.ranges())
    variables.ranges.push_back(system.add(v.bounds));
  auto flat = variables.flat(piece, parameters);
  auto element = system.addMap(piece, flat);
  system.outputs = variables.index;
  system.outputs.append(element);
  system.outputs.append(variables.parameters);
  for (size_t k = 0; k < parameters.size(); ++k) {
    if (places == Places::OfVarying && !parameters[k].variesWithRanges)
      continue;
    for (size_t j = 0; j < parameters[k].variable.index.size(); ++j) {
      FormId place = system.pool.constantForm(0);
      for (uint32_t i = 0; i < piece.runtime().size(); ++i)
        if (parameters.numberOf(piece, i) == k)
          place = system.import(piece, flat, {piece.runtime()[i].index[j]})[0];
      system.outputs.push_back(place);
    }
  }
  return system.simplified();
}

absl::StatusOr<std::vector<IndexingMap>> subtract(
    const IndexingMap &region, const IndexingMap &membership) {
  std::vector<IndexingMap> left;
  if (region.isKnownEmpty()) return left;
  if (membership.isKnownEmpty()) {
    left.push_back(region);
    return left;
  }
  System system;
  auto variables = system.addVariables(region);
  system.outputs = system.addMap(region, variables);
  // The conditions on the region's results that bounds do not show.
  VariableBounds box;
  box.variables[0].assign(system.box.begin(), system.box.end());
  ExpressionPool pool;
  CanonicalForms forms(pool, box);
  auto same = [&](VariableId id) { return forms.variable(id); };
  ExpressionImport results(system.pool, forms, same);
  auto replace = [&](VariableId id) {
    return results(system.outputs[id.index]);
  };
  ExpressionImport import(membership.expressions(), forms, replace);
  llvm::SmallVector<Constraint, 8> needed;
  bool apart = false;
  auto need = [&](FormId form, Interval bounds) {
    Interval known = forms.bounds(form);
    if (bounds.contains(known)) return;
    apart |= bounds.intersect(known).isEmpty();
    needed.push_back({form, bounds});
  };
  for (uint32_t i = 0; i < membership.dimensions().size(); ++i)
    need(replace({VariableKind::Dimension, i}),
         membership.dimensions()[i].bounds);
  for (const Constraint &c : membership.constraints())
    need(import(c.form), c.bounds);
  if (pool.overflowed())
    return absl::OutOfRangeError(
        "arithmetic leaves the range of 64-bit integers");
  if (apart) {
    left.push_back(region);
    return left;
  }
  auto back = [&](VariableId id) { return system.pool.variable(id); };
  ExpressionImport ours(pool, system.pool, back);
  for (Constraint &c : needed) {
    FormId form = ours(c.form);
    llvm::SmallVector<Interval, 2> sides;
    // No number is beyond the last ones but one, which are open sides.
    if (c.bounds.hasLower() && c.bounds.lower > -Interval::kInfinity)
      sides.push_back({Interval::kMinusInfinity, c.bounds.lower - 1});
    if (c.bounds.hasUpper() && c.bounds.upper < Interval::kInfinity - 1)
      sides.push_back({c.bounds.upper + 1, Interval::kInfinity});
    for (Interval side : sides) {
      System outside = system;
      outside.require(form, side);
      if (llvm::any_of(outside.box, [](Interval b) { return b.isEmpty(); }))
        continue;
      INDEXICAL_ASSIGN_OR_RETURN(auto set, outside.simplified());
      if (!set.isKnownEmpty()) left.push_back(std::move(set));
    }
    system.require(form, c.bounds);
  }
  return left;
}

PairWitness witnessOf(llvm::ArrayRef<int64_t> results, size_t indexSize,
                      size_t elementSize, const Parameters &parameters) {
  PairWitness witness;
  witness.index.assign(results.begin(), results.begin() + indexSize);
  results = results.drop_front(indexSize);
  witness.element.assign(results.begin(), results.begin() + elementSize);
  results = results.drop_front(elementSize);
  for (size_t i = 0; i < parameters.size(); ++i)
    witness.runtime.push_back({parameters[i].name, results[i]});
  return witness;
}

std::optional<Values> resultsAt(const IndexingMap &region,
                                llvm::ArrayRef<int64_t> point) {
  PointValues values(region.expressions());
  if (!values.set(point)) return std::nullopt;
  Values results;
  for (FormId form : region.results()) {
    auto value = values(form);
    if (!value) return std::nullopt;
    results.push_back(*value);
  }
  return results;
}

}  // namespace indexical
