// Derivatives of programs against runs that leave out what carries none.
//
//   INDEXICAL_DERIVATIVES=20      20 times as many random modules
//   INDEXICAL_DERIVATIVES_SEED=n  beginning with this one
#include "indexical/program/maps/derivative_reads.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "tests/support/program_reads.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"
#include "tests/support/random_programs.h"

namespace indexical::testing {
namespace {

/// What a derivative is, once more, for the ops of random programs.
bool counts(const Op &op, int64_t result, int64_t operand) {
  const OpShapes &shapes = shapesOf(op);
  // Keys only order, and windows only choose.
  if (op.kind().name == "sort" && result != operand) return false;
  if (op.kind().name == "select-and-scatter" && operand == 0) return false;
  return !isInteger(shapes.results[result].type) &&
         !isInteger(shapes.operands[operand].type) &&
         op.kind().name != "floor" && op.kind().name != "sign";
}

/// The program with some of its steps replaced by ones that carry nothing.
std::string withSteps(Random &random, std::string text) {
  const std::string from = " negate(";
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; ++at) {
    const size_t line = text.rfind('\n', at);
    const bool isFloat = text.find("f32[", line) < at;
    if (isFloat && !random.oneIn(4))
      text.replace(at, from.size(), random.oneIn(2) ? " floor(" : " sign(");
  }
  return text;
}

std::string derivatives(const std::string &text, int32_t parameter = 0,
                        int64_t leaf = 0, int64_t rootLeaf = 0) {
  const Program program = parsed(text);
  if (program.modules.empty()) return "";
  ProgramIndexing maps(program.modules[0]);
  auto relation =
      DerivativeReads(maps).of(program.modules[0].entry, LeafId(rootLeaf),
                               ParameterLeaf{parameter, LeafId(leaf)});
  return relation.ok() ? textOf(maps, *relation)
                       : std::string(relation.status().message());
}

bool isSmall(const IndexingRelation &relation) {
  int64_t points = 0;
  for (const IndexingMap &piece : relation.pieces()) {
    int64_t count = 1;
    for (const auto &variables : {piece.dimensions(), piece.ranges()})
      for (const Variable &v : variables)
        count = std::min<int64_t>(count * v.bounds.count(), 1 << 20);
    points += count;
  }
  return points < 20000;
}

TEST(DerivativeReadsTest, RandomProgramsAreTheirRuns) {
  const uint64_t first = fromEnvironment("INDEXICAL_DERIVATIVES_SEED", 1);
  const uint64_t count = 300 * fromEnvironment("INDEXICAL_DERIVATIVES", 1);
  int64_t relations = 0, covers = 0, fewer = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const std::string text = withSteps(random, randomProgram(random));
    const Program program = parsed(text);
    ASSERT_FALSE(HasFailure()) << text;
    const Module &module = program.modules[0];
    const ProgramRun::Only only(&counts);
    for (ComputationId c(1);
         c < static_cast<int64_t>(module.computations.size()); ++c) {
      const Computation &own = module.computations[c];
      const ProgramRun run(module, c, random);
      ProgramIndexing maps(module);
      DerivativeReads derivatives(maps);
      const auto roots = own.instructions[own.root].shape->leaves();
      for (size_t r = 0; r < roots.size(); ++r)
        for (size_t p = 0; p < own.parameters.size(); ++p) {
          const auto leaves =
              own.instructions[own.parameters[p]].shape->leaves();
          for (size_t l = 0; l < leaves.size(); ++l) {
            auto found =
                derivatives.of(c, LeafId(r), ParameterLeaf{p, LeafId(l)});
            ASSERT_TRUE(found.ok()) << found.status();
            const bool isFloat =
                !isInteger(roots[r].type) && !isInteger(leaves[l].type);
            if (!isFloat) {
              EXPECT_TRUE(found->isEmpty());
              continue;
            }
            if (!isSmall(*found)) continue;
            const auto all = maps.computation(
                c, LeafId(r), ParameterLeaf{p, LeafId(l)}, kReads);
            ASSERT_TRUE(all.ok());
            const auto pairs = pairsOf(*found, RunWorld(run, maps));
            fewer += pairs.size() < pairsOf(*all, RunWorld(run, maps)).size();
            const auto expected =
                run.pairs({own.root, static_cast<int64_t>(r)},
                          {own.parameters[p], static_cast<int64_t>(l)});
            ++relations;
            covers += found->precision() != Precision::Exact;
            if (found->precision() != Precision::Exact &&
                std::includes(pairs.begin(), pairs.end(), expected.begin(),
                              expected.end()))
              continue;
            ASSERT_EQ(difference(expected, pairs), "")
                << "INDEXICAL_DERIVATIVES_SEED=" << seed << ", "
                << own.name.str() << ", result " << r << ", parameter " << p
                << " leaf " << l << ", first the run, second the maps\n"
                << textOf(*found) << "\n"
                << text;
          }
        }
    }
  }
  printf("  %ld relations, %ld covers, %ld with fewer pairs than are read\n",
         static_cast<long>(relations), static_cast<long>(covers),
         static_cast<long>(fewer));
  EXPECT_GT(relations, 1000);
  EXPECT_GT(fewer, 10);
  EXPECT_LT(covers * 10, relations);
}

//===-- Small modules -----------------------------------------------------===//

