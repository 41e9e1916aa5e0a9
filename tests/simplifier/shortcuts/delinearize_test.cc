// Maps whose results are digits of one index, against what they are without.
//
// A map that is read from its own text does not say of what index its results
// are the digits: what is composed with it is composed by forms.
#include "indexical/simplifier/shortcuts/delinearize.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/simplified.h"
#include "tests/simplifier/chains.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/support/random.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

/// The results, as what the map says of itself has them.
Index byDigits(const IndexingMap &map, const IndexingMap::Point &point) {
  const Delinearization &digits = *delinearizationOf(map);
  int64_t index = digits.constant;
  for (const auto &[variable, coefficient] : digits.index) {
    EXPECT_NE(variable.kind, VariableKind::Runtime);
    const auto &values = variable.kind == VariableKind::Dimension
                             ? point.dimensions
                             : point.ranges;
    index += coefficient * values[variable.index];
  }
  Index results;
  for (const auto &[stride, modulus] : digits.results) {
    const int64_t floor = floorDiv(index, stride);
    results.push_back(modulus ? floorMod(floor, modulus) : floor);
  }
  return results;
}

/// Returns whether the map is delinearized. Checks that the digits are then the
/// map's results.
bool isDelinearized(const IndexingMap &map, Random &random) {
  if (map.isKnownEmpty() || !delinearizationOf(map)) return false;
  EXPECT_EQ(delinearizationOf(map)->results.size(), map.results().size());
  for (int i = 0; i < 20; ++i) {
    IndexingMap::Point point;
    for (const Variable &v : map.dimensions())
      point.dimensions.push_back(random.in(v.bounds.lower, v.bounds.upper));
    for (const Variable &v : map.ranges())
      point.ranges.push_back(random.in(v.bounds.lower, v.bounds.upper));
    if (!map.contains(point)) continue;
    const auto expected = map.evaluate(point);
    EXPECT_TRUE(expected) << map.str();
    if (!expected) break;
    EXPECT_EQ(Index(expected->begin(), expected->end()), byDigits(map, point))
        << map.str();
  }
  return true;
}

//===-- What is known -----------------------------------------------------===//

TEST(DelinearizeTest, ReshapesAndBitcastsAreFoundAsTheyAreWritten) {
  Random random(1);
  for (const char *text :
       {// By layouts: the first result is the lowest digit.
        "(d0, d1) -> ((d1 * 6 + d0) mod 4, (d1 * 6 + d0) floordiv 4), "
        "domain: d0 in [0, 5], d1 in [0, 9]",
        "(d0, d1) -> (((d0 * 8 + d1) mod 12) floordiv 3, "
        "((d0 * 8 + d1) mod 12) mod 3, (d0 * 8 + d1) floordiv 12), "
        "domain: d0 in [0, 5], d1 in [0, 7]",
        // Two parents, one above the other.
        "(d0, d1, d2) -> ((d0 * 6 + d1) floordiv 4, (d0 * 6 + d1) mod 4, d2), "
        "domain: d0 in [0, 5], d1 in [0, 5], d2 in [0, 6]",
        // As it is simplified, the last one lowest.
        "(d0, d1) -> (d0 * 2 + d1 floordiv 3, d1 mod 3), "
        "domain: d0 in [0, 3], d1 in [0, 5]",
        "(d0)[s0] -> ((d0 * 8 + s0) floordiv 6, (d0 * 8 + s0) mod 6), "
        "domain: d0 in [0, 4], s0 in [0, 7], d0 * 8 + s0 in [0, 35]",
        // With a range variable that has one value, and goes.
        "(d0)[s0, s1] -> ((d0 * 4 + s0 * 40 + s1) floordiv 6, "
        "(d0 * 4 + s0 * 40 + s1) mod 6), "
        "domain: d0 in [0, 8], s0 in [0, 0], s1 in [0, 3]"}) {
    const IndexingMap map = simplifiedMapOf(text);
    EXPECT_TRUE(isDelinearized(map, random)) << text;
  }
}

