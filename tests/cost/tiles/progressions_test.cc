// Unions and intersections of products of progressions, against sets of points.
//
//   INDEXICAL_PROGRESSIONS_SEED=n   beginning with this one
#include "indexical/cost/tiles/progressions.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Point = std::vector<int64_t>;
using Points = std::set<Point>;
using Boxes = std::vector<ProgressionBox>;

std::vector<Point> pointsOf(const ProgressionBox &box) {
  std::vector<Point> all = {{}};
  for (const ArithmeticProgression &p : box) {
    std::vector<Point> longer;
    for (const Point &point : all)
      for (int64_t n = 0; n < p.count; ++n) {
        longer.push_back(point);
        longer.back().push_back(p.first + n * p.stride);
      }
    all = std::move(longer);
  }
  return all;
}

Points pointsOf(const Boxes &boxes) {
  Points points;
  for (const ProgressionBox &box : boxes)
    for (Point &point : pointsOf(box)) points.insert(std::move(point));
  return points;
}

Boxes randomBoxes(Random &random, int64_t rank) {
  Boxes boxes;
  const int64_t count = random.in(0, 6);
  // Strides that are often equal, so that boxes can be joined.
  const int64_t usual = random.in(1, 3);
  for (int64_t n = 0; n < count; ++n) {
    ProgressionBox box;
    for (int64_t k = 0; k < rank; ++k)
      box.push_back({random.in(0, 9), random.in(0, 4),
                     random.oneIn(3) ? random.in(1, 4) : usual});
    boxes.push_back(box);
  }
  return boxes;
}

TEST(ProgressionsTest, UnionsAndWhatTwoHaveInCommon) {
  const uint64_t first = fromEnvironment("INDEXICAL_PROGRESSIONS_SEED", 1);
  for (uint64_t seed = first; seed < first + 20000; ++seed) {
    Random random(seed);
    SCOPED_TRACE("INDEXICAL_PROGRESSIONS_SEED=" + std::to_string(seed));
    const int64_t rank = random.in(0, 3);
    const Boxes a = randomBoxes(random, rank), b = randomBoxes(random, rank);
    Meter meter(1'000'000);
    const auto onceA = withoutOverlap(a, meter);
    const auto onceB = withoutOverlap(b, meter);
    ASSERT_TRUE(onceA && onceB);
    const Points pointsA = pointsOf(a), pointsB = pointsOf(b);
    ASSERT_EQ(pointsOf(*onceA), pointsA);
    ASSERT_EQ(countOf(*onceA), static_cast<int64_t>(pointsA.size()));
    const auto both = common(*onceA, *onceB, meter);
    ASSERT_TRUE(both);
    Points expected;
    std::set_intersection(pointsA.begin(), pointsA.end(), pointsB.begin(),
                          pointsB.end(),
                          std::inserter(expected, expected.end()));
    ASSERT_EQ(pointsOf(*both), expected);
    ASSERT_EQ(countOf(*both), static_cast<int64_t>(expected.size()));
    // A meter that is short gives no answer, and no wrong one.
    Meter little(random.in(0, 30));
    const auto some = withoutOverlap(a, little);
    if (some) {
      ASSERT_EQ(countOf(*some), static_cast<int64_t>(pointsA.size()));
    }
  }
}

TEST(ProgressionsTest, PartsWithinATensor) {
  Random random(1);
  for (int n = 0; n < 5000; ++n) {
    const ArithmeticProgression p = {random.in(-20, 20), random.in(0, 8),
                                     random.in(1, 5)};
    const int64_t size = random.in(1, 15);
    std::vector<Point> expected;
    for (const Point &point : pointsOf(ProgressionBox{p}))
      if (point[0] >= 0 && point[0] < size) expected.push_back(point);
    ASSERT_EQ(pointsOf(ProgressionBox{within(p, size)}), expected);
  }
}

// Turns that follow each other are one piece, whatever their number.
TEST(ProgressionsTest, NeighboursAreJoined) {
  Boxes rows;
  for (int64_t n = 0; n < 1000; ++n)
    rows.push_back({{0, 7, 1}, {n * 64, 64, 1}});
  Meter meter(1'000'000);
  const auto once = withoutOverlap(rows, meter);
  ASSERT_TRUE(once);
  ASSERT_EQ(once->size(), 1u);
  EXPECT_EQ(countOf(*once), 7 * 64000);
}

}  // namespace
}  // namespace indexical::testing
