// Maps as values: building, equality, points, sources.
#include "indexical/indexing/indexing_map.h"

#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/indexing/transforms.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

IndexingMap parsed(const std::string &text) {
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << text << "\n" << map.status();
  return map.ok() ? *map : IndexingMap::knownEmpty();
}

IndexingMap built(IndexingMapBuilder &b) {
  auto map = b.build();
  EXPECT_TRUE(map.ok()) << map.status();
  return map.ok() ? *map : IndexingMap::knownEmpty();
}

IndexingMap::Point pointOf(llvm::ArrayRef<int64_t> dimensions,
                           llvm::ArrayRef<int64_t> ranges = {},
                           llvm::ArrayRef<int64_t> runtime = {}) {
  IndexingMap::Point point;
  point.dimensions.assign(dimensions.begin(), dimensions.end());
  point.ranges.assign(ranges.begin(), ranges.end());
  point.runtime.assign(runtime.begin(), runtime.end());
  return point;
}

//===-- Building ----------------------------------------------------------===//

TEST(IndexingMapTest, TheExampleOfTheBuilder) {
  IndexingMapBuilder b;
  Expr d0 = b.dimension({0, 31});
  b.result(floorDiv(d0, 8));
  b.result(mod(d0, 8));
  EXPECT_EQ(built(b).strOneLine(),
            "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]");
}

TEST(IndexingMapTest, OperatorsOfTheBuilder) {
  IndexingMapBuilder b;
  Expr d0 = b.dimension({0, 9}, "x"), s0 = b.range({0, 3});
  Expr rt = b.runtime(Interval{0, 5});
  b.result(d0 + s0 - rt);
  b.result(-d0 * 3 + 4);
  b.result(2 * d0 - 7);
  b.result(floorDiv(d0, -2));
  b.result(5);
  b.result(b.constant(-5));
  b.constraint(d0 + s0, {2, 8});
  b.constraint(d0 + s0, {Interval::kMinusInfinity, 7});
  EXPECT_EQ(built(b).strOneLine(),
            "(x)[s0]{rt0} -> (x + s0 - rt0, x * -3 + 4, x * 2 - 7, "
            "(-x) floordiv 2, 5, -5), domain: x in [0, 9], s0 in [0, 3], "
            "rt0 in [0, 5], x + s0 in [2, 7]");
}

TEST(IndexingMapTest, UnsatisfiableBoundsAndConstraints) {
  auto empty = [](auto fill) {
    IndexingMapBuilder b;
    Expr d0 = b.dimension({0, 9});
    b.result(d0);
    fill(b, d0);
    EXPECT_TRUE(b.isKnownEmpty());
    const IndexingMap map = built(b);
    EXPECT_TRUE(map.isKnownEmpty());
    EXPECT_EQ(map, IndexingMap::knownEmpty());
    EXPECT_EQ(map.hash(), IndexingMap::knownEmpty().hash());
    EXPECT_FALSE(map.contains(pointOf({3})));
    EXPECT_EQ(map.str(), "KNOWN EMPTY");
  };
  using B = IndexingMapBuilder;
  empty([](B &b, Expr) { b.dimension({3, 2}); });
  empty([](B &b, Expr) { b.range({1, 0}); });
  empty([](B &b, Expr) { b.runtime(Interval{1, 0}); });
  empty([](B &b, Expr) { b.setKnownEmpty(); });
  empty([](B &b, Expr d0) { b.constraint(d0, {4, 3}); });
  empty([](B &b, Expr) { b.constraint(b.constant(4), {5, 6}); });
  empty([](B &b, Expr d0) { b.constraint(d0 - d0, {1, 1}); });
  empty([](B &b, Expr d0) {
    b.constraint(d0 * 2, {0, 4});
    b.constraint(d0 * 2, {5, 9});
  });
}

TEST(IndexingMapTest, ConstraintsThatSayNothingAreLeftOut) {
  IndexingMapBuilder b;
  Expr d0 = b.dimension({0, 9});
  b.constraint(d0, Interval::all());
  b.constraint(b.constant(4), {0, 9});
  EXPECT_TRUE(built(b).constraints().empty());
}

