// Chains of dumps of which one pass was changed.
//
// A random program of ops that move elements is rewritten step by step, as a
// compiler does; each step is a dump. In one step a number of an op is changed,
// and the later steps rewrite what came out of that. Where the oracle, which
// moves the names of elements one by one, sees other reads, exactly that step
// is different.
//
//   INDEXICAL_CHAINS=n    so many chains
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/passes/compare_dumps.h"
#include "tests/exact/moving_programs.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// A chain of programs, and the step at which one is changed.
struct MutatedChain {
  std::vector<NodePtr> programs;
  size_t mutant = 0;  ///< programs[mutant] is changed; 0: none
};

MutatedChain randomChain(Random &random) {
  MutatedChain chain;
  chain.programs.push_back(randomProgram(random));
  const int64_t steps = random.in(3, 8);
  const int64_t wanted = random.in(1, steps);
  for (int64_t step = 1; step <= steps; ++step) {
    NodePtr next;
    if (step >= wanted && chain.mutant == 0) {
      for (int tries = 0; tries < 20 && !next; ++tries)
        next = mutated(random, chain.programs.back());
      if (next) chain.mutant = chain.programs.size();
    }
    if (!next) next = rewritten(random, chain.programs.back());
    if (next) chain.programs.push_back(std::move(next));
  }
  return chain;
}

TEST(MutatedChains, FoundAtTheirPass) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t wanted = fromEnvironment("INDEXICAL_CHAINS", 200);
  int64_t mutants = 0, found = 0, undecided = 0, pairs = 0, byTerms = 0;
  for (uint64_t seed = first; static_cast<uint64_t>(mutants) < wanted; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const MutatedChain chain = randomChain(random);
    if (chain.mutant == 0) continue;
    const auto parameters = parametersOf(chain.programs);
    if (evaluate(chain.programs[chain.mutant]) ==
        evaluate(chain.programs[chain.mutant - 1]))
      continue;  // the change shows nowhere
    ++mutants;
    std::vector<Program> dumps;
    for (const NodePtr &program : chain.programs) {
      auto dump = parseHlo(hloOf(program, parameters));
      ASSERT_TRUE(dump.ok()) << dump.status();
      dumps.push_back(*std::move(dump));
    }
    TermTable table;
    std::deque<ProgramTerms> terms;
    for (const Program &dump : dumps)
      terms.emplace_back(dump.modules[0], table);
    for (size_t i = 1; i < dumps.size(); ++i) {
      const bool same =
          evaluate(chain.programs[i]) == evaluate(chain.programs[i - 1]);
      ASSERT_EQ(same, i != chain.mutant);
      // Terms of the whole chain in one table.
      const bool alike =
          readAlikeByTerms({dumps[i - 1].modules[0], terms[i - 1]},
                           {dumps[i].modules[0], terms[i]});
      EXPECT_TRUE(same || !alike);
      byTerms += alike;
      auto compared =
          compareDumps(dumps[i - 1], dumps[i], DumpComparisonOptions());
      ASSERT_TRUE(compared.ok()) << compared.status();
      ++pairs;
      undecided += compared->verdict.answer == Verdict::Undecided;
      EXPECT_NE(compared->verdict.answer,
                same ? Verdict::Different : Verdict::Same)
          << hloOf(chain.programs[i - 1], parameters)
          << hloOf(chain.programs[i], parameters);
      if (compared->verdict.answer != Verdict::Different) continue;
      ++found;
      // The side that reads the element says on which way, with lines.
      const PairWitness *witness = nullptr;
      for (const LeafEquality &leaf : compared->equality->leaves)
        if (!witness && leaf.decision.witness)
          witness = &*leaf.decision.witness;
      ASSERT_TRUE(witness);
      const auto &way =
          compared->ways[witness->onlyIn == PairWitness::Side::Second];
      ASSERT_FALSE(way.empty());
      for (const InstructionLine &at : way) EXPECT_GT(at.line, 0u);
    }
  }
  printf("  %ld mutants in %ld pairs: %ld found, %ld pairs undecided\n",
         static_cast<long>(mutants), static_cast<long>(pairs),
         static_cast<long>(found), static_cast<long>(undecided));
  EXPECT_GT(byTerms, 0);
  // Undecided is no error, but is not to be the rule either.
  EXPECT_LE(undecided * 100, pairs);
}

}  // namespace
}  // namespace indexical::testing
