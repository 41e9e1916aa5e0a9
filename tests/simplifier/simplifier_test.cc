// Simplification keeps the relation; composition is the relational product.
//
// Random maps with constraints, ranges and runtime variables are held against
// their simplified forms and compositions as sets of pairs, in a random world
// of elements (tests/support/random_maps.h). Tables show what earlier systems
// got wrong.
//
//   INDEXICAL_MAPS=20       20 times as many random maps
//   INDEXICAL_MAPS_SEED=n   beginning with this one
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/simplifier/simplified.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/random.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

template <typename Test>
void forSeeds(uint64_t count, Test test) {
  const uint64_t first = fromEnvironment("INDEXICAL_MAPS_SEED", 1);
  count *= fromEnvironment("INDEXICAL_MAPS", 1);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    test(random, seed);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "INDEXICAL_MAPS_SEED=" << seed;
      return;
    }
  }
}

IndexingMap parsed(const std::string &text) {
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << text << "\n" << map.status();
  return map.ok() ? *map : IndexingMap::knownEmpty();
}

IndexingMap simple(const IndexingMap &map, SimplifyOptions options = {}) {
  auto result = simplify(map, options);
  EXPECT_TRUE(result.ok()) << result.status() << "\n" << map.str();
  return result.ok() ? *result : IndexingMap::knownEmpty();
}

std::string simplified(const std::string &text, SimplifyOptions options = {}) {
  return simple(parsed(text), options).strOneLine();
}

//===-- The relation is kept ----------------------------------------------===//

void expectSameRelation(const IndexingMap &map, Random &random, uint64_t seed,
                        Interval window = {-99, 99}) {
  SimplifyOptions options;
  options.foldPoints = !random.oneIn(4);
  const IndexingMap after = simple(map, options);
  EXPECT_TRUE(verify(after).ok()) << verify(after);
  for (uint64_t k = 0; k < 2; ++k) {
    World world(seed * 2 + k);
    EXPECT_EQ(
        difference(pairsOf(map, world, window), pairsOf(after, world, window)),
        "")
        << describe(map) << "\nsimplified\n"
        << describe(after);
  }
  EXPECT_EQ(simple(after, options), after) << "not its own form:\n"
                                           << map.str() << "\nsimplified\n"
                                           << after.str() << "\nand again\n"
                                           << simple(after, options).str();
  if (after.isKnownEmpty()) return;
  ASSERT_EQ(after.dimensions().size(), map.dimensions().size());
  for (size_t i = 0; i < map.dimensions().size(); ++i)
    EXPECT_TRUE(
        map.dimensions()[i].bounds.contains(after.dimensions()[i].bounds));
}

TEST(SimplifierTest, KeepsTheRelation) {
  forSeeds(2500, [](Random &random, uint64_t seed) {
    MapOptions options;
    options.mostConstraints = 3;
    options.depth = random.in(1, 4);
    options.semiAffine = random.oneIn(4);
    expectSameRelation(randomMap(random, options), random, seed);
  });
}

TEST(SimplifierTest, KeepsTheRelationOfRuntimeVariables) {
  forSeeds(2000, [](Random &random, uint64_t seed) {
    MapOptions options;
    options.mostRuntime = 3;
    options.sources = random.oneIn(2);
    options.depth = random.in(1, 3);
    expectSameRelation(randomMap(random, options), random, seed);
  });
}

TEST(SimplifierTest, KeepsTheRelationOfOpenDomains) {
  forSeeds(600, [](Random &random, uint64_t seed) {
    MapOptions options;
    options.mostDimensions = 2;
    options.openDimensions = true;
    options.depth = random.in(1, 4);
    expectSameRelation(randomMap(random, options), random, seed, {-20, 20});
  });
}

