// The law of sparse_polynomial.h at points: a sum and a product have the values
// of the operation, in the integers and modulo 2 to a width.

#include "indexical/indexing/sparse_polynomial.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace indexical {
namespace {

constexpr uint32_t kSeed = 82;

using Lists = FactorLists<int, 6>;
template <typename Ring>
using PolynomialOf = SparsePolynomial<Lists, Ring>;

template <typename Ring>
uint64_t valueAt(const PolynomialOf<Ring> &polynomial,
                 const std::vector<uint64_t> &values) {
  uint64_t total = 0;
  for (const auto &[factors, by] : polynomial.terms()) {
    uint64_t part = static_cast<uint64_t>(by);
    for (int factor : factors) part *= values[factor];
    total += part;
  }
  return total;
}

template <typename Ring>
void checkLaws(Ring ring, uint64_t mask) {
  std::mt19937 random(kSeed);
  auto in = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % (high - low + 1));
  };
  for (int round = 0; round < 2000; ++round) {
    const std::vector<uint64_t> values = {random(), random(), random()};
    auto draw = [&] {
      PolynomialOf<Ring> made(ring);
      for (int64_t k = in(0, 4); k > 0; --k) {
        Lists::Monomial factors;
        for (int64_t n = in(0, 3); n > 0; --n)
          factors.push_back(static_cast<int>(in(0, 2)));
        std::sort(factors.begin(), factors.end());
        EXPECT_TRUE(made.add(factors, in(-9, 9)));
      }
      return made;
    };
    auto same = [&](uint64_t a, uint64_t b) {
      EXPECT_EQ(a & mask, b & mask) << "seed " << kSeed << ", round " << round;
    };
    const PolynomialOf<Ring> x = draw(), y = draw();
    const uint64_t a = valueAt(x, values), b = valueAt(y, values);
    PolynomialOf<Ring> sum = x;
    ASSERT_TRUE(sum.add(y, -3));
    same(valueAt(sum, values), a - 3 * b);
    const auto product = x.times(y);
    ASSERT_TRUE(product);
    same(valueAt(*product, values), a * b);
    for (const auto &made : {sum, *product}) {
      for (size_t k = 1; k < made.terms().size(); ++k)
        EXPECT_LT(made.terms()[k - 1].monomial, made.terms()[k].monomial);
      for (const auto &[factors, by] : made.terms()) {
        EXPECT_NE(static_cast<int64_t>(by), 0);
        EXPECT_EQ(made.coefficient(factors), by);
      }
    }
    // What is taken from itself is nothing.
    ASSERT_TRUE(sum.add(sum, -1));
    EXPECT_TRUE(sum.isZero());
  }
}

TEST(SparsePolynomialTest, Integers) {
  checkLaws(WholeNumbers(), ~uint64_t{0});
}

TEST(SparsePolynomialTest, Residues) {
  checkLaws(Residues{64}, ~uint64_t{0});
  checkLaws(Residues{32}, 0xffffffff);
  checkLaws(Residues{8}, 0xff);
}

// A loop over the terms of a temporary keeps them.
TEST(SparsePolynomialTest, TermsOfATemporary) {
  auto made = [] {
    PolynomialOf<WholeNumbers> sum(5);
    EXPECT_TRUE(sum.add(Lists::Monomial{1, 2}, 7));
    return sum;
  };
  int64_t total = 0;
  for (const auto &[factors, by] : made().terms())
    total += by + static_cast<int64_t>(factors.size());
  EXPECT_EQ(total, 14);
}

TEST(SparsePolynomialTest, Limits) {
  PolynomialOf<WholeNumbers> large(INT64_MAX);
  EXPECT_FALSE(PolynomialOf<WholeNumbers>(large).add(1));
  EXPECT_FALSE(PolynomialOf<WholeNumbers>(-INT64_MAX).add(-1));
  const auto x = PolynomialOf<WholeNumbers>::of({0, 0, 0, 0}, 1);
  EXPECT_FALSE(x.times(x));
  PolynomialOf<Residues> wraps(Residues{8});
  ASSERT_TRUE(wraps.add(100));
  ASSERT_TRUE(wraps.add(100));
  EXPECT_EQ(wraps.constant(), 200u);
  ASSERT_TRUE(wraps.add(100));
  EXPECT_EQ(wraps.constant(), 44u);
}

}  // namespace
}  // namespace indexical