TEST(IndexingMapTest, NamesAreMadeUnique) {
  IndexingMapBuilder b;
  b.result(b.dimension({0, 1}, "d1"));
  b.result(b.dimension({0, 1}));
  b.result(b.range({0, 1}, "d1"));
  b.result(b.range({0, 1}, "rt0"));
  b.result(b.runtime(Interval{0, 1}));
  const IndexingMap map = built(b);
  EXPECT_EQ(map.strOneLine(),
            "(d1, d1_)[d1__, rt0]{rt0_} -> (d1, d1_, d1__, rt0, rt0_), "
            "domain: d1 in [0, 1], d1_ in [0, 1], d1__ in [0, 1], "
            "rt0 in [0, 1], rt0_ in [0, 1]");
  EXPECT_EQ(parsed(map.str()), map);
}

TEST(IndexingMapTest, ErrorsOfTheBuilder) {
  auto refused = [](auto fill) {
    IndexingMapBuilder b;
    Expr d0 = b.dimension({0, int64_t{1} << 40});
    fill(b, d0);
    auto map = b.build();
    EXPECT_FALSE(map.ok());
    return std::string(map.status().message());
  };
  using B = IndexingMapBuilder;
  const int64_t big = int64_t{1} << 62;
  const std::string constants =
      "arithmetic on the map's constants leaves the range of 64-bit integers";
  const std::string domain =
      "the expression can leave the range of 64-bit integers on its domain";
  EXPECT_EQ(refused([&](B &b, Expr d0) { b.result(d0 * big * 4); }), constants);
  EXPECT_EQ(refused([&](B &b, Expr d0) { b.result(d0 + big + big); }),
            constants);
  EXPECT_EQ(refused([&](B &b, Expr) { b.constant(INT64_MIN); }), constants);
  EXPECT_EQ(refused([&](B &b, Expr d0) { b.result(d0 * big); }), domain);
  EXPECT_EQ(refused([&](B &b, Expr d0) { b.constraint(d0 * big, {0, 9}); }),
            domain);
  EXPECT_EQ(refused([&](B &b, Expr d0) {
              b.runtimeElement({0, 3}, true, 0, {d0 * big});
            }),
            domain);
  EXPECT_EQ(refused([&](B &b, Expr d0) {
              b.result(b.expression(b.pool().product(d0.form(), d0.form())));
            }),
            domain);
  EXPECT_EQ(refused([&](B &b, Expr d0) {
              b.result(b.expression(
                  b.pool().quotient(b.constant(1).form(), d0.form())));
            }),
            "the divisor can be zero on the domain");
  EXPECT_EQ(refused([&](B &b, Expr d0) {
              b.result(b.expression(
                  b.pool().remainder(b.constant(1).form(), d0.form())));
            }),
            "the divisor of `mod` must be positive on the whole domain");
  // An open side is no promise: what leaves 64 bits has no value there.
  IndexingMapBuilder b;
  Expr open = b.dimension({0, Interval::kInfinity});
  b.result(open * big);
  const IndexingMap map = built(b);
  EXPECT_EQ(map.evaluate(pointOf({1})), (llvm::SmallVector<int64_t, 6>{big}));
  EXPECT_EQ(map.evaluate(pointOf({5})), std::nullopt);
}

//===-- Equality ----------------------------------------------------------===//