TEST(DelinearizeTest, OthersAreNot) {
  Random random(1);
  for (const char *text : {
           // One variable each.
           "(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 5]",
           // Digits that meet.
           "(d0, d1) -> ((d0 * 8 + d1) floordiv 6, d1 floordiv 3), "
           "domain: d0 in [0, 3], d1 in [0, 7]",
           // Not from 0 on.
           "(d0, d1) -> (d0 + d1, d0 floordiv 2), domain: d0 in [1, 3], "
           "d1 in [0, 5]",
           // Digits that leave out a part of the index: 2 * 4 of its 16 values.
           "(d0, d1) -> (d0 floordiv 8, (d0 floordiv 2) mod 4, d1), domain: "
           "d0 in [0, 15], d1 in [0, 3]",
           // A part of an index.
           "(d0) -> ((d0 + 5) floordiv 4, (d0 + 5) mod 4), domain: d0 in [0, "
           "10]",
           // A sum that has digits itself.
           "(d0, d1) -> (((d0 mod 5) * 7 + d1) floordiv 3, "
           "((d0 mod 5) * 7 + d1) mod 3), domain: d0 in [0, 30], d1 in [0, 6]",
       })
    EXPECT_FALSE(isDelinearized(simplifiedMapOf(text), random)) << text;
}

TEST(DelinearizeTest, WhatIsWrittenCountsOnlyWhereItIsMadeOfDigits) {
  Random random(1);
  // 5 is no divisor of 8: what is above does not leave in whole turns.
  EXPECT_FALSE(isDelinearized(
      simplifiedMapOf(
          "(d0, d1) -> (d0 floordiv 2, d1 mod 5, d0 mod 2), domain: "
          "d0 in [0, 9], d1 in [0, 7]"),
      random));
  EXPECT_TRUE(isDelinearized(
      simplifiedMapOf(
          "(d0, d1) -> (d0 floordiv 2, d1 mod 4, d1 floordiv 4, d0 mod 2), "
          "domain: d0 in [0, 9], d1 in [0, 7]"),
      random));
}

//===-- Products ----------------------------------------------------------===//

TEST(DelinearizeTest, OneIndexFromEndToEnd) {
  const IndexingMap thread = simplifiedMapOf(
      "(d0)[s0] -> ((d0 * 4 + s0) floordiv 12, (d0 * 4 + s0) mod 12), "
      "domain: d0 in [0, 11], s0 in [0, 3]");
  const IndexingMap reshape = simplifiedMapOf(
      "(d0, d1) -> ((d0 * 12 + d1) floordiv 8, (d0 * 12 + d1) mod 8), "
      "domain: d0 in [0, 3], d1 in [0, 11]");
  auto product = compose(thread, reshape);
  ASSERT_TRUE(product.ok()) << product.status();
  EXPECT_EQ(product->strOneLine(),
            "(d0)[s0] -> (d0 floordiv 2, (d0 mod 2) * 4 + s0), "
            "domain: d0 in [0, 11], s0 in [0, 3]");
  ASSERT_TRUE(delinearizationOf(*product));
  EXPECT_EQ(delinearizationOf(*product)->index.size(), 2u);
}

TEST(DelinearizeTest, WhatLeavesTheBoundsIsConstrained) {
  const IndexingMap first = simplifiedMapOf(
      "(d0) -> (d0 floordiv 12, d0 mod 12), domain: d0 in [0, 47]");
  // Two of the four rows.
  const IndexingMap second = simplifiedMapOf(
      "(d0, d1) -> ((d0 * 12 + d1) floordiv 8, (d0 * 12 + d1) mod 8), "
      "domain: d0 in [0, 1], d1 in [0, 11]");
  auto product = compose(first, second);
  ASSERT_TRUE(product.ok()) << product.status();
  EXPECT_EQ(product->strOneLine(),
            "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 23]");
}

