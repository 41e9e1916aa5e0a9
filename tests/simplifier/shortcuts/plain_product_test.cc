// Products of maps of single variables, compared with what simplification
// finds, and with the maps at points.
//
// A runtime variable that nothing uses keeps a map from being such a product,
// and is not in the result: the maps with it and without it must be equal.
#include "indexical/simplifier/shortcuts/plain_product.h"

#include <iostream>
#include <limits>
#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplified.h"
#include "indexical/simplifier/simplify.h"
#include "indexical/simplifier/within.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// A side, near an end of 64 bits now and then.
Interval randomSide(Random &random) {
  constexpr int64_t kEnds[] = {int64_t{1} << 31, int64_t{1} << 53,
                               int64_t{1} << 62,
                               std::numeric_limits<int64_t>::max() - 8};
  int64_t lower = random.in(-4, 4);
  if (random.oneIn(12)) lower = kEnds[random.in(0, 3)];
  if (random.oneIn(24)) lower = -lower;
  return {lower, lower + random.in(0, 6)};
}

/// A map of so many results, each a number or a variable, scaled and moved.
absl::StatusOr<IndexingMap> randomMap(llvm::ArrayRef<Interval> dimensions,
                                      int64_t results, Random &random,
                                      bool unused, bool isNamed = false) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 6> variables;
  for (const Interval &side : dimensions)
    variables.push_back(b.dimension(side, isNamed ? "x" : ""));
  const int64_t ranges = random.in(0, 2);
  for (int64_t i = 0; i < ranges; ++i) {
    const Interval side{0, random.in(1, 9)};
    variables.push_back(b.range(side));
  }
  if (unused) b.runtime(Interval{0, 1});
  llvm::SmallVector<bool, 6> isRead(variables.size(), false);
  for (int64_t i = 0; i < results; ++i) {
    const int64_t by = random.oneIn(2)    ? 1
                       : random.oneIn(30) ? int64_t{1} << 62
                                          : random.in(-3, 3);
    const int64_t moved = random.oneIn(2) ? 0 : random.in(-20, 20);
    if (variables.empty() || random.oneIn(8)) {
      b.result(b.constant(moved));
      continue;
    }
    const int64_t k = random.in(0, variables.size() - 1);
    if (isRead[k] && k >= static_cast<int64_t>(dimensions.size())) {
      b.result(b.constant(moved));
      continue;
    }
    isRead[k] = true;
    b.result(variables[k] * by + moved);
  }
  return b.build();
}

TEST(PlainProductTest, TheProductIsTheSimplifiedOne) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_MAPS", 20000);
  uint64_t taken = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    llvm::SmallVector<Interval, 6> dimensions, between;
    const int64_t rank = random.in(0, 3), results = random.in(0, 3);
    for (int64_t k = 0; k < rank; ++k) dimensions.push_back(randomSide(random));
    const auto given = randomMap(dimensions, results, random, false);
    if (!given.ok()) continue;  // values leave 64 bits
    const auto first = simplify(*given);
    if (!first.ok() || first->isKnownEmpty()) continue;
    for (size_t k = 0; k < first->results().size(); ++k) {
      Interval side{-100, 100};
      if (random.oneIn(3))
        side = {std::numeric_limits<int64_t>::min() / 2,
                std::numeric_limits<int64_t>::max() / 2};
      if (random.oneIn(6)) side = {random.in(-9, 0), random.in(0, 9)};
      between.push_back(side);
    }
    const int64_t last = random.in(0, 3);
    Random same(seed + i + count), other(seed + i + count);
    const auto second = randomMap(between, last, same, false);
    const auto unused = randomMap(between, last, other, true);
    if (!second.ok()) continue;
    const auto plain = simplify(*second);
    if (!plain.ok() || plain->isKnownEmpty()) continue;
    SCOPED_TRACE("seed " + std::to_string(seed + i) + "\n" + first->str() +
                 "\n" + plain->str());
    const auto product = plainProduct(*first, *plain);
    const auto expected = compose(*first, *unused);
    if (!product) continue;
    ++taken;
    ASSERT_TRUE(expected.ok()) << expected.status();
    ASSERT_TRUE(isSimplified(*product));
    ASSERT_EQ(*product, *expected) << product->str() << expected->str();
    ASSERT_EQ(product->resultBounds(), expected->resultBounds());
  }
  std::cout << taken << " of " << count << " are such products\n";
  EXPECT_GT(taken, count / 3);
}

// A map with names is asked in the long way.
TEST(PlainProductTest, WhatIsWithinIsTheSameInTheLongWay) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_MAPS", 20000);
  uint64_t within = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    llvm::SmallVector<Interval, 2> wide, narrow;
    wide.push_back({0, random.in(0, 3)});
    narrow = wide;
    if (random.oneIn(3)) narrow[0].upper = random.in(0, narrow[0].upper);
    const int64_t results = random.in(0, 2);
    bool answers[2];
    bool isMade = true;
    for (bool isNamed : {false, true}) {
      Random own(seed + i + count);
      const auto inner = randomMap(narrow, results, own, false, isNamed);
      const auto outer = randomMap(wide, results, own, false, isNamed);
      isMade = isMade && inner.ok() && outer.ok();
      if (isMade)
        answers[isNamed] = isWithin(*simplify(*inner), *simplify(*outer));
    }
    if (!isMade) continue;
    ASSERT_EQ(answers[0], answers[1]) << "seed " << seed + i;
    within += answers[0];
  }
  std::cout << within << " of " << count << " are within the other one\n";
  EXPECT_GT(within, count / 50);
}

TEST(PlainProductTest, RangesOfTheSecondStandFirst) {
  const auto product = plainProduct(
      simplifiedMapOf("(d0, d1)[s0] -> (s0, d0), domain: d0 in [0, 9], "
                      "d1 in [0, 3], s0 in [0, 15]"),
      simplifiedMapOf("(d0, d1)[s0] -> (d0, s0 * 2 + 1), domain: "
                      "d0 in [0, 15], d1 in [0, 9], s0 in [0, 7]"));
  ASSERT_TRUE(product.has_value());
  EXPECT_EQ(product->strOneLine(),
            "(d0, d1)[s0, s1] -> (s1, s0 * 2 + 1), domain: d0 in [0, 9], "
            "d1 in [0, 3], s0 in [0, 7], s1 in [0, 15]");
}

TEST(PlainProductTest, OthersAreLeftAlone) {
  const IndexingMap row = simplifiedMapOf(
      "(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [0, 7]");
  for (const char *text :
       {"(d0) -> (d0), domain: d0 in [0, 9]",
        "(d0, d1) -> (d1), domain: d0 in [0, 9], d1 in [0, 6]",
        "(d0, d1) -> (d1, d1), domain: d0 in [0, 9], d1 in [0, 7]",
        "(d0, d1) -> (d0 + d1), domain: d0 in [0, 9], d1 in [0, 7]",
        "(d0, d1){rt0} -> (d0 + rt0), domain: d0 in [0, 9], d1 in [0, 7], "
        "rt0 in [0, 3]"})
    EXPECT_FALSE(plainProduct(row, simplifiedMapOf(text))) << text;
  EXPECT_TRUE(plainProduct(
      row, simplifiedMapOf(
               "(d0, d1) -> (d1, d0), domain: d0 in [0, 9], d1 in [0, 7]")));
}

}  // namespace
}  // namespace indexical::testing
