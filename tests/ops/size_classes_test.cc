// Classes of equal sizes, compared with the sets of values that sizes can have.
#include "indexical/ops/size_classes.h"

#include <set>
#include <vector>

#include "gtest/gtest.h"

#include "tests/support/random.h"

namespace indexical::testing {
namespace {

constexpr int64_t kMost = 6;

std::set<int64_t> valuesOf(KnownSize known) {
  std::set<int64_t> values;
  for (int64_t v = 0; v <= kMost; ++v)
    if (known.size == kDynamicSize ||
        (known.fixed ? v == known.size : v <= known.size))
      values.insert(v);
  return values;
}

std::set<int64_t> both(const std::set<int64_t> &x, const std::set<int64_t> &y) {
  std::set<int64_t> values;
  for (int64_t v : x)
    if (y.count(v)) values.insert(v);
  return values;
}

KnownSize randomSize(Random &random) {
  if (random.oneIn(3)) return {};
  if (random.oneIn(2)) return {random.in(0, kMost), true};
  return {random.in(1, kMost - 1), false};
}

TEST(SizeClassesTest, ASizeHasTheValuesThatAllEqualOnesCanHave) {
  const int64_t count = fromEnvironment("INDEXICAL_CASES", 5000);
  int64_t contradictions = 0;
  for (int64_t seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    SizeClasses sizes;
    std::vector<std::set<size_t>> equal;  // by size
    std::vector<std::set<int64_t>> values;
    const int64_t all = random.in(1, 8);
    for (int64_t i = 0; i < all; ++i) {
      const KnownSize known = randomSize(random);
      ASSERT_EQ(sizes.add(known), static_cast<size_t>(i));
      equal.push_back({static_cast<size_t>(i)});
      values.push_back(valuesOf(known));
    }
    for (int64_t n = random.in(0, 8); n > 0; --n) {
      const size_t a = random.in(0, all - 1), b = random.in(0, all - 1);
      const size_t firstA = *equal[a].begin(), firstB = *equal[b].begin();
      const auto common = both(values[a], values[b]);
      const auto joined = sizes.join(a, b);
      ASSERT_EQ(joined.into, std::min(firstA, firstB));
      ASSERT_EQ(joined.from, std::max(firstA, firstB));
      ASSERT_EQ(joined.agree, !common.empty());
      ASSERT_EQ(joined.isNew, !common.empty() && common != values[joined.into]);
      std::set<size_t> together = equal[a];
      together.insert(equal[b].begin(), equal[b].end());
      const auto kept = common.empty() ? values[joined.into] : common;
      for (size_t member : together) {
        equal[member] = together;
        values[member] = kept;
      }
      contradictions += common.empty();
    }
    for (size_t i = 0; i < equal.size(); ++i) {
      ASSERT_EQ(sizes.first(i), *equal[i].begin());
      ASSERT_EQ(valuesOf(sizes.known(i)), values[i]);
    }
  }
  EXPECT_GT(contradictions, 100);
}

TEST(SizeClassesTest, KnowledgeIsOfTheWholeClass) {
  SizeClasses sizes;
  EXPECT_TRUE(sizes.empty());
  sizes.add({});
  sizes.add({8, false});
  sizes.join(0, 1);
  sizes.setKnown(1, {4, true});
  EXPECT_EQ(sizes.known(0).size, 4);
  EXPECT_TRUE(sizes.known(0).fixed);
}

}  // namespace
}  // namespace indexical::testing
