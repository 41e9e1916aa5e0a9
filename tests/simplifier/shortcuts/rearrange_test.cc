// Products whose second map only rearranges the first's results, compared with
// what simplification finds, and with the ops themselves.
//
// A runtime variable that nothing uses keeps a map from being such a product,
// and is not in the result: the maps with it and without it must be equal.
#include "indexical/simplifier/shortcuts/rearrange.h"

#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplified.h"
#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/chains.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// The map, made anew from its pieces.
IndexingMap copyOf(const IndexingMap &map) {
  return *simplify(*withBody(map, [](IndexingMapBuilder &, MapBody &) {}));
}

/// One that only rearranges what is in these bounds, or in a part of them now
/// and then.
IndexingMap randomRearrangement(llvm::ArrayRef<Interval> bounds, Random random,
                                bool unused) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 6> dimensions;
  for (Interval side : bounds) {
    if (random.oneIn(12)) side.upper = random.in(side.lower, side.upper);
    side.lower -= random.in(0, 1);
    dimensions.push_back(b.dimension(side));
  }
  if (unused) b.runtime(Interval{0, 1});
  auto place = [&](int64_t i) {
    return random.oneIn(2) ? dimensions[i] : dimensions[i] + random.in(-30, 30);
  };
  for (int64_t i : random.permutation(bounds.size())) b.result(place(i));
  if (random.oneIn(5)) b.result(place(random.in(0, bounds.size() - 1)));
  return *b.build();
}

TEST(RearrangeTest, TheProductIsTheSimplifiedOne) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_MAPS", 5000);
  int64_t taken = 0, constrained = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    const ChainFamily family =
        random.oneIn(2) ? ChainFamily::Pads : kChainFamilies[random.in(0, 5)];
    const Chain chain = randomChain(family, random.in(1, 5), random);
    const IndexingMap first = *composedInTurn(chain.ops, Handover::Forms);
    if (first.isKnownEmpty() || first.results().empty()) continue;
    const auto bounds = boundsOfResults(first);
    Random next(seed + i + count);
    const IndexingMap second = randomRearrangement(bounds, next, false);
    const IndexingMap other = randomRearrangement(bounds, next, true);
    SCOPED_TRACE("seed " + std::to_string(seed + i) + "\n" + first.str() +
                 "\n" + second.str());
    const IndexingMap expected = *compose(copyOf(first), other);
    ExpressionPool pool;
    if (auto product = rearrangedProduct(first, second, pool)) {
      ++taken;
      constrained += !product->constraints().empty();
      ASSERT_EQ(*product, expected) << product->str() << expected.str();
    }
    const IndexingMap found = *compose(first, second);
    ASSERT_EQ(copyOf(found), found) << found.str();
    ASSERT_EQ(copyOf(found).resultBounds(), found.resultBounds());
    for (int k = 0; k < 8; ++k) {
      IndexingMap::Point point;
      for (int64_t size : chain.ops[0].from)
        point.dimensions.push_back(random.in(0, size - 1));
      IndexingMap::Point inner;
      auto index = at(chain.ops, Sizes(point.dimensions));
      if (index) inner.dimensions.assign(index->begin(), index->end());
      const bool holds = index && second.contains(inner);
      ASSERT_EQ(!found.isKnownEmpty() && found.contains(point), holds);
      if (!holds) continue;
      ASSERT_EQ(found.evaluate(point), second.evaluate(inner));
      for (auto [bounds, value] :
           llvm::zip(boundsOfResults(found), *found.evaluate(point)))
        ASSERT_TRUE(bounds.contains(value));
    }
  }
  EXPECT_GT(taken, count / 2);
  EXPECT_GT(constrained, count / 500);
}

// The constraint says that (d0 mod 4) * 6 + d1 - 1 is in [0, 21]; by bounds of
// d0 and d1 alone it is in [-1, 22].
TEST(RearrangeTest, WhatResultsAreInIsKnown) {
  const IndexingMap middle = *compose(
      mapOf("(d0, d1) -> ((d0 mod 4) * 6 + d1, d0 floordiv 4), domain: "
            "d0 in [0, 31], d1 in [0, 5]"),
      mapOf("(d0, d1) -> (d0 - 1, d1), domain: d0 in [1, 22], d1 in [0, 7]"));
  EXPECT_EQ(middle.resultBounds()[0], (Interval{0, 21}));
  EXPECT_EQ(copyOf(middle).resultBounds(), middle.resultBounds());
  const IndexingMap turned =
      mapOf("(d0, d1) -> (d1, d0 + 3), domain: d0 in [0, 21], d1 in [0, 7]");
  ExpressionPool pool;
  auto product = rearrangedProduct(copyOf(middle), turned, pool);
  ASSERT_TRUE(product.has_value());
  EXPECT_EQ(product->strOneLine(),
            "(d0, d1) -> (d0 floordiv 4, (d0 mod 4) * 6 + d1 + 2), domain: "
            "d0 in [0, 31], d1 in [0, 5], (d0 mod 4) * 6 + d1 in [1, 22]");
  EXPECT_EQ(product->resultBounds()[1], (Interval{3, 24}));
}