// Maps that once took a second simplification to become what they are.
TEST(SimplifierTest, ReachesTheFormAtOnce) {
  const struct {
    const char *map;
    Interval window;
  } kTable[] = {
      // A part of a dense sum is better in other digits; beside what is left
      // out of it these would not be.
      {"(d0, d1, d2, d3) -> (((d0 * 18 + (((d0 * 3 + (d1 * 15 + d2) floordiv "
       "20 + ((d1 * 15 + d2) mod 10) * 18 + d3 * 6) floordiv 20) mod 3) * 2 + "
       "((d1 * 15 + d2) floordiv 20) * 6 + ((d1 * 15 + d2) mod 10) * 108 + "
       "((d1 * 45 + d2 * 3 + d3) floordiv 10) mod 2 + d3 * 36) floordiv 10) "
       "mod 6), domain: d0 in [0, 1], d1 in [0, 3], d2 in [0, 14], d3 in [0, "
       "2]",
       {0, 14}},
      // A form that a known digit is put back into is searched again.
      {"(d0) -> (d0 mod 4 - d0 mod 45), domain: d0 in [6, inf], (d0 floordiv "
       "45) mod 2 in [1, 1]",
       {0, 400}},
      {"(d0) -> (d0 mod 6 + d0 mod 8), domain: d0 in [-inf, inf], (d0 floordiv "
       "6) mod 2 in [1, 1]",
       {-100, 100}},
      // Without its factor a constraint stays inside 64 bits.
      {"(d0) -> (d0), domain: d0 in [-4611686018427387900, 17], ((d0 floordiv "
       "48 - 7 + d0 mod 30) * 6) in [-inf, -10]",
       {-3000, 20}},
      {"(d0) -> (d0), domain: d0 in [-4611686018427387906, "
       "-4539628424389459970], ((d0 mod 40 - d0 mod 43) * 24) in [-7, 7]",
       {-4539628424389462000, -4539628424389459900}},
  };
  for (const auto &row : kTable) {
    const IndexingMap map = parsed(row.map), after = simple(map);
    EXPECT_EQ(simple(after), after) << row.map << "\n" << after.str();
    World world(1);
    const auto pairs = pairsOf(map, world, row.window);
    EXPECT_EQ(difference(pairs, pairsOf(after, world, row.window)), "")
        << row.map;
    EXPECT_FALSE(pairs.empty());
  }
}

// The bounds of a clamped variable are its clamp: a tighter interval would
// clamp to another value.
TEST(SimplifierTest, ClampIntervalsStay) {
  forSeeds(1000, [](Random &random, uint64_t) {
    MapOptions options;
    options.mostRuntime = 3;
    options.sources = true;
    const IndexingMap map = randomMap(random, options);
    const IndexingMap after = simple(map);
    for (const RuntimeVariable &variable : after.runtime()) {
      if (!variable.clamped) continue;
      EXPECT_TRUE(std::any_of(map.runtime().begin(), map.runtime().end(),
                              [&](const RuntimeVariable &other) {
                                return other.clamped &&
                                       other.source == variable.source &&
                                       other.bounds == variable.bounds;
                              }))
          << map.str() << "\n"
          << after.str();
    }
  });
}

TEST(SimplifierTest, TheOrderOfConstraintsDoesNotMatter) {
  forSeeds(600, [](Random &random, uint64_t) {
    MapOptions options;
    options.mostConstraints = 4;
    options.mostRuntime = 1;
    MapParts parts = randomParts(random, options);
    const IndexingMap first = simple(parts.build());
    for (int i = 0; i < 3; ++i) {
      MapParts shuffled = parts;
      const auto order = random.permutation(parts.constraints.size());
      for (size_t k = 0; k < order.size(); ++k)
        shuffled.constraints[k] = parts.constraints[order[k]];
      const IndexingMap other = simple(shuffled.build());
      EXPECT_EQ(other, first) << parts.text();
      EXPECT_EQ(other.str(), first.str());
    }
    // From the text alone too.
    EXPECT_EQ(simple(parsed(parts.build().str())), first);
  });
}

//===-- Cases -------------------------------------------------------------===//

