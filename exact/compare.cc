// Questions about pairs: is there one, are all of these among those.
#include <algorithm>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallBitVector.h"

#include "indexical/exact/exact.h"
#include "indexical/exact/isl.h"
#include "indexical/exact/pairs.h"
#include "indexical/exact/projection.h"
#include "indexical/exact/same_form.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/stop_scope.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// A result of `a` that is not one of `b`, found by subtracting memberships.
Sample missingByForms(llvm::ArrayRef<IndexingMap> a,
                      llvm::ArrayRef<IndexingMap> b, Engines &engines) {
  std::vector<IndexingMap> left(a.begin(), a.end());
  for (const IndexingMap &region : b) {
    if (left.empty()) break;
    auto membership = resultsOf(region);
    if (!membership.ok() || !membership->plain) {
      engines.noteReason("the pairs cannot be written without ranges");
      return {};
    }
    std::vector<IndexingMap> next;
    for (const IndexingMap &part : left) {
      auto outside = subtract(part, membership->set);
      if (!outside.ok()) {
        engines.noteReason(std::string(outside.status().message()));
        return {};
      }
      next.insert(next.end(), outside->begin(), outside->end());
    }
    left = std::move(next);
    if (static_cast<int64_t>(left.size()) > engines.options().mostPieces) {
      engines.noteReason("there are more than " +
                         std::to_string(engines.options().mostPieces) +
                         " pieces");
      return {};
    }
  }
  return sampleResults(left, engines);
}

/// A result of `a` that is not one of `b`, found by visiting all results of
/// both.
Sample missingByEnumeration(llvm::ArrayRef<IndexingMap> a,
                            llvm::ArrayRef<IndexingMap> b, Engines &engines) {
  std::set<Values> known;
  for (const IndexingMap &region : b) {
    bool done = engines.visitResults(region, [&](Values results) {
      known.insert(std::move(results));
      return true;
    });
    if (!done) return {};
  }
  Sample missing = Sample::nothing();
  for (const IndexingMap &region : a) {
    bool done = engines.visitResults(region, [&](Values results) {
      if (known.count(results)) return true;
      missing = Sample::of(std::move(results));
      return false;
    });
    if (missing.found == Sample::Found::Point) break;
    if (!done) return {};
  }
  engines.used(Engine::Enumeration);
  return missing;
}

Sample missing(llvm::ArrayRef<IndexingMap> a, llvm::ArrayRef<IndexingMap> b,
               Engines &engines) {
  using Found = Sample::Found;
  const ExactOptions &options = engines.options();
  if (a.empty()) return Sample::nothing();
  if (options.closedForm) {
    Sample sample = missingByForms(a, b, engines);
    if (sample.found != Found::Unknown) return sample;
  }
  if (options.enumeration) {
    Sample sample = missingByEnumeration(a, b, engines);
    if (sample.found != Found::Unknown) return sample;
  }
  if (options.isl && hasIsl()) {
    Sample sample = Sample::nothing();
    for (const IndexingMap &region : a) {
      Sample own = isl::resultNotIn(region, b, engines.meter());
      if (own.found != Found::Nothing) sample = own;
      if (own.found == Found::Point) break;
    }
    if (sample.found != Found::Unknown) {
      engines.used(Engine::Isl);
      return sample;
    }
  }
  if (engines.reason().empty())
    engines.noteReason("the budget of operations ended");
  return {};
}

/// A difference in values that depend on ranges may be none: other ranges read
/// the same.
void doubtVarying(const Pairs &pairs, Decision &decision) {
  if (decision.answer != Answer::No || !pairs.parameters().varyWithRanges())
    return;
  decision.answer = Answer::Undecided;
  decision.witness.reset();
  decision.reason = "the value of a runtime variable depends on ranges";
}

/// A witness whose runtime variables cannot have their values shows nothing.
void doubtRelated(const Pairs &pairs, Decision &decision) {
  if (decision.answer != Answer::No) return;
  const Witness &witness = *decision.witness;
  Values values;
  for (const auto &entry : witness.runtime) values.push_back(entry.second);
  llvm::SmallVector<Reading, 4> readings;
  addReadings(pairs.parameters(), witness.index, values, readings);
  if (areConsistent(readings)) return;
  decision.answer = Answer::Undecided;
  decision.witness.reset();
  decision.reason = "two runtime variables take their values from one element";
}

void doubt(const Pairs &pairs, Decision &decision) {
  doubtVarying(pairs, decision);
  doubtRelated(pairs, decision);
}

bool hasNoSource(const RuntimeVariable &variable) {
  return variable.source.kind == RuntimeSource::Kind::None;
}

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

