#include "indexical/exact/free_runtime.h"

#include <limits>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Whether all variables of the form are among these runtime variables.
bool namesOnly(const IndexingMap &map, FormId form,
               const llvm::SmallBitVector &runtime) {
  bool isSo = true;
  map.expressions().visitVariables({form}, [&](VariableId id) {
    isSo &= id.kind == VariableKind::Runtime && runtime[id.index];
  });
  return isSo;
}

/// Returns the variables that have no source and no use: none is in a result or
/// an index, and a constraint that names one names only these.
llvm::SmallBitVector freeRuntimeOf(const IndexingMap &map) {
  llvm::SmallBitVector free(map.runtime().size());
  llvm::SmallVector<FormId, 8> forms(map.resultsAndMembers());
  for (auto [i, variable] : llvm::enumerate(map.runtime())) {
    free[i] = hasNoSource(variable);
    forms.append(variable.index.begin(), variable.index.end());
  }
  auto use = [&](llvm::ArrayRef<FormId> used) {
    map.expressions().visitVariables(used, [&](VariableId id) {
      if (id.kind == VariableKind::Runtime) free.reset(id.index);
    });
  };
  if (free.any()) use(forms);
  for (size_t before = map.runtime().size() + 1; free.count() < before;) {
    before = free.count();
    for (const Constraint &c : map.constraints())
      if (!namesOnly(map, c.form, free)) use({c.form});
  }
  return free;
}

bool isWithoutValue(const IndexingMap &map) {
  auto isEmpty = [](const auto &variable) { return variable.bounds.isEmpty(); };
  return llvm::any_of(map.ranges(), isEmpty) ||
         llvm::any_of(map.runtime(), isEmpty);
}

/// Returns the map with the names that its runtime variables have by their
/// numbers, which change when one is dropped: the name says which one it is.
absl::StatusOr<IndexingMap> withNames(const IndexingMap &map) {
  uint32_t next = 0;
  return withRuntime(map, [&](IndexingMapBuilder &, RuntimeVariable &v) {
    v.name = map.nameOf({VariableKind::Runtime, next++});
  });
}

/// Whether there are values of the free variables that meet the constraints on
/// these alone. Notes them in `values`.
Answer haveValues(const IndexingMap &map, const llvm::SmallBitVector &free,
                  const ExactOptions &options, NamedValues &values) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 4> variables;
  for (const RuntimeVariable &variable : map.runtime())
    variables.push_back(b.dimension(variable.bounds));
  auto replace = [&](VariableId id) { return variables[id.index].form(); };
  ExpressionImport import(map.expressions(), b.pool(), replace);
  bool isBound = false;
  for (const Constraint &c : map.constraints())
    if (namesOnly(map, c.form, free)) {
      b.constraint(b.expression(import(c.form)), c.bounds);
      isBound = true;
    }
  if (!isBound) return Answer::Yes;
  auto made = b.build();
  if (!made.ok()) return Answer::Undecided;
  const auto isNone = isEmpty(IndexingRelation(*made), options);
  if (!isNone.ok() || isNone->answer == Answer::Undecided)
    return Answer::Undecided;
  if (isNone->answer == Answer::Yes) return Answer::No;
  for (unsigned i : free.set_bits())
    if (isNone->witness && i < isNone->witness->index.size())
      values.try_emplace(map.nameOf({VariableKind::Runtime, i}),
                         isNone->witness->index[i]);
  return Answer::Yes;
}

/// Returns the map in other words if a constraint joins a variable without a
/// source with others: there the dimensions may make no difference, as in
/// `d0 + rt0 in [4, inf]` if d0 is 1. Simplification keeps what it knows of a
/// variable that has a source.
IndexingMap withPlainConstraints(const IndexingMap &map) {
  const llvm::SmallBitVector free = freeRuntimeOf(map);
  bool joins = false;
  for (const Constraint &c : map.constraints())
    map.expressions().visitVariables({c.form}, [&](VariableId id) {
      joins |= id.kind == VariableKind::Runtime && !free[id.index] &&
               hasNoSource(map.runtime()[id.index]);
    });
  if (!joins) return map;
  constexpr int64_t kNoTensor = std::numeric_limits<int64_t>::min();
  int64_t next = 0;
  auto plain = withNames(map);
  if (plain.ok())
    plain = withRuntime(*plain, [&](IndexingMapBuilder &, RuntimeVariable &v) {
      const int64_t number = next++;
      if (!hasNoSource(v)) return;
      v.source.kind = RuntimeSource::Kind::Element;
      v.source.tensor = kNoTensor + number;
    });
  if (plain.ok()) plain = simplify(*plain);
  if (plain.ok())
    plain = withRuntime(*plain, [&](IndexingMapBuilder &, RuntimeVariable &v) {
      if (v.source.tensor < kNoTensor + next) v.source = RuntimeSource();
    });
  return plain.ok() ? *std::move(plain) : map;
}