const struct {
  const char *before, *after;
} kCases[] = {
    {"(d0, d1) -> ((d0 * 8 + d1) floordiv 8, d1 mod 8), domain: "
     "d0 in [0, 3], d1 in [0, 7]",
     "(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 7]"},
    // Wrong answers that other systems have given.
    {"(d0)[s0] -> (d0, s0), domain: d0 in [0, 5], s0 in [1, 2], "
     "d0 * 8 + s0 in [0, 8]",
     "(d0)[s0] -> (0, s0), domain: d0 in [0, 0], s0 in [1, 2]"},
    {"()[s0] -> (s0), domain: s0 in [0, 99], s0 floordiv -3 in [-11, -5]",
     "()[s0] -> (s0), domain: s0 in [13, 33]"},
    {"(d0) -> (d0), domain: d0 in [-4, 1], d0 mod 5 in [1, 1]",
     "(d0) -> (d0), domain: d0 in [-4, 1], d0 mod 5 in [1, 1]"},
    {"(d0) -> (d0), domain: d0 in [-4, 0], d0 mod 5 in [1, 1]",
     "(d0) -> (-4), domain: d0 in [-4, -4]"},
    {"(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 9], d0 + s0 in [30, "
     "31]",
     "KNOWN EMPTY"},
    {"(d0) -> (d0), domain: d0 in [0, 9], 0 in [1, 2]", "KNOWN EMPTY"},
    {"(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 9], "
     "d0 mod 2 in [0, 0], d0 mod 4 in [1, 1]",
     "KNOWN EMPTY"},
    // A range that steers the domain is no unused range.
    {"(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 3], d0 + s0 * 3 in [6, "
     "9]",
     "(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 3], "
     "d0 + s0 * 3 in [6, 9]"},
    // Where it has one value, its constraint says which remainders are left.
    {"(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 3], d0 + s0 * 3 in [8, "
     "9]",
     "(d0) -> (d0), domain: d0 in [0, 9], (d0 + 2) mod 3 in [1, 2]"},
    // A variable with one value is written as the value. The line of a
    // dimension stays.
    {"(d0, d1)[s0, s1] -> (d0 + d1, s0 + s1), domain: d0 in [3, 3], "
     "d1 in [0, 1], s0 in [5, 5], s1 in [0, 1]",
     "(d0, d1)[s1] -> (d1 + 3, s1 + 5), domain: d0 in [3, 3], d1 in [0, 1], "
     "s1 in [0, 1]"},
    {"(d0){rt0, rt1} -> (rt0 + rt1), domain: d0 in [0, 1], rt0 in [2, 2], "
     "rt1 in [0, 9]",
     "(d0){rt1} -> (rt1 + 2), domain: d0 in [0, 1], rt1 in [0, 9]"},
    // Unused ranges go and leave gaps; a dimension never goes.
    {"(a, b)[s0, x, s2]{r, rt1} -> (x), domain: a in [0, 1], b in [0, 0], "
     "s0 in [0, 1], x in [0, 2], s2 in [0, 1], r in [0, 1], rt1 in [0, 1]",
     "(a, b)[x] -> (x), domain: a in [0, 1], b in [0, 0], x in [0, 2]"},
    {"()[s0, s1, s2] -> (s2), domain: s0 in [0, 1], s1 in [0, 1], s2 in [0, 1]",
     "()[s2] -> (s2), domain: s2 in [0, 1]"},
    {"KNOWN EMPTY", "KNOWN EMPTY"},
    {"() -> ()", "() -> ()"},
};

TEST(SimplifierTest, Cases) {
  for (const auto &[before, after] : kCases)
    EXPECT_EQ(simplified(before), after) << before;
}

// If bounds converge too slowly, the domain is as it was given, with the
// constraints on one variable as bounds.
TEST(SimplifierTest, SlowBoundsLeaveTheOthers) {
  const auto simple = simplify(
      parsed("(d0, d1, d2, d3) -> (d0), domain: "
             "d0 in [-4611686018427387903, 4], d1 in [-262144, 536870912], "
             "d2 in [-inf, inf], d3 in [0, 9], (d3) in [1, 2], "
             "(d0 * -3100 - d1 * 1550 - d2 * 1550) floordiv 4 in [8, 8], "
             "-d0 - d1 * 2 + d2 * 77 - d2 mod 11 + 16 in [-5, 2]"));
  ASSERT_TRUE(simple.ok()) << simple.status();
  EXPECT_FALSE(isSimplified(*simple));
  EXPECT_EQ(simple->dimensions()[3].bounds, (Interval{1, 2}));
}

TEST(SimplifierTest, PointsMayStay) {
  SimplifyOptions keep;
  keep.foldPoints = false;
  const std::string points =
      "(d0)[s0]{rt0} -> (d0, s0, rt0), domain: d0 in [3, 3], s0 in [4, 4], "
      "rt0 in [5, 5]";
  EXPECT_EQ(simplified(points, keep), points);
  EXPECT_EQ(simplified(points), "(d0) -> (3, 4, 5), domain: d0 in [3, 3]");
}

