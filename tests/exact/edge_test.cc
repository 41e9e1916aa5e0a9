// Nothing is wrong at the edge of 64 bits: maps that were once answered
// wrongly, and random ones, against 256 bits.
//
//   INDEXICAL_EDGE_MAPS=1000000   how many, for each question
//   INDEXICAL_EDGE_SEED=n         from which seed on
#include <cstdio>
#include <string>

#include "gtest/gtest.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/normal_form/normal_form.h"
#include "indexical/simplifier/simplified.h"
#include "indexical/simplifier/simplify.h"
#include "tests/exact/edge_checks.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// Maps that were once answered wrongly, and how many points they have.
const struct {
  const char *map;
  int64_t points;
} kKnown[] = {
    // The greatest integer, as a number: the constraint was dropped.
    {"(d0) -> (d0), domain: d0 in [5, 9], 9223372036854775807 - d0 in "
     "[9223372036854775800, 9223372036854775800]",
     1},
    // As a divisor: nothing was left.
    {"(d0) -> (d0), domain: d0 in [-1, 2], "
     "(d0 * 16) floordiv 9223372036854775807 in [-1, -1]",
     1},
    // A sum that leaves 64 bits on the way: what was known of it replaced what
    // was asked.
    {"(d0, d1) -> (d0, d1), domain: "
     "d0 in [5000000000000000000, 5000000000000000003], "
     "d1 in [5000000000000000000, 5000000000000000003], "
     "d0 + d1 - 9000000000000000000 in "
     "[1000000000000000001, 1000000000000000002]",
     5},
    // Whole turns, taken out of a constant, made the rest leave 64 bits.
    {"(d0, d1) -> (d0, d1), domain: d0 in [0, 1], d1 in [0, 1], "
     "(d1 * 13 + d0 * 4611686018427387892 - 1) floordiv 4611686018427387904 "
     "in [1, 1]",
     1},
    // A constraint lost the constant that could not go to its bounds.
    {"(d0, d1) -> (d0), domain: d0 in [-1, 0], "
     "d1 in [9223372036854775805, 9223372036854775806], "
     "d0 * 7 - d1 + 9223372036854775797 in [-16, -11]",
     2},
    // The greatest integer as a lower bound is a number.
    {"(d0) -> (d0), domain: d0 in [2, 3], d0 * 7 in [9223372036854775807, inf]",
     0},
    // Coefficients, less their remainders, left 64 bits.
    {"(d0, d1) -> (d1), domain: d0 in [0, 1], d1 in [0, 1], (d0 + 17 - d1 * "
     "9223372036854775807) floordiv -4611686018427387894 - 4 in [-2, -1]",
     2},
    // A range in steps has ends that its multiples alone do not have.
    {"()[s0] -> (s0), domain: s0 in [-9223372036854775807, "
     "-9223372036854775804], s0 mod 9 in [5, 5]",
     1},
};

TEST(EdgeTest, OnceWrong) {
  for (const auto &[text, points] : kKnown) {
    SCOPED_TRACE(text);
    auto map = parseMap(text);
    ASSERT_TRUE(map.ok()) << map.status();
    auto given = pointsOf(*map), simple = pointsOf(*simplify(*map));
    ASSERT_TRUE(given && simple);
    EXPECT_EQ(given->domain, points);
    EXPECT_EQ(simple->pairs, given->pairs);
    auto count = countDomain(*map);
    ASSERT_TRUE(count.ok() && count->value.has_value()) << count->reason;
    EXPECT_TRUE(*count->value == llvm::DynamicAPInt(points));
    auto same =
        areEqual(IndexingRelation(*map), IndexingRelation(*simplify(*map)));
    ASSERT_TRUE(same.ok()) << same.status();
    EXPECT_EQ(same->answer, Answer::Yes) << same->reason;
  }
}

