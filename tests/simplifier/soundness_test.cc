// Simplification keeps values, over few random maps; soundness.cc has many.
//
//   INDEXICAL_PAIRS=1000000     how many
//   INDEXICAL_PAIRS_SEED=n      of another seed
#include "gtest/gtest.h"

#include "indexical/simplifier/simplify.h"
#include "tests/simplifier/isl_oracle.h"
#include "tests/simplifier/soundness_fuzz.h"

namespace indexical::testing {
namespace {

TEST(SoundnessTest, RandomMapsKeepTheirValues) {
  FuzzOptions options;
  options.pairs = fromEnvironment("INDEXICAL_PAIRS", 15'000);
  options.seed = fromEnvironment("INDEXICAL_PAIRS_SEED", 1);
  options.islEvery = 50;
  const FuzzCounts counts =
      fuzz(options, [](const std::string &text) { ADD_FAILURE() << text; });
  EXPECT_EQ(counts.flaws, 0);
  EXPECT_GE(counts.pairs, options.pairs);
  // The draws reach what they are for.
  EXPECT_GT(counts.constrained * 3, counts.pairs);
  EXPECT_GT(counts.withRanges * 10, counts.pairs);
  EXPECT_GT(counts.pointsInside * 3, counts.points);
  EXPECT_LT(counts.notMaps * 2, counts.pairs);
  EXPECT_LT(counts.refused * 100, counts.pairs);
  EXPECT_GT(counts.islEqual, counts.islUndecided);
  EXPECT_GT(counts.renumberedSame * 10, counts.renumbered * 8);
}

MapParts partsOf(Tree result, Interval bounds) {
  MapParts parts;
  parts.dimensions = {bounds};
  parts.results = {std::move(result)};
  return parts;
}

// isl does see a difference: at one far corner alone.
TEST(IslOracleTest, SeesWhatDiffers) {
  const Tree d0 = Tree::ofVariable({VariableKind::Dimension, 0});
  auto floorOf = [&](int64_t plus, int64_t by) {
    return Tree::of(Tree::Op::FloorDiv,
                    Tree::of(Tree::Op::Add, d0, Tree::ofConstant(plus)),
                    Tree::ofConstant(by));
  };
  const Interval box{0, (int64_t{1} << 40) - 1};
  const MapParts one = partsOf(floorOf(0, -8), box);
  EXPECT_EQ(sameRelation(one, one.build()), Opinion::Same);
  EXPECT_EQ(sameRelation(one, *simplify(one.build())), Opinion::Same);
  const MapParts far = partsOf(floorOf(0, int64_t{1} << 40), box);
  const MapParts farther = partsOf(floorOf(1, int64_t{1} << 40), box);
  EXPECT_EQ(sameRelation(far, farther.build()), Opinion::Different);
  EXPECT_EQ(sameRelation(far, IndexingMap::knownEmpty()), Opinion::Different);
}

}  // namespace
}  // namespace indexical::testing