// Constraints of the whole index become sums of its digits.
TEST(DelinearizeTest, ConstraintsOfTheIndexCount) {
  const IndexingMap first = simplifiedMapOf(
      "(d0)[s0] -> ((d0 * 10 + s0) floordiv 4, (d0 * 10 + s0) mod 4), "
      "domain: d0 in [0, 2], s0 in [0, 3]");
  const IndexingMap second = simplifiedMapOf(
      "(d0, d1) -> (d0 floordiv 2, (d0 mod 2) * 2 + d1 floordiv 2), "
      "domain: d0 in [0, 2], d1 in [0, 3]");
  auto product = compose(first, second);
  ASSERT_TRUE(product.ok()) << product.status();
  EXPECT_EQ(product->strOneLine(),
            "(d0)[s0] -> (d0, d0 + s0 floordiv 2), domain: d0 in [0, 1], "
            "s0 in [0, 3], d0 * 10 + s0 in [0, 11]");
}

/// The map as it is, but that it does not say of what index it has the digits.
IndexingMap forgetful(const IndexingMap &map) {
  IndexingMap read = mapOf(map.str());
  EXPECT_EQ(delinearizationOf(read), nullptr);
  return read;
}

// By forms and by digits, a chain has one form.
TEST(DelinearizeTest, ProductsAreWhatTheyAreWithout) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_MAPS", 300);
  int64_t byDigits = 0, others = 0;
  for (ChainFamily family :
       {ChainFamily::Reshapes, ChainFamily::Bitcasts, ChainFamily::Transposes})
    for (uint64_t i = 0; i < count; ++i) {
      SCOPED_TRACE("seed " + std::to_string(seed + i));
      Random random(seed + i);
      const Chain chain = randomChain(family, 4, random);
      auto product = simplify(chain.ops[0].map());
      const bool isRaw = random.oneIn(2);
      for (size_t k = 1; k < chain.ops.size(); ++k) {
        ASSERT_TRUE(product.ok()) << product.status();
        auto step = isRaw ? chain.ops[k].map() : *simplify(chain.ops[k].map());
        auto expected = compose(forgetful(*product), step);
        product = compose(*product, step);
        ASSERT_TRUE(product.ok() && expected.ok());
        if (!isDelinearized(*product, random)) {
          ++others;
          continue;
        }
        ++byDigits;
        ASSERT_EQ(*product, *expected) << product->str() << "\n"
                                       << expected->str() << "\n"
                                       << step.str();
      }
    }
  EXPECT_GT(byDigits, static_cast<int64_t>(count));
  EXPECT_GT(others, static_cast<int64_t>(count) / 10);
}

/// Random digits of a random index; `strides` are those of all of them, lowest
/// first, each at the place in the results that `order` says.
struct RandomDigits {
  std::vector<int64_t> sizes, strides;
  llvm::SmallVector<int64_t, 6> order;
};

RandomDigits randomDigits(Random &random) {
  RandomDigits digits;
  int64_t stride = 1;
  for (int64_t i = random.in(2, 3); i > 0; --i) {
    digits.sizes.push_back(random.oneIn(9) ? 1 : random.in(2, 5));
    digits.strides.push_back(stride);
    stride *= digits.sizes.back();
  }
  digits.order = random.permutation(digits.sizes.size());
  return digits;
}

