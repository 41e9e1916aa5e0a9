// The engine `sizes` (exact/engines.h): equality of maps whose constraints
// multiply and divide by unknown sizes, held to all small sizes.
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"
#include "indexical/simplifier/size_prover.h"

namespace indexical::testing {
namespace {

const char *const kSizes =
    "(a, b, c, x, y) -> (a), domain: a in [1, inf], b in [1, inf], "
    "c in [1, inf], x in [0, inf], y in [0, inf]";

Decision compared(const std::string &x, const std::string &y,
                  const ExactOptions &options = {}) {
  auto a = parseMap(x), b = parseMap(y);
  EXPECT_TRUE(a.ok()) << x;
  EXPECT_TRUE(b.ok()) << y;
  auto decision = areEqual(IndexingRelation(*a), IndexingRelation(*b), options);
  EXPECT_TRUE(decision.ok());
  return *decision;
}

struct Claim {
  std::string givens, claim;
};

std::string with(const std::string &constraints) {
  return kSizes + (constraints.empty() ? "" : ", " + constraints);
}

TEST(SizeEngine, WhatFollowsMakesNoDifference) {
  const Claim claims[] = {
      {"", "a * b - a in [0, inf]"},
      {"", "b - a mod b in [1, inf]"},
      {"a - b * c in [-inf, -1]", "a floordiv b - c in [-inf, -1]"},
      {"x - a in [-inf, -1], y - b in [-inf, -1]",
       "x * b + y - a * b in [-inf, -1]"},
      {"x - a in [-inf, -1], y - b in [-inf, -1]",
       "x + y floordiv b - a in [-inf, -1]"},
      {"", "((a + b - 1) floordiv b) * b - a in [0, inf]"},
      {"x - (a + b - 1) floordiv b in [-inf, -1]", "a - x * b in [1, inf]"},
  };
  for (const Claim &claim : claims) {
    const std::string both =
        claim.givens + (claim.givens.empty() ? "" : ", ") + claim.claim;
    std::vector<std::string> lines;
    ExactOptions options;
    options.certificates = &lines;
    const Decision decision = compared(with(claim.givens), with(both), options);
    EXPECT_EQ(decision.answer, Answer::Yes) << claim.claim;
  }
}

TEST(SizeEngine, WhatDoesNotFollowIsNeverEqual) {
  const Claim claims[] = {
      {"", "a * b - a in [1, inf]"},
      {"", "b - a mod b in [2, inf]"},
      {"a - b * c in [-inf, 0]", "a floordiv b - c in [-inf, -1]"},
      {"x - a in [-inf, -1], y - b in [-inf, 0]",
       "x * b + y - a * b in [-inf, -1]"},
      {"x - (a + b - 1) floordiv b in [-inf, 0]", "a - x * b in [1, inf]"},
  };
  for (const Claim &claim : claims) {
    const std::string both =
        claim.givens + (claim.givens.empty() ? "" : ", ") + claim.claim;
    EXPECT_NE(compared(with(claim.givens), with(both)).answer, Answer::Yes)
        << claim.claim;
  }
}

TEST(SizeEngine, IsNamedAndExplained) {
  std::vector<std::string> lines;
  ExactOptions options;
  options.certificates = &lines;
  const auto impossible =
      parseMap(with("x - a in [-inf, -1], y - b in [-inf, -1], "
                    "x * b + y - a * b in [0, inf]"));
  ASSERT_TRUE(impossible.ok());
  const auto decision = isEmpty(IndexingRelation(*impossible), options);
  ASSERT_TRUE(decision.ok());
  EXPECT_EQ(decision->answer, Answer::Yes);
  EXPECT_EQ(decision->engine, Engine::Sizes);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.back(), "the sum is a negative number");
  EXPECT_EQ(engineName(Engine::Sizes), "sizes");
  options.sizes = false;
  EXPECT_EQ(isEmpty(IndexingRelation(*impossible), options)->answer,
            Answer::Undecided);
}

/// Programs without unknown sizes do not pay for the prover.
TEST(SizeEngine, IsNotAskedWithoutSizes) {
  const int64_t before = sizeQuestions();
  const char *const maps[] = {
      "(d0, d1) -> ((d0 * 8 + d1) floordiv 4), domain: d0 in [0, 9], "
      "d1 in [0, 7], d0 + d1 in [3, 12], d0 * 5 + d1 in [0, 40]",
      "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 7], "
      "d0 + rt0 in [0, 12]",
      "(d0)[s0] -> (s0), domain: d0 in [0, 31], s0 in [0, 3], "
      "d0 - s0 * 8 in [0, 7]"};
  for (const char *text : maps) {
    const auto map = parseMap(text);
    ASSERT_TRUE(map.ok()) << text;
    ASSERT_TRUE(simplify(*map).ok());
    (void)countPairs(*map);
    (void)inverse(IndexingRelation(*map));
    for (const char *other : maps)
      if (map->dimensions().size() == parseMap(other)->dimensions().size())
        compared(text, other);
  }
  EXPECT_EQ(sizeQuestions(), before);
}

}  // namespace
}  // namespace indexical::testing