/// Values of variables, by name.
using NamedValues = std::map<std::string, int64_t>;

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

/// Returns the relation without the variables that have no source and no use:
/// those that have values are no part of its map, and those without leave
/// nothing of it. Returns nothing if there are none. Notes values of theirs.
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

absl::Status checkRanks(const IndexingRelation &a, const IndexingRelation &b) {
  Ranks ranks;
  INDEXICAL_RETURN_IF_ERROR(ranks.add(a));
  return ranks.add(b);
}

/// Asks the question of relations without variables that say nothing. Returns
/// nothing if they are these already.
using Question = absl::StatusOr<Decision> (*)(const IndexingRelation &,
                                              const IndexingRelation &,
                                              const ExactOptions &);
std::optional<absl::StatusOr<Decision>> withoutFreeRuntime(
    Question ask, const IndexingRelation &a, const IndexingRelation &b,
    const ExactOptions &options) {
  NamedValues found;
  const auto first = withoutFreeRuntime(a, options, found),
             second = withoutFreeRuntime(b, options, found);
  if (!first && !second) return std::nullopt;
  auto decision = ask(first ? *first : a, second ? *second : b, options);
  if (!decision.ok() || !decision->witness) return decision;
  // A witness names a value of every variable that the maps have.
  auto &values = decision->witness->runtime;
  for (const auto &named : boundsByName({&a, &b})) {
    if (llvm::any_of(values, [&](const auto &value) {
          return value.first == named.first;
        }))
      continue;
    const Interval bounds = named.second;
    if (const auto value = found.find(named.first);
        value != found.end() && bounds.contains(value->second)) {
      values.push_back(*value);
      continue;
    }
    values.push_back({named.first, bounds.hasLower()   ? bounds.lower
                                   : bounds.hasUpper() ? bounds.upper
                                                       : 0});
  }
  return decision;
}

/// Whether all runtime variables have sources. Simplification drops conditions
/// on the others: it assumes that a value exists, but here the values are
/// given.
bool haveSources(const IndexingRelation &relation) {
  return llvm::all_of(relation.pieces(), [](const IndexingMap &piece) {
    return llvm::none_of(piece.runtime(), hasNoSource);
  });
}

}  // namespace

llvm::StringRef answerName(Answer answer) {
  switch (answer) {
    case Answer::Yes:
      return "yes";
    case Answer::No:
      return "no";
    case Answer::Undecided:
      return "undecided";
  }
  return "";
}

absl::StatusOr<Decision> isEmpty(const IndexingRelation &relation,
                                 const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(relation)))
    return onDeepStack([&] { return isEmpty(relation, options); });
  const StopScope scope(options.stop);
  Pairs pairs{&relation};
  INDEXICAL_RETURN_IF_ERROR(pairs.build());
  Engines engines(options);
  if (!pairs.overflow().empty()) return undecided(engines, pairs.overflow());
  return engines.unlessStopped(
      decisionOf(sampleResults(pairs.of(0), engines), engines, pairs));
}

absl::StatusOr<Decision> isSubset(const IndexingRelation &a,
                                  const IndexingRelation &b,
                                  const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(a, b)))
    return onDeepStack([&] { return isSubset(a, b, options); });
  const StopScope scope(options.stop);
  INDEXICAL_RETURN_IF_ERROR(checkRanks(a, b));
  if (auto asked = withoutFreeRuntime(isSubset, a, b, options)) return *asked;
  Pairs pairs{&a, &b};
  INDEXICAL_RETURN_IF_ERROR(pairs.build());
  Engines engines(options);
  if (!pairs.overflow().empty()) return undecided(engines, pairs.overflow());
  Decision decision =
      decisionOf(missing(pairs.of(0), pairs.of(1), engines), engines, pairs);
  doubt(pairs, decision);
  return engines.unlessStopped(std::move(decision));
}

