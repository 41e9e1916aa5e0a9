#include "indexical/answers/equality/keys.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/equality/words.h"

namespace indexical {
namespace {

/// If there are more pairs, those that neither side reads are only counted.
constexpr int64_t kMostPairs = 1'000'000;

bool listsUnread(const ModuleEquality &equality) {
  return equality.parameters == 0 ||
         equality.results <= kMostPairs / equality.parameters;
}

}  // namespace

int64_t pairsWithoutLeaf(const ModuleEquality &equality) {
  return equality.results * equality.parameters -
         static_cast<int64_t>(equality.leaves.size());
}

int64_t pairsLeftOut(const ModuleEquality &equality) {
  return listsUnread(equality) ? 0 : pairsWithoutLeaf(equality);
}

void forEachPair(const EqualityAnswer &answer,
                 llvm::function_ref<void(const PairEntry &)> take) {
  const ModuleEquality &equality = answer.same.reads;
  auto next = equality.leaves.begin();
  if (pairsWithoutLeaf(equality) > 0 && listsUnread(equality)) {
    LeafEquality unread;
    unread.byTerms = true;
    unread.decision.answer = Answer::Yes;
    for (int64_t result = 0; result < equality.results; ++result)
      for (int64_t parameter = 0; parameter < equality.parameters;
           ++parameter) {
        const bool isListed = next != equality.leaves.end() &&
                              next->result == result &&
                              next->parameter == parameter;
        take({isListed ? *next++ : unread, result, parameter, answer.isOfMaps});
      }
  }
  for (; next != equality.leaves.end(); ++next)
    take(PairEntry(*next, answer.isOfMaps));
}

template <>
KeyList<EqualityAnswer> keysOf<EqualityAnswer>() {
  static constexpr Key<EqualityAnswer> kKeys[] = {
      {kKeysOf, "[the head](#the-head) without `file`", "", "", nullptr},
      {"answer",
       "`\"equal\"`, `\"different\"`, `\"fewer reads\"` or `\"undecided\"`",
       "never",
       "of all pairs together: different if one pair is different, else "
       "undecided if one is undecided. Modules that compute the same by laws "
       "that hold for all values are not different, whatever they read",
       [](const EqualityAnswer &of, KeyValue &to) {
         to.text(wordsOf(of.verdict()).key);
       },
       {1, "verdict"}},
      {"level",
       "`\"reads\"` or `\"values\"`",
       "maps are compared",
       "what the answer is about: which elements are read, or also what is "
       "computed of them (`--values`, or where the reads differ)",
       [](const EqualityAnswer &of, KeyValue &to) {
         if (!of.isOfMaps) to.text(wordOf(of.same.verdict.level));
       },
       {2}},
      {"engine", kEngines, "never", kEngine,
       [](const EqualityAnswer &of, KeyValue &to) {
         to.text(methodName(of.same.reads.byTerms, of.same.reads.engine));
       }},
      {"values", "list of [results](#a-result-by-its-values)",
       "values are equal, or not compared",
       "the results whose values are not known to be equal",
       [](const EqualityAnswer &of, KeyValue &to) {
         if (of.same.values) unequalValues(*of.same.values, to);
       }},
      {"terms", "[terms](#a-verdict-of-terms)", "values are not compared",
       "the verdict in full, the laws, and numbers that show a difference",
       [](const EqualityAnswer &of, KeyValue &to) {
         if (of.same.values)
           to.object(TermsEntry{of.same.verdict, *of.same.values});
       }},
      {"decided_by", "list of strings", kWhereDecidedBy, kDecidedBy,
       [](const EqualityAnswer &of, KeyValue &to) {
         to.textsIfAny(of.same.verdict.decidedBy);
       }},
      {"assumed", "list of strings", kWhereAssumed, kAssumed,
       [](const EqualityAnswer &of, KeyValue &to) {
         to.textsIfAny(of.same.verdict.assumed);
       }},
      {"where", "list of strings", "no op forces a size; maps are compared",
       "constraints that the ops of either module put on open sizes of "
       "parameters, in the names of the first module: the modules are "
       "compared where all of them hold",
       [](const EqualityAnswer &of, KeyValue &to) {
         to.textsIfAny(of.same.verdict.where);
       }},
      {"pairs", "list of [pairs](#a-pair)", "never",
       "by result, then by parameter",
       [](const EqualityAnswer &of, KeyValue &to) {
         to.items([&](KeyValue &each) {
           forEachPair(of, [&](const PairEntry &pair) { each.object(pair); });
         });
       }},
      {"not_listed", "integer >= 0",
       "there are at most 1,000,000 pairs, or all are listed",
       "the number of pairs that are not listed: neither module reads "
       "anything for them, so they are equal",
       [](const EqualityAnswer &of, KeyValue &to) {
         if (const int64_t left = pairsLeftOut(of.same.reads)) to.integer(left);
       }},
  };
  return {"Is it equal?", kKeys};
}

template <>
KeyList<PairEntry> keysOf<PairEntry>() {
  static constexpr Key<PairEntry> kKeys[] = {
      {"result",
       "integer >= 0",
       "never",
       "the array of the result",
       [](const PairEntry &of, KeyValue &to) { to.integer(of.result); },
       {3}},
      {"parameter",
       "integer >= 0",
       "never",
       "the array of the parameters, counted through all of them",
       [](const PairEntry &of, KeyValue &to) { to.integer(of.parameter); },
       {4}},
      {"answer",
       "`\"equal\"`, `\"different\"` or `\"undecided\"`",
       "never",
       "",
       [](const PairEntry &of, KeyValue &to) {
         to.text(equalityWord(of.of.decision.answer));
       },
       {5}},
      {"engine",
       kEngines,
       "never",
       kEngine,
       [](const PairEntry &of, KeyValue &to) {
         to.text(methodName(of.of.byTerms, of.of.decision.engine));
       },
       {6}},
      {"for_any", "list of strings", "it rests on no such op",
       "the ops and literals of unknown meaning that the answer rests on, and "
       "the ops that give new values in every execution (`rng`, `infeed`): "
       "the answer holds for any meaning of these",
       [](const PairEntry &of, KeyValue &to) { to.textsIfAny(of.of.forAny); }},
      {"for_some", "list of strings", "it rests on no such op",
       "the ops and literals of unknown meaning in whose presence a "
       "difference was found: it is a difference for some meaning of them",
       [](const PairEntry &of, KeyValue &to) { to.textsIfAny(of.of.forSome); }},
      {"because", "[obstacle](#an-obstacle)",
       "the answer was decided; maps are compared",
       "the instruction that prevents an answer",
       [](const PairEntry &of, KeyValue &to) {
         if (of.of.because) to.object(*of.of.because);
       }},
      {"reason",
       "string",
       "the answer was decided",
       "why it is undecided",
       [](const PairEntry &of, KeyValue &to) { to.textIfAny(reasonOf(of.of)); },
       {7}},
      {"witness", "[witness](#a-witness)", "the answer is not `different`",
       "an element that one side reads and the other does not",
       [](const PairEntry &of, KeyValue &to) {
         if (of.of.decision.witness) giveWitness(witnessOf(of.of), to);
       }},
      {"paths", "[paths](#two-paths)", "with no `witness`; maps are compared",
       "the instructions on the way",
       [](const PairEntry &of, KeyValue &to) {
         if (of.of.decision.witness && !of.isOfMaps)
           to.object(PathsEntry{of.of});
       }},
  };
  return {"A pair", kKeys};
}

template <>
KeyList<EqualityObstacle> keysOf<EqualityObstacle>() {
  static constexpr Key<EqualityObstacle> kKeys[] = {
      {"module", "integer >= 0", "never",
       "0: it is one of the first module, 1: of the second",
       [](const EqualityObstacle &of, KeyValue &to) { to.integer(of.module); }},
      {"computation", "string", "never", "",
       [](const EqualityObstacle &of, KeyValue &to) {
         to.text(of.computation);
       }},
      {"instruction", "string", "never", "",
       [](const EqualityObstacle &of, KeyValue &to) {
         to.text(of.instruction);
       }},
      {"line", "integer >= 0", "never", "its line in its file",
       [](const EqualityObstacle &of, KeyValue &to) { to.integer(of.line); }},
      {"reason", "string", "never", "what is not known of it",
       [](const EqualityObstacle &of, KeyValue &to) { to.text(of.reason); }},
  };
  return {"An obstacle", kKeys};
}

template <>
KeyList<PathsEntry> keysOf<PathsEntry>() {
  static constexpr Key<PathsEntry> kKeys[] = {
      {"first", "list of strings", "never",
       "the instructions of the first module, from the root to the parameter",
       [](const PathsEntry &of, KeyValue &to) { to.texts(of.of.paths[0]); }},
      {"second", "list of strings", "never", "those of the second module",
       [](const PathsEntry &of, KeyValue &to) { to.texts(of.of.paths[1]); }},
  };
  return {"Two paths", kKeys};
}

std::vector<llvm::StringRef> equalityColumns() {
  return inOrder({columnsOf<EqualityAnswer>(), columnsOf<PairEntry>(),
                  columnsOf<PartitionedEquality>(),
                  columnsOf<PartitionedResult>()});
}

std::vector<Described> equalityTables() {
  return {described<EqualityAnswer>(),
          described<PairEntry>(),
          described<LeafValue>(),
          described<TermsEntry>(),
          described<DivergenceEntry>(),
          described<DivergentValue>(),
          described(keysOfWitness(Witness::Kind::Numbers)),
          described(keysOfInputs(Witness::Kind::Numbers)),
          described<EqualityObstacle>(),
          described(keysOfWitness(Witness::Kind::Read)),
          described<PathsEntry>(),
          described<PartitionedEquality>(),
          described<UsedSharding>(),
          described<PartitionedResult>(),
          described<PartitionedObstacle>(),
          described(keysOfWitness(Witness::Kind::DeviceNumbers)),
          described<LostRead>()};
}

}  // namespace indexical
