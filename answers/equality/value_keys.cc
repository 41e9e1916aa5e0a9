#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/equality/keys.h"

namespace indexical {

void unequalValues(const ValueEquality &values, KeyValue &to) {
  if (values.isEqual) return;
  to.items([&](KeyValue &each) {
    for (const LeafValue &leaf : values.leaves)
      if (!leaf.isEqual) each.object(leaf);
  });
}

template <>
KeyList<LeafValue> keysOf<LeafValue>() {
  static constexpr Key<LeafValue> kKeys[] = {
      {"result", "integer >= 0", "never", "the array of the result",
       [](const LeafValue &of, KeyValue &to) {
         to.integer(int64_t{of.result});
       }},
      {"reason", "string", "the terms show why",
       "why its values are not known to be equal",
       [](const LeafValue &of, KeyValue &to) { to.textIfAny(of.reason); }},
      {"first", "string", "there is a reason",
       "the first term of the first module that differs from the second "
       "module's; parameters have the first module's names, indices are i, j, "
       "k…",
       [](const LeafValue &of, KeyValue &to) { to.textIfAny(of.terms[0]); }},
      {"second", "string", "there is a reason",
       "the corresponding term of the second module",
       [](const LeafValue &of, KeyValue &to) { to.textIfAny(of.terms[1]); }},
  };
  return {"A result by its values", kKeys};
}

template <>
KeyList<TermsEntry> keysOf<TermsEntry>() {
  static constexpr Key<TermsEntry> kKeys[] = {
      {"verdict", "string", "never",
       "`equal`, `fewer reads`, `equal, other reads`, `different` or "
       "`undecided`; the key `answer` does not tell the third from the first",
       [](const TermsEntry &of, KeyValue &to) {
         to.text(wordOf(of.verdict.answer));
       }},
      {"laws", "list of strings", "none was used",
       "the laws that were applied to terms of either module",
       [](const TermsEntry &of, KeyValue &to) {
         to.textsIfAny(of.verdict.laws);
       }},
      {"lost", "list of [laws](#a-law)", "none did",
       "the instructions of the first module at which a law drops an operand",
       [](const TermsEntry &of, KeyValue &to) {
         if (!of.values.lost.empty()) to.objects(of.values.lost);
       }},
      {"first", "[divergence](#a-divergence)",
       "the verdict is not `undecided`; the modules are large, or the budget "
       "did not suffice",
       "the earliest values of both modules that are not known to be equal, "
       "although all their operands are",
       [](const TermsEntry &of, KeyValue &to) {
         const auto leaf = llvm::find_if(
             of.values.leaves,
             [](const LeafValue &each) { return each.divergence.has_value(); });
         if (leaf != of.values.leaves.end()) to.object(DivergenceEntry{*leaf});
       }},
      {"effect", "[obstacle](#an-obstacle)",
       "the effects are the same, or the results are not known to be",
       "an op with effects of one module that has no counterpart in the other",
       [](const TermsEntry &of, KeyValue &to) {
         if (of.values.effect) to.object(*of.values.effect);
       }},
      {"witness", "[numbers](#numbers-that-differ)", "no numbers were found",
       "",
       [](const TermsEntry &of, KeyValue &to) {
         const auto &witness = of.verdict.witness;
         if (witness && witness->kind == Witness::Kind::Numbers)
           giveWitness(witness, to);
       }},
  };
  return {"A verdict of terms", kKeys};
}

template <>
KeyList<DivergenceEntry> keysOf<DivergenceEntry>() {
  static constexpr Key<DivergenceEntry> kKeys[] = {
      {"result", "integer >= 0", "never",
       "the array of the result; the first that is not decided",
       [](const DivergenceEntry &of, KeyValue &to) {
         to.integer(int64_t{of.of.result});
       }},
      {"first", "[value](#a-value-that-diverges)",
       "all values of the first module are among the second's",
       "the value of the first module",
       [](const DivergenceEntry &of, KeyValue &to) {
         if (of.of.divergence->first) to.object(*of.of.divergence->first);
       }},
      {"second", "[value](#a-value-that-diverges)", "never",
       "the value of the second",
       [](const DivergenceEntry &of, KeyValue &to) {
         to.object(of.of.divergence->second);
       }},
  };
  return {"A divergence", kKeys};
}

template <>
KeyList<DivergentValue> keysOf<DivergentValue>() {
  static constexpr Key<DivergentValue> kKeys[] = {
      {"computation", "string", "never", "",
       [](const DivergentValue &of, KeyValue &to) { to.text(of.computation); }},
      {"instruction", "string", "never", "",
       [](const DivergentValue &of, KeyValue &to) { to.text(of.instruction); }},
      {"line", "integer >= 0", "never", "its line in its file",
       [](const DivergentValue &of, KeyValue &to) { to.integer(of.line); }},
      {"term", "string", "never",
       "its element as a term; parameters have the first module's names, "
       "indices are i, j, k…",
       [](const DivergentValue &of, KeyValue &to) { to.text(of.term); }},
  };
  return {"A value that diverges", kKeys};
}

template <>
KeyList<LostRead> keysOf<LostRead>() {
  static constexpr Key<LostRead> kKeys[] = {
      {"law", "string", "never", "the law, by name",
       [](const LostRead &of, KeyValue &to) { to.text(of.law); }},
      {"computation", "string", "never", "",
       [](const LostRead &of, KeyValue &to) { to.text(of.computation); }},
      {"instruction", "string", "never", "the instruction to which it applies",
       [](const LostRead &of, KeyValue &to) { to.text(of.instruction); }},
      {"line", "integer >= 0", "never", "its line in its file",
       [](const LostRead &of, KeyValue &to) { to.integer(of.line); }},
      {"opcode", "string", "never", "its op",
       [](const LostRead &of, KeyValue &to) { to.text(of.opcode); }},
      {"parameters", "list of strings", "there are none",
       "those that its operands read and its result does not",
       [](const LostRead &of, KeyValue &to) {
         if (!of.parameters.empty()) to.texts(of.parameters);
       }},
  };
  return {"A law", kKeys};
}

}  // namespace indexical
