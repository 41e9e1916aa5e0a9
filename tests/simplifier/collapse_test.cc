// Results that are simple at every point, compared at each point by itself.
//
// Random results are one of their variables, or a constant, except perhaps at
// some points. The simplified result has the same values, and is the variable
// or the constant if there are no such points.
#include "indexical/simplifier/collapse.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

std::string simplified(const std::string &text) {
  return simplifiedMapOf(text).strOneLine();
}

// Transposes whose cuts do not align, there and back.
constexpr char kRoundTrip[] =
    "(((d0 * 12 + d1) floordiv 30) * 5 + ((((d0 + d2 * 10) mod 15) * 8 + "
    "(d1 * 6 + d2) floordiv 9) floordiv 4) mod 5) floordiv 2";

TEST(CollapseTest, WhatIsAVariableAtEveryPointIsThatVariable) {
  EXPECT_EQ(simplified("(d0, d1, d2) -> (" + std::string(kRoundTrip) +
                       "), domain: d0 in [0, 9], d1 in [0, 11], d2 in [0, 5]"),
            "(d0, d1, d2) -> (d0), domain: d0 in [0, 9], d1 in [0, 11], "
            "d2 in [0, 5]");
}

// Digits belong together: one result alone stays as it is.
TEST(CollapseTest, AllResultsOrNone) {
  const std::string domain =
      ", domain: d0 in [0, 9], d1 in [0, 11], d2 in [0, 5]";
  const std::string beside = "((d0 * 7 + d1) mod 13) floordiv 2";
  EXPECT_NE(simplified("(d0, d1, d2) -> (" + std::string(kRoundTrip) + ", " +
                       beside + ")" + domain),
            "(d0, d1, d2) -> (d0, " + beside + ")" + domain);
  EXPECT_EQ(simplified("(d0, d1, d2) -> (" + std::string(kRoundTrip) +
                       ", d1 * 2)" + domain),
            "(d0, d1, d2) -> (d0, d1 * 2)" + domain);
}

TEST(CollapseTest, ConstraintsCount) {
  const std::string domain =
      ", domain: d0 in [10, 56], ((d0 * 3 + 4) floordiv 2) mod 3 in [2, 2]";
  EXPECT_EQ(simplified("(d0) -> ((d0 + 1) mod 2)" + domain),
            "(d0) -> (1)" + domain);
}

// One of 25 points is in the domain, and is not among those that are drawn.
TEST(CollapseTest, SparseDomainsAreLookedThrough) {
  const IndexingMap map = simplifiedMapOf(
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 4], d1 in [0, 4], "
      "((d0 + d1 * 2) floordiv 4 + (d0 * 6 + d1) mod 6) mod 6 in [1, 1], "
      "((d0 * 2 + d1 * 7) floordiv 3 + (d0 + d1) mod 3) mod 6 in [2, 2]");
  EXPECT_EQ(map.strOneLine(),
            "(d0, d1) -> (4, 4), domain: d0 in [4, 4], d1 in [4, 4]");
}

// d0 is 2 * q, and so is the result.
TEST(CollapseTest, StridesCount) {
  const std::string domain =
      ", domain: d0 in [60, 320], "
      "(((d0 * 9 + 34) floordiv 2) mod 23) mod 3 in [2, 2], d0 mod 2 in [0, 0]";
  EXPECT_EQ(simplified("(d0) -> ((((d0 * 3 + 42) floordiv 46) * 138 + (d0 * 9 "
                       "+ 34) mod 46 + 8) floordiv 9 - 4)" +
                       domain),
            "(d0) -> (d0)" + domain);
}

// s0 was twice what it is now, which is what the result is, but for a constant.
TEST(CollapseTest, RangesHaveNoStridesAnyMore) {
  EXPECT_EQ(simplified("(d0)[s0] -> ((d0 * -9) floordiv 29), domain: d0 in [0, "
                       "4], s0 in [0, 3], s0 mod 2 in [0, 0], (d0 + s0 * 2) "
                       "mod 7 in [1, 2]"),
            "(d0)[s0] -> (-s0 - 1), domain: d0 in [0, 4], s0 in [0, 1], "
            "(d0 + s0 * 4) mod 7 in [1, 2]");
}

