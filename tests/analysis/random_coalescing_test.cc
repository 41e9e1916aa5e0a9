// Figures of random launches against a simulator: all of them, exactly.
//
// INDEXICAL_LAUNCHES: how many; INDEXICAL_SEED: the first one.
#include <algorithm>
#include <cstdint>

#include "gtest/gtest.h"

#include "indexical/analysis/memory/coalescing.h"
#include "indexical/tools/wording.h"
#include "tests/analysis/random_launches.h"
#include "tests/analysis/simulator.h"

namespace indexical::testing {
namespace {

constexpr uint64_t kLaunches = 2000;

Device deviceOf(const Machine &machine) {
  Device device;
  device.warp = machine.warp;
  device.sector = machine.sector;
  device.line = machine.line;
  device.vectorBytes = machine.vectorBytes;
  return device;
}

struct Pair {
  const char *name;
  Figure figure;
  int64_t simulated;
};

std::vector<Pair> pairs(const AccessFigures &figures, const Simulated &all) {
  return {{"accesses", figures.accesses, all.accesses},
          {"active lanes", figures.activeLanes, all.activeLanes},
          {"bytes used", figures.bytesUsed, all.bytesUsed},
          {"sectors", figures.sectors, all.sectors},
          {"fewest", figures.sectorsFewest, all.sectorsFewest},
          {"lines", figures.lines, all.lines},
          {"distinct", figures.distinctSectors, all.distinctSectors},
          {"wasted", figures.wastedBytes, all.wastedBytes}};
}

TEST(RandomCoalescing, EqualsTheSimulator) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kLaunches);
  int64_t vectors = 0, accesses = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const RandomLaunch launch = randomLaunch(random);
    const Device device = deviceOf(launch.machine);
    auto figures =
        coalescing(launch.read, launch.operand, launch.threads, device);
    ASSERT_TRUE(figures.ok())
        << "seed " << seed << ": " << wordsOf(figures.why()) << '\n'
        << launch.str();
    const Simulated all =
        simulate(launch.read, launch.operand, launch.threads, launch.machine);
    ASSERT_EQ(figures->vector, all.vector) << "seed " << seed << '\n'
                                           << launch.str() << all.str();
    for (const Pair &pair : pairs(*figures, all)) {
      ASSERT_EQ(pair.figure.least, pair.simulated)
          << "seed " << seed << ", " << pair.name << '\n'
          << launch.str() << all.str();
      ASSERT_EQ(pair.figure.most, pair.simulated)
          << "seed " << seed << ", " << pair.name;
    }
    ASSERT_TRUE(figures->exact) << "seed " << seed;
    vectors += all.vector > 1;
    accesses += all.accesses;
  }
  RecordProperty("with_vectors", std::to_string(vectors));
  RecordProperty("accesses", std::to_string(accesses));
  EXPECT_GT(vectors, 0);
}

/// A small budget leaves bounds that hold.
TEST(RandomCoalescing, BoundsHoldPastTheBudget) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1) + 1'000'000'000;
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kLaunches) / 4;
  int64_t bounded = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const RandomLaunch launch = randomLaunch(random);
    CoalescingOptions options;
    options.operations = random.in(100, 20'000);
    auto figures = coalescing(launch.read, launch.operand, launch.threads,
                              deviceOf(launch.machine), options);
    ASSERT_TRUE(figures.ok()) << "seed " << seed;
    const Simulated all = simulate(launch.read, launch.operand, launch.threads,
                                   launch.machine, nullptr, figures->vector);
    bool open = false;
    for (const Pair &pair : pairs(*figures, all)) {
      ASSERT_LE(pair.figure.least, pair.simulated)
          << "seed " << seed << ", " << pair.name << '\n'
          << launch.str() << all.str();
      ASSERT_GE(pair.figure.most, pair.simulated)
          << "seed " << seed << ", " << pair.name << '\n'
          << launch.str() << all.str();
      open |= !pair.figure.isKnown();
    }
    if (open) {
      ASSERT_FALSE(figures->exact) << "seed " << seed;
    }
    bounded += open;
  }
  EXPECT_GT(bounded, 0);
}

