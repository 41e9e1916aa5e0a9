// The law of merged_ranges.h, by enumeration: the relation is the same, and
// ranges that count one number together are one.

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/program/maps/merged_ranges.h"

namespace indexical {
namespace {

constexpr uint32_t kSeed = 4646;

/// The pairs of a dimension and a result of a map with one dimension.
std::set<std::pair<int64_t, int64_t>> pairsOf(const IndexingMap &map) {
  std::set<std::pair<int64_t, int64_t>> pairs;
  if (map.isKnownEmpty()) return pairs;
  const Interval dimension = map.dimensions()[0].bounds;
  for (int64_t d = dimension.lower; d <= dimension.upper; ++d) {
    IndexingMap::Point point;
    point.dimensions = {d};
    for (const Variable &v : map.ranges())
      point.ranges.push_back(v.bounds.lower);
    while (true) {
      if (map.contains(point)) pairs.insert({d, (*map.evaluate(point))[0]});
      size_t k = 0;
      for (; k < point.ranges.size(); ++k) {
        if (++point.ranges[k] <= map.ranges()[k].bounds.upper) break;
        point.ranges[k] = map.ranges()[k].bounds.lower;
      }
      if (k == point.ranges.size()) break;
    }
  }
  return pairs;
}

TEST(MergedDigits, CountOneNumber) {
  auto map = parseMap(
      "(d0)[s0, s1] -> (d0 * 64 + s0 * 16 + s1), domain: d0 in [0, 3], "
      "s0 in [0, 3], s1 in [0, 15]");
  ASSERT_TRUE(map.ok());
  const IndexingMap merged = withMergedDigits(*map);
  ASSERT_EQ(merged.ranges().size(), 1u);
  EXPECT_EQ(merged.ranges()[0].bounds, (Interval{0, 63}));
}

TEST(MergedDigits, KeepTheRelation) {
  std::mt19937 random(kSeed);
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % n); };
  size_t fewer = 0;
  for (int round = 0; round < 3000; ++round) {
    IndexingMapBuilder b;
    const Expr d = b.dimension({0, 2});
    Expr result = d * (below(40) - 10) + below(9);
    const int64_t count = 1 + below(4);
    std::vector<Expr> ranges;
    for (int64_t k = 0; k < count; ++k) {
      const int64_t lower = below(5) - 2;
      ranges.push_back(b.range({lower, lower + below(5)}));
      static constexpr int64_t kSteps[] = {1, 2, 3, 4, 8, -1, -4, 0, 12};
      result = result + ranges.back() * kSteps[below(9)];
    }
    // Ranges that stand elsewhere, too.
    if (below(3) == 0) b.constraint(ranges[0] + d, {below(3) - 2, 4});
    if (below(3) == 0) result = result + mod(ranges.back(), 2 + below(3));
    b.result(result);
    auto map = b.build();
    ASSERT_TRUE(map.ok());
    const IndexingMap merged = withMergedDigits(*map);
    ASSERT_EQ(pairsOf(merged), pairsOf(*map))
        << "seed " << kSeed << ", round " << round << ": " << map->str()
        << "\nbecame\n"
        << merged.str();
    fewer += merged.ranges().size() < map->ranges().size();
  }
  EXPECT_GT(fewer, 1000u);
}

/// All values of a map without dimensions and two ranges.
std::set<int64_t> valuesOf(const IndexingMap &map) {
  std::set<int64_t> values;
  IndexingMap::Point point;
  point.dimensions = {0};
  std::vector<Interval> bounds;
  for (const Variable &v : map.ranges()) bounds.push_back(v.bounds);
  bounds.resize(2, Interval{0, 0});
  for (int64_t i = bounds[0].lower; i <= bounds[0].upper; ++i)
    for (int64_t j = bounds[1].lower; j <= bounds[1].upper; ++j) {
      point.ranges.clear();
      if (!map.ranges().empty()) point.ranges.push_back(i);
      if (map.ranges().size() > 1) point.ranges.push_back(j);
      values.insert((*map.evaluate(point))[0]);
    }
  return values;
}

// A step times a count may leave 64 bits though no value does.
TEST(MergedDigits, StayWithin64Bits) {
  constexpr int64_t kLarge = int64_t{1} << 62;
  IndexingMapBuilder b;
  const Expr d = b.dimension({0, 0});
  b.result(d + b.range({-1, 0}) * kLarge + b.range({0, 1}) * kLarge);
  auto map = b.build();
  ASSERT_TRUE(map.ok()) << map.status();
  const std::set<int64_t> values = {-kLarge, 0, kLarge};
  EXPECT_EQ(valuesOf(*map), values);
  EXPECT_EQ(valuesOf(withMergedDigits(*map)), values);
}

}  // namespace
}  // namespace indexical