TEST(IndexingMapTest, Equality) {
  // The first of each line equals the second, and not the third.
  const struct {
    const char *map, *equal, *different;
  } kCases[] = {
      {"(d0) -> (d0), domain: d0 in [0, 1]",
       "(batch) -> (batch), domain: batch in [0, 1]",
       "(d0) -> (d0), domain: d0 in [0, 2]"},
      {"(d0, d1) -> (d0), domain: d0 in [0, 1], d1 in [0, 1]",
       "(d1, d0) -> (d1), domain: d1 in [0, 1], d0 in [0, 1]",
       "(d0, d1) -> (d1), domain: d0 in [0, 1], d1 in [0, 1]"},
      {"(d0)[s0] -> (d0 + s0), domain: d0 in [0, 1], s0 in [0, 1]",
       "(d0)[x] -> (x + d0), domain: d0 in [0, 1], x in [0, 1]",
       "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 1], rt0 in [0, 1]"},
      {"(d0) -> (), domain: d0 in [0, 9], d0 * 2 in [0, 5], d0 mod 2 in [0, 0]",
       "(d0) -> (), domain: d0 in [0, 9], d0 mod 2 in [0, 0], d0 + d0 in [0, "
       "5]",
       "(d0) -> (), domain: d0 in [0, 9], d0 * 2 in [0, 5], d0 mod 2 in [1, "
       "1]"},
      {"KNOWN EMPTY", "(d0) -> (d0), domain: d0 in [1, 0]", "() -> ()"},
      {"(d0)[s0] -> (), domain: d0 in [-1, 0], s0 in [1, 0]",
       "() -> (1, 2), domain: 3 in [4, 5]",
       "(d0)[s0] -> (), domain: d0 in [-1, 0], s0 in [0, 1]"},
  };
  for (const auto &[map, equal, different] : kCases) {
    EXPECT_EQ(parsed(map), parsed(equal)) << map;
    EXPECT_EQ(parsed(map).hash(), parsed(equal).hash()) << map;
    EXPECT_NE(parsed(map), parsed(different)) << map;
  }
}

// Whatever was done with the pool before, and in which order.
TEST(IndexingMapTest, EqualityForgetsTheHistory) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    MapOptions options;
    options.mostRuntime = 2;
    options.sources = random.oneIn(2);
    const MapParts parts = randomParts(random, options);
    MapParts turned = parts;
    std::reverse(turned.constraints.begin(), turned.constraints.end());
    const IndexingMap a = parts.build(), b = turned.build();
    EXPECT_EQ(a, b) << "seed " << seed << "\n" << a.str() << "\n" << b.str();
    EXPECT_EQ(a.hash(), b.hash());
    EXPECT_EQ(a.str(), b.str());
    const IndexingMap other = randomMap(random, options);
    EXPECT_EQ(a == other, other == a);
    if (a == other) {
      EXPECT_EQ(a.hash(), other.hash());
    }
  }
}

TEST(IndexingMapTest, SourcesAndClampsCount) {
  auto map = [](bool clamped, int64_t tensor, int64_t shift) {
    IndexingMapBuilder b;
    Expr d0 = b.dimension({0, 3});
    b.result(d0 + b.runtimeElement({0, 5}, clamped, tensor, {d0 + shift}));
    return built(b);
  };
  const IndexingMap one = map(true, 1, 0);
  EXPECT_EQ(one, map(true, 1, 0));
  EXPECT_NE(one, map(false, 1, 0));
  EXPECT_NE(one, map(true, 2, 0));
  EXPECT_NE(one, map(true, 1, 1));
  EXPECT_EQ(one.str(), map(false, 2, 1).str());
  EXPECT_NE(one, parsed(one.str()));
}

//===-- Points ------------------------------------------------------------===//

TEST(IndexingMapTest, PointsAgreeWithTheParts) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    MapOptions options;
    options.mostRuntime = 2;
    options.openDimensions = true;
    options.semiAffine = random.oneIn(2);
    const MapParts parts = randomParts(random, options);
    const IndexingMap map = parts.build();
    for (int i = 0; i < 30; ++i) {
      IndexingMap::Point point;
      bool inside = true;
      auto fill = [&](auto &values, const std::vector<Interval> &all) {
        for (const Interval &bounds : all) {
          values.push_back(random.in(-6, 12));
          inside &= bounds.contains(values.back());
        }
      };
      fill(point.dimensions, parts.dimensions);
      fill(point.ranges, parts.ranges);
      fill(point.runtime, parts.runtime);
      auto value = [&](VariableId id) {
        return id.kind == VariableKind::Dimension ? point.dimensions[id.index]
               : id.kind == VariableKind::Range   ? point.ranges[id.index]
                                                  : point.runtime[id.index];
      };
      if (!inside) {
        EXPECT_FALSE(map.contains(point)) << "seed " << seed;
        continue;
      }
      for (const auto &[tree, bounds] : parts.constraints) {
        auto at = valueOf(tree, value);
        inside &= at && bounds.contains(*at);
      }
      EXPECT_EQ(map.contains(point), inside) << "seed " << seed;
      if (!inside) continue;
      auto result = map.evaluate(point);
      ASSERT_TRUE(result.has_value()) << "seed " << seed;
      for (size_t k = 0; k < parts.results.size(); ++k)
        EXPECT_EQ((*result)[k], valueOf(parts.results[k], value));
    }
  }
}

