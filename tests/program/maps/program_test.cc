// Composed maps of programs against the dependences of a run.
//
// Random modules (tests/support/random_programs.h) are run element by element
// (tests/support/program_run.h): a composed relation must have the same pairs,
// in both directions, between the root and the parameters of every computation
// and between any two instructions. Small modules show the rest: which source a
// runtime variable has behind calls, deep sharing, covers, cycles.
//
//   INDEXICAL_PROGRAMS=20      20 times as many random modules
//   INDEXICAL_PROGRAMS_SEED=n  beginning with this one
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/support/program_reads.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"
#include "tests/support/random_programs.h"

namespace indexical::testing {
namespace {

std::vector<Pair> turned(std::vector<Pair> pairs) {
  for (Pair &pair : pairs) std::swap(pair.first, pair.second);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Whether enumerating the relation takes a moment only.
bool isSmall(const IndexingRelation &relation) {
  int64_t points = 0;
  for (const IndexingMap &piece : relation.pieces()) {
    int64_t count = 1;
    for (const Variable &v : piece.dimensions())
      count = std::min<int64_t>(count * v.bounds.count(), 1 << 20);
    for (const Variable &v : piece.ranges())
      count = std::min<int64_t>(count * v.bounds.count(), 1 << 20);
    points += count;
  }
  return points < 20000;
}

//===-- Random programs ---------------------------------------------------===//

struct Counts {
  int relations = 0, covers = 0, pieces = 0, runtime = 0, calls = 0, large = 0;
};

class Checker {
 public:
  Checker(const Module &module, int32_t computation, Random &random,
          Counts &counts)
      : module(module),
        c(computation),
        run(module, computation, random),
        maps(module),
        counts(counts) {}

  /// Checks the reads of the root of each parameter.
  void rootAndParameters() {
    const Computation &computation = module.computations[c];
    for (int64_t r = 0; r < leafCount(computation.root); ++r)
      for (size_t p = 0; p < computation.parameters.size(); ++p)
        for (int64_t l = 0; l < leafCount(computation.parameters[p]); ++l) {
          const ProgramRun::Leaf from{computation.root, r};
          const ProgramRun::Leaf to{computation.parameters[p], l};
          check(from, to,
                maps.computation(ComputationId(c), LeafId(r),
                                 ParameterLeaf{p, LeafId(l)}, kReads),
                maps.computation(ComputationId(c), LeafId(r),
                                 ParameterLeaf{p, LeafId(l)}, kUsers),
                run.pairs(from, to));
        }
  }

  /// Checks the reads of instruction i of each of its operands.
  void instruction(InstructionId i) {
    const Computation &computation = module.computations[c];
    if (computation.instructions[i].parameterNumber >= 0) return;
    const auto leaves = computation.operandLeaves(i);
    for (int64_t r = 0; r < leafCount(i); ++r)
      for (size_t k = 0; k < leaves.size(); ++k)
        check({i, r}, {leaves[k].instruction, leaves[k].result},
              maps.instruction({ComputationId(c), i, LeafId(r)}, LeafId(k),
                               kReads),
              maps.instruction({ComputationId(c), i, LeafId(r)}, LeafId(k),
                               kUsers),
              run.pairs({i, r}, static_cast<int64_t>(k)));
  }

  void between(InstructionId from, InstructionId to) {
    for (int64_t r = 0; r < leafCount(from); ++r)
      for (int64_t l = 0; l < leafCount(to); ++l)
        check({from, r}, {to, l},
              maps.between({ComputationId(c), from, LeafId(r)},
                           {ComputationId(c), to, LeafId(l)}, kReads),
              maps.between({ComputationId(c), from, LeafId(r)},
                           {ComputationId(c), to, LeafId(l)}, kUsers),
              run.pairs({from, r}, ProgramRun::Leaf{to, l}));
  }

 private:
  int64_t leafCount(InstructionId i) const {
    return module.computations[c].instructions[i].shape.leafCount();
  }

  void check(ProgramRun::Leaf from, ProgramRun::Leaf to,
             const absl::StatusOr<IndexingRelation> &reads,
             const absl::StatusOr<IndexingRelation> &users,
             const std::vector<Pair> &expected) {
    ASSERT_TRUE(reads.ok()) << reads.status();
    ASSERT_TRUE(users.ok()) << users.status();
    EXPECT_EQ(reads->precision(), users->precision());
    expectPairs(*reads, expected, from, to, "output to input");
    expectPairs(*users, turned(expected), from, to, "input to output");
    if (reads->precision() != Precision::Exact && isSmall(*reads) &&
        isSmall(*users)) {
      const RunWorld world(run, maps);
      EXPECT_EQ(
          difference(pairsOf(*reads, world), turned(pairsOf(*users, world))),
          "")
          << "covers that are no transposes\n"
          << textOf(*reads) << "\n"
          << textOf(*users);
    }
    counts.relations++;
    counts.covers += reads->precision() != Precision::Exact;
    for (const IndexingMap &piece : reads->pieces()) {
      counts.pieces++;
      counts.runtime += piece.runtime().size();
      for (const RuntimeVariable &variable : piece.runtime())
        counts.calls += !maps.value(variable.source.tensor).calls.empty();
    }
  }

  void expectPairs(const IndexingRelation &relation,
                   const std::vector<Pair> &expected, ProgramRun::Leaf from,
                   ProgramRun::Leaf to, const char *direction) {
    if (!isSmall(relation)) {
      counts.large++;
      return;
    }
    const std::vector<Pair> pairs = pairsOf(relation, RunWorld(run, maps));
    if (relation.precision() != Precision::Exact &&
        std::includes(pairs.begin(), pairs.end(), expected.begin(),
                      expected.end()))
      return;
    const Computation &computation = module.computations[c];
    EXPECT_EQ(difference(expected, pairs), "")
        << direction << ", " << computation.name.str() << ": "
        << computation.instructions[from.instruction].name.str() << "#"
        << from.leaf << " and "
        << computation.instructions[to.instruction].name.str() << "#" << to.leaf
        << ", first the run, second the maps\n"
        << textOf(relation);
  }

  const Module &module;
  int32_t c;
  ProgramRun run;
  ProgramIndexing maps;
  Counts &counts;
};

TEST(ProgramTest, RandomProgramsAreTheUnionOverAllPaths) {
  const uint64_t first = fromEnvironment("INDEXICAL_PROGRAMS_SEED", 1);
  const uint64_t count = 400 * fromEnvironment("INDEXICAL_PROGRAMS", 1);
  Counts counts;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const std::string text = randomProgram(random);
    const Program program = parsed(text);
    ASSERT_FALSE(HasFailure()) << "INDEXICAL_PROGRAMS_SEED=" << seed;
    const Module &module = program.modules[0];
    for (size_t c = 1; c < module.computations.size(); ++c) {
      Checker checker(module, c, random, counts);
      checker.rootAndParameters();
      const int32_t size = module.computations[c].instructions.size();
      for (InstructionId i(0); i < size; ++i) checker.instruction(i);
      for (int k = 0; k < 3; ++k) {
        const InstructionId to(random.in(0, size - 2));
        checker.between(InstructionId(random.in(to + 1, size - 1)), to);
      }
    }
    ASSERT_FALSE(HasFailure()) << "INDEXICAL_PROGRAMS_SEED=" << seed << "\n"
                               << text;
  }
  // The programs are what this test is for.
  EXPECT_GT(counts.relations, 5000);
  EXPECT_GT(counts.runtime, 300);
  EXPECT_GT(counts.calls, 1);
  EXPECT_LT(counts.large * 10, counts.relations);
  EXPECT_LT(counts.covers * 100, counts.relations);
}

// One table of answers serves all questions: asked in any order, they are the
// same.
TEST(ProgramTest, TheOrderOfQuestionsDoesNotMatter) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const Program program = parsed(randomProgram(random));
    const Module &module = program.modules[0];
    const Computation &entry = module.computations[module.entry];
    auto ask = [&](ProgramIndexing &maps, size_t p, Direction direction) {
      auto relation = maps.computation(module.entry, LeafId(0),
                                       ParameterLeaf{p}, direction);
      EXPECT_TRUE(relation.ok());
      return textOf(*relation);
    };
    ProgramIndexing forward(module), backward(module);
    std::vector<std::string> first, second;
    for (size_t p = 0; p < entry.parameters.size(); ++p)
      for (Direction direction : {kReads, kUsers})
        first.push_back(ask(forward, p, direction));
    for (size_t p = entry.parameters.size(); p-- > 0;)
      for (Direction direction : {kUsers, kReads})
        second.push_back(ask(backward, p, direction));
    std::reverse(second.begin(), second.end());
    EXPECT_EQ(first, second) << "seed " << seed;
  }
}

