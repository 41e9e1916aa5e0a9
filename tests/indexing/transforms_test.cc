// Maps with other variables are the same relation, by enumeration.
#include "indexical/indexing/transforms.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_text.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

IndexingMap parsed(const std::string &text) {
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << text << "\n" << map.status();
  return map.ok() ? *map : IndexingMap::knownEmpty();
}

MapOptions runtimeOptions(bool sources) {
  MapOptions options;
  options.mostRuntime = 3;
  options.sources = sources;
  return options;
}

const char kExample[] =
    "(d0)[s0, s1] -> (s0, d0), domain: d0 in [0, 7], s0 in [0, 3], s1 in [0, "
    "1]";

TEST(TransformsTest, DropUnused) {
  EXPECT_EQ(dropUnused(parsed(kExample)).strOneLine(),
            "(d0)[s0] -> (s0, d0), domain: d0 in [0, 7], s0 in [0, 3]");
  EXPECT_EQ(dropUnused(parsed("(d0)[s0, s1]{a, b} -> (s1 + b), domain: "
                              "d0 in [0, 1], s0 in [0, 2], s1 in [0, 3], "
                              "a in [0, 1], b in [0, 1]"))
                .strOneLine(),
            "(d0)[s0]{b} -> (s0 + b), domain: d0 in [0, 1], s0 in [0, 3], "
            "b in [0, 1]");
  // A variable that a constraint uses stays.
  const std::string used =
      "(d0)[s0] -> (d0), domain: d0 in [0, 3], "
      "s0 in [0, 3], d0 + s0 in [2, 3]";
  EXPECT_EQ(dropUnused(parsed(used)).strOneLine(), used);
  EXPECT_TRUE(dropUnused(IndexingMap::knownEmpty()).isKnownEmpty());
}

TEST(TransformsTest, DropUnusedKeepsTheRelation) {
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    Random random(seed);
    MapOptions options = runtimeOptions(true);
    options.depth = 2;
    const IndexingMap map = randomMap(random, options);
    const IndexingMap dropped = dropUnused(map);
    ASSERT_TRUE(verify(dropped).ok()) << verify(dropped);
    World world(seed);
    EXPECT_EQ(difference(pairsOf(map, world), pairsOf(dropped, world)), "")
        << "seed " << seed << "\n"
        << map.str() << "\n"
        << dropped.str();
    // Nothing is left to drop, and nothing that is read came in.
    EXPECT_EQ(dropUnused(dropped), dropped) << "seed " << seed;
    EXPECT_LE(dropped.ranges().size(), map.ranges().size());
    EXPECT_LE(dropped.runtime().size(), map.runtime().size());
  }
}

TEST(TransformsTest, RangesToDimensions) {
  EXPECT_EQ(rangesToDimensions(parsed(kExample)).strOneLine(),
            "(d0, d1, d2) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 3], "
            "d2 in [0, 1]");
  EXPECT_TRUE(rangesToDimensions(IndexingMap::knownEmpty()).isKnownEmpty());
  // Names that would clash with those by position.
  const IndexingMap clash = rangesToDimensions(
      parsed("(d1)[s0] -> (d1, s0), domain: d1 in [0, 1], s0 in [0, 2]"));
  EXPECT_EQ(parsed(clash.str()), clash) << clash.str();
}

TEST(TransformsTest, RangesToDimensionsKeepsEveryPoint) {
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    const IndexingMap map = randomMap(random, runtimeOptions(true));
    const IndexingMap moved = rangesToDimensions(map);
    if (map.isKnownEmpty()) continue;
    EXPECT_TRUE(moved.ranges().empty());
    World world(seed);
    // With the ranges as results too, pairs say which point they are of.
    Index counts, first;
    for (llvm::ArrayRef<Variable> all : {map.dimensions(), map.ranges()})
      for (const Variable &v : all) {
        first.push_back(v.bounds.lower);
        counts.push_back(v.bounds.count());
      }
    const size_t rank = map.dimensions().size();
    forEachIndex(counts, [&](const Index &offset) {
      IndexingMap::Point before, after;
      for (size_t k = 0; k < offset.size(); ++k) {
        (k < rank ? before.dimensions : before.ranges)
            .push_back(first[k] + offset[k]);
        after.dimensions.push_back(first[k] + offset[k]);
      }
      auto runtime =
          runtimeValues(map, world, before.dimensions, before.ranges);
      EXPECT_EQ(runtime,
                runtimeValues(moved, world, after.dimensions, after.ranges));
      if (!runtime) return;
      before.runtime = after.runtime = *runtime;
      EXPECT_EQ(map.contains(before), moved.contains(after));
      EXPECT_EQ(map.evaluate(before), moved.evaluate(after));
    });
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << map.str();
  }
}

