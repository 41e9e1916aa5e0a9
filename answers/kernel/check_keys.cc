#include <array>
#include <string>
#include <vector>

#include "indexical/answers/kernel/keys.h"

namespace indexical {
namespace {

std::array<const kernels::OnceCheck::Writer *, 2> writersOf(
    const kernels::OnceCheck::Witness &of) {
  return {&of.first, &of.second};
}

std::vector<UnmatchedEntry> unmatchedOf(const kernels::FusionComparison &of) {
  std::vector<UnmatchedEntry> all;
  for (const int64_t line : of.unmatchedLines) all.push_back({line});
  for (const kernels::UnmatchedUse &use : of.unmatchedUses)
    all.push_back({0, &use});
  return all;
}

}  // namespace

template <>
KeyList<kernels::BoundsCheck> keysOf<kernels::BoundsCheck>() {
  static constexpr Key<kernels::BoundsCheck> kKeys[] = {
      {"answer", "`\"proved\"`, `\"undecided\"` or `\"violated\"`", "never",
       "whether every element is in its buffer, in the whole launch",
       [](const kernels::BoundsCheck &of, KeyValue &to) {
         to.text(nameOf(of.answer));
       }},
      {"reason", "string", "with `witness`; it is proved",
       "why it is not decided",
       [](const kernels::BoundsCheck &of, KeyValue &to) {
         to.textIfAny(of.reason);
       }},
      {"witness", "[witness](#what-is-outside)", "with `reason`; it is proved",
       "",
       [](const kernels::BoundsCheck &of, KeyValue &to) {
         if (of.witness) to.object(*of.witness);
       }},
  };
  return {"In bounds", kKeys};
}

template <>
KeyList<kernels::BoundsCheck::Witness> keysOf<kernels::BoundsCheck::Witness>() {
  static constexpr Key<kernels::BoundsCheck::Witness> kKeys[] = {
      {"program", "list of integers", "never", "along x, y and z",
       [](const kernels::BoundsCheck::Witness &of, KeyValue &to) {
         to.integers(of.program);
       }},
      {"loops", "list of integers", "never",
       "how often each loop has run before, the outermost first",
       [](const kernels::BoundsCheck::Witness &of, KeyValue &to) {
         to.integers(of.loops);
       }},
      {"tile", "list of integers", "never", "the coordinates in the tile",
       [](const kernels::BoundsCheck::Witness &of, KeyValue &to) {
         to.integers(of.tile);
       }},
      {"element", "integer", "never", "what is accessed there",
       [](const kernels::BoundsCheck::Witness &of, KeyValue &to) {
         to.integer(of.element);
       }},
      {"size", "integer >= 0", "it is not known: the element is below 0",
       "the elements of the buffer",
       [](const kernels::BoundsCheck::Witness &of, KeyValue &to) {
         to.integer(of.size);
       }},
      {"runtime", "list of integers",
       "the call gives no bounds on which it depends",
       "the values of the variables whose bounds `--runtime` gives",
       [](const kernels::BoundsCheck::Witness &of, KeyValue &to) {
         if (of.runtime.empty()) return;
         std::vector<int64_t> values;
         for (const auto &entry : of.runtime) values.push_back(entry.second);
         to.integers(values);
       }},
      {"runtime_names", "list of strings", "with no `runtime`", "their names",
       [](const kernels::BoundsCheck::Witness &of, KeyValue &to) {
         if (of.runtime.empty()) return;
         std::vector<std::string> names;
         for (const auto &entry : of.runtime) names.push_back(entry.first);
         to.texts(names);
       }},
  };
  return {"What is outside", kKeys};
}

template <>
KeyList<kernels::OnceCheck> keysOf<kernels::OnceCheck>() {
  static constexpr Key<kernels::OnceCheck> kKeys[] = {
      {"answer", "`\"proved\"`, `\"undecided\"` or `\"violated\"`", "never", "",
       [](const kernels::OnceCheck &of, KeyValue &to) {
         to.text(nameOf(of.answer));
       }},
      {"reason", "string", "with `witness`; it is proved",
       "why it is not decided",
       [](const kernels::OnceCheck &of, KeyValue &to) {
         to.textIfAny(of.reason);
       }},
      {"witness", "[witness](#what-is-written-twice)",
       "with `reason`; it is proved", "",
       [](const kernels::OnceCheck &of, KeyValue &to) {
         if (of.witness) to.object(*of.witness);
       }},
  };
  return {"Written once", kKeys};
}

template <>
KeyList<kernels::OnceCheck::Witness> keysOf<kernels::OnceCheck::Witness>() {
  static constexpr Key<kernels::OnceCheck::Witness> kKeys[] = {
      {"argument", "integer >= 0", "never", "the buffer",
       [](const kernels::OnceCheck::Witness &of, KeyValue &to) {
         to.integer(of.argument);
       }},
      {"element", "integer", "never", "",
       [](const kernels::OnceCheck::Witness &of, KeyValue &to) {
         to.integer(of.element);
       }},
      {"race", "`\"programs\"`, `\"program\"` or `\"atomic\"`", "never",
       "`programs`: two programs store it. `program`: one program stores it "
       "twice, by two ops or at two coordinates of a tile. `atomic`: one "
       "program stores it, and another one changes it by an atomic operation",
       [](const kernels::OnceCheck::Witness &of, KeyValue &to) {
         to.text(nameOf(of.race));
       }},
      {"programs", "list of lists of integers", "never",
       "the two programs that write it, or one program twice",
       [](const kernels::OnceCheck::Witness &of, KeyValue &to) {
         to.list(writersOf(of), [](const auto *writer, KeyValue &each) {
           each.integers(writer->program);
         });
       }},
      {"writers", "list of [writers](#a-writer)", "never",
       "what these programs write it by, in the same order",
       [](const kernels::OnceCheck::Witness &of, KeyValue &to) {
         to.list(writersOf(of), [&](const auto *writer, KeyValue &each) {
           each.object(WriterEntry{*writer, of.race});
         });
       }},
      {"lines", "list of integers", "never", "of the stores to that buffer",
       [](const kernels::OnceCheck::Witness &of, KeyValue &to) {
         to.integers(of.lines);
       }},
  };
  return {"What is written twice", kKeys};
}

template <>
KeyList<WriterEntry> keysOf<WriterEntry>() {
  static constexpr Key<WriterEntry> kKeys[] = {
      {"line", "integer >= 0", "never",
       "the place of the op in the file; 0: not known",
       [](const WriterEntry &of, KeyValue &to) { to.integer(of.writer.line); }},
      {"tile", "list of integers", "`race` is `atomic`",
       "the coordinates in the tile",
       [](const WriterEntry &of, KeyValue &to) {
         if (of.race != kernels::Race::Atomic) to.integers(of.writer.tile);
       }},
  };
  return {"A writer", kKeys};
}

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
         to.text(nameOf(of.verdict));
       }},
      {"reason", "string", "the verdict is not `undecided`",
       "why it is not one of the others",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         to.textIfAny(of.reason);
       }},
      {"witness", "[store](#a-store-outside-of-its-result)",
       "no store is outside of its result or has another value, or it is not "
       "known that one is or has",
       "",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         if (of.outside)
           to.object(*of.outside);
         else if (of.otherValue)
           to.object(*of.otherValue);
       }},
      {"laws", "list of strings", "none was needed",
       "of `--float-laws`, on which the verdict rests",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         if (!of.laws.empty()) to.texts(of.laws);
       }},
      {"assumed", "list of strings",
       "nothing is; the verdict is `different` or `undecided`",
       "what the verdict takes for granted, each a condition: that an op of "
       "the "
       "fusion that is not known, or a function that is not in the file, has "
       "no "
       "effects",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         if (!of.assumed.empty()) to.texts(of.assumed);
       }},
      {"values", "list of [differences](#a-stored-value-that-differs)",
       "all are the same", "the first terms that differ, one a result",
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
         if (of.notStored) to.object(*of.notStored);
       }},
      {"answer",
       "`\"equal\"`, `\"more\"`, `\"less\"`, `\"different\"` or "
       "`\"undecided\"`",
       "never",
       "about the sets of elements that a program loads and stores, and no "
       "more; it decides no exit status. The worst of all pairs. `more`: "
       "elements are loaded that nothing needs. `less`: elements are missing. "
       "`different`: both, or a load that is no use of the fusion, or a use "
       "that has no load",
       [](const kernels::FusionComparison &of, KeyValue &to) {
         to.text(nameOf(of.answer));
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
KeyList<kernels::OutsideStore> keysOf<kernels::OutsideStore>() {
  static constexpr Key<kernels::OutsideStore> kKeys[] = {
      {"program", "list of integers", "never", "its place along x, y and z",
       [](const kernels::OutsideStore &of, KeyValue &to) {
         to.integers(of.program);
       }},
      {"result", "integer >= 0", "never", "the leaf of the result",
       [](const kernels::OutsideStore &of, KeyValue &to) {
         to.integer(of.result);
       }},
      {"element", "integer", "never", "its number in memory",
       [](const kernels::OutsideStore &of, KeyValue &to) {
         to.integer(of.element);
       }},
      {"line", "integer >= 0", "never", "of the store",
       [](const kernels::OutsideStore &of, KeyValue &to) {
         to.integer(of.line);
       }},
      {"kernel", "string", "the store is outside", "what is stored, as a term",
       [](const kernels::OutsideStore &of, KeyValue &to) {
         to.textIfAny(of.kernel);
       }},
      {"fusion", "string", "the store is outside",
       "what the fusion computes, as a term",
       [](const kernels::OutsideStore &of, KeyValue &to) {
         to.textIfAny(of.fusion);
       }},
      {"kernel_value", "string", "the store is outside",
       "the number that is stored, or the bounds between which it is",
       [](const kernels::OutsideStore &of, KeyValue &to) {
         to.textIfAny(of.kernelValue);
       }},
      {"fusion_value", "string", "the store is outside",
       "the number that the fusion computes, or its bounds",
       [](const kernels::OutsideStore &of, KeyValue &to) {
         to.textIfAny(of.fusionValue);
       }},
      {"inputs", "list of [inputs](#a-number-of-a-witness)",
       "the store is outside", "the numbers of the parameters, at most 16",
       [](const kernels::OutsideStore &of, KeyValue &to) {
         if (of.kernelValue.empty()) return;
         to.list(of.inputs, [](const kernels::WitnessInput &input,
                               KeyValue &each) { each.object(input); });
       }},
      {"others", "integer", "the store is outside; these are all",
       "the number of all other elements that are read",
       [](const kernels::OutsideStore &of, KeyValue &to) {
         if (of.others) to.integer(*of.others);
       }},
  };
  return {"A store outside of its result", kKeys};
}

template <>
KeyList<kernels::WitnessInput> keysOf<kernels::WitnessInput>() {
  static constexpr Key<kernels::WitnessInput> kKeys[] = {
      {"parameter", "string", "never", "its name",
       [](const kernels::WitnessInput &of, KeyValue &to) {
         to.text(of.parameter);
       }},
      {"element", "list of integers", "never", "its index",
       [](const kernels::WitnessInput &of, KeyValue &to) {
         to.integers(of.element);
       }},
      {"value", "string", "never", "its number",
       [](const kernels::WitnessInput &of, KeyValue &to) {
         to.text(of.value);
       }},
  };
  return {"A number of a witness", kKeys};
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
KeyList<kernels::NotStored> keysOf<kernels::NotStored>() {
  static constexpr Key<kernels::NotStored> kKeys[] = {
      {"result", "integer >= 0", "never", "the leaf of the result",
       [](const kernels::NotStored &of, KeyValue &to) {
         to.integer(of.result);
       }},
      {"element", "integer >= 0", "never", "its number in memory",
       [](const kernels::NotStored &of, KeyValue &to) {
         to.integer(of.element);
       }},
  };
  return {"An element that is not stored", kKeys};
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
         to.text(nameOf(of.answer));
       }},
      {"reason", "string", "it is decided", "",
       [](const kernels::ArgumentPair &of, KeyValue &to) {
         to.textIfAny(of.reason);
       }},
      {"witness", "[witness](#an-element-of-one-side)",
       "no element is only on one side, or none was found", "",
       [](const kernels::ArgumentPair &of, KeyValue &to) {
         if (of.witness) to.object(*of.witness);
       }},
  };
  return {"An argument and its array", kKeys};
}