//===-- Small modules -----------------------------------------------------===//

TEST(ProgramTest, EqualPathsMerge) {
  EXPECT_EQ(
      reads(R"(
ENTRY e {
  p = f32[4,6] parameter(0)
  t = f32[6,4] transpose(p), dimensions={1,0}
  u = f32[4,6] transpose(t), dimensions={1,0}
  r = f32[24] reshape(p)
  s = f32[4,6] reshape(r)
  a = f32[4,6] add(p, u)
  ROOT b = f32[4,6] multiply(a, s)
})"),
      "exact:\n  (d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 5]");
}

TEST(ProgramTest, WhatIsNotReadHasNoPieces) {
  const char *text = R"(
ENTRY e {
  p = (f32[4], f32[5]) parameter(0)
  q = f32[4] parameter(1)
  x = f32[4] get-tuple-element(p), index=0
  ROOT r = (f32[4], f32[4]) tuple(x, q)
})";
  const std::string identity = "exact:\n  (d0) -> (d0), domain: d0 in [0, 3]";
  EXPECT_EQ(reads(text, 0, 0, kReads, 0), identity);
  EXPECT_EQ(reads(text, 0, 1, kReads, 0), "exact:");
  EXPECT_EQ(reads(text, 1, 0, kReads, 0), "exact:");
  EXPECT_EQ(reads(text, 1, 0, kReads, 1), identity);
  EXPECT_EQ(reads(text, 0, 0, kUsers, 1), "exact:");
}

