// A system with a distance has the points at that distance. Where strides are
// not known, different indices read different elements.
#include "indexical/exact/distance.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "tests/exact/brute_force.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// The system as a map that was not simplified.
IndexingMap mapOf(const System &system) {
  System copy = system;
  IndexingMapBuilder b(copy.pool);
  for (Interval bounds : copy.box) b.dimension(bounds);
  for (FormId output : copy.outputs) b.result(b.expression(output));
  for (const Constraint &c : copy.constraints)
    b.constraint(b.expression(c.form), c.bounds);
  auto map = b.build();
  EXPECT_TRUE(map.ok()) << map.status();
  return map.ok() ? *map : IndexingMap::knownEmpty();
}

/// Two indices x0, x1, a runtime value x2 that is at least 1, and one more.
System randomSystem(Random &random) {
  System system;
  FormId x = system.add({0, random.in(1, 5)});
  FormId y = system.add({0, random.in(1, 5)});
  FormId r = system.add({1, random.in(1, 4)});
  FormId s = system.add({0, random.in(0, 4)});
  ExpressionPool &pool = system.pool;
  auto side = [&](FormId index) {
    FormId form = index;
    if (random.oneIn(2)) form = pool.sub(form, s);
    if (random.oneIn(3)) form = pool.scale(form, random.in(-2, 3));
    return pool.shift(form, random.in(-1, 2));
  };
  FormId divisor = random.oneIn(2) ? r : pool.shift(r, random.in(0, 2));
  if (random.oneIn(2)) {
    // c * a * r - c * b * r, and maybe more.
    int64_t c = random.in(1, 3) * (random.oneIn(2) ? 1 : -1);
    FormId form = pool.linear({{pool.product(side(x), divisor), c},
                               {pool.product(side(y), divisor), -c}},
                              0);
    if (random.oneIn(2)) form = pool.add(form, pool.scale(s, random.in(-1, 1)));
    system.require(form, Interval::point(random.in(-2, 2)));
  } else {
    // a floordiv r = b floordiv r, remainders known.
    FormId a = side(x), b = side(y);
    system.require(
        pool.sub(pool.quotient(a, divisor), pool.quotient(b, divisor)),
        Interval::point(random.oneIn(4) ? 1 : 0));
    for (FormId of : {a, b})
      if (!random.oneIn(4))
        system.require(pool.remainder(of, divisor),
                       Interval::point(random.in(0, 1)));
  }
  return system;
}

TEST(DistanceTest, WithDistance) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  int64_t points = 0;
  for (uint64_t seed = first; seed < first + 2000; ++seed) {
    Random random(seed);
    System system = randomSystem(random);
    for (uint32_t i = 0; i < system.box.size(); ++i)
      system.outputs.push_back(
          system.pool.variable({VariableKind::Dimension, i}));
    const bool less = random.oneIn(2);
    const Interval distance = less ? Interval{-6, -1} : Interval{1, 6};
    std::set<Tuple> expected;
    for (const Tuple &point : pointsOfSet(mapOf(system)))
      if (distance.contains(point[0] - point[1])) expected.insert(point);
    const IndexingMap spaced = mapOf(withDistance(
        system, /*variable=*/1,
        system.pool.variable({VariableKind::Dimension, 0}), distance));
    const IndexingRelation relation(spaced);
    std::set<Tuple> found;
    const size_t index = spaced.dimensions().size();
    for (const Tuple &tuple : BruteForce({&relation}).points(relation))
      found.insert(Tuple(tuple.begin() + index, tuple.end()));
    ASSERT_EQ(found, expected) << "seed " << seed << "\n" << spaced.str();
    points += expected.size();
  }
  EXPECT_GT(points, 4000);
}

// Without an end of the stride, so that no search ends.
TEST(DistanceTest, StridesThatAreNotKnown) {
  for (const char *text :
       {"(d0){r} -> (d0 * (r + 1)), domain: d0 in [0, 9], r in [0, inf]",
        "(d0){r} -> ((d0 - 2) floordiv r), domain: d0 in [2, 99], "
        "r in [1, inf], (d0 - 2) mod r in [0, 0]",
        "(d0, d1){r, t} -> (d1 * t, d0 * r), domain: d0 in [0, 9], "
        "d1 in [0, 9], r in [1, inf], t in [1, inf]"}) {
    auto map = parseMap(text);
    ASSERT_TRUE(map.ok()) << map.status();
    auto injective = isInjective(IndexingRelation(*map));
    ASSERT_TRUE(injective.ok());
    EXPECT_EQ(injective->answer, Answer::Yes) << text << injective->reason;
  }
  auto map =
      parseMap("(d0){r} -> (d0 * r), domain: d0 in [0, 9], r in [0, inf]");
  auto injective = isInjective(IndexingRelation(*map));
  ASSERT_TRUE(injective.ok());
  EXPECT_EQ(injective->answer, Answer::No);  // at r = 0
}

}  // namespace
}  // namespace indexical::testing
