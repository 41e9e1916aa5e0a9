#include "indexical/answers/passes/keys.h"

#include "indexical/answers/equality/words.h"

namespace indexical {
namespace {

llvm::StringRef methodOf(const DumpComparison &found) {
  if (found.sameText) return "text";
  if (found.partitioned) return engineName(Engine::Enumeration);
  if (!found.equality) return "";
  return methodName(found.equality->byTerms, found.equality->engine);
}

void placesOf(llvm::ArrayRef<InstructionLine> way, KeyValue &to) {
  to.list(way, [](const InstructionLine &at, KeyValue &each) {
    each.items([&](KeyValue &part) {
      part.text(at.instruction);
      part.integer(at.line);
    });
  });
}

}  // namespace

template <>
KeyList<PassesAnswer> keysOf<PassesAnswer>() {
  static constexpr Key<PassesAnswer> kKeys[] = {
      {kKeysOf, "[the head](#the-head) without `file`", "", "", nullptr},
      {"chain", "string", "never",
       "the name of the module, or of the function, or of the first file",
       nullptr},
      {"passes", "list of [pairs of dumps](#a-pair-of-dumps)", "never",
       "in the chain's order; with `--only`, those", nullptr},
      {"first", "string", "no pair is different",
       "the pass of the first pair that is different",
       [](const PassesAnswer &of, KeyValue &to) {
         if (of.first) to.text(of.chain->dumps[*of.first + 1].pass);
       }},
      {"totals", "[figures of a chain](#figures-of-a-chain)", "never", "",
       nullptr},
  };
  return {"What passes change", kKeys};
}

template <>
KeyList<PassEntry> keysOf<PassEntry>() {
  static constexpr Key<PassEntry> kKeys[] = {
      {"from",
       "string",
       "never",
       "the file of the dump before the pass",
       [](const PassEntry &of, KeyValue &to) { to.text(of.from.file); },
       {1}},
      {"to",
       "string",
       "never",
       "the file of the dump after it",
       [](const PassEntry &of, KeyValue &to) { to.text(of.to.file); },
       {2}},
      {"pass",
       "string",
       "never",
       "the pass that ran between them; empty where no name says",
       [](const PassEntry &of, KeyValue &to) { to.text(of.to.pass); },
       {3}},
      {"pipeline",
       "string",
       "never",
       "the pipeline of that pass, or empty",
       [](const PassEntry &of, KeyValue &to) { to.text(of.to.pipeline); },
       {4}},
      {"answer",
       "`\"equal\"`, `\"different\"`, `\"fewer reads\"` or `\"undecided\"`",
       "never",
       "different if one pair of a result and a parameter is different, else "
       "undecided if one is undecided",
       [](const PassEntry &of, KeyValue &to) {
         to.text(wordsOf(of.found.verdict.answer).key);
       },
       {5}},
      {"level",
       "`\"reads\"` or `\"values\"`",
       "never",
       "what is compared: which elements are read, or also what is computed of "
       "them (`--values`, or where the reads differ)",
       [](const PassEntry &of, KeyValue &to) {
         to.text(wordOf(of.found.verdict.level));
       },
       {6}},
      {"engine",
       "`\"text\"`, `\"terms\"`, `\"closed form\"`, `\"sizes\"`, "
       "`\"enumeration\"` or `\"isl\"`",
       "they cannot be compared",
       "the strongest engine that was needed for the reads; `text`: both are "
       "the same text",
       [](const PassEntry &of, KeyValue &to) {
         to.textIfAny(methodOf(of.found));
       },
       {7}},
      {"reason",
       "string",
       "they were compared",
       "why they cannot be",
       [](const PassEntry &of, KeyValue &to) {
         to.textIfAny(of.found.verdict.reason);
       },
       {8}},
      {"laws", "list of [laws](#a-law)",
       "the answer is not `fewer reads`, or the second dump alone has such "
       "instructions",
       "the instructions of the dump before at which a law drops an operand",
       [](const PassEntry &of, KeyValue &to) {
         if (of.found.verdict.answer == Verdict::FewerReads &&
             !of.found.values->lost.empty())
           to.objects(of.found.values->lost);
       }},
      {"values", "list of [results](#a-result-by-its-values)",
       "values are equal, or not compared",
       "the results whose values are not known to be equal",
       [](const PassEntry &of, KeyValue &to) {
         if (of.found.values) unequalValues(*of.found.values, to);
       }},
      {"terms", "[terms](#a-verdict-of-terms)", "values are not compared",
       "the verdict in full, the laws, and numbers that show a difference",
       [](const PassEntry &of, KeyValue &to) {
         if (of.found.values)
           to.object(TermsEntry{of.found.verdict, *of.found.values});
       }},
      {"decided_by", "list of strings", kWhereDecidedBy, kDecidedBy,
       [](const PassEntry &of, KeyValue &to) {
         to.textsIfAny(of.found.verdict.decidedBy);
       }},
      {"assumed", "list of strings", kWhereAssumed, kAssumed,
       [](const PassEntry &of, KeyValue &to) {
         to.textsIfAny(of.found.verdict.assumed);
       }},
      {"devices",
       "integer >= 1",
       "no partitioner has made parameters smaller",
       "the dump after the pass is compared as the dump before it, "
       "partitioned for this many devices",
       [](const PassEntry &of, KeyValue &to) {
         if (of.found.partitioned) to.integer(of.found.partitioned->devices);
       },
       {9}},
      {"partitioned", "list of [partitioned results](#a-partitioned-result)",
       "with no `devices`", "those that are not equal",
       [](const PassEntry &of, KeyValue &to) {
         if (of.found.partitioned)
           to.items([&](KeyValue &each) {
             for (const PartitionedResult &result :
                  of.found.partitioned->results)
               if (!result.verdict.isSame()) each.object(result);
           });
       }},
      {"pairs", "list of [pairs](#a-pair)",
       "they are the same text, are compared as partitioned, or cannot be "
       "compared",
       "those that are not equal",
       [](const PassEntry &of, KeyValue &to) {
         if (!of.found.sameText && of.found.equality)
           to.items([&](KeyValue &each) {
             for (const LeafEquality &leaf : of.found.equality->leaves)
               if (leaf.decision.answer != Answer::Yes)
                 each.object(PairEntry(leaf));
           });
       }},
      {"kernels", "list of [compiled kernels](#a-compiled-kernel)",
       "the dump after is not compiled kernels",
       "each kernel against the instruction that runs it",
       [](const PassEntry &of, KeyValue &to) {
         if (!of.found.kernels.empty()) to.objects(of.found.kernels);
       }},
      {"path", "[places](#two-ways)", "no pair is different",
       "the instructions of the first difference",
       [](const PassEntry &of, KeyValue &to) {
         if (of.found.sameText || !of.found.equality) return;
         if (!of.found.ways[0].empty() || !of.found.ways[1].empty())
           to.object(WaysEntry{of.found});
       }},
  };
  return {"A pair of dumps", kKeys};
}

template <>
KeyList<CompiledKernel> keysOf<CompiledKernel>() {
  static constexpr Key<CompiledKernel> kKeys[] = {
      {"kernel", "string", "never", "its name in the compiled module",
       [](const CompiledKernel &of, KeyValue &to) { to.text(of.kernel); }},
      {"instruction", "string", "no instruction has a kernel of its name",
       "the instruction that runs it",
       [](const CompiledKernel &of, KeyValue &to) {
         to.textIfAny(of.instruction);
       }},
      {"verdict",
       "`\"same values\"`, `\"same elements\"`, `\"same tiles\"`, "
       "`\"different\"` or `\"undecided\"`",
       "never", "as of `kernel --of`",
       [](const CompiledKernel &of, KeyValue &to) {
         to.text(sharedWord(of.verdict));
       }},
      {"reason", "string", "it is decided", "why it is not",
       [](const CompiledKernel &of, KeyValue &to) {
         to.textIfAny(of.verdict.reason);
       }},
  };
  return {"A compiled kernel", kKeys};
}

template <>
KeyList<WaysEntry> keysOf<WaysEntry>() {
  static constexpr Key<WaysEntry> kKeys[] = {
      {"first", "list of [places](#an-instruction-and-its-line)", "never",
       "the instructions before the pass that lead to the difference, from the "
       "root on",
       [](const WaysEntry &of, KeyValue &to) { placesOf(of.of.ways[0], to); }},
      {"second", "list of [places](#an-instruction-and-its-line)", "never",
       "those after it",
       [](const WaysEntry &of, KeyValue &to) { placesOf(of.of.ways[1], to); }},
  };
  return {"Two ways", kKeys};
}

template <>
KeyList<ChainFigures> keysOf<ChainFigures>() {
  static constexpr Key<ChainFigures> kKeys[] = {
      {"dumps", "integer >= 0", "never", "",
       [](const ChainFigures &of, KeyValue &to) { to.integer(of.dumps); }},
      {"changed", "integer >= 0", "never",
       "the number of dumps whose text differs from the one before",
       [](const ChainFigures &of, KeyValue &to) { to.integer(of.changed); }},
      {"equal", "integer >= 0", "never",
       "the number of equal pairs, including pairs of one text",
       [](const ChainFigures &of, KeyValue &to) { to.integer(of.equal); }},
      {"fewer_reads", "integer >= 0", "never",
       "the number of pairs in which a law drops what is no longer read",
       [](const ChainFigures &of, KeyValue &to) { to.integer(of.fewerReads); }},
      {"different", "integer >= 0", "never", "",
       [](const ChainFigures &of, KeyValue &to) { to.integer(of.different); }},
      {"undecided", "integer >= 0", "never", "",
       [](const ChainFigures &of, KeyValue &to) { to.integer(of.undecided); }},
  };
  return {"Figures of a chain", kKeys};
}

std::vector<Described> passesTables() {
  return {described<PassesAnswer>(), described<PassEntry>(),
          described<CompiledKernel>(), described<WaysEntry>(),
          described<ChainFigures>()};
}

}  // namespace indexical