TEST(CollapseTest, OfEqualVariablesTheOneInItsPlace) {
  const std::string domain =
      ", domain: d0 in [0, 9], d1 in [0, 9], d0 - d1 in [0, 0]";
  const std::string sum = "(d1 floordiv 2 + (d1 * 2) mod 3) floordiv 6";
  EXPECT_EQ(
      simplified("(d0, d1) -> (d1 + " + sum + ", d0 + " + sum + ")" + domain),
      "(d0, d1) -> (d0, d1)" + domain);
}

// A constraint makes a sum of variables equal to the dimension in its place: by
// digits, or because the constraint leaves one value.
TEST(CollapseTest, SumsThatAreTheDimensionInTheirPlace) {
  const struct {
    const char *result, *expected, *domain;
  } cases[] = {
      {"d1", "d0", "d0 in [0, 1], d1 in [0, 1], (d0 * 2 + d1) mod 3 in [0, 0]"},
      {"d1 * 3 + 5", "d0", "d0 in [5, 8], d1 in [0, 1], d0 - d1 * 3 in [5, 5]"},
      {"d1 + 2", "d0", "d0 in [2, 3], d1 in [0, 1], d0 * 3 - d1 in [6, 8]"},
      {"-(d1 floordiv 4) + 1", "d0",
       "d0 in [0, 1], d1 in [1, 5], d0 * 36 + d1 in [5, 37]"},
      {"(d0 * 4 + d1) mod 3", "d0",
       "d0 in [0, 1], d1 in [0, 3], d0 * 4 + d1 in [3, 4]"},
      // A variable comes before a multiple of another one.
      {"d0 * 2 + 1", "d1",
       "d0 in [0, 3], d1 in [1, 7], d0 * 2 - d1 in [-1, -1]"},
      // Not at every point: at (2, 1) the sum is 3.
      {"d1 + 2", "d1 + 2", "d0 in [2, 3], d1 in [0, 1], d0 * 3 - d1 in [5, 8]"},
  };
  for (const auto &c : cases) {
    const std::string domain = std::string(", domain: ") + c.domain;
    EXPECT_EQ(
        simplified("(d0, d1) -> (" + std::string(c.result) + ")" + domain),
        "(d0, d1) -> (" + std::string(c.expected) + ")" + domain);
  }
  // A dimension of one value is that value.
  const std::string point =
      ", domain: d0 in [0, 0], s0 in [0, 4], "
      "(s0 * 3 + (s0 + 5) floordiv 6) mod 4 in [0, 0]";
  EXPECT_EQ(simplified("(d0)[s0] -> (0)" + point), "(d0)[s0] -> (0)" + point);
}

// Points of the equation are met, and there are more of the box than can be
// looked at: 11 to the power of 6. One variable has 2^31 values.
TEST(CollapseTest, AnEquationSaysThatASumIsAnother) {
  const struct {
    const char *result, *expected, *equation;
  } cases[] = {
      {"d0 + d1 + d2 - rt0 - rt1 - rt2 + rt3", "rt3",
       "d0 + d1 + d2 - rt0 - rt1 - rt2 in [0, 0]"},
      {"rt0 + rt1 + rt2 - d0 - d1 - d2 + rt3", "rt3",
       "d0 + d1 + d2 - rt0 - rt1 - rt2 in [0, 0]"},
      {"d0 * 3 + d1 * 3 + d2 * 3 - rt0 * 3 - rt1 * 3 - rt2 * 3 + rt3", "rt3",
       "d0 + d1 + d2 - rt0 - rt1 - rt2 in [0, 0]"},
      {"d0 + d1 + d2 - rt0 - rt1 - rt2 + rt3", "rt3 + 1",
       "d0 + d1 + d2 - rt0 - rt1 - rt2 in [1, 1]"},
      {"rt0 * 2 + rt1 * 2 + rt2 * 2 - d0 * 2 - d1 * 2 - d2 * 2 + rt3",
       "rt3 - 2", "d0 + d1 + d2 - rt0 - rt1 - rt2 in [1, 1]"},
  };
  for (const auto &c : cases) {
    const IndexingMap map = mapOf(
        "(d0, d1, d2){rt0, rt1, rt2, rt3} -> (" + std::string(c.result) +
        "), domain: d0 in [0, 10], d1 in [0, 10], d2 in [0, 10], rt0 in [0, "
        "10], rt1 in [0, 10], rt2 in [0, 10], rt3 in [0, 2147483647], " +
        c.equation);
    const IndexingMap simple = simplifiedMapOf(map.str());
    SCOPED_TRACE(map.strOneLine() + "\n" + simple.strOneLine());
    EXPECT_EQ(simple.str(simple.results()[0]), c.expected);
    for (int64_t x = 0; x < 11; ++x)
      for (int64_t y = 0; y < 11; ++y)
        for (int64_t z = 0; z < 11; ++z) {
          const IndexingMap::Point point{{x, 5, z}, {}, {y, x, 5, 2147483647}};
          ASSERT_EQ(map.contains(point), simple.contains(point));
          if (!map.contains(point)) continue;
          ASSERT_EQ(map.evaluate(point), simple.evaluate(point));
        }
  }
}

