// Each way from a result to an operand, against the products of what every
// instruction on it reads in a run.
//
// Random modules are run element by element (tests/support/program_run.h). Here
// ways are found by going down the operands of the module's text, with no maps:
// for each of them, the pairs of the run are multiplied.
//
//   INDEXICAL_WAYS=20      20 times as many random modules
//   INDEXICAL_WAYS_SEED=n  beginning with this one
#include "indexical/program/maps/each_way.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "tests/support/program_reads.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"
#include "tests/support/random_programs.h"

namespace indexical::testing {
namespace {

using Path = std::vector<std::pair<int32_t, int64_t>>;  // instruction, leaf
using Pairs = std::vector<Pair>;

Pairs product(const Pairs &first, const Pairs &second) {
  std::multimap<std::vector<int64_t>, std::vector<int64_t>> behind;
  for (const auto &[a, b] : second)
    behind.emplace(std::vector<int64_t>(a.begin(), a.end()),
                   std::vector<int64_t>(b.begin(), b.end()));
  std::set<Pair> all;
  for (const auto &[a, b] : first) {
    const auto [begin, end] =
        behind.equal_range(std::vector<int64_t>(b.begin(), b.end()));
    for (auto it = begin; it != end; ++it)
      all.insert({a, {it->second.begin(), it->second.end()}});
  }
  return {all.begin(), all.end()};
}

/// The ways of a computation, by its text alone.
class TextWays {
 public:
  TextWays(const Module &module, int32_t c, const ProgramRun &run)
      : computation_(module.computations[c]), run_(run) {}

  /// Ways that read something, by their instructions, in the order of operands.
  std::vector<std::pair<Path, Pairs>> between(ProgramRun::Leaf from,
                                              ProgramRun::Leaf to) {
    found_.clear();
    to_ = {to.instruction, to.leaf};
    Pairs start = run_.pairs(from, from);
    follow({{from.instruction, from.leaf}}, start);
    return found_;
  }

 private:
  void follow(Path path, const Pairs &pairs) {
    if (pairs.empty()) return;
    const auto [i, leaf] = path.back();
    if (std::make_pair(i, leaf) == to_) {
      found_.push_back({path, pairs});
      return;
    }
    const auto leaves = computation_.operandLeaves(InstructionId(i));
    for (size_t k = 0; k < leaves.size(); ++k) {
      Path next = path;
      next.push_back({leaves[k].instruction, leaves[k].result});
      follow(next,
             product(pairs, run_.pairs({i, leaf}, static_cast<int64_t>(k))));
    }
  }

