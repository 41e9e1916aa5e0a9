// Chains of reshapes, composed step by step.
//
// Each step is a raw map: the index is made linear, then cut anew. However many
// steps there are, the composed map has the very form of the direct one, and a
// chain that comes back is the identity; with transposes in between too, but
// for a few that are equal by their values alone.
//
//   INDEXICAL_CHAINS=10      10 times as many chains
//   INDEXICAL_CHAINS_SEED=n  beginning with this one
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexing/map_builder.h"
#include "indexing/map_text.h"
#include "simplifier/simplify.h"
#include "tests/random.h"

namespace indexical::testing {
namespace {

using Sizes = llvm::SmallVector<int64_t, 6>;

/// The element of a tensor of sizes `to` that stands where an element of sizes
/// `from` does in row major order; result k is its index `permutation[k]`.
IndexingMap rawReshape(const Sizes &from, const Sizes &to,
                       llvm::ArrayRef<int64_t> permutation = {}) {
  IndexingMapBuilder b;
  Expr linear = b.constant(0);
  for (int64_t size : from) linear = linear * size + b.dimension({0, size - 1});
  int64_t stride = 1;
  for (int64_t size : to) stride *= size;
  llvm::SmallVector<Expr, 6> index;
  for (int64_t size : to) {
    Expr whole = linear;
    // As XLA writes it: the rest of one size is what the next one divides.
    linear = mod(whole, stride);
    stride /= size;
    index.push_back(floorDiv(linear, stride));
  }
  for (size_t k = 0; k < to.size(); ++k)
    b.result(index[permutation.empty() ? k : permutation[k]]);
  auto map = b.build();
  EXPECT_TRUE(map.ok()) << map.status();
  return *map;
}

/// Element (d0, d1, …) of a transposed tensor: result k is d_inverse[k].
IndexingMap rawTranspose(const Sizes &from, llvm::ArrayRef<int64_t> results) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 6> d;
  for (int64_t size : from) d.push_back(b.dimension({0, size - 1}));
  for (int64_t k : results) b.result(d[k]);
  return *b.build();
}

IndexingMap identity(const Sizes &sizes) {
  IndexingMapBuilder b;
  for (int64_t size : sizes) b.result(b.dimension({0, size - 1}));
  auto map = simplify(*b.build());
  EXPECT_TRUE(map.ok());
  return *map;
}

const int64_t kCounts[] = {384, 1024, 11520, 30030, 46189, 302400, 7919 * 64};

/// The prime factors of `count`, dealt out over at most 6 dimensions.
Sizes randomSizes(Random &random, int64_t count) {
  Sizes sizes(random.in(1, 6), 1);
  for (int64_t p = 2; count > 1; ++p)
    for (; count % p == 0; count /= p)
      sizes[random.in(0, sizes.size() - 1)] *= p;
  return sizes;
}

IndexingMap composed(const IndexingMap &first, const IndexingMap &second) {
  auto map = compose(first, second);
  EXPECT_TRUE(map.ok()) << map.status();
  return map.ok() ? *map : IndexingMap::knownEmpty();
}

/// The map as it comes back from its text.
IndexingMap reread(const IndexingMap &map) {
  auto again = parseMap(map.strOneLine());
  EXPECT_TRUE(again.ok()) << again.status();
  return again.ok() ? *again : IndexingMap::knownEmpty();
}

IndexingMap composedAll(llvm::ArrayRef<IndexingMap> steps, bool printed) {
  IndexingMap map = steps[0];
  for (const IndexingMap &step : steps.drop_front()) {
    map = composed(map, step);
    if (printed) map = reread(map);
  }
  return map;
}

llvm::SmallVector<int64_t, 6> at(const IndexingMap &map, const Sizes &point) {
  IndexingMap::Point p;
  p.dimensions.assign(point.begin(), point.end());
  EXPECT_TRUE(map.contains(p)) << map.str();
  return map.evaluate(p).value_or(llvm::SmallVector<int64_t, 6>());
}

Sizes randomPoint(const Sizes &sizes, Random &random) {
  Sizes point;
  for (int64_t size : sizes) point.push_back(random.in(0, size - 1));
  return point;
}

/// For each length as many chains as there is time for.
const struct {
  int length, chains;
} kLengths[] = {{2, 100}, {4, 100}, {8, 60}, {12, 40}};

template <typename Test>
void forChains(Test test) {
  const uint64_t first = fromEnvironment("INDEXICAL_CHAINS_SEED", 1);
  const uint64_t times = fromEnvironment("INDEXICAL_CHAINS", 1);
  for (const auto &[length, chains] : kLengths)
    for (uint64_t seed = first; seed < first + chains * times; ++seed) {
      Random random(seed * 100 + length);
      const int64_t count = kCounts[random.in(0, std::size(kCounts) - 1)];
      std::vector<Sizes> shapes;
      for (int i = 0; i <= length; ++i)
        shapes.push_back(randomSizes(random, count));
      test(random, shapes);
      if (::testing::Test::HasFailure()) {
        ADD_FAILURE() << "INDEXICAL_CHAINS_SEED=" << seed << ", length "
                      << length;
        return;
      }
    }
}

std::vector<IndexingMap> stepsThrough(const std::vector<Sizes> &shapes) {
  std::vector<IndexingMap> steps;
  for (size_t i = 1; i < shapes.size(); ++i)
    steps.push_back(rawReshape(shapes[i - 1], shapes[i]));
  return steps;
}

TEST(ReshapeChainTest, RawMapsCountAlong) {
  const IndexingMap map = rawReshape({4, 6}, {3, 2, 4});
  for (int64_t i = 0; i < 24; ++i)
    EXPECT_EQ(at(map, {i / 6, i % 6}),
              (llvm::SmallVector<int64_t, 6>{i / 8, i / 4 % 2, i % 4}));
}

TEST(ReshapeChainTest, AChainIsTheDirectReshape) {
  forChains([](Random &, const std::vector<Sizes> &shapes) {
    auto direct = simplify(rawReshape(shapes.front(), shapes.back()));
    ASSERT_TRUE(direct.ok());
    const std::vector<IndexingMap> steps = stepsThrough(shapes);
    EXPECT_EQ(composedAll(steps, false).str(), direct->str());
    EXPECT_EQ(composedAll(steps, true).str(), direct->str());
  });
}

TEST(ReshapeChainTest, AChainThatComesBackIsTheIdentity) {
  forChains([](Random &, std::vector<Sizes> shapes) {
    shapes.push_back(shapes.front());
    const std::vector<IndexingMap> steps = stepsThrough(shapes);
    const IndexingMap expected = identity(shapes.front());
    for (bool printed : {false, true}) {
      const IndexingMap map = composedAll(steps, printed);
      EXPECT_EQ(map.str(), expected.str());
      EXPECT_EQ(map, expected);
    }
  });
}

// Composed in another order the form is mostly the same, and the values always:
// a step in the middle may have cut digits of a larger parent than is needed.
TEST(ReshapeChainTest, BracketsKeepTheValues) {
  int64_t all = 0, equal = 0;
  forChains([&](Random &random, const std::vector<Sizes> &shapes) {
    std::vector<IndexingMap> steps = stepsThrough(shapes);
    const IndexingMap left = composedAll(steps, false);
    while (steps.size() > 1) {
      const size_t i = random.in(0, steps.size() - 2);
      steps[i] = composed(steps[i], steps[i + 1]);
      steps.erase(steps.begin() + i + 1);
    }
    ++all;
    equal += steps[0] == left;
    for (int i = 0; i < 20; ++i) {
      const Sizes point = randomPoint(shapes[0], random);
      EXPECT_EQ(at(steps[0], point), at(left, point));
    }
  });
  EXPECT_GE(equal * 100, all * 85) << equal << " of " << all;
  RecordProperty("equal", std::to_string(equal));
}

// A reshape and a transpose at each step, and all of it undone. The cuts need
// not align: 24 cut at 6 here and at 4 there.
TEST(ReshapeChainTest, TransposesInBetween) {
  int64_t all = 0, exact = 0;
  forChains([&](Random &random, const std::vector<Sizes> &shapes) {
    std::vector<IndexingMap> there, back;
    Sizes from = shapes[0];
    for (size_t i = 1; i < shapes.size(); ++i) {
      const Sizes &to = shapes[i];
      const auto order = random.permutation(to.size());
      Sizes turned;
      llvm::SmallVector<int64_t, 6> inverse(to.size());
      for (size_t k = 0; k < to.size(); ++k) {
        turned.push_back(to[order[k]]);
        inverse[order[k]] = k;
      }
      there.push_back(rawReshape(from, to, order));
      back.push_back(rawReshape(to, from));
      back.push_back(rawTranspose(turned, inverse));
      from = turned;
    }
    std::reverse(back.begin(), back.end());
    std::vector<IndexingMap> steps = there;
    steps.insert(steps.end(), back.begin(), back.end());
    const IndexingMap expected = identity(shapes[0]);
    for (bool printed : {false, true}) {
      const IndexingMap map = composedAll(steps, printed);
      ++all;
      exact += map == expected;
      for (int i = 0; i < 20; ++i) {
        const Sizes point = randomPoint(shapes[0], random);
        EXPECT_EQ(at(map, point), point) << map.str();
      }
    }
    // One way, by the values of each step.
    const IndexingMap forward = composedAll(there, false);
    for (int i = 0; i < 20; ++i) {
      const Sizes point = randomPoint(shapes[0], random);
      Sizes expectedAt = point;
      for (const IndexingMap &step : there) expectedAt = at(step, expectedAt);
      EXPECT_EQ(at(forward, point), expectedAt) << forward.str();
    }
  });
  EXPECT_GE(exact * 100, all * 95) << exact << " of " << all;
  RecordProperty("exact", std::to_string(exact));
}

}  // namespace
}  // namespace indexical::testing