TEST(SimplifierTest, Renaming) {
  SimplifyOptions rename;
  rename.rename = true;
  EXPECT_EQ(simplified("(a)[s0, x, s2]{r, q} -> (x + s2, q), domain: "
                       "a in [0, 1], s0 in [0, 1], x in [0, 2], s2 in [0, 1], "
                       "r in [0, 1], q in [0, 1]",
                       rename),
            "(a)[s0, s1]{rt0} -> (s0 + s1, rt0), domain: a in [0, 1], "
            "s0 in [0, 2], s1 in [0, 1], rt0 in [0, 1]");
}

TEST(SimplifierTest, EqualRuntimeVariablesMerge) {
  auto map = [](int64_t tensor, bool clamped, Interval bounds) {
    IndexingMapBuilder b;
    Expr d0 = b.dimension({0, 3});
    Expr one = b.runtimeElement({0, 5}, true, 1, {d0 * 2});
    Expr two = b.runtimeElement(bounds, clamped, tensor, {d0 + d0});
    b.result(one);
    b.result(two);
    return simple(*b.build()).runtime().size();
  };
  EXPECT_EQ(map(1, true, {0, 5}), 1u);
  EXPECT_EQ(map(2, true, {0, 5}), 2u);
  EXPECT_EQ(map(1, false, {0, 5}), 2u);
  EXPECT_EQ(map(1, true, {0, 4}), 2u);
}

TEST(SimplifierTest, OverflowIsAnError) {
  // Each result fits, their sum of multiples in a composition does not.
  const IndexingMap large =
      parsed("(d0) -> (d0 * 4611686018427387904), domain: d0 in [0, 1]");
  const IndexingMap scaled =
      parsed("(d0) -> (d0 * 4), domain: d0 in [0, 2305843009213693951]");
  auto composed = compose(large, scaled);
  if (composed.ok()) {  // only d0 = 0 reaches the second map's domain
    EXPECT_EQ(composed->strOneLine(), "(d0) -> (0), domain: d0 in [0, 0]");
  } else {
    EXPECT_EQ(composed.status().code(), absl::StatusCode::kOutOfRange);
  }
}

//===-- Composition -------------------------------------------------------===//

/// All (a, c) for which there is a b with (a, b) in first and (b, c) in second.
std::vector<Pair> productOf(const std::vector<Pair> &first,
                            const std::vector<Pair> &second) {
  std::vector<Pair> product;
  for (const auto &[a, b] : first) {
    auto at = std::lower_bound(second.begin(), second.end(), Pair(b, Index()));
    for (; at != second.end() && at->first == b; ++at)
      product.emplace_back(a, at->second);
  }
  std::sort(product.begin(), product.end());
  product.erase(std::unique(product.begin(), product.end()), product.end());
  return product;
}

TEST(ComposeTest, IsTheRelationalProduct) {
  int nonEmpty = 0;
  forSeeds(2500, [&](Random &random, uint64_t seed) {
    MapOptions options;
    options.depth = random.in(1, 3);
    options.mostConstraints = 1;
    options.mostRuntime = random.oneIn(2) ? 2 : 0;
    options.sources = true;
    const IndexingMap first = randomMap(random, options);
    options.leastDimensions = options.mostDimensions =
        first.isKnownEmpty() ? 1 : first.results().size();
    const IndexingMap second = randomMap(random, options);
    auto composed = compose(first, second);
    ASSERT_TRUE(composed.ok()) << composed.status();
    EXPECT_TRUE(verify(*composed).ok()) << verify(*composed) << "\n"
                                        << describe(first) << "\nthen\n"
                                        << describe(second) << "\ncomposed\n"
                                        << describe(*composed);
    World world(seed);
    const auto expected =
        productOf(pairsOf(first, world), pairsOf(second, world));
    nonEmpty += !expected.empty();
    EXPECT_EQ(difference(expected, pairsOf(*composed, world)), "")
        << describe(first) << "\nthen\n"
        << describe(second) << "\ncomposed\n"
        << describe(*composed);
    EXPECT_EQ(simple(*composed), *composed) << "not its own form:\n"
                                            << composed->str() << "\nagain\n"
                                            << simple(*composed).str();
    EXPECT_EQ(parsed(composed->str()).results(), composed->results());
  });
  EXPECT_GT(nonEmpty, 300);
}

