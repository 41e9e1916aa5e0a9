// Functions with bends, at every point of small intervals, and at the ends of
// great ones: what is returned has the function's values, and no more bends
// than it need have.
#include "indexical/indexing/piecewise.h"

#include <algorithm>
#include <string>

#include "gtest/gtest.h"

#include "tests/support/random.h"

namespace indexical::testing {
namespace {

Piecewise randomFunction(Random &random) {
  Piecewise made;
  made.slope = random.in(-3, 3);
  made.constant = random.in(-9, 9);
  for (int64_t i = random.in(0, 4); i > 0; --i) {
    int64_t factor = random.oneIn(2) ? 1 : random.in(-5, 5);
    if (factor == 0) factor = 2;
    made.bends.push_back({random.in(-3, 3), factor, random.in(-20, 20)});
  }
  return made;
}

TEST(Piecewise, HasTheFunctionsValues) {
  for (uint64_t seed = 1; seed <= 5000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Piecewise function = randomFunction(random);
    ASSERT_TRUE(function.isSmall());
    const int64_t low = random.in(-9, 5);
    const Interval within{low, low + random.in(0, 12)};
    const auto reduced = function.reduced(within);
    const auto positive = function.positivePart(within);
    ASSERT_TRUE(reduced && positive);
    Interval values = Interval::none();
    for (int64_t l = within.lower; l <= within.upper; ++l) {
      const auto value = static_cast<int64_t>(function.at(l));
      values = values.hull(Interval::point(value));
      EXPECT_EQ(static_cast<int64_t>(reduced->at(l)), value);
      EXPECT_EQ(static_cast<int64_t>(positive->at(l)),
                std::max<int64_t>(value, 0));
    }
    EXPECT_EQ(function.range(within), values);
    // Only its values decide how it is written.
    const auto again = reduced->reduced(within);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->bends.size(), reduced->bends.size());
    for (const Bend &bend : reduced->bends) EXPECT_GT(bend.factor, 0);
    if (HasFailure()) return;
  }
}

// Without an end the values go on as they do far out.
TEST(Piecewise, WithoutAnEnd) {
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Piecewise function = randomFunction(random);
    Interval within = Interval::all();
    if (random.oneIn(3)) within.lower = random.in(-9, 9);
    if (random.oneIn(3)) within.upper = random.in(-9, 9);
    if (within.isEmpty()) continue;
    const Interval range = function.range(within);
    const auto reduced = function.reduced(within);
    const auto positive = function.positivePart(within);
    ASSERT_TRUE(reduced && positive);
    for (int64_t l = -200; l <= 200; ++l) {
      if (!within.contains(l)) continue;
      const auto value = static_cast<int64_t>(function.at(l));
      EXPECT_TRUE(range.contains(value));
      EXPECT_EQ(static_cast<int64_t>(reduced->at(l)), value);
      EXPECT_EQ(static_cast<int64_t>(positive->at(l)),
                std::max<int64_t>(value, 0));
    }
    if (HasFailure()) return;
  }
}

TEST(Piecewise, AtTheEdges) {
  for (uint64_t seed = 1; seed <= 5000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Piecewise function = randomFunction(random);
    const int64_t ends[] = {int64_t{1} << 31, int64_t{1} << 53,
                            int64_t{1} << 59, int64_t{1} << 62, INT64_MAX - 99};
    const int64_t far = ends[random.in(0, 4)];
    for (Bend &bend : function.bends)
      if (random.oneIn(2)) bend.threshold += random.oneIn(2) ? far : -far;
    if (!function.isSmall()) continue;
    const Interval within{random.oneIn(2) ? -far : random.in(-9, 9), far};
    const Interval range = function.range(within);
    const auto reduced = function.reduced(within);
    const auto positive = function.positivePart(within);
    for (int i = 0; i < 50; ++i) {
      int64_t l = random.in(within.lower, within.upper);
      if (random.oneIn(3)) l = within.upper - random.in(0, 9);
      if (random.oneIn(3)) l = std::max<int64_t>(within.lower, -3) + i;
      if (!within.contains(l)) continue;
      const __int128 value = function.at(l);
      const bool isIn = value >= range.lower && value <= range.upper;
      EXPECT_TRUE(isIn || !range.isFinite());
      const bool isSame = !reduced || reduced->at(l) == value;
      EXPECT_TRUE(isSame);
      const bool isPart =
          !positive || positive->at(l) == std::max<__int128>(value, 0);
      EXPECT_TRUE(isPart);
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace indexical::testing