// A form stays as it was given if another form would leave 64 bits. A map with
// such a form is not marked as canonical.
TEST(EdgeTest, FormsThatStayHaveNoMark) {
  for (const char *text : {
           "(d0, d1) -> (d0), domain: "
           "d0 in [5000000000000000000, 5000000000000000003], "
           "d1 in [5000000000000000000, 5000000000000000003], "
           "d0 + d1 - 9000000000000000000 in "
           "[1000000000000000001, 1000000000000000002]",
           "(d0)[s0] -> ((s0 - d0) floordiv 14), domain: "
           "d0 in [9223372036854775794, 9223372036854775795], s0 in [8, 9]",
           "(d0) -> ((d0 ceildiv 9) ceildiv -4611686018427387894), "
           "domain: d0 in [-1, 1]",
       }) {
    const auto map = parseMap(text);
    ASSERT_TRUE(map.ok()) << map.status();
    const auto simple = simplify(*map);
    ASSERT_TRUE(simple.ok()) << simple.status();
    EXPECT_FALSE(isNormal(*simple)) << simple->str();
    EXPECT_FALSE(isSimplified(*simple)) << simple->str();
  }
}

// A constraint on one variable becomes a bound of the variable, even if the
// constraint cannot lose its constant before it is tightened.
TEST(EdgeTest, BoundsOfOneVariable) {
  auto map = parseMap(
      "(d0) -> (d0), domain: d0 in [1, 2], "
      "d0 * 15 - 28 in [2, 9223372036854775791]");
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_EQ(simplify(*map)->strOneLine(), "(d0) -> (2), domain: d0 in [2, 2]");
}

// An inverse has a quotient as a variable, of d1 * 2147483658 by 15. It leaves
// 64 bits, at all points or at some: the inverse did not have those.
TEST(EdgeTest, InversesThatLeave64Bits) {
  for (const char *text : {
           "(d0, d1) -> ((d1 - d1 * -2147483657) mod 15, d0, 0), domain: "
           "d0 in [0, inf], d1 in [-inf, 5380300354831952567], (d0) in [0, 0], "
           "(d1) in [5380300354831952566, 5380300354831952567]",
           "(d0, d1, d2) -> ((d0 + d1 + d2) mod 2), domain: "
           "d0 in [-inf, 6148914691236517207], "
           "d1 in [6148914691236517204, 6148914691236517207], "
           "d2 in [6148914691236517204, 6148914691236517207], "
           "(d0) in [6148914691236517204, 6148914691236517207]",
           "(d0, d1, d2) -> ((d0 + d1 + d2) mod 2), domain: "
           "d0 in [6200000000000000000, inf], "
           "d1 in [6200000000000000000, inf], "
           "d2 in [6200000000000000000, inf]",
           "(d0, d1, d2)[s0] -> (((s0 + d2) floordiv 1152921504606846983 - "
           "s0 * 2147483637) mod 10, 0), domain: "
           "d0 in [-9223372036854775802, inf], d1 in [-inf, -1], "
           "d2 in [0, inf], s0 in [2305843009213693965, 2305843009213693966], "
           "(d0) in [-9223372036854775802, -9223372036854775802], "
           "(d1) in [-1, -1], (d2) in [0, 0]",
       }) {
    SCOPED_TRACE(text);
    const auto map = parseMap(text);
    ASSERT_TRUE(map.ok()) << map.status();
    const auto turned = inverse(IndexingRelation(*map));
    ASSERT_FALSE(turned.ok());
    EXPECT_EQ(turned.status().message(),
              "arithmetic leaves the range of 64-bit integers");
  }
}

TEST(EdgeTest, RefusedAtTheDoor) {
  for (const char *text : {
           "(d0) -> (9223372036854775807 - d0), domain: d0 in [-1, 3]",
           "(d0) -> (d0 * 4611686018427387904), domain: d0 in [0, 2]",
           "(d0) -> ((d0 * 9223372036854775807) floordiv 9), domain: d0 in "
           "[1, 2]",
           "(d0) -> (9223372036854775807 floordiv d0), domain: d0 in [1, 2]",
           "(d0, d1) -> (d0 * d1), domain: d0 in [0, 4294967296], d1 in [0, "
           "4294967296]",
       }) {
    auto map = parseMap(text);
    ASSERT_FALSE(map.ok()) << text;
    EXPECT_EQ(map.status().message(),
              "the expression can leave the range of 64-bit integers on its "
              "domain")
        << text;
    EXPECT_TRUE(placeOf(map.status())) << text;
  }
}