TEST(ProgramTest, NestedTuplesThroughFusions) {
  const char *text = R"(HloModule m
f {
  a = f32[4] parameter(0)
  b = f32[6] parameter(1)
  inner = (f32[6], f32[4]) tuple(b, a)
  ROOT t = ((f32[6], f32[4]), f32[4]) tuple(inner, a)
}
ENTRY e {
  p = (f32[4], f32[6]) parameter(0)
  x = f32[4] get-tuple-element(p), index=0
  y = f32[6] get-tuple-element(p), index=1
  f = ((f32[6], f32[4]), f32[4]) fusion(x, y), kind=kLoop, calls=f
  g = (f32[6], f32[4]) get-tuple-element(f), index=0
  ROOT h = f32[6] get-tuple-element(g), index=0
})";
  EXPECT_EQ(reads(text, 0, 1), "exact:\n  (d0) -> (d0), domain: d0 in [0, 5]");
  EXPECT_EQ(reads(text, 0, 0), "exact:");
}

// The document's softmax, as one computation.
TEST(ProgramTest, Softmax) {
  EXPECT_EQ(reads(R"(HloModule softmax
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e {
  p = f32[2,65,125] parameter(0)
  zero = f32[] constant(0)
  max = f32[2,65] reduce(p, zero), dimensions={2}, to_apply=sum
  b = f32[2,65,125] broadcast(max), dimensions={0,1}
  s = f32[2,65,125] subtract(p, b)
  x = f32[2,65,125] exponential(s)
  n = f32[2,65] reduce(x, zero), dimensions={2}, to_apply=sum
  d = f32[2,65,125] broadcast(n), dimensions={0,1}
  ROOT r = f32[2,65,125] divide(x, d)
})"),
            "exact:\n"
            "  (d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], "
            "d1 in [0, 64], d2 in [0, 124]\n"
            "  (d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], "
            "d1 in [0, 64], d2 in [0, 124], s0 in [0, 124]");
}

