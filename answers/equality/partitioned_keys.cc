#include "indexical/answers/equality/keys.h"
#include "indexical/answers/equality/words.h"

namespace indexical {

template <>
KeyList<PartitionedEquality> keysOf<PartitionedEquality>() {
  static constexpr Key<PartitionedEquality> kKeys[] = {
      {kKeysOf, "[the head](#the-head) without `file`", "", "", nullptr},
      {"answer",
       "`\"equal\"`, `\"different\"` or `\"undecided\"`",
       "never",
       "of all arrays of the result: different where one is, else undecided "
       "where one is",
       [](const PartitionedEquality &of, KeyValue &to) {
         to.text(equalityWord(of.answer));
       },
       {1, "verdict"}},
      {"engine", "`\"terms\"` or `\"enumeration\"`", "never",
       "`terms`: terms of all devices are compared, and nothing is run; "
       "`enumeration` was said by earlier versions",
       [](const PartitionedEquality &, KeyValue &to) { to.text("terms"); }},
      {"partitioned", "`true`", "never", "",
       [](const PartitionedEquality &, KeyValue &to) { to.boolean(true); }},
      {"devices", "integer >= 1", "never", "partitions times replicas",
       [](const PartitionedEquality &of, KeyValue &to) {
         to.integer(of.devices);
       }},
      {"replicas", "integer >= 1", "never", "",
       [](const PartitionedEquality &of, KeyValue &to) {
         to.integer(of.replicas);
       }},
      {"shardings", "list of [used shardings](#a-used-sharding)", "never",
       "those that were used",
       [](const PartitionedEquality &of, KeyValue &to) {
         to.objects(of.shardings);
       }},
      {"for_any", "list of strings", "no random numbers are drawn",
       "the ops whose values the answer holds for, whatever they are",
       [](const PartitionedEquality &of, KeyValue &to) {
         if (!of.forAny.empty()) to.texts(of.forAny);
       }},
      {"assumed", "list of strings", kWhereAssumed, kAssumed,
       [](const PartitionedEquality &of, KeyValue &to) {
         if (!of.assumed.empty()) to.texts(of.assumed);
       }},
      {"pairs", "list of [partitioned results](#a-partitioned-result)", "never",
       "one for each array of the result",
       [](const PartitionedEquality &of, KeyValue &to) {
         to.objects(of.results);
       }},
  };
  return {"Is it partitioned rightly?", kKeys};
}

template <>
KeyList<UsedSharding> keysOf<UsedSharding>() {
  static constexpr Key<UsedSharding> kKeys[] = {
      {"parameter", "integer >= 0", "it is of a result",
       "the array of the parameters, counted through all of them",
       [](const UsedSharding &of, KeyValue &to) {
         if (!of.isResult) to.integer(of.array);
       }},
      {"result", "integer >= 0", "it is of a parameter",
       "the array of the result",
       [](const UsedSharding &of, KeyValue &to) {
         if (of.isResult) to.integer(of.array);
       }},
      {"text", "string", "never", "as it stands",
       [](const UsedSharding &of, KeyValue &to) { to.text(of.text); }},
      {"source",
       "`\"sharding\"`, `\"mhlo.sharding\"`, `\"sdy\"`, `\"frontend\"`, "
       "`\"proto\"` or `\"option\"`",
       "never", "where it stands",
       [](const UsedSharding &of, KeyValue &to) { to.text(of.source); }},
  };
  return {"A used sharding", kKeys};
}

template <>
KeyList<PartitionedResult> keysOf<PartitionedResult>() {
  static constexpr Key<PartitionedResult> kKeys[] = {
      {"result",
       "integer >= 0",
       "never",
       "the array of the result",
       [](const PartitionedResult &of, KeyValue &to) {
         to.integer(int64_t{of.result});
       },
       {3}},
      {"parameter",
       "integer >= 0",
       "the witness has no `element`",
       "the array of the parameters that the element is of",
       [](const PartitionedResult &of, KeyValue &to) {
         if (of.witness && of.witness->element)
           to.integer(of.witness->element->first);
       },
       {4}},
      {"answer",
       "`\"equal\"`, `\"different\"` or `\"undecided\"`",
       "never",
       "",
       [](const PartitionedResult &of, KeyValue &to) {
         to.text(equalityWord(of.answer));
       },
       {5}},
      {"reason",
       "string",
       "the answer was decided",
       "why it was not",
       [](const PartitionedResult &of, KeyValue &to) {
         to.textIfAny(of.reason);
       },
       {7}},
      {"because", "[obstacle of a device](#an-obstacle-of-a-device)",
       "the answer is `equal`; no op is in the way",
       "the instruction that stands in the way: the first one of the second "
       "module that is not followed; of what is different, of small modules, "
       "the first one whose value is none of the first module's, though its "
       "operands are, else perhaps the first collective of which that is not "
       "known",
       [](const PartitionedResult &of, KeyValue &to) {
         if (of.because) to.object(*of.because);
       }},
      {"witness", "[witness of a device](#a-witness-of-a-device)",
       "the answer is not `different`",
       "an element that differs, with numbers that show it: of small arrays "
       "the first one by device and index",
       [](const PartitionedResult &of, KeyValue &to) {
         if (of.witness) to.object(*of.witness);
       }},
  };
  return {"A partitioned result", kKeys};
}

template <>
KeyList<PartitionedObstacle> keysOf<PartitionedObstacle>() {
  static constexpr Key<PartitionedObstacle> kKeys[] = {
      {kKeysOf, "[an obstacle](#an-obstacle)", "", "",
       [](const PartitionedObstacle &of, KeyValue &to) {
         to.keys<EqualityObstacle>(of);
       }},
      {"device", "integer >= 0", "never", "",
       [](const PartitionedObstacle &of, KeyValue &to) {
         to.integer(of.device);
       }},
  };
  return {"An obstacle of a device", kKeys};
}

template <>
KeyList<PartitionedWitness> keysOf<PartitionedWitness>() {
  static constexpr Key<PartitionedWitness> kKeys[] = {
      {"device", "integer >= 0", "never", "of a sum over devices the first one",
       [](const PartitionedWitness &of, KeyValue &to) {
         to.integer(of.device);
       }},
      {"index", "list of integers", "never", "the index on that device",
       [](const PartitionedWitness &of, KeyValue &to) {
         to.integers(of.index);
       }},
      {"global_index", "list of integers", "never", "the index in the whole",
       [](const PartitionedWitness &of, KeyValue &to) {
         to.integers(of.globalIndex);
       }},
      {"runtime", "list of integers", "never",
       "the values of those of the `inputs` that decide what is read",
       [](const PartitionedWitness &of, KeyValue &to) {
         to.integers(of.runtime);
       }},
      {"element", "list of integers", "the reads are equal; it is padding",
       "the element of the whole parameter that one side reads",
       [](const PartitionedWitness &of, KeyValue &to) {
         if (of.element) to.integers(of.element->second);
       }},
      {"only_in", "`\"first\"` or `\"second\"`", "the reads are equal",
       "the side that reads it; `first` is the module before",
       [](const PartitionedWitness &of, KeyValue &to) {
         if (of.element || of.isPadding)
           to.text(kSides[of.onlyInGlobal ? 0 : 1]);
       }},
      {"padding", "`true`", "it is none",
       "the second module reads padding, which may be any number",
       [](const PartitionedWitness &of, KeyValue &to) {
         to.ifTrue(of.isPadding);
       }},
      {"counted", "integer >= 2", "equal summands are counted once",
       "how often, where only that differs",
       [](const PartitionedWitness &of, KeyValue &to) {
         to.integer(of.counted);
       }},
      {"inputs", "list of [inputs](#an-input)", "never",
       "numbers of the whole parameters that show it, at most 16",
       [](const PartitionedWitness &of, KeyValue &to) {
         if (of.numbers) to.objects(of.numbers->inputs);
       }},
      {"others", "integer", "these are all",
       "the number of all other elements that are read",
       [](const PartitionedWitness &of, KeyValue &to) {
         if (of.numbers) to.integer(of.numbers->others);
       }},
      {"first", "string", "never",
       "what the whole module computes of them; of a float it may be one of "
       "the numbers that are allowed",
       [](const PartitionedWitness &of, KeyValue &to) {
         if (of.numbers) to.text(of.numbers->first.str());
       }},
      {"second", "string", "never", "what the device computes",
       [](const PartitionedWitness &of, KeyValue &to) {
         if (of.numbers) to.text(of.numbers->second.str());
       }},
  };
  return {"A witness of a device", kKeys};
}

}  // namespace indexical