// The parser accepts a sum in any order of its terms.
TEST(EdgeTest, SumsMayLeave64BitsOnTheWay) {
  auto map = parseMap(
      "(d0, d1) -> (d0 + d1 - 9000000000000000000), "
      "domain: d0 in [9000000000000000000, 9000000000000000001], "
      "d1 in [9000000000000000000, 9000000000000000001]");
  ASSERT_TRUE(map.ok()) << map.status();
  const auto at =
      map->evaluate({{9000000000000000001, 9000000000000000000}, {}, {}});
  ASSERT_TRUE(at.has_value());
  EXPECT_EQ((*at)[0], 9000000000000000001);
}

// If the domain is open, a dividend may leave 64 bits, and so may a sum in a
// constraint with a lower bound only.
TEST(EdgeTest, PointsWhoseSumsLeave64Bits) {
  auto map = parseMap(
      "(d0) -> ((d0 * 6) mod 7, (d0 * 6) floordiv 9223372036854775807), "
      "domain: d0 in [-inf, -9223372036854775806], "
      "(d0 * 6) floordiv 9223372036854775807 in [-6, -6]");
  ASSERT_TRUE(map.ok()) << map.status();
  const IndexingMap::Point least{{-9223372036854775807}, {}, {}};
  EXPECT_TRUE(map->contains(least));
  EXPECT_EQ(map->evaluate(least), (llvm::SmallVector<int64_t, 6>{0, -6}));
  map = parseMap("(d0) -> (0), domain: d0 in [0, inf], d0 * 4 in [5, inf]");
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_TRUE(map->contains({{4611686018427387904}, {}, {}}));
  EXPECT_FALSE(map->contains({{1}, {}, {}}));
}

class EdgeFuzzTest : public ::testing::TestWithParam<EdgeQuestion> {};

TEST_P(EdgeFuzzTest, RandomMaps) {
  const uint64_t first = fromEnvironment("INDEXICAL_EDGE_SEED", 1);
  const uint64_t maps = fromEnvironment("INDEXICAL_EDGE_MAPS", 4000);
  const uint64_t most = fromEnvironment("INDEXICAL_EDGE_SHOWN", 1);
  EdgeTally tally;
  uint64_t flaws = 0;
  for (uint64_t i = 0; i < maps && flaws < most; ++i) {
    Random random((first + i) * 5 + static_cast<uint64_t>(GetParam()));
    const EdgeCase given = drawnCase(random, GetParam());
    if (flawOf(GetParam(), given, tally).empty()) continue;
    ++flaws;
    const EdgeCase small = shrunk(GetParam(), given);
    EdgeTally unused;
    ADD_FAILURE() << nameOf(GetParam()) << ", INDEXICAL_EDGE_SEED=" << first + i
                  << "\n"
                  << small.text() << "\n"
                  << flawOf(GetParam(), small, unused);
  }
  std::printf(
      "  from seed %llu: %lld drawn, %lld refused at the door, %lld refused "
      "later, %lld undecided, %lld answered, %lld points\n",
      static_cast<unsigned long long>(first),
      static_cast<long long>(tally.drawn),
      static_cast<long long>(tally.atTheDoor),
      static_cast<long long>(tally.refused),
      static_cast<long long>(tally.undecided),
      static_cast<long long>(tally.answered),
      static_cast<long long>(tally.points));
}

INSTANTIATE_TEST_SUITE_P(
    Questions, EdgeFuzzTest,
    ::testing::Values(EdgeQuestion::Simplify, EdgeQuestion::Compose,
                      EdgeQuestion::Count, EdgeQuestion::Equal,
                      EdgeQuestion::Inverse),
    [](const auto &info) { return std::string(nameOf(info.param)); });

}  // namespace
}  // namespace indexical::testing
