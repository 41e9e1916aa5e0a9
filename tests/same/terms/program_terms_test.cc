// Terms against execution.
//
// Random modules (tests/support/random_programs.h) are run with random data:
// leaves of one value hold the same numbers, and leaves of one reads depend on
// the same elements of the parameters.
//
//   INDEXICAL_PROGRAMS=20      20 times as many modules
//   INDEXICAL_PROGRAMS_SEED=n  beginning with this one
#include "indexical/same/terms/program_terms.h"

#include <cstdio>
#include <map>
#include <string>

#include "gtest/gtest.h"

#include "tests/support/program_reads.h"
#include "tests/support/program_run.h"
#include "tests/support/random_programs.h"

namespace indexical::testing {
namespace {

class ProgramTermsTest : public ::testing::Test {
 protected:
  void check(const Module &module, int32_t c, Random &random) {
    const Computation &entry = module.computations[c];
    const ProgramRun run(module, c, random);
    TermTable table;
    const ProgramTerms terms(module, table);
    struct First {
      int32_t instruction;
      int64_t leaf;
    };
    std::map<TermId, First> values;
    std::map<std::pair<TermId, std::string>, First> reads;
    for (InstructionId i(0);
         i < static_cast<int32_t>(entry.instructions.size()); ++i) {
      const ShapeList leaves = entry.instructions[i].shape.leaves();
      for (size_t l = 0; l < leaves.size(); ++l) {
        const First own = {i, static_cast<int64_t>(l)};
        const auto of = terms.of({i, LeafId(l)});
        auto [value, isNew] = values.try_emplace(of.value, own);
        const auto &numbers =
            run.valuesOf({ComputationId(c), i, LeafId(l), {}});
        const auto &first =
            run.valuesOf({ComputationId(c),
                          InstructionId(value->second.instruction),
                          LeafId(value->second.leaf),
                          {}});
        sameValues += !isNew;
        // A slice of the first elements is one with what it is of.
        for (size_t e = 0;
             e < std::min(numbers.size(), first.size()) && leaves[l].rank() < 2;
             ++e)
          EXPECT_EQ(numbers[e], first[e])
              << entry.name.str() << ": " << entry.instructions[i].name.str()
              << " and "
              << entry.instructions[value->second.instruction].name.str();
        auto [same, isFirst] =
            reads.try_emplace({of.reads, textOfSizes(leaves[l])}, own);
        if (isFirst) continue;
        ++sameReads;
        for (const auto &[parameter, leaf] : parameterLeaves(entry)) {
          const ProgramRun::Leaf to{entry.parameters[parameter], leaf};
          EXPECT_EQ(run.pairs(ProgramRun::Leaf{i, static_cast<int64_t>(l)}, to),
                    run.pairs(ProgramRun::Leaf{same->second.instruction,
                                               same->second.leaf},
                              to))
              << entry.instructions[i].name.str() << " and "
              << entry.instructions[same->second.instruction].name.str();
        }
      }
    }
  }

  static std::string textOfSizes(const ArrayShape &shape) {
    std::string text;
    for (int64_t size : shape.dimensions) text += std::to_string(size) + ",";
    return text;
  }

  int64_t sameValues = 0, sameReads = 0;
};

TEST_F(ProgramTermsTest, RandomPrograms) {
  const uint64_t first = fromEnvironment("INDEXICAL_PROGRAMS_SEED", 1);
  const uint64_t count = 400 * fromEnvironment("INDEXICAL_PROGRAMS", 1);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const std::string text = randomProgram(random);
    SCOPED_TRACE("INDEXICAL_PROGRAMS_SEED=" + std::to_string(seed) + "\n" +
                 text);
    Program program = parsed(text);
    Module &module = program.modules[0];
    for (size_t c = 0; c < module.computations.size(); ++c) {
      module.entry = ComputationId(c);
      check(module, c, random);
    }
    if (HasFailure()) return;
  }
  printf("  %lld leaves have the value of another one, %lld its reads\n",
         static_cast<long long>(sameValues), static_cast<long long>(sameReads));
  EXPECT_GT(sameValues, static_cast<int64_t>(count) * 2);
  EXPECT_GT(sameReads, static_cast<int64_t>(count) * 2);
}

/// The characters of all terms of a chain of transposes and reshapes whose cuts
/// do not align.
size_t textOfTerms(int64_t steps) {
  const char *kShapes[] = {"f32[2,3,5,7]", "f32[210]", "f32[7,5,3,2]"};
  std::string text =
      "HloModule m\nENTRY e {\n  x0 = f32[2,3,5,7] parameter(0)\n";
  for (int64_t n = 1; n <= steps; ++n) {
    const std::string before = " x" + std::to_string(n - 1);
    text += (n == steps ? "  ROOT x" : "  x") + std::to_string(n) + " = ";
    if (n % 3 == 0)
      text += "f32[2,3,5,7] transpose(" + before + "), dimensions={3,2,1,0}\n";
    else
      text += kShapes[n % 3] + (" reshape(" + before) + ")\n";
  }
  const Program program = parsed(text + "}\n");
  TermTable table;
  const ProgramTerms terms(program.modules.at(0), table);
  size_t length = 0;
  for (size_t id = 0; id < table.size(); ++id) length += table[id].text.size();
  // Another module of this text has the same terms, so that both are equal.
  const size_t before = table.size();
  const ProgramTerms again(program.modules.at(0), table);
  EXPECT_EQ(table.size(), before);
  return length;
}

TEST(ChainTermsTest, GrowWithTheChain) {
  const size_t once = textOfTerms(60), twice = textOfTerms(120);
  EXPECT_GT(once, 0u);
  EXPECT_LT(static_cast<double>(twice), 2.3 * static_cast<double>(once));
}

}  // namespace
}  // namespace indexical::testing
