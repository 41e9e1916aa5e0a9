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
       "of all arrays of the result: different if one is different, else "
       "undecided if one is undecided",
       [](const PartitionedEquality &of, KeyValue &to) {
         to.text(wordOf(of.verdict.answer));
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
      {"local", "`true`", "the first module is a whole one",
       "both modules are what one device runs, and are compared on all devices",
       [](const PartitionedEquality &of, KeyValue &to) {
         to.ifTrue(of.isLocal);
       }},
      {"devices_from", "`\"groups\"`", "an option or a header says `devices`",
       "what `devices` is known from: the groups and pairs of collectives",
       [](const PartitionedEquality &of, KeyValue &to) {
         to.textIfAny(of.countedFrom);
       }},
      {"shardings", "list of [used shardings](#a-used-sharding)", "never",
       "those that were used; with `local`, those by which devices have the "
       "same parameter",
       [](const PartitionedEquality &of, KeyValue &to) {
         to.objects(of.shardings);
       }},
      {"for_any", "list of strings", "no random numbers are drawn",
       "the ops whose values the answer holds for, whatever they are",
       [](const PartitionedEquality &of, KeyValue &to) {
         to.textsIfAny(of.forAny);
       }},
      {"assumed", "list of strings", kWhereAssumed, kAssumed,
       [](const PartitionedEquality &of, KeyValue &to) {
         to.textsIfAny(of.verdict.assumed);
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
         if (of.verdict.witness) to.integer(of.verdict.witness->array);
       },
       {4}},
      {"answer",
       "`\"equal\"`, `\"different\"` or `\"undecided\"`",
       "never",
       "",
       [](const PartitionedResult &of, KeyValue &to) {
         to.text(wordOf(of.verdict.answer));
       },
       {5}},
      {"reason",
       "string",
       "the answer was decided",
       "why it is undecided",
       [](const PartitionedResult &of, KeyValue &to) {
         to.textIfAny(of.verdict.reason);
       },
       {7}},
      {"decided_by", "list of strings", "no option is known",
       "the option with which it would be decided",
       [](const PartitionedResult &of, KeyValue &to) {
         to.textsIfAny(of.verdict.decidedBy);
       }},
      {"because", "[obstacle of a device](#an-obstacle-of-a-device)",
       "the answer is `equal`; no op is in the way",
       "the instruction that prevents the answer `equal`. If undecided: the "
       "first one of the second module that is not followed. If different, in "
       "small modules: the first one whose value is not a value of the first "
       "module, although its operands are; otherwise possibly the first "
       "collective for which this is not known",
       [](const PartitionedResult &of, KeyValue &to) {
         if (of.because) to.object(*of.because);
       }},
      {"witness", "[witness of a device](#a-witness-of-a-device)",
       "the answer is not `different`",
       "an element that differs, with numbers that show it: of small arrays "
       "the first one by device and index",
       [](const PartitionedResult &of, KeyValue &to) {
         giveWitness(of.verdict.witness, to);
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

}  // namespace indexical