//===-- Sources behind calls ----------------------------------------------===//

// A parameter of what is called is the caller's operand.
TEST(ProgramTest, SourcesThatAreParametersAreLifted) {
  EXPECT_EQ(reads(R"(HloModule m
f {
  x = f32[100] parameter(0)
  at = s32[] parameter(1)
  ROOT s = f32[10] dynamic-slice(x, at), dynamic_slice_sizes={10}
}
ENTRY e {
  p = f32[100] parameter(0)
  a = s32[] parameter(1)
  b = s32[] parameter(2)
  sum = s32[] add(a, b)
  ROOT r = f32[10] fusion(p, sum), kind=kLoop, calls=f
})"),
            "exact:\n  (d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], "
            "rt0 in [0, 90]\n  rt0: e.sum");
}

// Anything else keeps the way to it; the same callee called twice gives two.
TEST(ProgramTest, SourcesInsideOfCallsKeepTheirWay) {
  EXPECT_EQ(reads(R"(HloModule m
inner {
  x = f32[100] parameter(0)
  at = s32[] parameter(1)
  twice = s32[] add(at, at)
  ROOT s = f32[50] dynamic-slice(x, twice), dynamic_slice_sizes={50}
}
outer {
  y = f32[100] parameter(0)
  i = s32[] parameter(1)
  ROOT c = f32[50] call(y, i), to_apply=inner
}
ENTRY e {
  p = f32[100] parameter(0)
  a = s32[] parameter(1)
  one = f32[50] call(p, a), to_apply=outer
  two = f32[50] call(p, a), to_apply=outer
  ROOT r = f32[50] add(one, two)
})"),
            "exact:\n"
            "  (d0){rt0} -> (d0 + rt0), domain: d0 in [0, 49], rt0 in [0, 50]\n"
            "  (d0){rt0} -> (d0 + rt0), domain: d0 in [0, 49], rt0 in [0, 50]\n"
            "  rt0: e.two > outer.c > inner.twice\n"
            "  rt0: e.one > outer.c > inner.twice");
}

TEST(ProgramTest, ChainedDynamicSlicesKeepTheirSources) {
  EXPECT_EQ(reads(R"(
ENTRY e {
  p = f32[100] parameter(0)
  a = s32[] parameter(1)
  b = s32[] parameter(2)
  first = f32[50] dynamic-slice(p, a), dynamic_slice_sizes={50}
  ROOT second = f32[10] dynamic-slice(first, b), dynamic_slice_sizes={10}
})"),
            "exact:\n  (d0){rt0, rt1} -> (d0 + rt0 + rt1), domain: "
            "d0 in [0, 9], rt0 in [0, 50], rt1 in [0, 40]\n"
            "  rt0: e.a\n  rt1: e.b");
}

//===-- Sharing, covers, cycles -------------------------------------------===//

// x = f(x, g(x)), 64 times over: 2^64 paths, one map.
TEST(ProgramTest, SharedOperandsAreQuick) {
  std::string text = "ENTRY e {\n  x0 = f32[8,8] parameter(0)\n";
  for (int i = 1; i <= 64; ++i) {
    const std::string x = "x" + std::to_string(i - 1), n = std::to_string(i);
    text += "  t" + n + " = f32[8,8] reverse(" + x + "), dimensions={0}\n";
    text += "  x" + n + " = f32[8,8] add(" + x + ", t" + n + ")\n";
  }
  text += "  ROOT r = f32[8,8] copy(x64)\n}";
  const std::string both =
      "exact:\n"
      "  (d0, d1) -> (-d0 + 7, d1), domain: d0 in [0, 7], d1 in [0, 7]\n"
      "  (d0, d1) -> (d0, d1), domain: d0 in [0, 7], d1 in [0, 7]";
  const std::string other =
      "exact:\n"
      "  (d0, d1) -> (d0, d1), domain: d0 in [0, 7], d1 in [0, 7]\n"
      "  (d0, d1) -> (-d0 + 7, d1), domain: d0 in [0, 7], d1 in [0, 7]";
  for (Direction direction : {kReads, kUsers}) {
    const std::string relation = reads(text, 0, 0, direction);
    EXPECT_TRUE(relation == both || relation == other) << relation;
  }
}

