// Ranges of which only a sum is read, compared with execution.
//
// Chains of windows with paddings of either sign, strides and dilations. The
// last window reads of the parameter what a run reads. If all windows move by
// one, a dimension has one range in the end.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "tests/support/program_reads.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

struct Chain {
  std::string text;
  bool isPlain = true;  ///< windows move by one, over neighbours
  int64_t windows = 0;  ///< of more than one element
};

Chain randomChain(Random &random, int64_t length) {
  Chain chain;
  int64_t size = random.in(4, 7);
  std::string last = "p";
  chain.text =
      "HloModule m\n"
      "add { a = f32[] parameter(0) b = f32[] parameter(1)\n"
      "  ROOT c = f32[] add(a, b) }\n"
      "ENTRY e {\n  p = f32[" +
      std::to_string(size) + "] parameter(0)\n  z = f32[] constant(0)\n";
  for (int64_t n = 0; n < length; ++n) {
    const int64_t window = random.in(1, 3);
    const int64_t low = random.in(random.oneIn(4) ? -1 : 0, 1);
    const int64_t high = random.in(random.oneIn(4) ? -1 : 0, 2);
    const int64_t stride = random.oneIn(8) ? 2 : 1;
    const int64_t dilation = random.oneIn(8) ? 2 : 1;
    const int64_t slack = size + low + high - ((window - 1) * dilation + 1);
    if (slack < 0 || size + low + high < 1) continue;
    if (slack / stride + 1 > 9) continue;
    size = slack / stride + 1;
    chain.windows += window > 1;
    chain.isPlain &= stride == 1 && (dilation == 1 || window == 1);
    const std::string name = "w" + std::to_string(n);
    chain.text +=
        "  " + name + " = f32[" + std::to_string(size) + "] reduce-window(" +
        last + ", z), window={size=" + std::to_string(window) +
        " pad=" + std::to_string(low) + "_" + std::to_string(high) +
        " stride=" + std::to_string(stride) +
        " rhs_dilate=" + std::to_string(dilation) + "}, to_apply=add\n";
    last = name;
  }
  chain.text +=
      "  ROOT r = f32[" + std::to_string(size) + "] negate(" + last + ")\n}\n";
  return chain;
}

TEST(MergedRangesTest, ChainsOfWindows) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = 300 * fromEnvironment("INDEXICAL_CHAINS", 1);
  size_t most = 0;
  int64_t windows = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const Chain chain = randomChain(random, random.in(2, 12));
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(seed) + "\n" + chain.text);
    const Program program = parsed(chain.text);
    ASSERT_FALSE(program.modules.empty());
    const Module &module = program.modules[0];
    const Computation &entry = module.computations[module.entry];
    ProgramIndexing maps(module);
    const ProgramRun run(module, module.entry, random);
    const RunWorld world(run, maps);
    std::vector<Pair> expected =
        run.pairs({entry.root, 0}, ProgramRun::Leaf{entry.parameters[0], 0});
    for (Direction direction : {kReads, kUsers}) {
      auto relation = maps.computation(module.entry, LeafId(0),
                                       ParameterLeaf{0}, direction);
      ASSERT_TRUE(relation.ok()) << relation.status();
      EXPECT_EQ(relation->precision(), Precision::Exact);
      EXPECT_EQ(difference(expected, pairsOf(*relation, world)), "");
      // Beyond 6 ranges those of windows that move by one are one.
      for (const IndexingMap &piece : relation->pieces()) {
        most = std::max(most, piece.ranges().size());
        if (chain.isPlain) {
          EXPECT_LE(piece.ranges().size(), 7u);
        }
      }
      windows = std::max(windows, chain.windows);
      for (Pair &pair : expected) std::swap(pair.first, pair.second);
      std::sort(expected.begin(), expected.end());
    }
    if (HasFailure()) return;
  }
  printf("  up to %lld windows, and %lld ranges\n",
         static_cast<long long>(windows), static_cast<long long>(most));
  EXPECT_GT(windows, 8);
}

TEST(MergedRangesTest, LongChainsStaySmall) {
  std::string text =
      "HloModule m\n"
      "add { a = f32[] parameter(0) b = f32[] parameter(1)\n"
      "  ROOT c = f32[] add(a, b) }\n"
      "ENTRY e {\n  w0 = f32[64,64] parameter(0)\n  z = f32[] constant(0)\n";
  for (int n = 1; n <= 120; ++n)
    text += (n == 120 ? "  ROOT w" : "  w") + std::to_string(n) +
            " = f32[64,64] reduce-window(w" + std::to_string(n - 1) +
            ", z), window={size=3x3 pad=1_1x1_1}, to_apply=add\n";
  const Program program = parsed(text + "}\n");
  ASSERT_FALSE(program.modules.empty());
  ProgramIndexing maps(program.modules[0]);
  auto reads = maps.computation(program.modules[0].entry, LeafId(0),
                                ParameterLeaf{0}, kReads);
  ASSERT_TRUE(reads.ok()) << reads.status();
  EXPECT_EQ(reads->precision(), Precision::Exact);
  ASSERT_EQ(reads->pieces().size(), 1u);
  EXPECT_LE(reads->pieces()[0].ranges().size(), 8u);
}

}  // namespace
}  // namespace indexical::testing
