// The bounds that maps know of their results. They are sound at every point,
// and the same however the map came to be.
//
//   INDEXICAL_SEED=n, INDEXICAL_MAPS=n
#include "indexical/simplifier/result_bounds.h"

#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_text.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplified.h"
#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/chains.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/support/random.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

TEST(ResultBoundsTest, AConstraintOnTwoTermsCounts) {
  const IndexingMap map = simplifiedMapOf(
      "(d0, d1) -> ((d0 mod 2) * 4 + (d1 floordiv 8) * 2 + d0 - 4), domain: "
      "d0 in [0, 13], d1 in [0, 17], (d0 mod 2) * 2 + d1 floordiv 8 in [2, 3]");
  ASSERT_FALSE(map.constraints().empty()) << map.str();
  ASSERT_EQ(map.resultBounds().size(), 1u);
  EXPECT_EQ(map.resultBounds()[0], (Interval{0, 15})) << map.str();
}

TEST(ResultBoundsTest, SoDoesOneInsideADigit) {
  const IndexingMap map = simplifiedMapOf(
      "(d0, d1, d2) -> ((d0 * 6 + d1 * 2 + d2) floordiv 5), domain: d0 in [0, "
      "9], d1 in [0, 9], d2 in [0, 4], d0 * 3 + d1 in [5, 9]");
  ASSERT_EQ(map.resultBounds().size(), 1u);
  EXPECT_EQ(map.resultBounds()[0], (Interval{2, 4})) << map.str();
}

// A constraint on a sum with a parent, and results with its floor.
TEST(ResultBoundsTest, FloorsInSumsHold) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_MAPS", 2000);
  int64_t known = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    const int64_t stride = random.in(2, 6), modulus = random.in(2, 5);
    const std::string floor = "d1 floordiv " + std::to_string(stride),
                      other = "(d0 mod " + std::to_string(modulus) + ")";
    auto sum = [&](int64_t most) {
      return other + " * " + std::to_string(random.in(-most, most)) + " + (" +
             floor + ") * " + std::to_string(random.in(-most, most)) +
             (random.oneIn(3) ? " + d1" : "") +
             (random.oneIn(4) ? " + d0" : "");
    };
    const int64_t least = random.in(-9, 9);
    const IndexingMap map = simplifiedMapOf(
        "(d0, d1) -> (" + sum(4) + "), domain: d0 in [0, 11], d1 in [0, 23], " +
        sum(2) + " in [" + std::to_string(least) + ", " +
        std::to_string(least + random.in(0, 5)) + "]");
    if (map.isKnownEmpty() || map.resultBounds().empty()) continue;
    ++known;
    for (int64_t d0 = 0; d0 < 12; ++d0)
      for (int64_t d1 = 0; d1 < 24; ++d1) {
        IndexingMap::Point point;
        point.dimensions = {d0, d1};
        if (!map.contains(point)) continue;
        ASSERT_TRUE(map.resultBounds()[0].contains((*map.evaluate(point))[0]))
            << "seed " << seed + i << "\n"
            << map.str();
      }
  }
  EXPECT_GT(known, int64_t(count) / 4);
}

// Sources have other names, and all else stays.
TEST(ResultBoundsTest, ACopyWithOtherSourcesKnowsThem) {
  IndexingMapBuilder b;
  const Expr d0 = b.dimension({0, 99});
  const Expr rt0 = b.runtimeElement({0, 9}, true, 3, {d0});
  b.result(floorDiv(d0 * 3 + rt0, 10));
  b.constraint(d0 * 3 + rt0, {20, 80});
  const IndexingMap map = *simplify(*b.build());
  ASSERT_EQ(map.resultBounds().size(), 1u) << map.str();
  auto next = [](int64_t tensor) { return tensor + 1; };
  SourceNames names;
  names.tensor = next;
  const IndexingMap named = withSources(map, names);
  EXPECT_TRUE(isSimplified(named));
  EXPECT_EQ(named.resultBounds(), map.resultBounds());
}

TEST(ResultBoundsTest, TheyHoldAndFollowFromTheMap) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_MAPS", 3000);
  int64_t known = 0, points = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    const ChainFamily family =
        random.oneIn(2) ? ChainFamily::Pads : ChainFamily::Slices;
    const Chain chain = randomChain(family, random.in(2, 8), random);
    const IndexingMap map = *composedInTurn(chain.ops, Handover::Forms);
    if (map.isKnownEmpty() || map.resultBounds().empty()) continue;
    SCOPED_TRACE("seed " + std::to_string(seed + i) + "\n" + map.str());
    ++known;
    if (writtenSize(map) <= kMostWritten) {
      const IndexingMap read = simplifiedMapOf(printMap(map));
      ASSERT_EQ(read.resultBounds(), map.resultBounds());
    }
    for (int k = 0; k < 100; ++k) {
      IndexingMap::Point point;
      for (const Variable &v : map.dimensions())
        point.dimensions.push_back(random.in(v.bounds.lower, v.bounds.upper));
      if (!map.contains(point)) continue;
      ++points;
      for (auto [bounds, value] :
           llvm::zip(map.resultBounds(), *map.evaluate(point)))
        ASSERT_TRUE(bounds.contains(value)) << value;
    }
  }
  EXPECT_GT(known, count / 20);
  EXPECT_GT(points, known);
}

}  // namespace
}  // namespace indexical::testing