// The equation is met at most of the points, and the sum is another one's.
TEST(CollapseTest, AnEquationOfOtherTermsSaysNothing) {
  const std::string domain =
      ", domain: d0 in [0, 1], d1 in [0, 1], rt0 in [0, 2147483647], rt1 in "
      "[0, "
      "2147483647], d0 - d1 in [0, 0]";
  EXPECT_EQ(simplified("(d0, d1){rt0, rt1} -> (d0 + rt0 - rt1)" + domain),
            "(d0, d1){rt0, rt1} -> (d0 + rt0 - rt1)" + domain);
}

TEST(CollapseTest, EachRuleTurnsItsExample) {
  for (const CollapseRule &rule : collapseRules()) {
    SCOPED_TRACE(rule.name);
    const IndexingMap simple = simplifiedMapOf(rule.example);
    EXPECT_EQ(simple.str(simple.results()[0]), rule.becomes);
  }
}

TEST(CollapseTest, EachRuleIsOnThePage) {
  std::ifstream file("docs/internals/normal_form.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  size_t place = 0;
  for (const CollapseRule &rule : collapseRules()) {
    const std::string row = std::string("| ") + rule.name + " | `" +
                            rule.example + "` | `" + rule.becomes + "` |";
    const size_t found = page.find(row);
    EXPECT_NE(found, std::string::npos) << row;
    EXPECT_GT(found, place) << row << " stands in another order";
    place = found;
  }
}

/// k * from + c through the first and the last of the points, if there is one.
std::string lineThrough(llvm::ArrayRef<IndexingMap::Point> points, int from,
                        int to) {
  if (points.empty()) return "0";
  const auto &p = points.front().dimensions, &q = points.back().dimensions;
  const int64_t run = q[from] - p[from], rise = q[to] - p[to];
  const int64_t k = run == 0 || rise % run != 0 ? 1 : rise / run;
  return "d" + std::to_string(from) + " * " + std::to_string(k) + " + " +
         std::to_string(p[to] - k * p[from]);
}

// Sums that meet the dimension in their place at two points of a domain whose
// constraint ties the dimensions together.
TEST(CollapseTest, NoSumIsTheDimensionInItsPlaceUnseen) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_MAPS", 2000);
  int64_t own = 0, others = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    const int64_t n = random.in(2, 6), m = random.in(2, 6);
    const int64_t a = random.in(1, 5), low = random.in(-4, 12);
    const std::string sum = "d0 * " + std::to_string(a) + " + d1 * " +
                            std::to_string(random.in(-5, 5));
    const std::string domain =
        ", domain: d0 in [0, " + std::to_string(n - 1) + "], d1 in [0, " +
        std::to_string(m - 1) + "], " +
        (random.oneIn(2)
             ? "(" + sum + ") mod " + std::to_string(a + 2) + " in [0, 0]"
             : sum + " in [" + std::to_string(low) + ", " +
                   std::to_string(low + random.in(0, a - 1)) + "]");
    const IndexingMap all = mapOf("(d0, d1) -> (d0)" + domain);
    std::vector<IndexingMap::Point> points;
    for (int64_t x = 0; x < n; ++x)
      for (int64_t y = 0; y < m; ++y)
        if (all.contains({{x, y}, {}, {}})) points.push_back({{x, y}, {}, {}});
    const IndexingMap map =
        mapOf("(d0, d1) -> (" + lineThrough(points, 1, 0) + ", " +
              lineThrough(points, 0, 1) + ")" + domain);
    const IndexingMap result = simplifiedMapOf(map.str());
    SCOPED_TRACE("seed " + std::to_string(seed + i) + "\n" + map.strOneLine() +
                 "\n" + result.strOneLine());
    ASSERT_EQ(result.isKnownEmpty(), points.empty());
    if (points.empty()) continue;
    bool isOwn[2] = {true, true};
    for (const IndexingMap::Point &point : points) {
      ASSERT_TRUE(result.contains(point));
      const auto values = map.evaluate(point);
      ASSERT_EQ(values, result.evaluate(point));
      for (int k : {0, 1}) isOwn[k] &= (*values)[k] == point.dimensions[k];
    }
    for (int k : {0, 1}) {
      if (result.dimensions()[k].bounds.isPoint()) continue;
      const std::string form = result.str(result.results()[k]);
      ASSERT_EQ(isOwn[k], form == "d" + std::to_string(k));
      ++(isOwn[k] ? own : others);
    }
  }
  EXPECT_GT(own, static_cast<int64_t>(count) / 10);
  EXPECT_GT(others, static_cast<int64_t>(count) / 10);
}