TEST(ComposeTest, IsAssociative) {
  forSeeds(300, [](Random &random, uint64_t seed) {
    MapOptions options;
    options.depth = 2;
    options.mostConstraints = 1;
    options.mostDimensions = options.mostResults = 2;
    options.mostRanges = 1;
    IndexingMap maps[3];
    for (IndexingMap &map : maps) {
      map = randomMap(random, options);
      if (map.isKnownEmpty()) return;
      options.leastDimensions = options.mostDimensions = map.results().size();
    }
    auto left = compose(maps[0], maps[1]);
    auto right = compose(maps[1], maps[2]);
    ASSERT_TRUE(left.ok() && right.ok());
    left = compose(*left, maps[2]);
    right = compose(maps[0], *right);
    ASSERT_TRUE(left.ok() && right.ok());
    World world(seed);
    EXPECT_EQ(difference(pairsOf(*left, world), pairsOf(*right, world)), "")
        << left->str() << "\n"
        << right->str();
  });
}

TEST(ComposeTest, TheSecondsVariablesComeFirst) {
  auto composed = compose(
      parsed("(d0)[a, b]{r} -> (d0 * 8 + a * 4 + b, r), domain: d0 in [0, 3], "
             "a in [0, 1], b in [0, 3], r in [0, 9]"),
      parsed("(x, y)[c]{q} -> (x + c * 32, y * 16 + q), domain: x in [0, 31], "
             "y in [0, 9], c in [0, 2], q in [0, 15]"));
  ASSERT_TRUE(composed.ok());
  EXPECT_EQ(composed->strOneLine(),
            "(d0)[s0, s1, s2]{rt0, rt1} -> (d0 * 8 + s0 * 32 + s1 * 4 + s2, "
            "rt0 + rt1 * 16), domain: d0 in [0, 3], s0 in [0, 2], "
            "s1 in [0, 1], s2 in [0, 3], rt0 in [0, 15], rt1 in [0, 9]");
}

// That the digit is not 0 keeps the first map's result in two, and is not said
// any more where that result has bounds of its own.
TEST(ComposeTest, ConstraintsAreCanonicalWithoutOthers) {
  const auto first = simplify(
      parsed("(d0, d1, d2) -> ((((d0 * 30 + d1 * 5 + d2) floordiv 2) mod 4) * "
             "2 + (d1 * 5 + d2) mod 2 - 2), domain: d0 in [0, 3], d1 in [0, 5],"
             " d2 in [0, 4], ((d0 * 30 + d1 * 5 + d2) floordiv 2) mod 4 in [1, "
             "3]"));
  ASSERT_TRUE(first.ok() && isSimplified(*first));
  const auto composed =
      compose(*first, parsed("(d0) -> (d0 - 1), domain: d0 in [1, 5]"));
  EXPECT_EQ(composed->strOneLine(),
            "(d0, d1, d2) -> ((d0 * 30 + d1 * 5 + d2) mod 8 - 3), domain: d0 "
            "in [0, 3], d1 in [0, 5], d2 in [0, 4], (d0 * 30 + d1 * 5 + d2) "
            "mod 8 in [3, 7]");
}

TEST(ComposeTest, NamesOfDimensionsMayBeAnything) {
  auto composed = compose(
      parsed("(s0, rt0)[a]{b} -> (s0 + a, rt0 + b), domain: s0 in [0, 3], "
             "rt0 in [0, 3], a in [0, 3], b in [0, 3]"),
      parsed("(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 9]"));
  ASSERT_TRUE(composed.ok());
  EXPECT_EQ(parsed(composed->str()), *composed) << composed->str();
}

