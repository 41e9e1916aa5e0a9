// Modules against themselves in other words, and against mutants.
//
// Random modules (tests/support/random_programs.h) are renamed, shuffled, and
// the operands of their additions swapped: they are equal. Then one number of
// one op is changed. If a run with the same data shows other reads, the answer
// is not equal. If every run shows the same and no index is computed, it is not
// different. The modules of the corpus equal themselves in other words.
//
//   INDEXICAL_MODULE_PAIRS=n    so many random modules
//   INDEXICAL_EQUAL_BYTES=n     corpus files of up to n bytes
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/equality/module_equality.h"
#include "tests/same/equality/corpus_equality.h"
#include "tests/same/equality/other_words.h"
#include "tests/support/corpus.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"
#include "tests/support/random_programs.h"

namespace indexical::testing {
namespace {

/// Returns, for one run, the reads of each leaf of the root of each leaf of the
/// parameters.
std::vector<std::vector<Pair>> readsOf(const Module &module, uint64_t seed) {
  Random random(seed);
  const ProgramRun run(module, module.entry, random);
  const Computation &entry = module.computations[module.entry];
  std::vector<std::vector<Pair>> reads;
  const int64_t results = entry.instructions[entry.root].shape.leafCount();
  for (int64_t r = 0; r < results; ++r)
    for (const auto &[parameter, leaf] : parameterLeaves(entry))
      reads.push_back(
          run.pairs({entry.root, r},
                    ProgramRun::Leaf{entry.parameters[parameter], leaf}));
  return reads;
}

/// Whether any element that is read is one that data chooses.
bool isSteered(const Module &module) {
  for (const Computation &c : module.computations)
    for (const Instruction &i : c.instructions)
      if (innermost(i.op)
              .isOneOf<DynamicSliceOp, DynamicUpdateSliceOp, GatherOp,
                       ScatterOp, RaggedDotOp>())
        return true;
  return false;
}

/// Which instruction was changed.
std::string changeOf(const Module &module, const Module &mutant) {
  for (size_t c = 0; c < module.computations.size(); ++c)
    for (size_t i = 0; i < module.computations[c].instructions.size(); ++i) {
      const Instruction &a = module.computations[c].instructions[i];
      const Instruction &b = mutant.computations[c].instructions[i];
      if (a.op != b.op || a.operands != b.operands)
        return "changed: " + a.name.str();
    }
  return "";
}

class RandomModules : public ::testing::Test {
 protected:
  /// Compares the module with itself in other words.
  void compareWords(const Module &module, const Module &words) {
    auto same = compareReads(module, words);
    ASSERT_TRUE(same.ok()) << same.status();
    for (const LeafEquality &leaf : same->leaves) {
      ++pairs;
      terms += leaf.byTerms;
      EXPECT_EQ(leaf.decision.answer, Answer::Yes);
    }
  }

  /// Compares it with a mutant, and both with what runs read.
  void compareMutant(const Module &module, const Module &mutant) {
    auto found = compareReads(module, mutant);
    ASSERT_TRUE(found.ok()) << found.status();
    ++mutants;
    std::vector<bool> differs(found->leaves.size(), false);
    for (uint64_t run = 0; run < 6; ++run) {
      const auto a = readsOf(module, run), b = readsOf(mutant, run);
      ASSERT_EQ(a.size(), differs.size());
      for (size_t k = 0; k < a.size(); ++k)
        if (a[k] != b[k]) differs[k] = true;
    }
    for (size_t k = 0; k < differs.size(); ++k) {
      const Answer answer = found->leaves[k].decision.answer;
      different += differs[k];
      open += answer == Answer::Undecided;
      refuted += answer == Answer::No;
      if (differs[k]) {
        EXPECT_NE(answer, Answer::Yes) << changeOf(module, mutant);
      } else if (!isSteered(module)) {
        EXPECT_NE(answer, Answer::No) << changeOf(module, mutant);
      }
    }
  }

  int64_t pairs = 0, terms = 0, mutants = 0, different = 0, open = 0,
          refuted = 0;
};

TEST_F(RandomModules, InOtherWordsAndMutated) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const int64_t count = fromEnvironment("INDEXICAL_MODULE_PAIRS", 300);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const std::string text = randomProgram(random);
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(seed) + "\n" + text);
    auto one = parseHlo(text), other = parseHlo(text);
    ASSERT_TRUE(one.ok() && other.ok()) << one.status();
    rename(*other);
    Module &module = one->modules[0];
    for (size_t c = 0; c < module.computations.size(); ++c) {
      if (module.computations[c].root < 0) continue;
      module.entry = ComputationId(c);
      Module words = other->modules[0];
      words.entry = ComputationId(c);
      shuffle(random, words);
      commute(random, words);
      repack(random, words);
      outline(random, *other, words);
      compareWords(module, words);
      Module mutant = module;
      if (mutate(random, mutant, c)) compareMutant(module, mutant);
    }
    if (HasFailure()) return;
  }
  printf(
      "  %lld pairs of modules in other words, %lld by terms; %lld mutants, "
      "%lld of their pairs read otherwise, %lld refuted, %lld undecided\n",
      static_cast<long long>(pairs), static_cast<long long>(terms),
      static_cast<long long>(mutants), static_cast<long long>(different),
      static_cast<long long>(refuted), static_cast<long long>(open));
  EXPECT_GT(mutants, count / 2);
  EXPECT_GT(different, mutants / 20);
  EXPECT_GT(refuted, different / 2);
}

TEST(EqualModulesTest, Loop) {
  const std::string text =
      "HloModule m\nc { a = s64[] parameter(0)  ROOT r = pred[] compare(a, a), "
      "direction=LT }\nb { a = s64[] parameter(0)  ROOT r = s64[] add(a, a) }\n"
      "ENTRY e { p = s64[] parameter(0)  ROOT w = s64[] while(p), body=b, "
      "condition=c }";
  auto one = parseHlo(text), other = parseHlo(text);
  ASSERT_TRUE(one.ok() && other.ok()) << one.status();
  rename(*other);
  for (uint64_t seed = 1; seed < 20; ++seed) {
    Random random(seed);
    Module words = other->modules[0];
    shuffle(random, words);
    auto same = compareReads(one->modules[0], words);
    ASSERT_TRUE(same.ok());
    EXPECT_EQ(same->answer, Answer::Yes) << seed;
    EXPECT_TRUE(same->byTerms);
  }
}

TEST(EqualModulesTest, HloOfTheCorpus) {
  const size_t most = fromEnvironment("INDEXICAL_EQUAL_BYTES", 300'000);
  CorpusEquality corpus;
  for (const CorpusFile &file : hloFiles()) {
    const std::string text = textOf(file);
    if (text.size() > most) continue;
    auto one = parseHlo(text, file.path), other = parseHlo(text, file.path);
    if (!one.ok()) continue;
    corpus.compare(*std::move(one), *std::move(other), file.name, text.size());
  }
  corpus.report("HLO");
  EXPECT_GT(corpus.modules, ofCorpus(300, 90));
  EXPECT_LE(corpus.undecidedModules, 0);
}

}  // namespace
}  // namespace indexical::testing
