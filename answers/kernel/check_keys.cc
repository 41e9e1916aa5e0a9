#include <vector>

#include "indexical/answers/kernel/keys.h"

namespace indexical {
namespace {

std::vector<UnmatchedEntry> unmatchedOf(const kernels::FusionComparison &of) {
  std::vector<UnmatchedEntry> all;
  for (const int64_t line : of.unmatchedLines) all.push_back({line});
  for (const kernels::UnmatchedUse &use : of.unmatchedUses)
    all.push_back({0, &use});
  return all;
}

/// Whether an element is missing, which has a key of its own.
bool lacksStore(const Verdict &verdict) {
  return verdict.witness && verdict.witness->kind == Witness::Kind::NotStored;
}

}  // namespace

template <>
KeyList<kernels::FusionComparison> keysOf<kernels::FusionComparison>() {
  static constexpr Key<kernels::FusionComparison> kKeys[] = {
      {"computation", "string", "never", "what the kernel is compared with",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         to.text(of.computation);
       }},
      {"verdict",
       "`\"same values\"`, `\"same elements\"`, `\"same tiles\"`, "
       "`\"undecided\"` or `\"different\"`",
       "never",
       "`same values`: the stores write every element of each result and "
       "nothing else, and what they store is what the fusion computes. `same "
       "elements`: it depends on the same elements of the parameters. `same "
       "tiles`: `answer` is `equal` or `more`, the stores write every element "
       "of each result and nothing else, and the pointers have the element "
       "types of the arrays. `different`: an element of a result is not "
       "stored, one outside of it is, or numbers of the parameters give "
       "another value than the fusion's.",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         to.text(sharedWord(of.verdict));
       }},
      {"reason", "string", "the verdict is not `undecided`",
       "why it is not one of the others",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         to.textIfAny(of.verdict.reason);
       }},
      {"witness", "[store](#a-store-outside-of-its-result)",
       "no store is outside of its result or has another value, or it is not "
       "known that one is or has",
       "",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         if (!lacksStore(of.verdict)) giveWitness(of.verdict.witness, to);
       }},
      {"laws", "list of strings", "none was needed",
       "of `--float-laws`, on which the verdict rests",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         to.textsIfAny(of.verdict.laws);
       }},
      {"assumed", "list of strings",
       "nothing is assumed; the verdict is `different` or `undecided`",
       "the assumptions of the verdict, each a condition: an unknown op of "
       "the fusion, or a function that is not in the file, has no effects",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         to.textsIfAny(of.verdict.assumed);
       }},
      {"values", "list of [differences](#a-stored-value-that-differs)",
       "all are the same", "the first terms that differ, one for each result",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         if (of.values.empty()) return;
         to.list(of.values, [](const kernels::ValueDifference &value,
                               KeyValue &each) { each.object(value); });
       }},
      {"not_stored", "[element](#an-element-that-is-not-stored)",
       "every element of each result is stored, or it is not known that one is "
       "not; with `witness`",
       "",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         if (lacksStore(of.verdict)) giveWitness(of.verdict.witness, to);
       }},
      {"answer",
       "`\"equal\"`, `\"more\"`, `\"less\"`, `\"different\"` or "
       "`\"undecided\"`",
       "never",
       "about the sets of elements that a program loads and stores, and no "
       "more; it decides no exit status. The worst of all pairs. `more`: "
       "elements are loaded that nothing needs. `less`: elements are "
       "missing. `different`: both, or a load that is not a use of the "
       "fusion, or a use that has no load",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         to.text(wordOf(of.tiles.answer));
       }},
      {"pairs", "list of [pairs](#an-argument-and-its-array)", "never",
       "one an argument",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         to.list(of.pairs, [](const kernels::ArgumentPair &pair,
                              KeyValue &each) { each.object(pair); });
       }},
      {"unmatched", "list of [places](#what-has-no-partner)", "never",
       "loads and uses that have no partner",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         to.list(unmatchedOf(of), [](const UnmatchedEntry &entry,
                                     KeyValue &each) { each.object(entry); });
       }},
  };
  return {"A kernel and its fusion", kKeys};
}

template <>
KeyList<kernels::ValueDifference> keysOf<kernels::ValueDifference>() {
  static constexpr Key<kernels::ValueDifference> kKeys[] = {
      {"result", "integer >= 0", "never", "the leaf of the result",
       [](const kernels::ValueDifference &of, KeyValue &to) {
         to.integer(of.result);
       }},
      {"line", "integer >= 0", "never", "of the store",
       [](const kernels::ValueDifference &of, KeyValue &to) {
         to.integer(of.line);
       }},
      {"first", "string", "it is not known", "what is stored, as a term",
       [](const kernels::ValueDifference &of, KeyValue &to) {
         to.textIfAny(of.kernel);
       }},
      {"second", "string", "it is not known",
       "what the fusion computes, as a term",
       [](const kernels::ValueDifference &of, KeyValue &to) {
         to.textIfAny(of.fusion);
       }},
      {"reason", "string", "both terms say it",
       "why they are not known to be the same",
       [](const kernels::ValueDifference &of, KeyValue &to) {
         to.textIfAny(of.reason);
       }},
  };
  return {"A stored value that differs", kKeys};
}

template <>
KeyList<kernels::ArgumentPair> keysOf<kernels::ArgumentPair>() {
  static constexpr Key<kernels::ArgumentPair> kKeys[] = {
      {"argument", "integer >= 0", "never", "",
       [](const kernels::ArgumentPair &of, KeyValue &to) {
         to.integer(of.argument);
       }},
      {"parameter", "integer >= 0", "with `result`",
       "the leaf of the parameters",
       [](const kernels::ArgumentPair &of, KeyValue &to) {
         if (!of.isResult) to.integer(of.number);
       }},
      {"result", "integer >= 0", "with `parameter`", "the leaf of the result",
       [](const kernels::ArgumentPair &of, KeyValue &to) {
         if (of.isResult) to.integer(of.number);
       }},
      {"answer",
       "`\"equal\"`, `\"more\"`, `\"less\"`, `\"different\"` or "
       "`\"undecided\"`",
       "never", "",
       [](const kernels::ArgumentPair &of, KeyValue &to) {
         to.text(wordOf(of.verdict.answer));
       }},
      {"reason", "string", "it is decided", "",
       [](const kernels::ArgumentPair &of, KeyValue &to) {
         to.textIfAny(of.verdict.reason);
       }},
      {"witness", "[witness](#an-element-of-one-side)",
       "no element is only on one side, or none was found", "",
       [](const kernels::ArgumentPair &of, KeyValue &to) {
         giveWitness(of.verdict.witness, to);
       }},
  };
  return {"An argument and its array", kKeys};
}

template <>
KeyList<UnmatchedEntry> keysOf<UnmatchedEntry>() {
  static constexpr Key<UnmatchedEntry> kKeys[] = {
      {"line", "integer >= 0", "with `instruction`",
       "of a load that is not a use of the fusion",
       [](const UnmatchedEntry &of, KeyValue &to) {
         if (!of.use) to.integer(of.line);
       }},
      {"instruction", "string", "with `line`",
       "of a use without a load: the instruction that reads the parameter",
       [](const UnmatchedEntry &of, KeyValue &to) {
         if (of.use) to.text(of.use->instruction);
       }},
      {"argument", "integer >= 0", "with `line`",
       "the argument that stands for that parameter",
       [](const UnmatchedEntry &of, KeyValue &to) {
         if (of.use) to.integer(of.use->argument);
       }},
  };
  return {"What has no partner", kKeys};
}

}  // namespace indexical
