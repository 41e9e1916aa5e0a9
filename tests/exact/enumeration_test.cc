// Enumeration and the formulas against every point of small random sets.
#include "indexical/simplifier/enumeration.h"

#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/exact/closed_form.h"
#include "indexical/exact/system.h"
#include "indexical/indexing/map_builder.h"
#include "tests/exact/brute_force.h"
#include "tests/exact/random_relations.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

constexpr int64_t kPlenty = 10'000'000;

llvm::DynamicAPInt number(int64_t value) { return llvm::DynamicAPInt(value); }

Tuple tupleOf(llvm::ArrayRef<int64_t> values) {
  return Tuple(values.begin(), values.end());
}

/// Calls `check` with random sets and their points.
template <typename Check>
void forRandomSetsOfPoints(int64_t count, Check check) {
  forRandomSets(count, [&](Random &random, const IndexingMap &set) {
    check(random, set, pointsOfSet(set));
  });
}

TEST(EnumerationTest, VisitsEveryPointOnce) {
  int64_t points = 0;
  forRandomSetsOfPoints(3000, [&](Random &random, const IndexingMap &set,
                                  const std::set<Tuple> &expected) {
    Meter meter(kPlenty);
    std::set<Tuple> visited;
    EXPECT_TRUE(
        Enumeration(set, meter).visit([&](llvm::ArrayRef<int64_t> point) {
          EXPECT_TRUE(visited.insert(tupleOf(point)).second) << "twice";
          return true;
        }));
    EXPECT_EQ(visited, expected);
    points += expected.size();
    // It stops if the visitor returns false.
    const int64_t stop = random.in(1, 5);
    int64_t calls = 0;
    EXPECT_EQ(Enumeration(set, meter).visit([&](llvm::ArrayRef<int64_t>) {
      return ++calls < stop;
    }),
              stop > static_cast<int64_t>(expected.size()));
    EXPECT_EQ(calls, std::min<int64_t>(stop, expected.size()));
  });
  EXPECT_GT(points, 10000);
}

TEST(EnumerationTest, CountsAndSamples) {
  forRandomSetsOfPoints(3000, [&](Random &, const IndexingMap &set,
                                  const std::set<Tuple> &expected) {
    Meter meter(kPlenty);
    auto count = Enumeration(set, meter).count();
    ASSERT_TRUE(count.has_value());
    EXPECT_EQ(*count, number(expected.size()));
    Sample sample = Enumeration(set, meter).sample();
    if (expected.empty()) {
      EXPECT_EQ(sample.found, Sample::Found::Nothing);
    } else {
      ASSERT_EQ(sample.found, Sample::Found::Point);
      EXPECT_TRUE(expected.count(tupleOf(sample.point)));
    }
  });
}

// Whatever the budget: the right answer or none.
TEST(EnumerationTest, ABudgetNeverMakesAnAnswerWrong) {
  int64_t given = 0, none = 0;
  forRandomSetsOfPoints(1500, [&](Random &random, const IndexingMap &set,
                                  const std::set<Tuple> &expected) {
    const int64_t operations = int64_t(1) << random.in(0, 14);
    Meter forCount(operations), forSample(operations), forVisit(operations);
    auto count = Enumeration(set, forCount).count();
    if (count) {
      EXPECT_EQ(*count, number(expected.size()));
    }
    ++(count ? given : none);
    Sample sample = Enumeration(set, forSample).sample();
    if (sample.found == Sample::Found::Nothing) {
      EXPECT_TRUE(expected.empty());
    } else if (sample.found == Sample::Found::Point) {
      EXPECT_TRUE(expected.count(tupleOf(sample.point)));
    }
    std::set<Tuple> visited;
    bool all =
        Enumeration(set, forVisit).visit([&](llvm::ArrayRef<int64_t> point) {
          EXPECT_TRUE(visited.insert(tupleOf(point)).second);
          EXPECT_TRUE(expected.count(tupleOf(point)));
          return true;
        });
    if (all) {
      EXPECT_EQ(visited, expected);
    }
  });
  EXPECT_GT(given, 100);
  EXPECT_GT(none, 100);
}

TEST(EnumerationTest, WithoutBoundsThereIsNoCount) {
  System system;
  FormId x = system.add({0, Interval::kInfinity});
  system.require(system.pool.mod(x, 3), {1, 1});
  auto set = system.simplified();
  ASSERT_TRUE(set.ok());
  Meter meter(kPlenty);
  EXPECT_FALSE(Enumeration(*set, meter).count());
  EXPECT_FALSE(Enumeration(*set, meter).visit([](auto) { return true; }));
  EXPECT_FALSE(countInClosedForm(*set));
}

// From 2^63 - 1 on there is one number of 64 bits, and it cannot be cut off.
TEST(EnumerationTest, OpenSidesAtTheEndsOf64Bits) {
  const Interval sides[] = {{INT64_MAX - 1, INT64_MAX},
                            {INT64_MAX, INT64_MAX},
                            {INT64_MIN, INT64_MIN + 2},
                            {INT64_MIN, INT64_MIN},
                            {0, 7},
                            {5, INT64_MAX}};
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  int found = 0;
  for (uint64_t seed = first; seed < first + 3000; ++seed) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(seed));
    Random random(seed);
    IndexingMapBuilder b;
    llvm::SmallVector<Expr, 3> dimensions;
    for (int i = 0; i < 3; ++i)
      dimensions.push_back(b.dimension(sides[random.in(0, 5)]));
    for (int k = 0; k < 2; ++k) {
      Expr sum = b.constant(0);
      for (Expr d : dimensions) {
        const Expr part = random.oneIn(2) ? floorDiv(d, random.in(2, 3)) : d;
        sum = sum + part * random.in(-2, 2);
      }
      b.constraint(sum, {random.in(-3, 0), random.in(0, 3)});
    }
    auto set = b.build();
    if (!set.ok()) continue;
    Meter meter(20'000);
    const Sample sample = Enumeration(*set, meter).sample();
    if (sample.found != Sample::Found::Point) continue;
    ++found;
    for (auto [value, d] : llvm::zip(sample.point, set->dimensions()))
      EXPECT_TRUE(d.bounds.contains(value)) << value;
  }
  EXPECT_GT(found, 100);
}