// The last bound makes d0 at least 5, though the third map has said it: of a
// sum of digits then, which are gone now.
TEST(RearrangeTest, OneVariableIsBoundedAgain) {
  IndexingMap map =
      mapOf("(d0) -> (d0 floordiv 5 + d0 floordiv 3), domain: d0 in [2, 6]");
  for (const char *next : {"(d0) -> (d0), domain: d0 in [0, 3]",
                           "(d0) -> (-d0 + 4), domain: d0 in [2, 4]",
                           "(d0) -> (d0, d0), domain: d0 in [0, 2]"})
    map = *compose(map, mapOf(next));
  EXPECT_EQ(map.strOneLine(),
            "(d0) -> (-d0 + 7, -d0 + 7), domain: d0 in [5, 6]");
}

// A transpose and back, and what was one index is cut at other places.
TEST(RearrangeTest, DigitsOfAnIndexKeepIt) {
  const IndexingMap cut = simplifiedMapOf(
      "(d0) -> (d0 floordiv 12, (d0 floordiv 3) mod 4, d0 mod 3), "
      "domain: d0 in [0, 59]");
  const IndexingMap turned = mapOf(
      "(d0, d1, d2) -> (d2, d0, d1), domain: d0 in [0, 4], d1 in [0, 3], "
      "d2 in [0, 2]");
  const IndexingMap back = mapOf(
      "(d0, d1, d2) -> (d1, d2, d0), domain: d0 in [0, 2], d1 in [0, 4], "
      "d2 in [0, 3]");
  const IndexingMap again = *compose(*compose(cut, turned), back);
  EXPECT_EQ(again, cut);
  ASSERT_TRUE(delinearizationOf(again));
  EXPECT_EQ(delinearizationOf(again)->results[2].stride, 1);
  EXPECT_EQ(delinearizationOf(again)->results[2].modulus, 3);
}

// A pool that was given back has nothing in it.
TEST(RearrangeTest, OthersAreLeftAlone) {
  const IndexingMap first = simplifiedMapOf(
      "(d0) -> (d0 mod 4, d0 floordiv 4), domain: d0 in [0, 31]");
  ExpressionPool pool;
  auto isLeftAlone = [&](const IndexingMap &one, const char *text) {
    const bool isNothing = !rearrangedProduct(one, mapOf(text), pool);
    return isNothing && pool.formCount() == ExpressionPool().formCount();
  };
  for (const char *text :
       {"(d0) -> (d0), domain: d0 in [0, 9]",
        "(d0, d1) -> (d1), domain: d0 in [0, 3], d1 in [0, 7]",
        "(d0, d1) -> (d1, d0 * 2), domain: d0 in [0, 3], d1 in [0, 7]",
        "(d0, d1) -> (d1, 3 - d0), domain: d0 in [0, 3], d1 in [0, 7]",
        "(d0, d1) -> (d1, d0, 5), domain: d0 in [0, 3], d1 in [0, 7]",
        "(d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 7]",
        "(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 7], "
        "d0 + d1 in [0, 3]",
        "(d0, d1)[s0] -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 7], "
        "s0 in [0, 1]"})
    EXPECT_TRUE(isLeftAlone(first, text)) << text;
  const char *turn = "(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 7]";
  EXPECT_FALSE(isLeftAlone(first, turn));
  pool.clear();
  EXPECT_TRUE(isLeftAlone(
      mapOf("(d0) -> (d0 mod 4, d0 floordiv 4), domain: d0 in [0, 31]"), turn));
}

// d0 is 1 wherever d0 + d1 is 2 and d0 - d1 is 0, which bounds do not show.
TEST(RearrangeTest, AConstantIsTheDimensionOfItsNewPlace) {
  const IndexingMap first = simplifiedMapOf(
      "(d0, d1, d2) -> (d2 mod 2, d2 floordiv 2, 1), domain: d0 in [0, 4], "
      "d1 in [0, 4], d2 in [0, 17], d0 + d1 in [2, 2], d0 - d1 in [0, 0]");
  const IndexingMap turned = mapOf(
      "(d0, d1, d2) -> (d2, d0, d1), domain: d0 in [0, 1], d1 in [0, 8], "
      "d2 in [0, 25]");
  const IndexingMap product = *compose(first, turned);
  EXPECT_EQ(copyOf(product), product) << product.str();
}

// By d0 - d1 * 3 = 5 the first result is d0, in that place and no other.
TEST(RearrangeTest, ASumIsTheDimensionOfItsNewPlace) {
  const IndexingMap first = simplifiedMapOf(
      "(d0, d1) -> (d1, d1 * 3 + 5), domain: d0 in [5, 20], d1 in [0, 5], "
      "d0 - d1 * 3 in [5, 5]");
  const IndexingMap turned =
      mapOf("(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 20]");
  EXPECT_EQ(compose(first, turned)->strOneLine(),
            "(d0, d1) -> (d0, d1), domain: d0 in [5, 20], d1 in [0, 5], "
            "d0 - d1 * 3 in [5, 5]");
}

}  // namespace
}  // namespace indexical::testing