TEST(IndexingMapTest, PointsOfAnotherSize) {
  const IndexingMap map = parsed(
      "(d0)[s0]{rt0} -> (d0 + s0 + rt0), domain: d0 in [0, 3], s0 in [0, 3], "
      "rt0 in [0, 3], d0 + s0 in [0, 4]");
  EXPECT_TRUE(map.contains(pointOf({1}, {2}, {3})));
  EXPECT_FALSE(map.contains(pointOf({3}, {2}, {3})));
  EXPECT_FALSE(map.contains(pointOf({4}, {0}, {3})));
  EXPECT_FALSE(map.contains(pointOf({1}, {0}, {-1})));
  EXPECT_EQ(map.evaluate(pointOf({30}, {20}, {3})),
            (llvm::SmallVector<int64_t, 6>{53}));
  for (const auto &point :
       {pointOf({}, {1}, {1}), pointOf({1}, {}, {1}), pointOf({1}, {1}, {}),
        pointOf({1, 1}, {1}, {1}), pointOf({1}, {1, 1}, {1})}) {
    EXPECT_FALSE(map.contains(point));
    EXPECT_EQ(map.evaluate(point), std::nullopt);
  }
  EXPECT_FALSE(IndexingMap::knownEmpty().contains(pointOf({})));
  EXPECT_TRUE(IndexingMap().contains(pointOf({})));
}

//===-- Runtime variables -------------------------------------------------===//

// table[rows[d0]]: the row's number steers which element is read, and is not
// part of the map's text.
IndexingMap twoLevels() {
  IndexingMapBuilder b;
  Expr d0 = b.dimension({0, 3}), s0 = b.range({0, 1});
  Expr row = b.runtimeElement({0, 9}, true, 7, {d0});
  Expr unused = b.runtimeElement({0, 2}, false, 9, {});
  Expr element = b.runtimeElement({0, 5}, true, 8, {row, s0 + 1});
  b.result(element + s0);
  b.constraint(unused + d0, {0, 4});
  return built(b);
}

TEST(IndexingMapTest, HiddenRuntimeVariablesStandLast) {
  const IndexingMap map = twoLevels();
  EXPECT_EQ(map.strOneLine(),
            "(d0)[s0]{rt0, rt1} -> (s0 + rt1), domain: d0 in [0, 3], "
            "s0 in [0, 1], rt0 in [0, 2], rt1 in [0, 5], d0 + rt0 in [0, 4]");
  ASSERT_EQ(map.runtime().size(), 3u);
  EXPECT_EQ(map.hiddenRuntimeCount(), 1u);
  EXPECT_EQ(map.visibleRuntimeCount(), 2u);
  EXPECT_EQ(map.runtime()[0].source.tensor, 9);
  EXPECT_EQ(map.runtime()[1].source.tensor, 8);
  EXPECT_EQ(map.runtime()[2].source.tensor, 7);
  // The values of hidden ones may be left out.
  EXPECT_TRUE(map.contains(pointOf({1}, {1}, {2, 5})));
  EXPECT_EQ(map.evaluate(pointOf({1}, {1}, {2, 5})),
            (llvm::SmallVector<int64_t, 6>{6}));
}