/// A runtime variable that all threads share: least and most over its values.
TEST(RandomCoalescing, SharedRuntimeVariablesTakeEveryValue) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1) + 2'000'000'000;
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kLaunches) / 8;
  int64_t exact = 0, open = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const RandomLaunch launch = randomLaunch(random, RandomRuntime::Common);
    auto figures = coalescing(launch.read, launch.operand, launch.threads,
                              deviceOf(launch.machine));
    ASSERT_TRUE(figures.ok())
        << "seed " << seed << ": " << wordsOf(figures.why()) << '\n'
        << launch.str();
    // Variables of one name are one.
    Interval values = Interval::all();
    bool any = false;
    for (const IndexingMap &piece : launch.read.pieces())
      for (const RuntimeVariable &variable : piece.runtime()) {
        values = any ? values.hull(variable.bounds) : variable.bounds;
        any = true;
      }
    if (!any) values = {0, 0};
    std::vector<Figure> hull(8, {INT64_MAX, INT64_MIN});
    for (int64_t v = values.lower; v <= values.upper; ++v) {
      auto same = [v](const IndexingMap &, uint32_t, llvm::ArrayRef<int64_t>,
                      llvm::ArrayRef<int64_t>) {
        return std::optional<int64_t>(v);
      };
      const Simulated all =
          simulate(launch.read, launch.operand, launch.threads, launch.machine,
                   same, figures->vector);
      for (auto [i, pair] : llvm::enumerate(pairs(*figures, all))) {
        ASSERT_LE(pair.figure.least, pair.simulated)
            << "seed " << seed << ", value " << v << ", " << pair.name << '\n'
            << launch.str() << all.str();
        ASSERT_GE(pair.figure.most, pair.simulated)
            << "seed " << seed << ", value " << v << ", " << pair.name << '\n'
            << launch.str() << all.str();
        hull[i].least = std::min(hull[i].least, pair.simulated);
        hull[i].most = std::max(hull[i].most, pair.simulated);
      }
    }
    open += values.count() > 1;
    if (!figures->exact) continue;
    exact += values.count() > 1;
    for (auto [i, pair] : llvm::enumerate(pairs(*figures, Simulated()))) {
      ASSERT_EQ(pair.figure, hull[i])
          << "seed " << seed << ", " << pair.name << '\n'
          << launch.str();
    }
  }
  EXPECT_GT(exact, open / 2);
}

/// Indices of a gather, read from a tensor: bounds hold whatever it contains.
TEST(RandomCoalescing, GatheredIndicesStayWithinBounds) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1) + 3'000'000'000;
  const uint64_t count = fromEnvironment("INDEXICAL_LAUNCHES", kLaunches) / 8;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const RandomLaunch launch = randomLaunch(random, RandomRuntime::Gathered);
    auto figures = coalescing(launch.read, launch.operand, launch.threads,
                              deviceOf(launch.machine));
    ASSERT_TRUE(figures.ok())
        << "seed " << seed << ": " << wordsOf(figures.why()) << '\n'
        << launch.str();
    for (int64_t contents = 0; contents < 3; ++contents) {
      // All equal, increasing, by chance.
      auto element = [&](const IndexingMap &map, uint32_t i,
                         llvm::ArrayRef<int64_t> dimensions,
                         llvm::ArrayRef<int64_t> ranges) {
        IndexingMap::Point point;
        point.dimensions.assign(dimensions.begin(), dimensions.end());
        point.ranges.assign(ranges.begin(), ranges.end());
        const int64_t at = (*map.sourceMap(i).evaluate(point))[0];
        const Interval bounds = map.runtime()[i].bounds;
        const int64_t value =
            contents == 0 ? 3
            : contents == 1
                ? at
                : static_cast<int64_t>((at * 7919 + contents * 104729) % 41);
        return std::optional<int64_t>(
            std::clamp(value, bounds.lower, bounds.upper));
      };
      const Simulated all =
          simulate(launch.read, launch.operand, launch.threads, launch.machine,
                   element, figures->vector);
      for (auto [i, pair] : llvm::enumerate(pairs(*figures, all))) {
        ASSERT_LE(pair.figure.least, pair.simulated)
            << "seed " << seed << ", contents " << contents << ", " << pair.name
            << '\n'
            << launch.str() << all.str();
        ASSERT_GE(pair.figure.most, pair.simulated)
            << "seed " << seed << ", contents " << contents << ", " << pair.name
            << '\n'
            << launch.str() << all.str();
      }
    }
  }
}

}  // namespace
}  // namespace indexical::testing
