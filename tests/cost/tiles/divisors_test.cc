// Divisors by enumeration, and of products of primes that are known.
#include "indexical/cost/tiles/divisors.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "gtest/gtest.h"

#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Numbers = std::vector<int64_t>;

TEST(DivisorsTest, OfSmallNumbers) {
  for (int64_t number = 1; number <= 4000; ++number) {
    Numbers all;
    for (int64_t n = 1; n <= number; ++n)
      if (number % n == 0) all.push_back(n);
    EXPECT_EQ(divisorsOf(number), all) << number;
  }
}

// Primes just below and above the factors that are found by division, and those
// next to powers of two; 4611686018427387847 and 9223372036854775783 are the
// last ones below 2^62 and 2^63.
TEST(DivisorsTest, OfPrimes) {
  for (int64_t prime :
       {997L, 1009L, 999983L, 1000003L, 2147483647L, 4294967291L,
        1000000000000000003L, 4611686018427387847L, 9223372036854775783L})
    EXPECT_EQ(divisorsOf(prime), (Numbers{1, prime}));
}

TEST(DivisorsTest, OfProductsOfPrimes) {
  constexpr int64_t kPrimes[] = {
      2,     3,      7,       61,       997,        1009,       1013,
      65537, 999983, 1000003, 16777213, 2147483629, 2147483647, 3037000493};
  const uint64_t first = fromEnvironment("INDEXICAL_DIVISORS_SEED", 1);
  for (uint64_t seed = first; seed < first + 300; ++seed) {
    Random random(seed);
    int64_t number = 1;
    std::set<int64_t> all = {1};
    for (int64_t tries = random.in(1, 12); tries > 0; --tries) {
      const int64_t prime = kPrimes[random.in(0, std::size(kPrimes) - 1)];
      int64_t product;
      if (__builtin_mul_overflow(number, prime, &product)) continue;
      number = product;
      const Numbers before(all.begin(), all.end());
      for (int64_t each : before) all.insert(each * prime);
    }
    EXPECT_EQ(divisorsOf(number), Numbers(all.begin(), all.end()))
        << number << ", INDEXICAL_DIVISORS_SEED=" << seed;
  }
}

// The squares of the largest primes, and the number with the most divisors.
TEST(DivisorsTest, AtTheEndOf64Bits) {
  EXPECT_EQ(divisorsOf(3037000493 * 3037000493),
            (Numbers{1, 3037000493, 3037000493 * 3037000493}));
  EXPECT_EQ(divisorsOf(897612484786617600).size(), 103'680u);
  EXPECT_EQ(divisorsOf(INT64_MAX).size(), 96u);
}

}  // namespace
}  // namespace indexical::testing
