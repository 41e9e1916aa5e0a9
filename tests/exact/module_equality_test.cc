// Random pairs of HLO modules. Rewrites read the same. If a mutation reads
// anything else, by enumeration, the answer names an element that shows it.
#include "indexical/same/equality/module_equality.h"

#include <cstdio>
#include <optional>
#include <set>
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/simplifier/size_prover.h"
#include "tests/exact/moving_programs.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

class ModuleEqualityTest : public ::testing::Test {
 protected:
  ~ModuleEqualityTest() override {
    printf(
        "  equal: %d pairs, %d undecided; different: %d pairs, %d "
        "undecided\n",
        pairs[1], undecided[1], pairs[0], undecided[0]);
  }

  /// Compares both ways of finding out what two programs read.
  void check(const NodePtr &first, const NodePtr &second) {
    const std::vector<Sizes> parameters = parametersOf({first, second});
    const std::string texts[] = {hloOf(first, parameters),
                                 hloOf(second, parameters)};
    SCOPED_TRACE(texts[0] + texts[1]);
    const std::vector<Moved> reads[] = {evaluate(first), evaluate(second)};
    auto a = parseHlo(texts[0]), b = parseHlo(texts[1]);
    ASSERT_TRUE(a.ok()) << a.status();
    ASSERT_TRUE(b.ok()) << b.status();
    const int64_t asked = sizeQuestions();
    auto found = compareReads(a->modules[0], b->modules[0]);
    // All sizes are known: the prover of sizes is not asked.
    EXPECT_EQ(sizeQuestions(), asked);
    ASSERT_TRUE(found.ok()) << found.status();
    ASSERT_EQ(found->leaves.size(), parameters.size());
    bool same = true;
    for (const LeafEquality &leaf : found->leaves) {
      EXPECT_EQ(leaf.result, 0);
      const bool leafSame = readTheSame(reads, leaf.parameter);
      same &= leafSame;
      if (leaf.decision.answer == Answer::Undecided) continue;
      EXPECT_EQ(leaf.decision.answer == Answer::Yes, leafSame)
          << "parameter " << leaf.parameter;
      if (leaf.decision.answer == Answer::No)
        confirm(leaf, reads, first->sizes, parameters,
                {a->modules[0], b->modules[0]});
    }
    ++pairs[same];
    if (found->answer == Answer::Undecided) {
      ++undecided[same];
    } else {
      EXPECT_EQ(found->answer == Answer::Yes, same);
    }
  }

  int pairs[2] = {0, 0}, undecided[2] = {0, 0};

 private:
  static bool readTheSame(const std::vector<Moved> reads[2],
                          int64_t parameter) {
    for (size_t i = 0; i < reads[0].size(); ++i) {
      const Moved &x = reads[0][i], &y = reads[1][i];
      if (!(x == y) && (x.parameter == parameter || y.parameter == parameter))
        return false;
    }
    return true;
  }

  static void confirm(const LeafEquality &leaf,
                      const std::vector<Moved> reads[2], const Sizes &sizes,
                      const std::vector<Sizes> &parameters,
                      const std::vector<Module> &modules) {
    ASSERT_TRUE(leaf.decision.witness.has_value());
    const PairWitness &w = *leaf.decision.witness;
    ASSERT_EQ(w.index.size(), sizes.size());
    const Moved element = {leaf.parameter,
                           rowMajor(parameters[leaf.parameter], w.element)};
    const int only = w.onlyIn == PairWitness::Side::First ? 0 : 1;
    const int64_t at = rowMajor(sizes, w.index);
    EXPECT_TRUE(reads[only][at] == element);
    EXPECT_FALSE(reads[1 - only][at] == element);
    // The way leads from the root to the parameter, by operands.
    for (int side : {0, 1}) {
      const auto &path = leaf.paths[side];
      if (path.empty()) {
        EXPECT_NE(side, only);
        continue;
      }
      const Computation &entry =
          modules[side].computations[modules[side].entry];
      int32_t here = entry.root;
      for (size_t i = 0; i < path.size(); ++i) {
        EXPECT_EQ(entry.instructions[here].name.str(), path[i]);
        if (i + 1 == path.size()) break;
        int32_t next = -1;
        for (int32_t operand : entry.instructions[here].operands)
          if (entry.instructions[operand].name.str() == path[i + 1])
            next = operand;
        ASSERT_GE(next, 0) << path[i + 1] << " is no operand";
        here = next;
      }
      EXPECT_EQ(path.back(), "p" + std::to_string(leaf.parameter));
    }
  }
};

TEST_F(ModuleEqualityTest, RewritesAndMutations) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const int64_t programs = fromEnvironment("INDEXICAL_MODULE_PAIRS", 400);
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const NodePtr program = randomProgram(random);
    NodePtr other = program;
    for (int64_t i = random.in(1, 6); i > 0; --i)
      if (NodePtr next = rewritten(random, other)) other = std::move(next);
    ASSERT_TRUE(evaluate(program) == evaluate(other)) << "no rewrite";
    check(program, other);
    NodePtr mutation;
    for (int tries = 0; tries < 20 && !mutation; ++tries)
      mutation = mutated(random, random.oneIn(2) ? program : other);
    if (mutation) check(program, mutation);
    if (HasFailure()) return;
  }
  EXPECT_GE(pairs[1], programs);
  EXPECT_GT(pairs[0], programs / 2);
  EXPECT_LE(undecided[0] + undecided[1], (pairs[0] + pairs[1]) / 100);
}

/// Returns a program whose result is a tuple of so many arrays, one of which is
/// reversed.
Program leaves(int count, int turned) {
  std::string shape, names, text;
  for (int i = 0; i < count; ++i) {
    shape += i ? ", f32[4]" : "f32[4]";
    const std::string n = std::to_string(i);
    text += " g" + n + " = f32[4] get-tuple-element(p), index=" + n + "\n";
    names += (i ? ", g" : "g") + n + (i == turned ? "r" : "");
    if (i == turned)
      text += " g" + n + "r = f32[4] reverse(g" + n + "), dimensions={0}\n";
  }
  auto program =
      parseHlo("HloModule m\nENTRY e {\n p = (" + shape + ") parameter(0)\n" +
               text + " ROOT t = (" + shape + ") tuple(" + names + ")\n}\n");
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? *std::move(program) : Program();
}

// If there are many pairs, only those that a module reads are listed.
TEST(ListedPairs, ThoseThatNobodyReadsAreLeftOut) {
  for (const auto &[count, isDense] :
       {std::pair(256, true), std::pair(257, false)}) {
    const Program same = leaves(count, -1), turned = leaves(count, 200);
    for (const Program *other : {&same, &turned}) {
      auto equality = compareReads(same.modules[0], other->modules[0]);
      ASSERT_TRUE(equality.ok()) << equality.status();
      EXPECT_EQ(equality->results, count);
      EXPECT_EQ(equality->parameters, count);
      EXPECT_EQ(equality->listsAll(), isDense);
      EXPECT_EQ(equality->leaves.size(),
                static_cast<size_t>(isDense ? count * count : count));
      EXPECT_EQ(equality->answer, other == &same ? Answer::Yes : Answer::No);
      for (const LeafEquality &leaf : equality->leaves) {
        if (!isDense) {
          EXPECT_EQ(leaf.result, leaf.parameter);
        }
        const bool isTurned =
            other == &turned && leaf.result == 200 && leaf.parameter == 200;
        EXPECT_EQ(leaf.decision.answer, isTurned ? Answer::No : Answer::Yes);
      }
    }
  }
}

}  // namespace
}  // namespace indexical::testing