TEST(ComposeTest, Errors) {
  auto composed = compose(parsed("(d0) -> (d0, d0), domain: d0 in [0, 3]"),
                          parsed("(d0) -> (d0), domain: d0 in [0, 3]"));
  ASSERT_FALSE(composed.ok());
  EXPECT_EQ(composed.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(composed.status().message(),
            "the first map has 2 results and the second 1 dimensions");
}

TEST(ComposeTest, EmptyMaps) {
  const IndexingMap map = parsed("(d0) -> (d0), domain: d0 in [0, 3]");
  const IndexingMap empty = IndexingMap::knownEmpty();
  EXPECT_EQ(*compose(map, empty), empty);
  EXPECT_EQ(*compose(empty, map), empty);
  EXPECT_EQ(*compose(map, parsed("(d0) -> (d0), domain: d0 in [4, 9]")), empty);
}

TEST(ComposeTest, Relations) {
  IndexingRelation first(parsed("(d0) -> (d0), domain: d0 in [0, 9]"));
  first.add(parsed("(d0) -> (d0 + 1), domain: d0 in [0, 9]"));
  IndexingRelation second(parsed("(d0) -> (d0), domain: d0 in [0, 20]"),
                          Precision::Cover);
  second.add(parsed("(d0) -> (d0 + 1), domain: d0 in [0, 20]"));
  second.add(parsed("(d0) -> (d0), domain: d0 in [50, 60]"));
  auto composed = compose(first, second);
  ASSERT_TRUE(composed.ok());
  EXPECT_EQ(composed->precision(), Precision::Cover);
  // d0, d0 + 1 (on two ways, once) and d0 + 2; what never meets goes.
  ASSERT_EQ(composed->pieces().size(), 3u);
  EXPECT_EQ(composed->pieces()[1].strOneLine(),
            "(d0) -> (d0 + 1), domain: d0 in [0, 9]");
  EXPECT_TRUE(compose(first, IndexingRelation())->isEmpty());
  EXPECT_EQ(compose(IndexingRelation(), second)->precision(), Precision::Exact);
}

// f32[100] sliced to [50] at s32[] `a`, then to [10] at s32[] `b`: the element
// d0 of the result is d0 + clamp(b, 0, 40) of the first slice, and so d0 +
// clamp(b, 0, 40) + clamp(a, 0, 50) of the tensor. Each start keeps its source.
TEST(ComposeTest, ChainedDynamicSlicesKeepTheirSources) {
  auto slice = [](int64_t from, int64_t to, int64_t tensor) {
    DynamicSliceOp op;
    op.operands = {ArrayShape(ElementType::F32, {from}),
                   ArrayShape(ElementType::S32, {})};
    op.results = {ArrayShape(ElementType::F32, {to})};
    op.sizes = {to};
    EXPECT_TRUE(verify(op).ok());
    auto relation = indexing(op, Direction::OutputToInput, 0, 0);
    EXPECT_TRUE(relation.ok() && relation->pieces().size() == 1);
    return withSources(relation->pieces()[0],
                       {[&](int64_t) { return tensor; }, nullptr});
  };
  const IndexingMap inner = slice(100, 50, /*tensor=*/7);
  const IndexingMap outer = slice(50, 10, /*tensor=*/8);
  auto composed = compose(outer, inner);
  ASSERT_TRUE(composed.ok());
  EXPECT_EQ(composed->strOneLine(),
            "(d0){rt0, rt1} -> (d0 + rt0 + rt1), domain: d0 in [0, 9], "
            "rt0 in [0, 50], rt1 in [0, 40]");
  ASSERT_EQ(composed->runtime().size(), 2u);
  EXPECT_EQ(composed->runtime()[0].source.tensor, 7);
  EXPECT_EQ(composed->runtime()[1].source.tensor, 8);
  for (const RuntimeVariable &variable : composed->runtime())
    EXPECT_TRUE(variable.clamped);
}

// As above, with starts that depend on the index: gathers.
TEST(ComposeTest, SourcesFollowTheComposition) {
  IndexingMapBuilder a, b;
  Expr d0 = a.dimension({0, 3}), s0 = a.range({0, 1});
  a.result(a.runtimeElement({0, 7}, true, 1, {d0, s0}));
  Expr e0 = b.dimension({0, 9});
  b.result(e0 + b.runtimeElement({0, 20}, true, 2, {e0 + 1}));
  auto composed = compose(*a.build(), *b.build());
  ASSERT_TRUE(composed.ok());
  EXPECT_EQ(composed->strOneLine(),
            "(d0)[s0]{rt0, rt1} -> (rt0 + rt1), domain: d0 in [0, 3], "
            "s0 in [0, 1], rt0 in [0, 20], rt1 in [0, 7]");
  EXPECT_EQ(composed->sourceMap(0).results().size(), 1u);
  EXPECT_EQ(composed->sourceMap(0).strOneLine(),
            "(d0)[s0]{rt1} -> (rt1 + 1), domain: d0 in [0, 3], s0 in [0, 1], "
            "rt1 in [0, 7]");
  EXPECT_EQ(composed->sourceMap(1).strOneLine(),
            "(d0)[s0] -> (d0, s0), domain: d0 in [0, 3], s0 in [0, 1]");
  EXPECT_EQ(composed->runtime()[0].source.tensor, 2);
  EXPECT_EQ(composed->runtime()[1].source.tensor, 1);
}

}  // namespace
}  // namespace indexical::testing
