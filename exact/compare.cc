// Questions about pairs: is there one, are all of these among those.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include "indexical/exact/exact.h"
#include "indexical/exact/free_runtime.h"
#include "indexical/exact/isl.h"
#include "indexical/exact/pairs.h"
#include "indexical/exact/projection.h"
#include "indexical/exact/replay.h"
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
  const PairWitness &witness = *decision.witness;
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

absl::Status checkRanks(const IndexingRelation &a, const IndexingRelation &b) {
  Ranks ranks;
  INDEXICAL_RETURN_IF_ERROR(ranks.add(a));
  return ranks.add(b);
}

/// Says that a difference is not known if its witness does not show it.
void doubtUnless(bool isShown, Decision &decision) {
  if (isShown || decision.answer != Answer::No) return;
  decision.answer = Answer::Undecided;
  decision.witness.reset();
  decision.reason = kNotShown;
}

void check(Claim claim, const IndexingRelation &a, const IndexingRelation &b,
           const ExactOptions &options, Decision &decision) {
  if (decision.answer == Answer::No)
    doubtUnless(holds(claim, a, b, *decision.witness, options), decision);
}

/// Whether all runtime variables have sources. Simplification drops conditions
/// on the others: it assumes that a value exists, but here the values are
/// given.
bool haveSources(const IndexingRelation &relation) {
  return llvm::all_of(relation.pieces(), [](const IndexingMap &piece) {
    return llvm::none_of(piece.runtime(), hasNoSource);
  });
}

absl::StatusOr<Decision> subsetAsGiven(const IndexingRelation &a,
                                       const IndexingRelation &b,
                                       const ExactOptions &options) {
  Pairs pairs{&a, &b};
  INDEXICAL_RETURN_IF_ERROR(pairs.build());
  Engines engines(options);
  if (!pairs.overflow().empty()) return undecided(engines, pairs.overflow());
  Decision decision =
      decisionOf(missing(pairs.of(0), pairs.of(1), engines), engines, pairs);
  doubt(pairs, decision);
  check(Claim::FirstReads, a, b, options, decision);
  return engines.unlessStopped(std::move(decision));
}

absl::StatusOr<Decision> equalAsGiven(const IndexingRelation &a,
                                      const IndexingRelation &b,
                                      const ExactOptions &options) {
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
    check(Claim::OneReads, a, b, options, first);
    return engines.unlessStopped(std::move(first));
  }
  Decision second =
      decisionOf(missing(pairs.of(1), pairs.of(0), engines), engines, pairs);
  if (second.answer == Answer::No) {
    second.witness->onlyIn = PairWitness::Side::Second;
    doubt(pairs, second);
    check(Claim::OneReads, a, b, options, second);
    return engines.unlessStopped(std::move(second));
  }
  second.engine = engines.engine();
  return engines.unlessStopped(
      std::move(first.answer == Answer::Undecided ? first : second));
}

absl::StatusOr<Decision> disjointAsGiven(const IndexingRelation &a,
                                         const IndexingRelation &b,
                                         const ExactOptions &options) {
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
        return engines.unlessStopped(
            undecided(engines, std::string(set.status().message())));
      if (!set->isKnownEmpty()) common.push_back(*std::move(set));
    }
  Decision decision =
      decisionOf(sampleResults(common, engines), engines, pairs);
  doubt(pairs, decision);
  check(Claim::BothRead, a, b, options, decision);
  return engines.unlessStopped(std::move(decision));
}

/// A question about two relations as they stand.
using Question = absl::StatusOr<Decision> (*)(const IndexingRelation &,
                                              const IndexingRelation &,
                                              const ExactOptions &);