/// Notes the first value of each free variable whose bounds are others than
/// those of the map.
void noteFirstValues(const IndexingMap &map, const IndexingMap &plain,
                     const llvm::SmallBitVector &free, NamedValues &values) {
  std::map<std::string, Interval> before;
  for (auto [i, variable] : llvm::enumerate(map.runtime()))
    before.emplace(
        map.nameOf({VariableKind::Runtime, static_cast<uint32_t>(i)}),
        variable.bounds);
  for (unsigned i : free.set_bits()) {
    const std::string name = plain.nameOf({VariableKind::Runtime, i});
    const Interval bounds = plain.runtime()[i].bounds;
    if (!bounds.isEmpty() && before[name] != bounds)
      values.try_emplace(name, bounds.hasLower() ? bounds.lower : bounds.upper);
  }
}

/// The values that all maps allow of each variable without a source, or those
/// of one map if there are none.
std::map<std::string, Interval> boundsByName(
    std::initializer_list<const IndexingRelation *> relations) {
  std::map<std::string, Interval> all;
  for (const IndexingRelation *relation : relations)
    for (const IndexingMap &piece : relation->pieces())
      for (auto [i, variable] : llvm::enumerate(piece.runtime())) {
        if (!hasNoSource(variable) || variable.bounds.isEmpty()) continue;
        auto [at, isNew] = all.try_emplace(
            piece.nameOf({VariableKind::Runtime, static_cast<uint32_t>(i)}),
            variable.bounds);
        const Interval both = at->second.intersect(variable.bounds);
        if (!both.isEmpty()) at->second = both;
      }
  return all;
}

}  // namespace

std::optional<IndexingRelation> withoutFreeRuntime(
    const IndexingRelation &relation, const ExactOptions &options,
    NamedValues &values) {
  std::vector<IndexingMap> pieces;
  for (const IndexingMap &piece : relation.pieces())
    pieces.push_back(withPlainConstraints(piece));
  if (llvm::none_of(pieces, [](const IndexingMap &piece) {
        return freeRuntimeOf(piece).any();
      }))
    return std::nullopt;
  IndexingRelation other;
  for (size_t n = 0; n < pieces.size(); ++n) {
    const IndexingMap &piece = pieces[n];
    if (isWithoutValue(piece)) continue;
    const llvm::SmallBitVector free = freeRuntimeOf(piece);
    const Answer have = haveValues(piece, free, options, values);
    noteFirstValues(relation.pieces()[n], piece, free, values);
    if (have == Answer::Undecided) return std::nullopt;
    if (have == Answer::No) continue;
    auto named = withNames(piece);
    if (named.ok())
      named = withBody(*named, [&](IndexingMapBuilder &, MapBody &body) {
        llvm::SmallVector<std::pair<Expr, Interval>, 4> kept;
        for (auto [constraint, own] :
             llvm::zip(body.constraints, piece.constraints()))
          if (!namesOnly(piece, own.form, free)) kept.push_back(constraint);
        body.constraints = std::move(kept);
      });
    if (!named.ok()) return std::nullopt;
    other.add(dropUnused(*named));
  }
  other.weaken(relation.precision());
  return other;
}

void addFreeValues(std::initializer_list<const IndexingRelation *> relations,
                   const NamedValues &known, PairWitness &witness) {
  auto &values = witness.runtime;
  for (const auto &[name, bounds] : boundsByName(relations)) {
    if (llvm::any_of(values, [&name = name](const auto &value) {
          return value.first == name;
        }))
      continue;
    if (const auto value = known.find(name);
        value != known.end() && bounds.contains(value->second)) {
      values.push_back(*value);
      continue;
    }
    values.push_back({name, bounds.hasLower()   ? bounds.lower
                            : bounds.hasUpper() ? bounds.upper
                                                : 0});
  }
}

}  // namespace indexical