TEST(CollapseTest, WhatHasOneValueIsFixed) {
  EXPECT_EQ(
      simplified("(d0, d1) -> (d1), domain: d0 in [0, 14], d1 in [0, 1], "
                 "(((d0 * 5 + d1 * 2 + 2) floordiv 2) mod 5) mod 3 in [2, 2]"),
      "(d0, d1) -> (1), domain: d0 in [0, 14], d1 in [1, 1], "
      "(((d0 * 5 + 4) floordiv 2) mod 5) mod 3 in [2, 2]");
}

// Digits of sums of digits: bounds say little of them.
TEST(CollapseTest, SmallDomainsHaveNoOtherPoints) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_MAPS", 2000);
  int64_t empty = 0, fixed = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    auto number = [&](int64_t low, int64_t high) {
      return std::to_string(random.in(low, high));
    };
    const int64_t n = random.in(2, 20), m = random.in(2, 12);
    std::string text = "(d0, d1) -> (d0, d1), domain: d0 in [0, " +
                       std::to_string(n - 1) + "], d1 in [0, " +
                       std::to_string(m - 1) + "]";
    for (int64_t k = random.in(1, 3); k > 0; --k) {
      const int64_t modulus = random.in(2, 6);
      const std::string rest = std::to_string(random.in(0, modulus - 1));
      text += ", ((d0 * " + number(1, 9) + " + d1 * " + number(1, 9) +
              ") floordiv " + number(2, 5) + " + (d0 * " + number(1, 9) +
              " + d1) mod " + number(3, 9) + ") mod " +
              std::to_string(modulus) + " in [" + rest + ", " + rest + "]";
    }
    const IndexingMap map = mapOf(text);
    auto result = simplify(map);
    ASSERT_TRUE(result.ok()) << text << result.status();
    SCOPED_TRACE("seed " + std::to_string(seed + i) + "\n" + text + "\n" +
                 result->strOneLine());
    std::set<int64_t> values[2];
    for (int64_t x = 0; x < n; ++x)
      for (int64_t y = 0; y < m; ++y) {
        const IndexingMap::Point point{{x, y}, {}, {}};
        const bool isInside = map.contains(point);
        ASSERT_EQ(isInside, !result->isKnownEmpty() && result->contains(point));
        if (!isInside) continue;
        values[0].insert(x);
        values[1].insert(y);
        ASSERT_EQ(map.evaluate(point), result->evaluate(point));
      }
    ASSERT_EQ(result->isKnownEmpty(), values[0].empty());
    empty += result->isKnownEmpty();
    if (result->isKnownEmpty()) continue;
    for (int k : {0, 1}) {
      const bool isPoint = result->dimensions()[k].bounds.isPoint();
      ASSERT_EQ(isPoint, values[k].size() == 1);
      fixed += isPoint;
    }
  }
  EXPECT_GT(empty, static_cast<int64_t>(count) / 20);
  EXPECT_GT(fixed, static_cast<int64_t>(count) / 20);
}

