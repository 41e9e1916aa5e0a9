// Unions of maps, and what they promise.
#include "indexical/indexing/relation.h"

#include <string>
#include <utility>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"

namespace indexical {
namespace {

IndexingMap parsed(llvm::StringRef text) {
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << map.status();
  return map.ok() ? *map : IndexingMap::knownEmpty();
}

const char kLow[] = "(d0) -> (d0), domain: d0 in [0, 2]";
const char kHigh[] = "(d0) -> (9 - d0), domain: d0 in [7, 9]";

TEST(RelationTest, NoPiecesAreExact) {
  IndexingRelation relation;
  EXPECT_TRUE(relation.isEmpty());
  EXPECT_EQ(relation.precision(), Precision::Exact);
  relation.weaken(Precision::Opaque);
  EXPECT_EQ(relation.precision(), Precision::Exact);
  relation.add(parsed(kLow));
  EXPECT_EQ(relation.precision(), Precision::Opaque);
}

TEST(RelationTest, EmptyAndEqualPiecesAreLeftOut) {
  IndexingRelation relation;
  relation.add(IndexingMap::knownEmpty());
  relation.add(parsed("(d0) -> (d0), domain: d0 in [3, 2]"));
  EXPECT_TRUE(relation.isEmpty());
  relation.add(parsed(kLow));
  relation.add(parsed(kHigh));
  relation.add(parsed("(x) -> (x), domain: x in [0, 2]"));
  ASSERT_EQ(relation.pieces().size(), 2u);
  EXPECT_EQ(relation.pieces()[0], parsed(kLow));
  EXPECT_EQ(relation.pieces()[1], parsed(kHigh));
  EXPECT_EQ(IndexingRelation(IndexingMap::knownEmpty(), Precision::Cover),
            IndexingRelation());
}

TEST(RelationTest, OfManyPiecesEqualOnesAreLeftOutToo) {
  auto at = [](int i) {
    return parsed("(d0) -> (d0 + " + std::to_string(i) +
                  "), domain: d0 in [0, 2]");
  };
  IndexingRelation relation;
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < 100; ++i) relation.add(at(i));
  ASSERT_EQ(relation.pieces().size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(relation.pieces()[i], at(i));
  // A copy, one that was assigned over another, and one that was moved.
  IndexingRelation copy = relation, assigned(at(500));
  assigned.add(at(501));
  assigned = relation;
  IndexingRelation moved = std::move(relation);
  for (IndexingRelation *each : {&copy, &assigned, &moved}) {
    each->add(at(99));
    each->add(at(100));
    each->add(at(100));
    EXPECT_EQ(each->pieces().size(), 101u);
  }
  relation = IndexingRelation();
  for (int i = 0; i < 40; ++i) relation.add(at(i / 2));
  EXPECT_EQ(relation.pieces().size(), 20u);
}

TEST(RelationTest, TheWeakestPrecisionRules) {
  const Precision all[] = {Precision::Opaque, Precision::Cover,
                           Precision::Exact};
  for (Precision a : all)
    for (Precision b : all) {
      IndexingRelation relation(parsed(kLow), a);
      EXPECT_EQ(relation.precision(), a);
      relation.unite(IndexingRelation(parsed(kHigh), b));
      EXPECT_EQ(relation.precision(), std::min(a, b));
      EXPECT_EQ(relation.pieces().size(), 2u);
      // An empty relation weakens nothing.
      IndexingRelation nothing;
      nothing.weaken(b);
      IndexingRelation other(parsed(kLow), a);
      other.unite(nothing);
      EXPECT_EQ(other.precision(), a);
    }
  EXPECT_LT(Precision::Opaque, Precision::Cover);
  EXPECT_LT(Precision::Cover, Precision::Exact);
}

TEST(RelationTest, Equality) {
  IndexingRelation exact(parsed(kLow)), cover(parsed(kLow), Precision::Cover);
  EXPECT_TRUE(exact == IndexingRelation(parsed(kLow)));
  EXPECT_FALSE(exact == cover);
  EXPECT_FALSE(exact == IndexingRelation(parsed(kHigh)));
  EXPECT_FALSE(exact == IndexingRelation());
}

TEST(RelationTest, Names) {
  EXPECT_EQ(precisionName(Precision::Exact), "exact");
  EXPECT_EQ(precisionName(Precision::Cover), "cover");
  EXPECT_EQ(precisionName(Precision::Opaque), "opaque");
}

}  // namespace
}  // namespace indexical