TEST(TransformsTest, WithSources) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const IndexingMap map = randomMap(random, runtimeOptions(true));
    auto renamed =
        withSources(map, {[](int64_t tensor) { return tensor + 5; }, nullptr});
    ASSERT_EQ(renamed.runtime().size(), map.runtime().size());
    for (size_t i = 0; i < map.runtime().size(); ++i)
      EXPECT_EQ(renamed.runtime()[i].source.tensor,
                map.runtime()[i].source.tensor + 5);
    EXPECT_EQ(withSources(renamed,
                          {[](int64_t tensor) { return tensor - 5; }, nullptr}),
              map)
        << "seed " << seed;
    EXPECT_EQ(renamed.str(), map.str());
  }
  EXPECT_TRUE(withSources(IndexingMap::knownEmpty(),
                          {[](int64_t) { return 0; }, nullptr})
                  .isKnownEmpty());
  // A variable without a source keeps none.
  const IndexingMap text = parsed("(){rt0} -> (rt0), domain: rt0 in [0, 1]");
  EXPECT_EQ(withSources(text, {[](int64_t) { return 3; }, nullptr}), text);
}

TEST(TransformsTest, WithRuntime) {
  int edited = 0;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    const IndexingMap map = randomMap(random, runtimeOptions(true));
    auto same =
        withRuntime(map, [](IndexingMapBuilder &, RuntimeVariable &) {});
    ASSERT_TRUE(same.ok()) << same.status();
    EXPECT_EQ(*same, map) << "seed " << seed;
    if (map.runtime().empty() || map.isKnownEmpty()) continue;
    // Every element that is read lies one further: what another world's
    // elements, one nearer, are.
    auto further =
        withRuntime(map, [](IndexingMapBuilder &b, RuntimeVariable &variable) {
          for (FormId &form : variable.index)
            form = (b.expression(form) + 1).form();
        });
    ASSERT_TRUE(further.ok()) << further.status();
    class OneNearer : public World {
     public:
      using World::World;
      std::optional<int64_t> element(
          int64_t tensor, llvm::ArrayRef<int64_t> index) const override {
        Index nearer(index.begin(), index.end());
        for (int64_t &i : nearer) --i;
        return World::element(tensor, nearer);
      }
    };
    EXPECT_EQ(difference(pairsOf(map, World(seed)),
                         pairsOf(*further, OneNearer(seed))),
              "")
        << "seed " << seed << "\n"
        << describe(map) << "\n"
        << describe(*further);
    ++edited;
  }
  EXPECT_GT(edited, 200);
}

TEST(TransformsTest, WithBody) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    const IndexingMap map = randomMap(random, runtimeOptions(true));
    auto same = withBody(map, [](IndexingMapBuilder &, MapBody &) {});
    ASSERT_TRUE(same.ok()) << same.status();
    EXPECT_EQ(*same, map) << "seed " << seed;
    if (map.isKnownEmpty() || map.results().empty()) continue;
    // The first result plus one, restricted to points where it was at least 1.
    auto edited = withBody(map, [](IndexingMapBuilder &, MapBody &body) {
      body.constraints.push_back({body.results[0], {1, Interval::kInfinity}});
      body.results[0] = body.results[0] + 1;
    });
    ASSERT_TRUE(edited.ok()) << edited.status();
    World world(seed);
    std::vector<Pair> expected;
    for (auto [index, element] : pairsOf(map, world)) {
      if (element[0]++ < 1) continue;
      expected.push_back({index, element});
    }
    EXPECT_EQ(difference(expected, pairsOf(*edited, world)), "")
        << "seed " << seed << "\n"
        << map.str();
  }
}