/// Looks for a witness that holds of the relations as they were given: what
/// reads the element is taken as it stands, what does not without its free
/// variables. Returns nothing if there is none.
std::optional<PairWitness> otherWitness(Claim claim, const IndexingRelation &a,
                                        const IndexingRelation &b,
                                        const IndexingRelation &freeA,
                                        const IndexingRelation &freeB,
                                        const ExactOptions &options) {
  auto tried = [&](const IndexingRelation &reading,
                   const IndexingRelation &other,
                   PairWitness::Side side) -> std::optional<PairWitness> {
    const auto within = claim == Claim::BothRead
                            ? disjointAsGiven(reading, other, options)
                            : subsetAsGiven(reading, other, options);
    if (!within.ok() || !within->witness) return std::nullopt;
    PairWitness witness = *within->witness;
    witness.onlyIn = side;
    addFreeValues({&a, &b}, {}, witness);
    return holds(claim, a, b, witness, options) ? std::optional(witness)
                                                : std::nullopt;
  };
  if (claim == Claim::BothRead) return tried(a, b, PairWitness::Side::First);
  if (auto found = tried(a, freeB, PairWitness::Side::First)) return found;
  if (claim == Claim::FirstReads) return std::nullopt;
  return tried(b, freeA, PairWitness::Side::Second);
}

/// Asks the question of relations without variables that say nothing. A witness
/// is one of the relations as they were given, else there is no answer.
absl::StatusOr<Decision> askWithoutFree(Question ask, Claim claim,
                                        const IndexingRelation &a,
                                        const IndexingRelation &b,
                                        const ExactOptions &options) {
  NamedValues found;
  const auto first = withoutFreeRuntime(a, options, found),
             second = withoutFreeRuntime(b, options, found);
  const IndexingRelation &freeA = first ? *first : a,
                         &freeB = second ? *second : b;
  auto decision = ask(freeA, freeB, options);
  if ((!first && !second) || !decision.ok() || !decision->witness)
    return decision;
  // A witness names a value of every variable that the maps have.
  addFreeValues({&a, &b}, found, *decision->witness);
  if (holds(claim, a, b, *decision->witness, options)) return decision;
  decision->witness = otherWitness(claim, a, b, freeA, freeB, options);
  INDEXICAL_RETURN_IF_ERROR(options.check());
  if (decision->witness) return decision;
  // What is the same at every value of the variables is the same.
  auto same = ask(a, b, options);
  if (!same.ok() || same->answer == Answer::Yes) return same;
  decision->answer = Answer::Undecided;
  decision->reason =
      "no values of the runtime variables were found that show "
      "the difference";
  return decision;
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
  Decision decision =
      decisionOf(sampleResults(pairs.of(0), engines), engines, pairs);
  if (decision.answer == Answer::No)
    doubtUnless(holds(relation, *decision.witness, options), decision);
  return engines.unlessStopped(std::move(decision));
}

absl::StatusOr<Decision> isSubset(const IndexingRelation &a,
                                  const IndexingRelation &b,
                                  const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(a, b)))
    return onDeepStack([&] { return isSubset(a, b, options); });
  const StopScope scope(options.stop);
  INDEXICAL_RETURN_IF_ERROR(checkRanks(a, b));
  return askWithoutFree(subsetAsGiven, Claim::FirstReads, a, b, options);
}

absl::StatusOr<Decision> areEqual(const IndexingRelation &a,
                                  const IndexingRelation &b,
                                  const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(a, b)))
    return onDeepStack([&] { return areEqual(a, b, options); });
  const StopScope scope(options.stop);
  INDEXICAL_RETURN_IF_ERROR(checkRanks(a, b));
  return askWithoutFree(equalAsGiven, Claim::OneReads, a, b, options);
}

absl::StatusOr<Decision> areDisjoint(const IndexingRelation &a,
                                     const IndexingRelation &b,
                                     const ExactOptions &options) {
  if (!hasStack(stackOfQuestion(a, b)))
    return onDeepStack([&] { return areDisjoint(a, b, options); });
  const StopScope scope(options.stop);
  INDEXICAL_RETURN_IF_ERROR(checkRanks(a, b));
  return askWithoutFree(disjointAsGiven, Claim::BothRead, a, b, options);
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
          return engines.unlessStopped(
              undecided(engines, std::string(set.status().message())));
        if (!set->isKnownEmpty()) others.push_back(*std::move(set));
      }
  }
  Decision decision =
      decisionOf(sampleResults(others, engines), engines, pairs);
  if (decision.answer == Answer::No)
    doubtUnless(holds(relation, *decision.witness, options), decision);
  return engines.unlessStopped(std::move(decision));
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
