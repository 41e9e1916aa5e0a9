// Products know what they were composed of, so that composing is associative in
// nearly all chains, form for form.
#include <algorithm>
#include <string>

#include "gtest/gtest.h"

#include "indexing/indexing_map.h"
#include "simplifier/simplify.h"
#include "tests/random.h"
#include "tests/random_maps.h"
#include "tests/simplifier/chains.h"
#include "tests/simplifier/parsed_map.h"

namespace indexical::testing {
namespace {

/// Cut in two somewhere, and both parts again.
IndexingMap bracketed(llvm::ArrayRef<ChainOp> ops, Random &random) {
  if (ops.size() == 1) return *simplify(ops[0].map());
  const size_t cut = random.in(1, ops.size() - 1);
  const IndexingMap first = bracketed(ops.take_front(cut), random);
  return *compose(first, bracketed(ops.drop_front(cut), random));
}

// A part that has become simple is composed as it is: nearly all, then.
TEST(FactorsTest, AChainIsTheSameHoweverItIsBracketed) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const int64_t count = fromEnvironment("INDEXICAL_CHAINS", 300);
  int64_t same = 0;
  for (int64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    const ChainFamily family = kChainFamilies[random.in(2, 5)];
    const Chain chain = randomChain(family, random.in(3, 8), random);
    const IndexingMap left = *composedInTurn(chain.ops, Handover::Forms);
    const IndexingMap right = bracketed(chain.ops, random);
    same += left == right;
    for (int k = 0; k < 8; ++k) {
      IndexingMap::Point point;
      for (int64_t size : chain.ops[0].from)
        point.dimensions.push_back(random.in(0, size - 1));
      auto index = at(chain.ops, Sizes(point.dimensions));
      const bool holds = !right.isKnownEmpty() && right.contains(point);
      ASSERT_EQ(holds, index.has_value()) << "seed " << seed + i;
      if (!holds) continue;
      ASSERT_EQ(right.evaluate(point), index) << "seed " << seed + i;
    }
  }
  EXPECT_GE(same, count - count / 100);
}

// At once a form of the same relation is another one.
TEST(FactorsTest, TheSecondMapsFactorsAreTakenInTurn) {
  const IndexingMap a = simplifiedMapOf(
      "(d0, d1) -> (-d0 + 6, -d1 * 2 + 19), "
      "domain: d0 in [0, 5], d1 in [0, 9]");
  const IndexingMap b = simplifiedMapOf(
      "(d0, d1) -> (d0 + 1, d1 * 3 + 2), "
      "domain: d0 in [0, 6], d1 in [0, 19]");
  const IndexingMap c = simplifiedMapOf(
      "(d0, d1) -> ((d0 * 61 + d1) floordiv 2, (d0 * 61 + d1) mod 2), "
      "domain: d0 in [0, 7], d1 in [0, 60]");
  const IndexingMap d = simplifiedMapOf(
      "(d0, d1) -> ((d0 * 2 + d1) floordiv 4, (d0 * 2 + d1) mod 4), "
      "domain: d0 in [0, 243], d1 in [0, 1]");
  const IndexingMap left = *compose(*compose(*compose(a, b), c), d);
  const IndexingMap right = *compose(a, *compose(b, *compose(c, d)));
  EXPECT_EQ(left, right) << left.str() << right.str();
  EXPECT_NE(left, *compose(a, *madeAnew(*compose(b, *compose(c, d)))));
  const auto factors = right.factors();
  ASSERT_EQ(factors.size(), 3u);
  EXPECT_EQ(factors[0], *compose(a, b));  // no digits: one map
  EXPECT_EQ(factors[1], c);
  EXPECT_EQ(factors[2], d);
}

// Of the value they are no part: a map that was read again is equal.
TEST(FactorsTest, AreNoPartOfTheValue) {
  const IndexingMap cut = simplifiedMapOf(
      "(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [0, 31]");
  const IndexingMap turned =
      mapOf("(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 3]");
  const IndexingMap product = *compose(cut, turned);
  const IndexingMap read = simplifiedMapOf(product.str());
  EXPECT_EQ(product, read);
  EXPECT_EQ(product.hash(), read.hash());
  EXPECT_TRUE(product.hasFactors());
  EXPECT_EQ(product.factors().size(), 2u);
  EXPECT_FALSE(read.hasFactors());
  EXPECT_TRUE(read.factors().empty());
  EXPECT_FALSE(madeAnew(product)->hasFactors());
  EXPECT_TRUE(simplify(product)->hasFactors());
}

// With the second map's side first the steps would stand the other way round.
TEST(FactorsTest, AreOfOneSide) {
  const IndexingMap cut = simplifiedMapOf(
      "(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [0, 31]");
  const IndexingMap turned =
      mapOf("(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 3]");
  const auto other = compose(cut, turned, ResultSide::Second);
  EXPECT_EQ(*other, *compose(cut, turned));
  EXPECT_FALSE(other->hasFactors());
}

// Forth and back the map has no digits, and what it was composed of is gone.
TEST(FactorsTest, AreKeptWhereThereAreDigits) {
  const IndexingMap cut = simplifiedMapOf(
      "(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [0, 31]");
  const IndexingMap whole =
      mapOf("(d0, d1) -> (d0 * 4 + d1), domain: d0 in [0, 7], d1 in [0, 3]");
  const IndexingMap there = *compose(cut, whole);
  EXPECT_EQ(there.strOneLine(), "(d0) -> (d0), domain: d0 in [0, 31]");
  EXPECT_FALSE(there.hasFactors());
  EXPECT_EQ(compose(there, cut)->factors().size(), 2u);
}

// By numbers too: where the domain stays, the form says all.
TEST(FactorsTest, AreKeptWhereTheDomainIsSmaller) {
  const IndexingMap turned =
      mapOf("(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 3]");
  const IndexingMap slice =
      mapOf("(d0, d1) -> (d0 + 1, d1), domain: d0 in [0, 3], d1 in [0, 7]");
  const IndexingMap pad =
      mapOf("(d0, d1) -> (d0 - 1, d1), domain: d0 in [1, 2], d1 in [0, 7]");
  EXPECT_FALSE(compose(turned, slice)->hasFactors());
  const IndexingMap padded = *compose(turned, pad);
  EXPECT_EQ(padded.factors().size(), 2u);
  EXPECT_EQ(compose(padded, mapOf("(d0, d1) -> (d1), domain: d0 in [0, 1], "
                                  "d1 in [0, 7]"))
                ->factors()
                .size(),
            3u);
}

TEST(FactorsTest, AreNotKeptForEver) {
  const ChainOp reshape = ChainOp::reshape({6, 4}, {4, 6});
  const ChainOp turn = ChainOp::transpose({4, 6}, {1, 0});
  IndexingMap map = *simplify(reshape.map());
  size_t most = 0;
  for (int i = 0; i < 20; ++i)
    for (const ChainOp &op : {turn, reshape}) {
      map = *compose(map, *simplify(op.map()));
      most = std::max(most, map.factors().size());
    }
  EXPECT_EQ(most, size_t{kMostFactors});
  // A product by itself is not doubled without an end.
  for (int i = 0; i < 4; ++i) {
    map = *compose(map, *compose(*simplify(turn.map()), map));
    EXPECT_LE(map.factors().size(), size_t{kMostFactors});
  }
}

// The first two maps by themselves leave 64 bits, all three do not.
TEST(FactorsTest, WhatLeaves64BitsInTurnIsComposedAsItIs) {
  const IndexingMap first = simplifiedMapOf(
      "(d0, d1) -> (d0 * 8388608 - d1 * 8388607), "
      "domain: d0 in [0, 1023], d1 in [0, 1023]");
  const IndexingMap times = simplifiedMapOf(
      "(d0) -> (d0 * 1099511627776), domain: d0 in [0, 4194304]");
  const IndexingMap digit = simplifiedMapOf(
      "(d0) -> ((d0 floordiv 549755813888) mod 3), "
      "domain: d0 in [0, 4611686018427387904]");
  EXPECT_FALSE(compose(first, times).ok());
  const IndexingMap second = *compose(times, digit);
  ASSERT_TRUE(second.hasFactors());
  auto product = compose(first, second);
  ASSERT_TRUE(product.ok()) << product.status();
  const IndexingMap::Point point{{1, 1}, {}, {}};
  ASSERT_TRUE(product->contains(point));
  EXPECT_EQ((*product->evaluate(point))[0], 2);
  EXPECT_FALSE(product->hasFactors());  // or lists of lists would grow
}

// Ranges, runtime variables and their sources: in turn the relation is what it
// is at once.
TEST(FactorsTest, TheRelationIsTheSame) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const int64_t count = fromEnvironment("INDEXICAL_MAPS", 20000);
  int64_t taken = 0, different = 0;
  for (int64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    MapOptions options;
    options.leastDimensions = options.mostDimensions = 2;
    options.leastResults = options.mostResults = 2;
    options.mostRanges = options.mostRuntime = 1;
    options.mostConstraints = 1;
    options.depth = 2;
    options.sources = true;
    const IndexingMap a = randomMap(random, options);
    const IndexingMap b = randomMap(random, options);
    const IndexingMap c = randomMap(random, options);
    auto second = compose(b, c);
    if (!second.ok() || !second->hasFactors()) continue;
    auto anew = madeAnew(*second);
    if (!anew.ok()) continue;
    auto inTurn = compose(a, *second), atOnce = compose(a, *anew);
    if (!inTurn.ok() || !atOnce.ok()) continue;
    const World world(seed + i);
    const auto pairs = pairsOf(*inTurn, world);
    taken += !pairs.empty();
    different += *inTurn != *atOnce;
    ASSERT_EQ(pairs, pairsOf(*atOnce, world))
        << "seed " << seed + i << "\n"
        << a.str() << b.str() << c.str() << inTurn->str() << atOnce->str();
  }
  EXPECT_GT(taken, count / 400);
  EXPECT_GT(different, 0);
}

}  // namespace
}  // namespace indexical::testing
