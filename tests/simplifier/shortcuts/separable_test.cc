// Products of maps whose results follow one dimension each, against what
// simplification finds of them.
//
// A range variable that nothing uses keeps a map from being such a product, and
// is not in the result: with it and without the maps are the same.
#include "indexical/simplifier/shortcuts/separable.h"

#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// Some residues and bounds, and results of one dimension or none.
void addRandomLines(IndexingMapBuilder &b, llvm::ArrayRef<Expr> dimensions,
                    int64_t results, Random &random) {
  auto any = [&] { return dimensions[random.in(0, dimensions.size() - 1)]; };
  auto factor = [&] {
    const int64_t k = random.oneIn(3) ? random.in(2, 6) : 1;
    return random.oneIn(4) ? -k : k;
  };
  auto line = [&] {
    Expr e = any() * factor();
    return random.oneIn(2) ? e : e + random.in(-7, 7);
  };
  for (int64_t i = 0; i < results; ++i) {
    Expr e = random.oneIn(9) ? b.constant(random.in(-3, 9)) : line();
    if (random.oneIn(4)) e = floorDiv(e, random.in(2, 6));
    if (random.oneIn(5)) e = e * factor() + random.in(-4, 4);
    b.result(e);
  }
  while (random.oneIn(2)) {
    const int64_t n = random.in(2, 6);
    b.constraint(mod(line(), n), Interval::point(random.in(0, n - 1)));
  }
  if (random.oneIn(4)) {
    const int64_t start = random.in(-9, 9);
    b.constraint(line(), {start, start + random.in(0, 30)});
  }
}

/// Returns a random map, now and then near the ends of 64 bits, or an error if
/// it leaves them. If `unused`, it has a range variable that nothing uses.
absl::StatusOr<IndexingMap> randomMap(int64_t rank, int64_t results,
                                      Random random, bool unused) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 4> dimensions;
  const int64_t far = random.oneIn(8) ? int64_t{1} << random.in(55, 61) : 0;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t start = random.oneIn(2) ? 0 : random.in(-12, 12);
    if (far && random.oneIn(2)) start += random.oneIn(2) ? far : -far;
    int64_t size = random.oneIn(6) ? 1 : random.in(2, 60);
    if (far && random.oneIn(2)) size = far;
    dimensions.push_back(b.dimension({start, start + size - 1}));
  }
  if (unused) b.range({0, 1});
  addRandomLines(b, dimensions, results, random);
  return b.build();
}

TEST(SeparableTest, TheProductIsTheSimplifiedOne) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_MAPS", 20000);
  int64_t taken = 0, empty = 0, withSteps = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    const int64_t rank = random.in(1, 4), middle = random.in(1, 4);
    const auto given = randomMap(rank, middle, random, false);
    random.in(0, 1);
    const int64_t results = random.in(0, 3);
    const auto given2 = randomMap(middle, results, random, false);
    const auto other = randomMap(middle, results, random, true);
    if (!given.ok() || !given2.ok() || !other.ok()) continue;
    IndexingMap first = *given;
    const IndexingMap second = *given2;
    if (auto simple = simplify(first); simple.ok() && random.oneIn(2))
      first = *simple;
    if (first.isKnownEmpty() || second.isKnownEmpty()) continue;
    SCOPED_TRACE("seed " + std::to_string(seed + i) + "\n" + first.str() +
                 "\n" + second.str());
    const auto expected = compose(first, *other);
    const auto found = compose(first, second);
    if (!expected.ok()) continue;  // which left 64 bits on its way
    ASSERT_TRUE(found.ok()) << found.status();
    ASSERT_EQ(*found, *expected) << found->str() << "\n" << expected->str();
    // A product that is marked as canonical is canonical.
    ASSERT_EQ(*simplify(*found), *simplify(*expected));
    ExpressionPool pool;
    auto product = separableProduct(first, second, pool);
    if (!product) continue;
    ++taken;
    empty += product->isKnownEmpty();
    withSteps += !product->isKnownEmpty() && !product->constraints().empty();
  }
  EXPECT_GT(taken, count / 4);
  EXPECT_GT(empty, count / 50);
  EXPECT_GT(withSteps, count / 50);
}

