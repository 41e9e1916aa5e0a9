// The laws of boxes and of their closure, by enumeration.
#include "indexical/program/maps/box.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/program/maps/closure.h"
#include "tests/support/random.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

constexpr Direction kReads = Direction::OutputToInput;
constexpr Direction kUsers = Direction::InputToOutput;

using Pairs = std::set<Pair>;

/// Returns the pairs of a box by its definition.
Pairs pairsOf(const std::optional<Box> &box, const ArrayShape &from,
              const ArrayShape &to) {
  Pairs pairs;
  if (!box) return pairs;
  forEachIndex(from.dimensions, [&](const Index &a) {
    forEachIndex(to.dimensions, [&](const Index &b) {
      bool holds = true;
      for (size_t k = 0; k < a.size(); ++k)
        holds = holds && box->from[k].contains(a[k]);
      for (size_t k = 0; k < b.size(); ++k) {
        const Box::Target &target = box->to[k];
        holds = holds && (target.equal >= 0 ? b[k] == a[target.equal]
                                            : target.range.contains(b[k]));
      }
      if (holds) pairs.insert({a, b});
    });
  });
  return pairs;
}

Pairs pairsOf(const IndexingRelation &relation) {
  const World world(0);
  Pairs all;
  for (const IndexingMap &piece : relation.pieces())
    for (const Pair &pair : testing::pairsOf(piece, world)) all.insert(pair);
  return all;
}

Pairs turned(const Pairs &pairs) {
  Pairs other;
  for (const auto &[a, b] : pairs) other.insert({b, a});
  return other;
}

bool includes(const Pairs &all, const Pairs &some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

ArrayShape randomShape(Random &random) {
  ArrayShape shape(ElementType::F32, {});
  for (int64_t rank = random.in(0, 2); rank > 0; --rank)
    shape.dimensions.push_back(random.in(1, 4));
  return shape;
}

Interval randomInterval(int64_t size, Random &random) {
  const int64_t lower = random.in(0, size - 1);
  return {lower, random.in(lower, size - 1)};
}

Box randomBox(const ArrayShape &from, const ArrayShape &to, Random &random) {
  Box box;
  for (int64_t size : from.dimensions)
    box.from.push_back(random.oneIn(2) ? Interval{0, size - 1}
                                       : randomInterval(size, random));
  std::vector<bool> taken(from.rank(), false);
  for (int64_t size : to.dimensions) {
    Box::Target target{-1, randomInterval(size, random)};
    for (int64_t k = 0; k < from.rank(); ++k)
      if (target.equal < 0 && !taken[k] && from.dimensions[k] == size &&
          random.oneIn(2)) {
        taken[k] = true;
        target.equal = k;
      }
    box.to.push_back(target);
  }
  return box;
}

/// The relational product.
Pairs product(const Pairs &first, const Pairs &second) {
  Pairs all;
  for (const auto &[a, b] : first)
    for (const auto &[c, d] : second)
      if (b == c) all.insert({a, d});
  return all;
}

TEST(BoxTest, LawsOfRandomBoxes) {
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const ArrayShape a = randomShape(random), b = randomShape(random),
                     c = random.oneIn(2) ? a : randomShape(random);
    const Box first = randomBox(a, b, random), second = randomBox(b, c, random),
              other = randomBox(a, b, random);
    const Pairs pairs = pairsOf(first, a, b), others = pairsOf(other, a, b);
    // The relations, both ways.
    auto reads = relationOf(first, kReads), users = relationOf(first, kUsers);
    ASSERT_TRUE(reads.ok() && users.ok());
    EXPECT_EQ(pairsOf(*reads), pairs);
    EXPECT_EQ(turned(pairsOf(*users)), pairs);
    // There and back.
    EXPECT_EQ(pairsOf(boxOf(*reads, a, b), a, b), pairs);
    // Composition is exact.
    EXPECT_EQ(pairsOf(composed(first, second), a, c),
              product(pairs, pairsOf(second, b, c)));
    // A join contains both, and says whether it grew.
    Box both = first;
    const bool grew = join(both, other);
    const Pairs joined = pairsOf(both, a, b);
    EXPECT_TRUE(includes(joined, pairs) && includes(joined, others));
    EXPECT_TRUE(grew || joined == pairs);
    EXPECT_TRUE(!contains(first, other) || includes(pairs, others));
    Box wide = both;
    widen(wide, first, a, b);
    EXPECT_TRUE(includes(pairsOf(wide, a, b), joined));
    ASSERT_FALSE(HasFailure());
  }
}