absl::StatusOr<Decision> areEqual(const IndexingRelation &a,
                                  const IndexingRelation &b,
                                  const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(a, b)))
    return onDeepStack([&] { return areEqual(a, b, options); });
  const StopScope scope(options.stop);
  INDEXICAL_RETURN_IF_ERROR(checkRanks(a, b));
  if (auto asked = withoutFreeRuntime(areEqual, a, b, options)) return *asked;
  Engines engines(options);
  if (options.closedForm && haveSources(a) && haveSources(b) &&
      areSameForm(a, b)) {
    Decision decision;
    decision.answer = Answer::Yes;
    return decision;
  }
  Pairs pairs{&a, &b};
  INDEXICAL_RETURN_IF_ERROR(pairs.build());
  if (!pairs.overflow().empty()) return undecided(engines, pairs.overflow());
  Decision first =
      decisionOf(missing(pairs.of(0), pairs.of(1), engines), engines, pairs);
  if (first.answer == Answer::No) {
    doubt(pairs, first);
    return engines.unlessStopped(std::move(first));
  }
  Decision second =
      decisionOf(missing(pairs.of(1), pairs.of(0), engines), engines, pairs);
  if (second.answer == Answer::No) {
    second.witness->onlyIn = Witness::Side::Second;
    doubt(pairs, second);
    return engines.unlessStopped(std::move(second));
  }
  second.engine = engines.engine();
  return engines.unlessStopped(
      std::move(first.answer == Answer::Undecided ? first : second));
}

absl::StatusOr<Decision> areDisjoint(const IndexingRelation &a,
                                     const IndexingRelation &b,
                                     const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(a, b)))
    return onDeepStack([&] { return areDisjoint(a, b, options); });
  const StopScope scope(options.stop);
  INDEXICAL_RETURN_IF_ERROR(checkRanks(a, b));
  if (auto asked = withoutFreeRuntime(areDisjoint, a, b, options))
    return *asked;
  Pairs pairs{&a, &b};
  INDEXICAL_RETURN_IF_ERROR(pairs.build());
  Engines engines(options);
  if (!pairs.overflow().empty()) return undecided(engines, pairs.overflow());
  std::vector<IndexingMap> common;
  for (const IndexingMap &x : pairs.of(0))
    for (const IndexingMap &y : pairs.of(1)) {
      auto all = llvm::to_vector(llvm::seq<size_t>(x.results().size()));
      auto meeting = meet(x, y, all);
      if (!meeting) return undecided(engines, kLeaves64Bits);
      meeting->system.outputs = meeting->a;
      auto set = meeting->system.simplified();
      if (!set.ok())
        return undecided(engines, std::string(set.status().message()));
      if (!set->isKnownEmpty()) common.push_back(*std::move(set));
    }
  Decision decision =
      decisionOf(sampleResults(common, engines), engines, pairs);
  doubt(pairs, decision);
  return engines.unlessStopped(std::move(decision));
}

absl::StatusOr<Decision> isIdentity(const IndexingRelation &relation,
                                    const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(relation)))
    return onDeepStack([&] { return isIdentity(relation, options); });
  const StopScope scope(options.stop);
  Pairs pairs{&relation};
  INDEXICAL_RETURN_IF_ERROR(pairs.build());
  Engines engines(options);
  if (!pairs.overflow().empty()) return undecided(engines, pairs.overflow());
  std::vector<IndexingMap> others;
  for (const IndexingMap &region : pairs.of(0)) {
    const size_t rank = pairs.indexRank();
    if (rank != pairs.elementRank())
      return absl::InvalidArgumentError(
          "an identity has as many results as dimensions");
    for (size_t i = 0; i < rank; ++i)
      for (Interval side : {Interval{1, Interval::kInfinity},
                            Interval{Interval::kMinusInfinity, -1}}) {
        System system;
        auto variables = system.addVariables(region);
        system.outputs = system.addMap(region, variables);
        system.require(
            system.pool.sub(system.outputs[rank + i], system.outputs[i]), side);
        auto set = system.simplified();
        if (!set.ok())
          return undecided(engines, std::string(set.status().message()));
        if (!set->isKnownEmpty()) others.push_back(*std::move(set));
      }
  }
  return engines.unlessStopped(
      decisionOf(sampleResults(others, engines), engines, pairs));
}

absl::StatusOr<Decision> isSurjective(const IndexingRelation &relation,
                                      llvm::ArrayRef<Interval> box,
                                      const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(relation)))
    return onDeepStack([&] { return isSurjective(relation, box, options); });
  const StopScope scope(options.stop);
  // Elements for indices: every one of the box is to be in the image.
  IndexingMapBuilder b;
  for (Interval side : box) b.dimension(side);
  INDEXICAL_ASSIGN_OR_RETURN(auto whole, b.build());
  INDEXICAL_ASSIGN_OR_RETURN(auto read, image(relation));
  if (read.precision() != Precision::Exact) {
    Decision decision;
    decision.reason = "the elements that are read are not known exactly";
    return decision;
  }
  auto decision = isSubset(IndexingRelation(whole), read, options);
  if (decision.ok() && decision->witness) {
    decision->witness->element = std::move(decision->witness->index);
    decision->witness->index.clear();
  }
  return decision;
}

}  // namespace indexical