const char *const kIdentity = "exact:\n  (d0) -> (d0), domain: d0 in [0, 7]";

TEST(DerivativeReadsTest, StepsCarryNothing) {
  for (const char *kind : {"floor", "ceil", "sign", "round-nearest-even"}) {
    EXPECT_EQ(derivatives("ENTRY e { p = f32[8] parameter(0)\n ROOT r = "
                          "f32[8] " +
                          std::string(kind) + "(p) }"),
              "exact:");
  }
  EXPECT_EQ(derivatives("ENTRY e { p = f32[8] parameter(0)\n"
                        "  i = s32[8] convert(p)\n"
                        "  ROOT r = f32[8] convert(i) }"),
            "exact:");
}

TEST(DerivativeReadsTest, APredicateOnlyChooses) {
  const char *text = R"(
ENTRY e {
  p = f32[8] parameter(0)
  q = f32[8] parameter(1)
  less = pred[8] compare(p, q), direction=LT
  ROOT r = f32[8] select(less, q, q)
})";
  EXPECT_EQ(derivatives(text, 0), "exact:");
  EXPECT_EQ(derivatives(text, 1), kIdentity);
}

TEST(DerivativeReadsTest, KeysOnlyOrder) {
  const char *text = R"(HloModule m
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] parameter(2)
  d = f32[] parameter(3)
  ROOT r = pred[] compare(a, b), direction=LT
}
ENTRY e {
  p = f32[8] parameter(0)
  q = f32[8] parameter(1)
  ROOT s = (f32[8], f32[8]) sort(p, q), dimensions={0}, to_apply=less
})";
  const std::string all =
      "exact:\n  (d0)[s0] -> (s0), domain: d0 in [0, 7], s0 in [0, 7]";
  EXPECT_EQ(derivatives(text, 0, 0, 0), all);
  EXPECT_EQ(derivatives(text, 0, 0, 1), "exact:");
  EXPECT_EQ(derivatives(text, 1, 0, 1), all);
}

/// What is applied to elements may be more than a sum.
TEST(DerivativeReadsTest, BodiesThatAreNotPlainAreCovered) {
  auto of = [](const std::string &body) {
    return derivatives(R"(HloModule m
f { a = f32[] parameter(0) b = f32[] parameter(1)
  )" + body + R"( }
ENTRY e {
  p = f32[8] parameter(0)
  zero = f32[] constant(0)
  ROOT r = f32[] reduce(p, zero), dimensions={0}, to_apply=f
})");
  };
  const std::string all = "\n  ()[s0] -> (s0), domain: s0 in [0, 7]";
  EXPECT_EQ(of("ROOT r = f32[] add(a, b)"), "exact:" + all);
  EXPECT_EQ(of("ROOT r = f32[] maximum(b, a)"), "exact:" + all);
  EXPECT_EQ(of("s = f32[] sign(b) ROOT r = f32[] add(a, s)"), "cover:" + all);
  EXPECT_EQ(of("ROOT r = f32[] add(a, a)"), "cover:" + all);
}

/// Computations that are alike but for what they apply are not one.
TEST(DerivativeReadsTest, AlikeComputationsWithOtherBodies) {
  const char *text = R"(HloModule m
plain { a = f32[] parameter(0) b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
other { a = f32[] parameter(0) b = f32[] parameter(1)
  s = f32[] sign(b) ROOT r = f32[] add(a, s) }
f { p = f32[8] parameter(0) zero = f32[] parameter(1)
  ROOT r = f32[] reduce(p, zero), dimensions={0}, to_apply=plain }
g { p = f32[8] parameter(0) zero = f32[] parameter(1)
  ROOT r = f32[] reduce(p, zero), dimensions={0}, to_apply=other }
ENTRY e {
  p = f32[8] parameter(0)
  z = f32[] parameter(1)
  a = f32[] call(p, z), to_apply=f
  b = f32[] call(p, z), to_apply=g
  ROOT t = (f32[], f32[]) tuple(a, b)
})";
  const std::string all = "\n  ()[s0] -> (s0), domain: s0 in [0, 7]";
  EXPECT_EQ(derivatives(text, 0, 0, 0), "exact:" + all);
  EXPECT_EQ(derivatives(text, 0, 0, 1), "cover:" + all);
}

TEST(DerivativeReadsTest, OpsThatAreNotKnownAreCovered) {
  EXPECT_EQ(derivatives("ENTRY e { p = f32[8] parameter(0)\n  ROOT r = f32[8] "
                        "reduce-precision(p), exponent_bits=5, "
                        "mantissa_bits=10 }"),
            "cover:\n  (d0) -> (d0), domain: d0 in [0, 7]");
}

/// An index is an integer, whatever it is made of.
TEST(DerivativeReadsTest, IndicesCarryNothing) {
  const char *text = R"(
ENTRY e {
  p = f32[8] parameter(0)
  q = f32[] parameter(1)
  i = s32[] convert(q)
  ROOT r = f32[2] dynamic-slice(p, i), dynamic_slice_sizes={2}
})";
  EXPECT_EQ(derivatives(text, 1), "exact:");
  EXPECT_EQ(derivatives(text, 0),
            "exact:\n  (d0){rt0} -> (d0 + rt0), domain: d0 in [0, 1], rt0 in "
            "[0, 6]\n  rt0: e.i");
}

}  // namespace
}  // namespace indexical::testing