// Each of nine steps shifts by 0 or by 2^i: 512 pieces, which become a cover
// that still contains what is read.
TEST(ProgramTest, PastTheLimitOfPiecesIsACover) {
  std::string text =
      "ENTRY e {\n  x0 = f32[1024] parameter(0)\n"
      "  z = f32[] constant(0)\n";
  for (int i = 1; i <= 9; ++i) {
    const int64_t shift = int64_t{1} << (i - 1);
    const std::string x = "x" + std::to_string(i - 1), n = std::to_string(i),
                      by = std::to_string(shift);
    text += "  t" + n + " = f32[1024] pad(" + x + ", z), padding=" + by + "_-" +
            by + "_0\n";
    text += "  x" + n + " = f32[1024] add(" + x + ", t" + n + ")\n";
  }
  text += "  ROOT r = f32[1024] copy(x9)\n}";
  const Program program = parsed(text);
  ASSERT_EQ(program.modules.size(), 1u);
  const Module &module = program.modules[0];
  for (Direction direction : {kReads, kUsers}) {
    ProgramIndexing maps(module);
    auto relation = maps.computation(ComputationId(0), LeafId(0),
                                     ParameterLeaf{0}, direction);
    ASSERT_TRUE(relation.ok());
    EXPECT_EQ(relation->precision(), Precision::Cover);
    EXPECT_LE(relation->pieces().size(), 256u);
    const World world(0);
    // Element i reads i - k for every k in [0, 511] that is inside.
    for (int64_t i : {int64_t{0}, int64_t{3}, int64_t{700}, int64_t{1023}})
      for (int64_t j = 0; j < 1024; ++j) {
        const int64_t k = direction == kReads ? i - j : j - i;
        if (k < 0 || k > 511) continue;
        bool covered = false;
        for (const IndexingMap &piece : relation->pieces()) {
          // One range at most: the hull.
          ASSERT_LE(piece.ranges().size(), 1u);
          const int64_t least =
              piece.ranges().empty() ? 0 : piece.ranges()[0].bounds.lower;
          const int64_t most =
              piece.ranges().empty() ? 0 : piece.ranges()[0].bounds.upper;
          IndexingMap::Point point;
          point.dimensions = {i};
          for (int64_t s = least; s <= most && !covered; ++s) {
            point.ranges.assign(piece.ranges().size(), s);
            auto result = piece.evaluate(point);
            covered = result && (*result)[0] == j && piece.contains(point);
          }
        }
        ASSERT_TRUE(covered) << i << " does not read " << j << "\n"
                             << textOf(*relation);
      }
  }
}

TEST(ProgramTest, CoverOfPieces) {
  auto map = [](const char *text) { return *parseMap(text); };
  IndexingRelation relation(
      map("(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 1]"));
  EXPECT_TRUE(*coverOf(relation) == relation);
  EXPECT_TRUE(coverOf(IndexingRelation())->isEmpty());
  relation.add(
      map("(d0, d1) -> (d0, 9 - d1), domain: d0 in [6, 9], d1 in [0, 1]"));
  auto cover = coverOf(relation);
  ASSERT_TRUE(cover.ok());
  EXPECT_EQ(textOf(*cover),
            "cover:\n  (d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 9], "
            "d1 in [0, 1], s0 in [0, 9]");
  relation.weaken(Precision::Opaque);
  EXPECT_EQ(coverOf(relation)->precision(), Precision::Opaque);
}

