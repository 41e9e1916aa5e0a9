// The laws of linear_map.h, by enumeration.
#include "indexical/layout/linear_map.h"

#include <random>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace indexical::layouts {
namespace {

constexpr uint32_t kSeed = 46;

LinearMap randomMap(std::mt19937 &random, int inputs, int outputs) {
  std::vector<uint64_t> bases;
  for (int i = 0; i < inputs; ++i)
    bases.push_back(random() & ((uint64_t{1} << outputs) - 1));
  return {std::move(bases), outputs};
}

TEST(LinearMapTest, IsLinearAndComposes) {
  std::mt19937 random(kSeed);
  for (int trial = 0; trial < 200; ++trial) {
    const LinearMap a = randomMap(random, 1 + random() % 7, 1 + random() % 7);
    const LinearMap b = randomMap(random, a.outputBits(), 1 + random() % 7);
    const LinearMap both = compose(a, b);
    EXPECT_EQ(a.apply(0), 0u);
    EXPECT_EQ(compose(a, LinearMap::identity(a.outputBits())), a);
    for (uint64_t x = 0; x < uint64_t{1} << a.inputBits(); ++x) {
      EXPECT_EQ(both.apply(x), b.apply(a.apply(x))) << "seed " << kSeed;
      const uint64_t y = random() & ((uint64_t{1} << a.inputBits()) - 1);
      EXPECT_EQ(a.apply(x ^ y), a.apply(x) ^ a.apply(y)) << "seed " << kSeed;
    }
  }
}

TEST(LinearMapTest, PreimagesAndKernelAreThoseOfEnumeration) {
  std::mt19937 random(kSeed);
  int inverses = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const int inputs = 1 + random() % 7;
    const int outputs = random() % 2 ? inputs : 1 + random() % 7;
    const LinearMap map = randomMap(random, inputs, outputs);
    std::set<uint64_t> image, zeros;
    for (uint64_t x = 0; x < uint64_t{1} << inputs; ++x) {
      image.insert(map.apply(x));
      if (map.apply(x) == 0) zeros.insert(x);
    }
    EXPECT_EQ(image.size(), uint64_t{1} << map.rank());
    EXPECT_EQ(zeros.size(), uint64_t{1} << map.kernel().size());
    for (uint64_t zero : map.kernel()) EXPECT_EQ(map.apply(zero), 0u);
    for (uint64_t y = 0; y < uint64_t{1} << outputs; ++y) {
      const auto x = map.preimage(y);
      ASSERT_EQ(x.has_value(), image.count(y) == 1) << "seed " << kSeed;
      if (x) {
        EXPECT_EQ(map.apply(*x), y);
      }
    }
    const auto inverse = map.inverse();
    const bool isOneToOne = inputs == outputs && zeros.size() == 1;
    ASSERT_EQ(inverse.has_value(), isOneToOne) << "seed " << kSeed;
    if (!inverse) continue;
    ++inverses;
    EXPECT_EQ(compose(map, *inverse), LinearMap::identity(inputs));
  }
  EXPECT_GT(inverses, 20);
}

}  // namespace
}  // namespace indexical::layouts