TEST(SeparableTest, StepsOfBothMapsMeet) {
  const IndexingMap first =
      mapOf("(d0, d1) -> (d1 * 2, d0 + 1), domain: d0 in [0, 8], d1 in [0, 9]");
  const IndexingMap second = mapOf(
      "(d0, d1) -> (d1, (d0 - 1) floordiv 3), domain: d0 in [0, 30], "
      "d1 in [0, 8], (d0 - 1) mod 3 in [0, 0]");
  ExpressionPool pool;
  auto product = separableProduct(first, second, pool);
  ASSERT_TRUE(product.has_value());
  EXPECT_EQ(product->strOneLine(),
            "(d0, d1) -> (d0 + 1, (d1 floordiv 3) * 2 + 1), domain: "
            "d0 in [0, 7], d1 in [2, 8], d1 mod 3 in [2, 2]");
}

// A pool that was given back has nothing in it.
TEST(SeparableTest, OthersAreLeftAlone) {
  const IndexingMap one = mapOf("(d0) -> (d0), domain: d0 in [0, 9]");
  const IndexingMap large =
      mapOf("(d0) -> (d0 * 4611686018427387904), domain: d0 in [0, 1]");
  ExpressionPool pool;
  for (const char *text :
       {"(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9]",
        "(d0) -> (d0 mod 4), domain: d0 in [0, 9]",
        "(d0) -> (d0 floordiv 2), domain: d0 in [0, 9]",
        "(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 1]",
        "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 1]",
        "(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 in [1, 2]",
        "(d0) -> (d0), domain: d0 in [0, 9], d0 floordiv 4 in [1, 1]"}) {
    const IndexingMap second = mapOf(text);
    EXPECT_FALSE(separableProduct(one, second, pool)) << text;
    EXPECT_EQ(pool.formCount(), ExpressionPool().formCount());
  }
  const IndexingMap half = mapOf("(d0) -> (d0 * 2), domain: d0 in [0, 9]");
  EXPECT_TRUE(separableProduct(one, half, pool));
  pool.clear();
  EXPECT_FALSE(separableProduct(large, half, pool));
}

// d0 is 4 q + 3, and -8 q - 6 at most 2^63 - 7: without the 6 that is 2^63 - 1,
// which is no open side and does not let 2^63 - 6 in.
TEST(SeparableTest, BoundsAtTheEdgeAreExact) {
  const IndexingMap first = mapOf(
      "(d0) -> (d0 * -2), domain: d0 in [-4611686018427387903, 0], "
      "d0 mod 4 in [3, 3]");
  const IndexingMap second =
      mapOf("(d0) -> (d0), domain: d0 in [0, 9223372036854775801]");
  ExpressionPool pool;
  const auto product = separableProduct(first, second, pool);
  ASSERT_TRUE(product);
  EXPECT_FALSE(product->contains({{-4611686018427387901}, {}, {}}));
  EXPECT_TRUE(product->contains({{-4611686018427387897}, {}, {}}));
}

TEST(SeparableTest, MapsWithoutDimensions) {
  const IndexingMap none = mapOf("() -> (3)");
  const IndexingMap line = mapOf("(d0) -> (d0 + 1), domain: d0 in [0, 9]");
  const IndexingMap past = mapOf("(d0) -> (d0 + 1), domain: d0 in [4, 9]");
  EXPECT_EQ(compose(none, line)->strOneLine(), "() -> (4)");
  EXPECT_TRUE(compose(none, past)->isKnownEmpty());
  EXPECT_FALSE(compose(line, none).ok());
}

}  // namespace
}  // namespace indexical::testing