TEST(EnumerationTest, ComponentsMultiply) {
  int64_t several = 0;
  forRandomSetsOfPoints(3000, [&](Random &, const IndexingMap &set,
                                  const std::set<Tuple> &expected) {
    auto components = componentsOf(set);
    several += components.size() > 1;
    size_t product = 1;
    std::set<uint32_t> variables, outputs;
    for (const Component &component : components) {
      product *= pointsOfSet(component.set).size();
      for (uint32_t v : component.variables)
        EXPECT_TRUE(variables.insert(v).second);
      for (uint32_t o : component.outputs)
        EXPECT_TRUE(outputs.insert(o).second);
      EXPECT_EQ(component.set.dimensions().size(), component.variables.size());
      EXPECT_EQ(component.set.results().size(), component.outputs.size());
    }
    EXPECT_EQ(product, expected.size());
    EXPECT_EQ(variables.size(), set.dimensions().size());
  });
  EXPECT_GT(several, 300);
}

TEST(EnumerationTest, FormulasSayWhatEnumerationSays) {
  int64_t counted = 0, sampled = 0;
  forRandomSetsOfPoints(3000, [&](Random &, const IndexingMap &set,
                                  const std::set<Tuple> &expected) {
    Sample sample = sampleInClosedForm(set);
    if (sample.found == Sample::Found::Nothing) {
      EXPECT_TRUE(expected.empty());
    } else if (sample.found == Sample::Found::Point) {
      EXPECT_TRUE(expected.count(tupleOf(sample.point)));
      ++sampled;
    }
    for (const Component &component : componentsOf(set))
      if (auto count = countInClosedForm(component.set)) {
        EXPECT_EQ(*count, number(pointsOfSet(component.set).size()))
            << component.set.str();
        ++counted;
      }
  });
  EXPECT_GT(counted, 1000);
  EXPECT_GT(sampled, 1000);
}

// One variable cut into digits, some of which are in an interval; and sums of
// variables in an interval. Bounds beyond those of random maps.
TEST(EnumerationTest, FormulasOnDigitsAndSums) {
  int64_t counted = 0;
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  for (uint64_t seed = first; seed < first + 3000; ++seed) {
    Random random(seed);
    System system;
    if (random.oneIn(2)) {
      int64_t lower = random.oneIn(3) ? random.in(-200, 200) : 0;
      FormId x = system.add({lower, lower + random.in(0, 3000)});
      for (int64_t i = random.in(1, 2); i > 0; --i) {
        FormId digit = x;
        if (random.oneIn(2))
          digit = system.pool.floorDivBy(digit, random.in(1, 60));
        if (!random.oneIn(3)) digit = system.pool.mod(digit, random.in(1, 60));
        int64_t from = random.in(-3, 60);
        system.require(digit, {from, from + random.in(0, 30)});
      }
    } else {
      FormId sum = system.pool.constantForm(random.in(-5, 5));
      for (int64_t i = random.in(1, 3); i > 0; --i) {
        int64_t lower = random.in(-4, 4);
        FormId x = system.add({lower, lower + random.in(0, 15)});
        int64_t factor = random.in(1, 9) * (random.oneIn(3) ? -1 : 1);
        sum = system.pool.add(sum, system.pool.scale(x, factor));
      }
      int64_t from = random.in(-40, 60);
      system.require(sum, {from, from + random.in(0, 80)});
    }
    auto set = system.simplified();
    ASSERT_TRUE(set.ok()) << set.status();
    if (set->isKnownEmpty()) continue;
    for (const Component &component : componentsOf(*set))
      if (auto count = countInClosedForm(component.set)) {
        ASSERT_EQ(*count, number(pointsOfSet(component.set).size()))
            << "seed " << seed << "\n"
            << component.set.str();
        ++counted;
      }
  }
  EXPECT_GT(counted, 1000);
}

TEST(EnumerationTest, Sums) {
  int64_t counted = 0;
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  for (uint64_t seed = first; seed < first + 3000; ++seed) {
    Random random(seed);
    llvm::SmallVector<SumTerm, 4> terms;
    std::set<int64_t> sums{0};
    std::string text;
    for (int64_t i = random.in(0, 4); i > 0; --i) {
      int64_t coefficient = random.in(1, 12) * (random.oneIn(3) ? -1 : 1);
      int64_t lower = random.in(-5, 5), upper = lower + random.in(0, 7);
      terms.push_back({coefficient, {lower, upper}});
      text += std::to_string(coefficient) + " * [" + std::to_string(lower) +
              ", " + std::to_string(upper) + "] ";
      std::set<int64_t> next;
      for (int64_t sum : sums)
        for (int64_t x = lower; x <= upper; ++x)
          next.insert(sum + coefficient * x);
      sums = std::move(next);
    }
    auto count = countSums(terms);
    if (!count) continue;
    ASSERT_EQ(*count, number(sums.size())) << "seed " << seed << ": " << text;
    ++counted;
  }
  EXPECT_GT(counted, 1500);
}

}  // namespace
}  // namespace indexical::testing