// A front end refuses this; a module that is made otherwise may hold it.
TEST(ProgramTest, ACycleOfCallsIsAnError) {
  Program program = parsed(R"(HloModule m
g { a = f32[4] parameter(0) ROOT r = f32[4] negate(a) }
f { a = f32[4] parameter(0) ROOT c = f32[4] call(a), to_apply=g }
ENTRY e { p = f32[4] parameter(0) ROOT k = f32[4] call(p), to_apply=f }
)");
  ASSERT_EQ(program.modules.size(), 1u);
  Module &module = program.modules[0];
  Computation &g = module.computations[0];
  const Instruction &call = module.computations[1].instructions[1];
  g.instructions[1].op = call.op;
  g.instructions[1].called = call.called;
  g.instructions[1].called[0].computation = ComputationId(1);
  for (Direction direction : {kReads, kUsers})
    for (int32_t c = 0; c < 3; ++c) {
      ProgramIndexing maps(module);
      auto relation = maps.computation(ComputationId(c), LeafId(0),
                                       ParameterLeaf{0}, direction);
      ASSERT_FALSE(relation.ok()) << c;
      EXPECT_NE(relation.status().message().find("leads back to it"),
                absl::string_view::npos)
          << relation.status();
      EXPECT_TRUE(placeOf(relation.status()).has_value());
    }
}

TEST(ProgramTest, OneVariableForOneValueInAnOpsOwnMap) {
  const Program program = parsed(
      "ENTRY e { p = f32[4,4] parameter(0) i = s32[] parameter(1) "
      "j = s32[] parameter(2) s = f32[2,2] dynamic-slice(p, i, i), "
      "dynamic_slice_sizes={2,2} t = f32[2,2] dynamic-slice(p, i, j), "
      "dynamic_slice_sizes={2,2} u = f32[1,2] dynamic-slice(p, i, i), "
      "dynamic_slice_sizes={1,2} ROOT r = (f32[2,2], f32[2,2], f32[1,2]) "
      "tuple(s, t, u) }");
  ProgramIndexing maps(program.modules[0]);
  auto variables = [&](int32_t i, Direction direction) {
    auto own = maps.instruction({ComputationId(0), InstructionId(i)}, LeafId(0),
                                direction);
    return own.ok() ? own->pieces()[0].runtime().size() : 0;
  };
  for (Direction direction : {kReads, kUsers}) {
    EXPECT_EQ(variables(3, direction), 1u);
    EXPECT_EQ(variables(4, direction), 2u);
    // Clamped to other bounds it is another value.
    EXPECT_EQ(variables(5, direction), 2u);
  }
}

TEST(ProgramTest, AMissingCalleeIsACover) {
  EXPECT_EQ(reads(R"(
f {
  p = f32[2,3] parameter(0)
  ROOT r = f32[6] fusion(p), kind=kLoop, calls=nowhere
})"),
            "cover:\n  (d0)[s0, s1] -> (s0, s1), domain: d0 in [0, 5], "
            "s0 in [0, 1], s1 in [0, 2]");
}

// Calls nest deeper than a stack should.
TEST(ProgramTest, DeepCalls) {
  std::string text =
      "HloModule m\nf0 { a = f32[4] parameter(0) ROOT r = f32[4] reverse(a), "
      "dimensions={0} }\n";
  for (int i = 1; i <= 2001; ++i)
    text += "f" + std::to_string(i) +
            " { a = f32[4] parameter(0) ROOT r = f32[4] call(a), to_apply=f" +
            std::to_string(i - 1) + " }\n";
  text +=
      "ENTRY e { a = f32[4] parameter(0) ROOT r = f32[4] call(a), "
      "to_apply=f2001 }\n";
  EXPECT_EQ(reads(text), "exact:\n  (d0) -> (-d0 + 3), domain: d0 in [0, 3]");
}

}  // namespace
}  // namespace indexical::testing
