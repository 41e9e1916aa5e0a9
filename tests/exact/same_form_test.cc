// A map whose ranges are counted anew is the same relation, and what is the
// same by its form is so whatever the ranges are called.
#include "indexical/exact/same_form.h"

#include <algorithm>

#include "gtest/gtest.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "tests/support/random.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

MapOptions options() {
  MapOptions options;
  options.mostRanges = 3;
  options.mostRuntime = 1;
  options.sources = true;
  return options;
}

TEST(SameFormTest, CountedRangesKeepTheRelation) {
  int changed = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    const IndexingMap map = randomMap(random, options());
    auto counted = withCountedRanges(map);
    ASSERT_TRUE(counted.ok()) << counted.status() << "\n" << map.str();
    World world(seed);
    ASSERT_EQ(difference(pairsOf(map, world), pairsOf(*counted, world)), "")
        << "seed " << seed << "\n"
        << describe(map) << "\ncounted\n"
        << describe(*counted);
    changed += *counted != map;
  }
  EXPECT_GT(changed, 300);
}

/// The map with its ranges in another order, some of them counted from the
/// other end or from elsewhere.
IndexingMap renamed(const IndexingMap &map, Random &random) {
  IndexingMapBuilder b;
  const auto place = random.permutation(map.ranges().size());
  llvm::SmallVector<int64_t, 4> sign, start;
  for (size_t i = 0; i < map.ranges().size(); ++i) {
    sign.push_back(random.oneIn(2) ? 1 : -1);
    start.push_back(random.in(-5, 5));
  }
  auto replace = [&](VariableId id) {
    if (id.kind != VariableKind::Range) return b.pool().variable(id);
    const size_t i = id.index;
    FormId other = b.pool().variable(
        {VariableKind::Range, static_cast<uint32_t>(place[i])});
    return b.pool().linear({{other, sign[i]}}, start[i]);
  };
  ExpressionImport import(map.expressions(), b.pool(), replace);
  for (const Variable &v : map.dimensions()) b.dimension(v.bounds);
  for (size_t k = 0; k < place.size(); ++k) {
    const size_t i = std::find(place.begin(), place.end(), k) - place.begin();
    b.range((map.ranges()[i].bounds - Interval::point(start[i])) * sign[i]);
  }
  for (RuntimeVariable variable : map.runtime()) {
    for (FormId &form : variable.index) form = import(form);
    b.runtime(std::move(variable));
  }
  for (FormId form : map.results()) b.result(b.expression(import(form)));
  for (const Constraint &c : map.constraints())
    b.constraint(b.expression(import(c.form)), c.bounds);
  auto built = b.build();
  EXPECT_TRUE(built.ok()) << built.status();
  return built.ok() ? *built : IndexingMap::knownEmpty();
}

TEST(SameFormTest, TheSameRelationInOtherRanges) {
  int64_t all = 0, same = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    const IndexingMap map = randomMap(random, options());
    if (map.isKnownEmpty() || map.ranges().empty()) continue;
    const IndexingMap other = renamed(map, random);
    World world(seed);
    ASSERT_EQ(difference(pairsOf(map, world), pairsOf(other, world)), "");
    ++all;
    same += areSameForm(IndexingRelation(map), IndexingRelation(other));
  }
  EXPECT_GE(same * 100, all * 60) << same << " of " << all;
  RecordProperty("same", std::to_string(same));
}

TEST(SameFormTest, DifferentRelationsAreNotTheSame) {
  int same = 0;
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    Random random(seed);
    MapOptions few;
    few.mostDimensions = 1;
    few.leastResults = few.mostResults = 1;
    few.depth = 2;
    few.mostConstraints = 1;
    const IndexingMap a = randomMap(random, few), b = randomMap(random, few);
    if (a.dimensions().size() != b.dimensions().size()) continue;
    if (!areSameForm(IndexingRelation(a), IndexingRelation(b))) continue;
    ++same;
    World world(seed);
    ASSERT_EQ(difference(pairsOf(a, world), pairsOf(b, world)), "")
        << a.str() << "\n"
        << b.str();
  }
  EXPECT_GT(same, 10);
}

bool areSame(const char *a, const char *b) {
  auto x = parseMap(a), y = parseMap(b);
  EXPECT_TRUE(x.ok() && y.ok()) << x.status() << y.status();
  return areSameForm(IndexingRelation(*x), IndexingRelation(*y));
}

TEST(SameFormTest, Cases) {
  EXPECT_TRUE(
      areSame("(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 5]",
              "(d0)[s0] -> (5 - s0, d0), domain: d0 in [0, 9], s0 in "
              "[0, 5]"));
  EXPECT_TRUE(
      areSame("()[s0, s1] -> (s0, s1), domain: s0 in [0, 5], s1 in [0, "
              "7]",
              "()[s0, s1] -> (s1 - 3, s0), domain: s0 in [0, 7], s1 in "
              "[3, 8]"));
  // Only one of the two forms has a part that cannot carry.
  EXPECT_TRUE(
      areSame("(d0, d1, d2) -> ((d0 * 15 + d1 * 5 + d2) floordiv 10), "
              "domain: d0 in [0, 9], d1 in [0, 2], d2 in [0, 4]",
              "(d0, d1, d2) -> ((d0 * 3 + d1) floordiv 2), domain: d0 "
              "in [0, 9], d1 in [0, 2], d2 in [0, 4]"));
  EXPECT_FALSE(
      areSame("(d0, d1, d2) -> ((d0 * 15 + d1 * 5 + d2) floordiv 10), "
              "domain: d0 in [0, 9], d1 in [0, 2], d2 in [0, 5]",
              "(d0, d1, d2) -> ((d0 * 3 + d1) floordiv 2), domain: d0 "
              "in [0, 9], d1 in [0, 2], d2 in [0, 5]"));
  EXPECT_FALSE(
      areSame("(d0)[s0] -> (s0 + d0), domain: d0 in [0, 9], s0 in [0, "
              "5]",
              "(d0)[s0] -> (d0 - s0), domain: d0 in [0, 9], s0 in [0, "
              "5]"));
}

}  // namespace
}  // namespace indexical::testing