TEST(IndexingMapTest, SourceMaps) {
  const IndexingMap map = twoLevels();
  const std::string domain = ", domain: d0 in [0, 3], s0 in [0, 1]";
  EXPECT_EQ(map.sourceMap(0).strOneLine(), "(d0)[s0] -> ()" + domain);
  EXPECT_EQ(map.sourceMap(1).strOneLine(),
            "(d0)[s0]{rt2} -> (rt2, s0 + 1)" + domain + ", rt2 in [0, 9]");
  EXPECT_EQ(map.sourceMap(2).strOneLine(), "(d0)[s0] -> (d0)" + domain);
  const IndexingMap inner = map.sourceMap(1);
  ASSERT_EQ(inner.runtime().size(), 1u);
  EXPECT_EQ(inner.runtime()[0].source.tensor, 7);
  EXPECT_TRUE(inner.runtime()[0].clamped);
  EXPECT_EQ(inner.sourceMap(0).strOneLine(), "(d0)[s0] -> (d0)" + domain);
}

TEST(IndexingMapTest, RuntimeVariablesMoveWithTheirValues) {
  MapOptions options;
  options.mostRuntime = 4;
  options.sources = true;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    const MapParts parts = randomParts(random, options);
    const IndexingMap map = parts.build();
    if (map.isKnownEmpty()) continue;
    EXPECT_TRUE(verify(map).ok()) << verify(map);
    ASSERT_EQ(map.runtime().size(), parts.runtime.size());
    // In the builder's order, from the parts.
    World world(seed);
    auto value = [&](auto &self, VariableId id) -> int64_t {
      if (id.kind != VariableKind::Runtime) return id.index + 2;
      const MapParts::Source &source = parts.sources[id.index];
      Index index;
      for (const Tree &tree : source.index)
        index.push_back(
            *valueOf(tree, [&](VariableId v) { return self(self, v); }));
      return *world.element(source.tensor, index);
    };
    // Bounds apart: all elements as they are.
    IndexingMap::Point point;
    for (size_t i = 0; i < parts.dimensions.size(); ++i)
      point.dimensions.push_back(i + 2);
    for (size_t i = 0; i < parts.ranges.size(); ++i)
      point.ranges.push_back(i + 2);
    for (const RuntimeVariable &variable : map.runtime()) {
      (void)variable;
      point.runtime.push_back(0);
    }
    // An index may use variables with a larger number: until nothing changes.
    for (size_t round = 0; round < map.runtime().size(); ++round)
      for (size_t i = 0; i < map.runtime().size(); ++i) {
        Index index;
        auto at = [&](VariableId id) {
          return id.kind == VariableKind::Dimension ? point.dimensions[id.index]
                 : id.kind == VariableKind::Range   ? point.ranges[id.index]
                                                    : point.runtime[id.index];
        };
        for (FormId form : map.runtime()[i].index)
          index.push_back(*Evaluation(map.expressions(), at)(form));
        point.runtime[i] =
            *world.element(map.runtime()[i].source.tensor, index);
      }
    auto result = map.evaluate(point);
    ASSERT_TRUE(result.has_value());
    for (size_t k = 0; k < parts.results.size(); ++k)
      EXPECT_EQ((*result)[k],
                valueOf(parts.results[k],
                        [&](VariableId id) { return value(value, id); }))
          << "seed " << seed << "\n"
          << map.str();
  }
}

//===-- Threads -----------------------------------------------------------===//

TEST(IndexingMapTest, ManyThreadsReadOneMap) {
  const IndexingMap map = twoLevels();
  const std::string text = map.str(), source = map.sourceMap(1).str();
  const IndexingMap equal = twoLevels();
  std::vector<std::thread> threads;
  std::vector<int> right(8, 0);
  for (int &count : right)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        const IndexingMap copy = map;
        auto result = copy.evaluate(pointOf({1}, {i % 2}, {2, 5}));
        count += copy == equal && copy.hash() == equal.hash() &&
                 copy.str() == text && copy.sourceMap(1).str() == source &&
                 result && (*result)[0] == 5 + i % 2 &&
                 IndexingMap() != IndexingMap::knownEmpty();
      }
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(right, std::vector<int>(8, 200));
}

}  // namespace
}  // namespace indexical::testing
