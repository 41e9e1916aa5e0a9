// The map of a reshape as it is written down, against row major numbers and
// against what the simplifier makes of it.
#include "indexical/simplifier/shortcuts/renumber.h"

#include <algorithm>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/simplifier/normal_form/normal_form.h"
#include "indexical/simplifier/simplified.h"
#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/parsed_map.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Sizes = std::vector<int64_t>;

int64_t product(const Sizes &sizes) {
  int64_t all = 1;
  for (int64_t size : sizes) all *= size;
  return all;
}

int64_t rowMajor(const Sizes &sizes, llvm::ArrayRef<int64_t> index) {
  int64_t number = 0;
  for (size_t k = 0; k < sizes.size(); ++k)
    number = number * sizes[k] + index[k];
  return number;
}

llvm::SmallVector<int64_t, 6> indexOf(const Sizes &sizes, int64_t number) {
  llvm::SmallVector<int64_t, 6> index(sizes.size());
  for (size_t k = sizes.size(); k-- > 0; number /= sizes[k])
    index[k] = number % sizes[k];
  return index;
}

/// The factors as the sizes of a shape: neighbours multiplied at random, units
/// put between them.
Sizes grouped(const Sizes &factors, Random &random) {
  Sizes sizes;
  for (int64_t factor : factors) {
    if (random.oneIn(6)) sizes.push_back(1);
    if (sizes.empty() || random.oneIn(2))
      sizes.push_back(factor);
    else
      sizes.back() *= factor;
  }
  if (random.oneIn(6)) sizes.push_back(1);
  return sizes;
}

std::string textOf(const Sizes &from, const Sizes &to) {
  std::string text;
  for (const Sizes *sizes : {&from, &to}) {
    text += "{";
    for (int64_t size : *sizes) text += std::to_string(size) + " ";
    text += "}";
  }
  return text;
}

/// Checks the map at all points, or at `kMostPoints` random ones.
void expectRowMajor(const IndexingMap &map, const Sizes &from, const Sizes &to,
                    Random &random) {
  constexpr int64_t kMostPoints = 300;
  const int64_t all = product(from);
  for (int64_t i = 0; i < std::min(all, kMostPoints); ++i) {
    const int64_t number = all <= kMostPoints ? i : random.in(0, all - 1);
    IndexingMap::Point point;
    for (int64_t x : indexOf(from, number)) point.dimensions.push_back(x);
    ASSERT_TRUE(map.contains(point));
    const auto result = map.evaluate(point);
    ASSERT_TRUE(result);
    for (size_t k = 0; k < to.size(); ++k) {
      ASSERT_GE((*result)[k], 0);
      ASSERT_LT((*result)[k], to[k]);
    }
    ASSERT_EQ(rowMajor(to, *result), number) << textOf(from, to) << map.str();
    if (!delinearizationOf(map)) continue;
    const Delinearization &digits = *delinearizationOf(map);
    int64_t index = digits.constant;
    for (const auto &[variable, coefficient] : digits.index)
      index += coefficient * point.dimensions[variable.index];
    for (size_t k = 0; k < to.size(); ++k) {
      const auto &[stride, modulus] = digits.results[k];
      const int64_t floor = index / stride;
      ASSERT_EQ((*result)[k], modulus ? floor % modulus : floor)
          << textOf(from, to) << k;
    }
  }
}

/// Checks that the simplifier changes nothing of the map: with variables of one
/// value kept, and, if the map says that it is canonical, in full.
void expectNormal(const IndexingMap &map) {
  const IndexingMap read = mapOf(map.str());
  SimplifyOptions options;
  options.foldPoints = false;
  const auto kept = simplify(read, options);
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(*kept, map) << map.str() << kept->str();
  if (!isSimplified(map)) return;
  const auto simple = simplify(read);
  ASSERT_TRUE(simple.ok());
  EXPECT_EQ(*simple, map) << map.str() << simple->str();
  EXPECT_TRUE(isNormal(map)) << map.str();
}

TEST(Renumber, RandomShapes) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_INSTANCES", 4000);
  RecordProperty("seed", std::to_string(seed));
  uint64_t answered = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Random random(seed + i);
    SCOPED_TRACE(::testing::Message() << "seed " << seed + i);
    Sizes factors;
    const int64_t rank = random.in(0, 6);
    for (int64_t k = 0; k < rank; ++k)
      factors.push_back(random.oneIn(20) ? 65521 : random.in(2, 9));
    while (product(factors) >> 31) factors.pop_back();
    const Sizes from = grouped(factors, random);
    // In another order the shapes may have no common radix.
    if (random.oneIn(3) && factors.size() > 1)
      std::swap(factors[0], factors[1]);
    const Sizes to = grouped(factors, random);
    const auto map = renumberedAtOnce(from, to);
    if (!map) continue;
    ++answered;
    expectRowMajor(*map, from, to, random);
    expectNormal(*map);
    if (HasFailure()) return;
  }
  EXPECT_GT(answered, count / 2);
}

TEST(Renumber, WhatItSays) {
  struct Case {
    Sizes from, to;
    const char *results;  // null: no answer
  };
  const Case cases[] = {
      {{4, 8},
       {2, 4, 4},
       "(d0 floordiv 2, (d0 mod 2) * 2 + d1 floordiv 4, "
       "d1 mod 4)"},
      {{4, 8}, {32}, "(d0 * 8 + d1)"},
      {{32}, {4, 8}, "(d0 floordiv 8, d0 mod 8)"},
      {{1, 3}, {1, 3}, "(d0, d1)"},
      {{1, 3}, {3, 1}, "(d1, 0)"},
      {{3}, {1, 3}, "(0, d0)"},
      {{}, {1, 1}, "(0, 0)"},
      {{2, 1, 3}, {6}, "(d0 * 3 + d2)"},
      {{4, 6}, {6, 4}, nullptr},
      {{4}, {5}, nullptr},
      {{0, 4}, {4, 0}, nullptr},
      {{int64_t{1} << 31, 2}, {int64_t{1} << 32}, nullptr},
  };
  for (const auto &[from, to, results] : cases) {
    const auto map = renumberedAtOnce(from, to);
    ASSERT_EQ(map.has_value(), results != nullptr) << textOf(from, to);
    if (!map) continue;
    const std::string text = map->strOneLine();
    EXPECT_NE(text.find(std::string("-> ") + results), std::string::npos)
        << text;
  }
}

TEST(Renumber, NumbersBeyond64BitsHaveNoDigits) {
  // 2^30 * 2^30 * 2^30 elements: each group of axes has few.
  const int64_t size = int64_t{1} << 30;
  const auto map =
      renumberedAtOnce({size, size, size, 4}, {size, size, size, 2, 2});
  ASSERT_TRUE(map);
  EXPECT_EQ(delinearizationOf(*map), nullptr);
  expectNormal(*map);
}

}  // namespace
}  // namespace indexical::testing