TEST(BoxTest, ABoxContainsItsRelation) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    const ArrayShape from(ElementType::F32, {3, 4}),
        to(ElementType::F32, {4, 3});
    IndexingRelation relation;
    Pairs expected;
    for (int64_t k = random.in(1, 3); k > 0; --k) {
      const Box box = randomBox(from, to, random);
      relation.unite(*relationOf(box, kReads));
      for (const Pair &pair : pairsOf(box, from, to)) expected.insert(pair);
    }
    EXPECT_TRUE(
        includes(pairsOf(boxOf(relation, from, to), from, to), expected));
  }
}

TEST(BoxTest, AClosureContainsEveryChain) {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<ArrayShape> leaves;
    for (int64_t k = random.in(1, 3); k > 0; --k)
      leaves.push_back(randomShape(random));
    const size_t n = leaves.size();
    std::vector<BoxRow> step(n);
    for (size_t r = 0; r < n; ++r)
      for (size_t k = 0; k < n; ++k)
        if (random.oneIn(2))
          step[r].try_emplace(LeafId(k),
                              randomBox(leaves[r], leaves[k], random));
    const std::vector<BoxRow> closed = closureOf(step, leaves);
    auto pairsAt = [&](const std::vector<BoxRow> &rows, size_t r, size_t k) {
      auto found = rows[r].find(LeafId(k));
      return found == rows[r].end()
                 ? Pairs()
                 : pairsOf(found->second, leaves[r], leaves[k]);
    };
    // chain[r][k]: after so many steps; the first are none.
    std::vector<std::vector<Pairs>> chain(n, std::vector<Pairs>(n));
    for (size_t r = 0; r < n; ++r)
      chain[r][r] = pairsOf(identityBox(leaves[r]), leaves[r], leaves[r]);
    for (int steps = 0; steps < 6; ++steps) {
      for (size_t r = 0; r < n; ++r)
        for (size_t k = 0; k < n; ++k)
          EXPECT_TRUE(includes(pairsAt(closed, r, k), chain[r][k]))
              << steps << " steps from " << r << " to " << k;
      std::vector<std::vector<Pairs>> next(n, std::vector<Pairs>(n));
      for (size_t r = 0; r < n; ++r)
        for (size_t m = 0; m < n; ++m)
          for (size_t k = 0; k < n; ++k)
            next[r][k].merge(product(pairsAt(step, r, m), chain[m][k]));
      chain = std::move(next);
    }
    ASSERT_FALSE(HasFailure());
  }
}

// Leaf r takes leaf r + 1, so that what a leaf reads comes a step nearer in
// each round. A box that has not changed is not multiplied again: else 200
// leaves would be 4,000,000 products, and the closure would give up and say
// that every element reads every element.
TEST(BoxTest, ARingIsClosedExactly) {
  for (size_t n : {100, 200, 400}) {
    const std::vector<ArrayShape> leaves(n, ArrayShape(ElementType::F32, {8}));
    std::vector<BoxRow> step(n);
    for (size_t r = 0; r < n; ++r)
      step[r].try_emplace(LeafId((r + 1) % n), *identityBox(leaves[r]));
    const std::vector<BoxRow> closed = closureOf(step, leaves);
    for (const BoxRow &row : closed) {
      EXPECT_EQ(row.size(), n);
      for (const auto &[leaf, box] : row) EXPECT_EQ(box.to[0].equal, 0) << leaf;
    }
  }
}

}  // namespace
}  // namespace indexical::testing