template <>
KeyList<kernels::ArgumentPair::Witness>
keysOf<kernels::ArgumentPair::Witness>() {
  static constexpr Key<kernels::ArgumentPair::Witness> kKeys[] = {
      {"program", "list of integers", "never", "empty: no program stores it",
       [](const kernels::ArgumentPair::Witness &of, KeyValue &to) {
         to.integers(of.program);
       }},
      {"element", "integer", "never", "its number in memory",
       [](const kernels::ArgumentPair::Witness &of, KeyValue &to) {
         to.integer(of.element);
       }},
      {"only_in", "`\"kernel\"` or `\"fusion\"`", "never", "",
       [](const kernels::ArgumentPair::Witness &of, KeyValue &to) {
         to.text(of.onlyInKernel ? "kernel" : "fusion");
       }},
  };
  return {"An element of one side", kKeys};
}

template <>
KeyList<UnmatchedEntry> keysOf<UnmatchedEntry>() {
  static constexpr Key<UnmatchedEntry> kKeys[] = {
      {"line", "integer >= 0", "with `instruction`",
       "of a load that is no use of the fusion",
       [](const UnmatchedEntry &of, KeyValue &to) {
         if (!of.use) to.integer(of.line);
       }},
      {"instruction", "string", "with `line`",
       "of a use that no load is: what reads the parameter",
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