IndexingMap digitsOfRandomIndex(const RandomDigits &digits, Random &random) {
  IndexingMapBuilder b;
  std::vector<Expr> variables;
  // Half of them fill their index.
  if (random.oneIn(2)) {
    const int64_t cut = random.in(0, digits.sizes.size() - 1);
    const int64_t low = digits.strides[cut];
    const int64_t high = digits.strides.back() * digits.sizes.back() / low;
    const Expr index =
        b.dimension({0, high - 1}) * low + b.dimension({0, low - 1});
    std::vector<Expr> results(digits.sizes.size());
    for (size_t i = 0; i < results.size(); ++i)
      results[digits.order[i]] =
          mod(floorDiv(index, digits.strides[i]), digits.sizes[i]);
    for (const Expr &result : results) b.result(result);
    return *b.build();
  }
  for (int64_t i = random.in(1, 2); i > 0; --i) {
    const int64_t start = random.oneIn(9) ? random.in(-4, 4) : 0;
    variables.push_back(b.dimension({start, start + random.in(0, 9)}));
  }
  if (random.oneIn(3)) variables.push_back(b.range({0, random.in(0, 3)}));
  Expr index = b.constant(random.oneIn(9) ? random.in(-9, 9) : 0);
  int64_t scale = 1;
  for (const Expr &v : llvm::reverse(variables)) {
    index = index + v * (random.oneIn(4) ? random.in(1, 9) : scale);
    scale *= random.oneIn(2) ? 10 : random.in(1, 9);
  }
  std::vector<Expr> results(digits.sizes.size(), index);
  for (size_t i = 0; i < results.size(); ++i) {
    Expr digit = floorDiv(index, digits.strides[i]);
    if (i + 1 < results.size() || random.oneIn(6))
      digit = mod(digit, digits.sizes[i]);
    results[digits.order[i]] = digit;
  }
  for (const Expr &result : results) b.result(result);
  if (random.oneIn(4)) {
    const int64_t start = random.in(0, 20);
    b.constraint(index, {start, start + random.in(0, 40)});
  }
  return *b.build();
}

/// A map of those digits as an index of their own, or nearly.
IndexingMap cutAnew(const RandomDigits &digits, Random &random) {
  IndexingMapBuilder b;
  Expr index = b.constant(random.oneIn(4) ? random.in(-9, 9) : 0);
  const int64_t scale = random.oneIn(4) ? random.in(-2, 3) : 1;
  std::vector<int64_t> places(digits.order.size());
  for (size_t i = 0; i < places.size(); ++i) places[digits.order[i]] = i;
  for (int64_t i : places) {
    Interval bounds{0, digits.sizes[i] - 1};
    if (random.oneIn(6)) bounds.upper += random.in(-1, 3);
    if (random.oneIn(9)) bounds.lower += 1;
    const int64_t off = random.oneIn(20) ? random.in(-1, 1) : 0;
    index = index + b.dimension(bounds) * (digits.strides[i] * scale + off);
  }
  int64_t stride = random.in(1, 9), modulus = random.in(1, 9);
  const bool fills = random.oneIn(2);
  if (fills) {
    const int64_t all = digits.strides.back() * digits.sizes.back();
    while (all % stride != 0) --stride;
    while (all / stride % modulus != 0) --modulus;
  }
  b.result(floorDiv(index, stride * modulus));
  b.result(mod(floorDiv(index, stride), modulus));
  if (fills || random.oneIn(2)) b.result(mod(index, stride));
  if (random.oneIn(6)) b.constraint(mod(index, 3), {0, 1});
  return *b.build();
}

TEST(DelinearizeTest, TheProductIsTheRelationalOne) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const auto count = fromEnvironment("INDEXICAL_MAPS", 3000);
  int64_t byDigits = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    const RandomDigits digits = randomDigits(random);
    const auto first = simplify(digitsOfRandomIndex(digits, random));
    ASSERT_TRUE(first.ok()) << first.status();
    IndexingMap second = cutAnew(digits, random);
    if (random.oneIn(2)) second = *simplify(second);
    SCOPED_TRACE("seed " + std::to_string(seed + i) + "\n" + first->str() +
                 "\n" + second.str());
    const auto product = compose(*first, second);
    ASSERT_TRUE(product.ok()) << product.status();
    byDigits += isDelinearized(*product, random);
    isDelinearized(*first, random);
    const World world(seed + i);
    std::vector<Pair> expected;
    const auto rows = pairsOf(second, world);
    for (const auto &[from, middle] : pairsOf(*first, world))
      for (const auto &[index, result] : rows)
        if (index == middle) expected.push_back({from, result});
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()),
                   expected.end());
    ASSERT_EQ(difference(expected, pairsOf(*product, world)), "")
        << product->str();
    if (product->isKnownEmpty() || !product->constraints().empty()) continue;
    ASSERT_EQ(*simplify(forgetful(*product)), *product);
  }
  EXPECT_GT(byDigits, static_cast<int64_t>(count) / 30);
}

}  // namespace
}  // namespace indexical::testing