  const Computation &computation_;
  const ProgramRun &run_;
  std::pair<int32_t, int64_t> to_;
  std::vector<std::pair<Path, Pairs>> found_;
};

struct Counts {
  int ways = 0, several = 0, covers = 0, unions = 0;
};

void check(const Module &module, ComputationId c, Random &random,
           Counts &counts) {
  const Computation &computation = module.computations[c];
  const ProgramRun run(module, c, random);
  ProgramIndexing maps(module);
  const RunWorld world(run, maps);
  EachWay eachWay(maps);
  TextWays text(module, c, run);
  const bool calls =
      llvm::any_of(computation.instructions,
                   [](const Instruction &i) { return i.op.is<CallOp>(); });
  const int64_t results =
      computation.instructions[computation.root].shape.leafCount();
  for (int64_t r = 0; r < results; ++r)
    for (InstructionId p : computation.parameters)
      for (int64_t l = 0; l < computation.instructions[p].shape.leafCount();
           ++l) {
        const Leaf from{c, computation.root, LeafId(r)}, to{c, p, LeafId(l)};
        const auto ways = eachWay.between(from, to);
        ASSERT_TRUE(ways.ok()) << ways.status();
        ASSERT_TRUE(ways->areAll);
        ASSERT_LE(static_cast<int64_t>(ways->ways.size()), ways->most);
        std::set<Pair> united;
        bool isExact = true;
        std::vector<std::pair<Path, Pairs>> shown;
        for (const Way &way : ways->ways) {
          Path path;
          for (const Value &array : way.arrays)
            path.push_back({array.instruction, int64_t{array.result}});
          Pairs pairs = pairsOf(way.reads, world);
          united.insert(pairs.begin(), pairs.end());
          isExact &= way.reads.precision() == Precision::Exact;
          if (!pairs.empty()) shown.push_back({path, pairs});
        }
        const auto whole = maps.between(from, to, kReads);
        ASSERT_TRUE(whole.ok());
        if (isExact && whole->precision() == Precision::Exact) {
          ++counts.unions;
          EXPECT_EQ(difference(pairsOf(*whole, world),
                               Pairs(united.begin(), united.end())),
                    "");
        }
        if (calls) continue;
        const auto expected = text.between({computation.root, r}, {p, l});
        counts.ways += expected.size();
        counts.several += expected.size() > 1;
        counts.covers += !isExact;
        if (!isExact) continue;
        ASSERT_EQ(shown.size(), expected.size());
        for (size_t k = 0; k < shown.size(); ++k) {
          EXPECT_EQ(shown[k].first, expected[k].first) << "way " << k;
          EXPECT_EQ(difference(expected[k].second, shown[k].second), "")
              << "way " << k;
        }
      }
}

TEST(EachWayTest, RandomPrograms) {
  const uint64_t first = fromEnvironment("INDEXICAL_WAYS_SEED", 1);
  const uint64_t count = 300 * fromEnvironment("INDEXICAL_WAYS", 1);
  Counts counts;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const std::string text = randomProgram(random);
    SCOPED_TRACE("INDEXICAL_WAYS_SEED=" + std::to_string(seed) + "\n" + text);
    const Program program = parsed(text);
    ASSERT_FALSE(HasFailure());
    const Module &module = program.modules[0];
    for (size_t c = 1; c < module.computations.size(); ++c)
      check(module, ComputationId(c), random, counts);
    ASSERT_FALSE(HasFailure());
  }
  // The programs are what this test is for.
  EXPECT_GT(counts.ways, 500);
  EXPECT_GT(counts.several, 100);
  EXPECT_GT(counts.unions, 1000);
  EXPECT_LT(counts.covers * 20, counts.ways);
}

//===-- Small modules -----------------------------------------------------===//

std::string pathOf(const Module &module, const Way &way) {
  std::string text;
  for (const Value &array : way.arrays) {
    text += text.empty() ? "" : ", ";
    for (const CallSite &call : array.calls)
      text += module.computations[call.computation]
                  .instructions[call.instruction]
                  .name.str() +
              "/";
    text += instructionOf(module, array).name.str();
  }
  return text;
}

std::string ways(const std::string &text) {
  const Program program = parsed(text);
  const Module &module = program.modules[0];
  const Computation &entry = module.computations[module.entry];
  ProgramIndexing maps(module);
  const auto found =
      EachWay(maps).between({module.entry, entry.root, LeafId(0)},
                            {module.entry, entry.parameters[0], LeafId(0)});
  if (!found.ok()) return found.status().ToString();
  std::string all;
  for (const Way &way : found->ways)
    all += pathOf(module, way) + "\n" + textOf(way.reads) + "\n";
  if (!found->areAll) all += "of " + std::to_string(found->most) + "\n";
  return all;
}

constexpr char kSoftmax[] = R"(HloModule m
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
soft {
  p = f32[2,65,125] parameter(0)
  zero = f32[] constant(0)
  e = f32[2,65,125] exponential(p)
  s = f32[2,65] reduce(e, zero), dimensions={2}, to_apply=sum
  b = f32[2,65,125] broadcast(s), dimensions={0,1}
  ROOT r = f32[2,65,125] divide(e, b)
}
)";

TEST(EachWayTest, ASoftmaxReadsItsLogitsInTwoWays) {
  const std::string one =
      "exact:\n  (d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], "
      "d1 in [0, 64], d2 in [0, 124]\n";
  const std::string rows =
      "exact:\n  (d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], "
      "d1 in [0, 64], d2 in [0, 124], s0 in [0, 124]\n";
  EXPECT_EQ(ways(kSoftmax), "r, e, p\n" + one + "r, b, s, e, p\n" + rows);
  // The same inside of a fusion.
  EXPECT_EQ(ways(std::string(kSoftmax) + R"(
ENTRY main {
  x = f32[2,65,125] parameter(0)
  ROOT f = f32[2,65,125] fusion(x), kind=kLoop, calls=soft
})"),
            "f, f/r, f/e, x\n" + one + "f, f/r, f/b, f/s, f/e, x\n" + rows);
}

TEST(EachWayTest, EqualWaysAreTwo) {
  const std::string one = "exact:\n  (d0) -> (d0), domain: d0 in [0, 3]\n";
  EXPECT_EQ(ways("f { p = f32[4] parameter(0)\n ROOT s = f32[4] add(p, p) }"),
            "s, p\n" + one + "s, p\n" + one);
}

TEST(EachWayTest, WaysThatAreTooManyAreCounted) {
  for (const int doublings : {8, 9, 20, 62, 63, 200}) {
    std::string text = "f {\n  v0 = f32[4] parameter(0)\n";
    for (int k = 1; k <= doublings; ++k)
      text += std::string(k == doublings ? "  ROOT v" : "  v") +
              std::to_string(k) + " = f32[4] add(v" + std::to_string(k - 1) +
              ", v" + std::to_string(k - 1) + ")\n";
    const Program program = parsed(text + "}\n");
    ProgramIndexing maps(program.modules[0]);
    const auto found = EachWay(maps).between(
        {ComputationId(0), InstructionId(doublings), LeafId(0)},
        {ComputationId(0), InstructionId(0), LeafId(0)});
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->ways.size(), 256u);
    EXPECT_EQ(found->areAll, doublings == 8);
    EXPECT_EQ(found->most, doublings >= 63 ? std::numeric_limits<int64_t>::max()
                                           : int64_t{1} << doublings);
  }
}

}  // namespace
}  // namespace indexical::testing
