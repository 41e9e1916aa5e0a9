#include "indexical/same/values/sameness.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/program/maps/trips_as_calls.h"
#include "indexical/same/equality/hidden_effects.h"
#include "indexical/same/values/deciding_ops.h"
#include "indexical/same/values/same_layers.h"
#include "indexical/same/values/same_loops.h"

namespace indexical {
namespace {

// The steps of a first question about values.
constexpr int64_t kQuickSteps = 1'000'000;

/// The answer about modules whose values are equal.
Verdict::Answer answerOfEqual(const ModuleEquality &reads) {
  if (reads.answer != Answer::No) return Verdict::Same;
  const bool areFewer =
      llvm::all_of(reads.leaves, [](const LeafEquality &leaf) {
        return leaf.decision.answer == Answer::Yes ||
               (leaf.decision.answer == Answer::No && leaf.isFewer);
      });
  return areFewer ? Verdict::FewerReads : Verdict::OtherReads;
}

bool hasFloats(const Module &module) {
  for (const Computation &computation : module.computations)
    for (const Instruction &i : computation.instructions)
      for (const ArrayShape &shape : shapesOf(i.op).results)
        if (classOf(shape.type) == kFloats) return true;
  return false;
}

/// Returns the option with the fewest laws of floats by which the values are
/// equal, or "".
std::string lawsOfFloats(const Module &first, const Module &second,
                         const SamenessOptions &options) {
  const FloatLaws assumed = options.values->floats;
  if (!hasFloats(first)) return "";
  return lawsThatDecide(assumed, [&](FloatLaws laws) {
    ValueOptions values;
    values.floats = laws;
    const auto equality = compareValues(first, second, values, options);
    return equality.ok() && equality->isEqual;
  });
}

/// Returns what would, or may, decide what is undecided.
std::vector<std::string> decidersOf(const Sameness &same, const Module &first,
                                    const Module &second,
                                    const SamenessOptions &options) {
  std::vector<std::string> deciders;
  if (!options.namesDeciders) return deciders;
  if (same.values && same.values->isSpent) {
    deciders.push_back("--budget");
  } else if (same.values) {
    if (std::string laws = lawsOfFloats(first, second, options); !laws.empty())
      deciders.push_back(std::move(laws));
  }
  SamenessOptions again = options;
  again.namesDeciders = false;
  if (again.values) again.values->asksSolver = false;
  again.certificates = nullptr;
  again.progress = nullptr;
  llvm::append_range(
      deciders, opsThatDecide(first, second, same.reads.leaves,
                              [&](const Module &one, const Module &other) {
                                const auto decided = compare(one, other, again);
                                return decided.ok() &&
                                       decided->verdict.isSame();
                              }));
  return deciders;
}

/// Returns the first witness of a difference: numbers before reads.
std::optional<Witness> witnessOf(const Sameness &same) {
  if (same.values)
    for (const LeafValue &leaf : same.values->leaves)
      if (leaf.witness) return leaf.witness;
  for (const LeafEquality &leaf : same.reads.leaves)
    if (leaf.decision.witness) return witnessOf(leaf);
  return std::nullopt;
}

/// Returns an instruction of the entry as it is written.
DivergentValue writtenAt(const Module &module, InstructionId i) {
  const Computation &entry = module.computations[module.entry];
  const Instruction &of = entry.instructions[i];
  std::vector<std::string> operands;
  for (InstructionId operand : of.operands)
    operands.push_back(entry.instructions[operand].name.str());
  DivergentValue made;
  made.computation = entry.name.str();
  made.instruction = of.name.str();
  made.opcode = of.opcode.str();
  made.line = static_cast<int32_t>(of.place.line);
  made.term = made.opcode + "(" + llvm::join(operands, ", ") + ")";
  return made;
}

/// Compares values: as they are, and from one array to the next where the terms
/// are too large for few steps.
absl::StatusOr<ValueEquality> comparedInSteps(const Module &first,
                                              const Module &second,
                                              const ValueOptions &values,
                                              const EqualityOptions &options,
                                              const ModuleEquality &reads) {
  EqualityOptions quick = options;
  quick.operations = std::min(options.operationsOr(kQuickSteps), kQuickSteps);
  auto made = compareValues(first, second, values, quick, &reads);
  if (!made.ok() || made->isEqual || made->isDifferent ||
      !(made->isSpent || made->isShallow))
    return made;
  auto layers = compareByLayers(first, second, values, options);
  INDEXICAL_RETURN_IF_ERROR(options.check());
  if (layers && layers->equality.isEqual) return std::move(layers->equality);
  made = compareValues(first, second, values, options, &reads);
  if (!layers || !layers->partings[1] || !made.ok()) return made;
  for (LeafValue &leaf : made->leaves) {
    if (leaf.isEqual || leaf.witness) continue;
    if (leaf.divergence) break;
    leaf.divergence.emplace();
    if (layers->partings[0])
      leaf.divergence->first = writtenAt(first, *layers->partings[0]);
    leaf.divergence->second = writtenAt(second, *layers->partings[1]);
    break;
  }
  return made;
}

absl::StatusOr<Sameness> comparedAsWritten(const Module &first,
                                           const Module &second,
                                           const SamenessOptions &options) {
  Sameness same;
  INDEXICAL_ASSIGN_OR_RETURN(same.reads, compareReads(first, second, options));
  const Answer reads = same.reads.answer;
  Verdict &verdict = same.verdict;
  if (!options.values && reads != Answer::No) {
    if (reads == Answer::Yes)
      verdict.answer = Verdict::Same;
    else
      verdict.decidedBy = decidersOf(same, first, second, options);
    return same;
  }
  ValueOptions asked = options.values.value_or(ValueOptions());
  asked.explains = options.values.has_value();
  auto values = options.values
                    ? comparedInSteps(first, second, asked, options, same.reads)
                    : compareValues(first, second, asked, options, &same.reads);
  INDEXICAL_RETURN_IF_ERROR(options.check());
  if (!values.ok()) {
    // Results of other sizes, which reads can be compared of.
    if (options.values) return values.status();
    verdict.answer = Verdict::Different;
    return same;
  }
  const bool isDifferent = values->isDifferent;
  if (options.values || values->isEqual) verdict.level = Level::Values;
  // What a law drops may be what the reads differ in.
  if (values->isEqual)
    verdict.answer = answerOfEqual(same.reads);
  else if (isDifferent || (!options.values && !values->losesReads))
    verdict.answer = Verdict::Different;
  if (options.values || values->isEqual) same.values = *std::move(values);
  if (verdict.answer == Verdict::Undecided) {
    verdict.decidedBy = decidersOf(same, first, second, options);
    INDEXICAL_RETURN_IF_ERROR(options.check());
  }
  return same;
}

absl::StatusOr<Sameness> comparedByTrips(const Module &first,
                                         const Module &second,
                                         const SamenessOptions &options) {
  auto same = comparedAsWritten(first, second, options);
  if (!same.ok() || same->verdict.answer != Verdict::Undecided) return same;
  // A loop may be undecided where its trips are not: the sizes of its tiles are
  // numbers in each of them.
  const auto ofFirst = withTripsAsCalls(first),
             ofSecond = withTripsAsCalls(second);
  const Module &one = ofFirst ? *ofFirst : first,
               &other = ofSecond ? *ofSecond : second;
  if (ofFirst || ofSecond) {
    auto byTrips = comparedAsWritten(one, other, options);
    INDEXICAL_RETURN_IF_ERROR(options.check());
    if (byTrips.ok() && byTrips->verdict.answer != Verdict::Undecided)
      return byTrips;
  }
  if (!options.values) return same;
  if (auto values = equalByLoops(one, other, *options.values, options)) {
    same->verdict.settle(Level::Values, answerOfEqual(same->reads));
    same->values = *std::move(values);
  }
  INDEXICAL_RETURN_IF_ERROR(options.check());
  return same;
}

}  // namespace

std::string lawsThatDecide(FloatLaws assumed,
                           llvm::function_ref<bool(FloatLaws)> decides) {
  // Real numbers have all laws: without these, nothing decides.
  if (has(assumed, FloatLaws::Real) || !decides(assumed | FloatLaws::Real))
    return "";
  std::vector<llvm::StringRef> names;
  for (const FloatLawName &row : floatLawNames())
    if (row.laws != FloatLaws::None && has(assumed, row.laws))
      names.push_back(row.name);
  for (const FloatLawName &row : floatLawNames()) {
    const bool isNew = row.laws != FloatLaws::None && !has(assumed, row.laws);
    if (!isNew || (row.laws != FloatLaws::Real && !decides(assumed | row.laws)))
      continue;
    if (row.laws == FloatLaws::Real) names.clear();
    names.push_back(row.name);
    return "--float-laws=" + llvm::join(names, ",");
  }
  return "";
}

absl::StatusOr<Sameness> compare(const Module &first, const Module &second,
                                 const SamenessOptions &options) {
  auto same = comparedByTrips(first, second, options);
  if (!same.ok()) return same;
  Verdict &verdict = same->verdict;
  verdict.where = same->reads.where;
  if (same->values)
    verdict.laws.assign(same->values->laws.begin(), same->values->laws.end());
  if (verdict.isSame()) {
    verdict.assumed = assumptionsOf(first, second);
    if (same->values && same->values->ordersUpdates)
      verdict.assumed.push_back(
          "updates of a scatter that land on one element do so in their order");
  }
  if (verdict.answer == Verdict::Different) verdict.witness = witnessOf(*same);
  return same;
}

}  // namespace indexical