TEST(CollapseTest, TooManyPointsAreNotLookedAt) {
  const auto withStep = [](int64_t size) {
    const std::string sum = "(d1 floordiv 2 + (d1 * 2) mod 3)";
    return std::make_pair(
        "(d0, d1) -> (d0 + " + sum + " floordiv " +
            std::to_string(size / 2 + 1) + ")",
        ", domain: d0 in [0, 9], d1 in [0, " + std::to_string(size - 1) + "]");
  };
  // The sum stays below the step, though its terms could reach it.
  const auto [few, domain] = withStep(100);
  EXPECT_EQ(simplified(few + domain), "(d0, d1) -> (d0)" + domain);
  const auto [many, wide] = withStep(10'000'000'000);
  EXPECT_NE(simplified(many + wide), "(d0, d1) -> (d0)" + wide);
}

// d1 is d0 at all points but one, which few points may miss: then d0 is tried
// before d1.
TEST(CollapseTest, OfTwoVariablesTheOneThatItIs) {
  for (int64_t n = 5; n <= 12; ++n) {
    // The greatest value of the sum, and what its terms could reach.
    int64_t most = 0;
    for (int64_t x = 0; x < n; ++x) most = std::max(most, x / 2 + x * 2 % 3);
    if (most == (n - 1) / 2 + 2) continue;
    const std::string domain = ", domain: d0 in [0, " + std::to_string(n - 1) +
                               "], d1 in [0, " + std::to_string(n - 2) +
                               "], d0 - d0 floordiv " + std::to_string(n - 1) +
                               " - d1 in [0, 0]";
    const std::string zero =
        "(d0 floordiv 2 + (d0 * 2) mod 3) floordiv " + std::to_string(most + 1);
    EXPECT_EQ(simplified("(d0, d1) -> (d1 + " + zero + ")" + domain),
              simplified("(d0, d1) -> (d1)" + domain));
    // Beside a result for which there is one form alone.
    EXPECT_EQ(
        simplified("(d0, d1) -> (d1 + " + zero + ", " + zero + ")" + domain),
        simplified("(d0, d1) -> (d1, 0)" + domain));
  }
}

/// Checks that simplification keeps the values of a map of two dimensions and
/// at most one range, which begins at 0, or is gone because it has one value.
void expectSameValues(const std::string &text) {
  const IndexingMap map = mapOf(text);
  const IndexingMap simple = simplifiedMapOf(text);
  SCOPED_TRACE(text + "\n" + simple.strOneLine());
  const Interval x = map.dimensions()[0].bounds, y = map.dimensions()[1].bounds;
  ASSERT_FALSE(simple.isKnownEmpty());
  ASSERT_GE(map.ranges().size(), simple.ranges().size());
  const bool isGone = map.ranges().size() > simple.ranges().size();
  IndexingMap::Point point{{0, 0}, {}, {}};
  point.ranges.resize(map.ranges().size());
  const int64_t last = map.ranges().empty() ? 0 : map.ranges()[0].bounds.upper;
  for (int64_t s = 0; s <= last; ++s)
    for (int64_t i = x.lower; i <= x.upper; ++i)
      for (int64_t k = y.lower; k <= y.upper; ++k) {
        point.dimensions = {i, k};
        if (!point.ranges.empty()) point.ranges[0] = s;
        IndexingMap::Point same = point;
        if (isGone) same.ranges.clear();
        if (!isGone) {
          ASSERT_EQ(map.contains(point), simple.contains(point));
        }
        if (!map.contains(point)) continue;
        ASSERT_TRUE(simple.contains(same));
        ASSERT_EQ(map.evaluate(point), simple.evaluate(same));
      }
}

// The few points of a sample may miss the one at which a sum is another: (1, 0)
// beside (k, k). There d0 - d1 is 1, which an interval allows.
TEST(CollapseTest, AnIntervalIsNoEquation) {
  for (int64_t n = 8; n <= 60; ++n)
    for (int64_t k : {-2, 1, 3}) {
      const std::string size = std::to_string(n), last = std::to_string(n - 1);
      const std::string scale = std::to_string(k);
      expectSameValues("(d0, d1) -> (d0 + d0 * " + scale + " - d1 * " + scale +
                       "), domain: d0 in [0, " + last + "], d1 in [0, " + last +
                       "], d0 - d1 in [0, 1], (d0 * " + size + " - d1 * " +
                       last + ") mod " + std::to_string(4 * n) + " in [0, " +
                       size + "]");
      if (HasFailure()) return;
    }
}

// Here s0 is 1 at one point alone, at which d0 is 1 and d1 is 0.
TEST(CollapseTest, AnEquationWithOtherCoefficientsSaysNothing) {
  for (int64_t n = 8; n <= 60; ++n)
    for (int64_t k : {-2, 0, 3}) {
      const std::string size = std::to_string(n);
      expectSameValues("(d0, d1)[s0] -> (d1 + s0 * " + std::to_string(k) +
                       "), domain: d0 in [0, " + size + "], d1 in [0, " +
                       std::to_string(n - 1) +
                       "], s0 in [0, 1], d0 - d1 - s0 in [0, 0], s0 * " + size +
                       " + d1 in [0, " + size + "]");
      if (HasFailure()) return;
    }
}

// The result is one more than d0 at one point, and d1 is one less at another.
TEST(CollapseTest, NeitherOfTwoVariables) {
  const int64_t n = 41;
  for (int64_t i = 0; i < n; ++i)
    for (const char *variable : {"d0", "d1"}) {
      expectSameValues("(d0, d1) -> (" + std::string(variable) +
                       " + ((d0 * 5 + " + std::to_string(i) +
                       ") mod 41) floordiv 40), domain: d0 in [0, 40], d1 in "
                       "[0, 39], d0 - d0 floordiv 40 - d1 in [0, 0]");
      if (HasFailure()) return;
    }
}

// A step that a sum of digits takes at a random value, mostly near the end.
TEST(CollapseTest, ValuesStay) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_MAPS", 2000);
  int64_t simple = 0, others = 0;
  for (uint64_t i = 0; i < count; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed + i));
    Random random(seed + i);
    const int64_t n = random.in(2, 60), m = random.in(1, 12);
    const std::string a = std::to_string(random.in(2, 7)),
                      b = std::to_string(random.in(2, 7));
    // Two digits of one index, put together otherwise: in [0, n * m + 48].
    const std::string sum = "(((d0 * " + std::to_string(m) +
                            " + d1) floordiv " + a + ") * " + a +
                            " + (d0 * 5 + d1 * 3) mod " + b + ")";
    const int64_t most = (n - 1) * m + m - 1 + 6;
    const int64_t step = most - random.in(-3, random.oneIn(2) ? 3 : most);
    const std::string subject = random.oneIn(3) ? "7" : "d0";
    std::string text =
        "(d0, d1) -> (" + subject + " + (" + sum + " + " +
        std::to_string(9999 - step) + ") floordiv 9999), domain: d0 in [0, " +
        std::to_string(n - 1) + "], d1 in [0, " + std::to_string(m - 1) + "]";
    if (random.oneIn(2))
      text += ", (d0 floordiv 2 + d1 * 3) mod " + a + " in [0, 1]";
    const IndexingMap map = mapOf(text);
    auto result = simplify(map);
    ASSERT_TRUE(result.ok()) << text << result.status();
    if (result->isKnownEmpty()) continue;
    bool isSubject = true;
    for (int64_t x = 0; x < n; ++x)
      for (int64_t y = 0; y < m; ++y) {
        const IndexingMap::Point point{{x, y}, {}, {}};
        ASSERT_EQ(map.contains(point), result->contains(point)) << text;
        if (!map.contains(point)) continue;
        const auto expected = map.evaluate(point);
        ASSERT_EQ(expected, result->evaluate(point)) << text << "\n"
                                                     << result->strOneLine();
        isSubject &= (*expected)[0] == (subject == "7" ? 7 : x);
      }
    ++(isSubject ? simple : others);
    // Bounds tell the value of constants, if nothing else is known.
    if (!isSubject || subject == "7") continue;
    auto plain = simplify(mapOf("(d0, d1) -> (" + subject + ")" +
                                text.substr(text.find(", domain"))));
    ASSERT_EQ(result->strOneLine(), plain->strOneLine()) << text;
  }
  EXPECT_GT(simple, count / 20);
  EXPECT_GT(others, count / 20);
}

}  // namespace
}  // namespace indexical::testing