TEST(TransformsTest, AsSet) {
  int64_t points = 0;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    const IndexingMap map = randomMap(random, runtimeOptions(true));
    const IndexingMap set = asSet(map);
    if (map.isKnownEmpty()) continue;
    EXPECT_TRUE(set.ranges().empty() && set.runtime().empty());
    for (int k = 0; k < 20; ++k) {
      IndexingMap::Point before, after;
      auto draw = [&](llvm::SmallVectorImpl<int64_t> &values,
                      const Variable &v) {
        values.push_back(random.in(v.bounds.lower - 1, v.bounds.upper + 1));
        after.dimensions.push_back(values.back());
      };
      for (const Variable &v : map.dimensions()) draw(before.dimensions, v);
      for (const Variable &v : map.ranges()) draw(before.ranges, v);
      for (const RuntimeVariable &v :
           map.runtime().take_front(map.visibleRuntimeCount()))
        draw(before.runtime, v);
      // The map says nothing of the hidden ones.
      for (const RuntimeVariable &v :
           map.runtime().drop_front(map.visibleRuntimeCount()))
        after.dimensions.push_back(v.bounds.lower);
      EXPECT_EQ(map.contains(before), set.contains(after)) << map.str();
      EXPECT_EQ(map.evaluate(before), set.evaluate(after)) << map.str();
      points += map.contains(before);
    }
  }
  EXPECT_GT(points, 500);
}

// rt_i becomes a sum of its index and a constant: at a point the new map is the
// old one with that value for rt_i.
TEST(TransformsTest, ReplaceRuntime) {
  int replaced = 0;
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    Random random(seed);
    const IndexingMap map = randomMap(random, runtimeOptions(true));
    if (map.runtime().empty()) continue;
    const size_t i = random.in(0, map.runtime().size() - 1);
    const int64_t shift = random.in(-3, 3);
    auto value = [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> index) {
      Expr sum = b.constant(shift);
      for (const Expr &e : index) sum = sum + e;
      return sum;
    };
    auto result = replaceRuntime(map, i, value);
    ASSERT_TRUE(result.ok()) << result.status() << "\n" << map.str();
    if (result->isKnownEmpty()) continue;  // by a constraint without variables
    EXPECT_EQ(result->runtime().size(), map.runtime().size() - 1);
    // Hidden and visible variables may trade places. They are found by their
    // sources, so two variables with equal sources cannot be compared.
    World world(seed);
    auto valueAt = [&](const IndexingMap::Point &point) {
      int64_t sum = shift;
      auto at = [&](VariableId id) {
        return id.kind == VariableKind::Dimension ? point.dimensions[id.index]
               : id.kind == VariableKind::Range   ? point.ranges[id.index]
                                                  : point.runtime[id.index];
      };
      for (FormId form : map.runtime()[i].index)
        sum += *Evaluation(map.expressions(), at)(form);
      return sum;
    };
    for (int k = 0; k < 20; ++k) {
      IndexingMap::Point before, after;
      for (size_t d = 0; d < map.dimensions().size(); ++d)
        before.dimensions.push_back(random.in(0, 6));
      for (size_t s = 0; s < map.ranges().size(); ++s)
        before.ranges.push_back(random.in(0, 3));
      after.dimensions = before.dimensions;
      after.ranges = before.ranges;
      // One value for all other variables, so that their order is no matter.
      const int64_t other = random.in(0, 4);
      before.runtime.assign(map.runtime().size(), other);
      after.runtime.assign(map.runtime().size() - 1, other);
      before.runtime[i] = valueAt(before);
      EXPECT_EQ(map.evaluate(before), result->evaluate(after))
          << "seed " << seed << "\n"
          << map.str() << "\n"
          << result->str();
      ++replaced;
    }
  }
  EXPECT_GT(replaced, 5000);
}

TEST(TransformsTest, ReplaceRuntimeMayAddConstraints) {
  auto value = [](IndexingMapBuilder &b, llvm::ArrayRef<Expr> index) {
    EXPECT_TRUE(index.empty());
    b.constraint(b.constant(3), {0, 2});
    return b.constant(3);
  };
  const IndexingMap map =
      parsed("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 1], rt0 in [0, 2]");
  auto result = replaceRuntime(map, 0, value);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->isKnownEmpty());
}

TEST(TransformsTest, VerifyFindsSourcesThatDependOnThemselves) {
  IndexingMapBuilder b;
  Expr one = b.runtimeElement({0, 3}, true, 0, {});
  Expr two = b.runtimeElement({0, 3}, true, 0, {one});
  b.result(two);
  b.setSourceIndex(0, two.form());
  auto map = b.build();
  if (map.ok()) {
    EXPECT_FALSE(verify(*map).ok());
  }
}

}  // namespace
}  // namespace indexical::testing
