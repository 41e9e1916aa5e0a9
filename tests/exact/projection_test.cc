// Projections of small random sets, by enumeration: the results are the same.
#include "indexical/exact/projection.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/bounds.h"
#include "tests/exact/brute_force.h"
#include "tests/exact/random_relations.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// Returns the results of a set at its points.
std::set<Tuple> resultsOfSet(const IndexingMap &set) {
  const IndexingRelation relation(set);
  std::set<Tuple> results;
  for (const Tuple &point : BruteForce({&relation}).points(relation))
    results.insert(Tuple(point.begin() + set.dimensions().size(), point.end()));
  return results;
}

/// The set with variables that have no end ended where its results are anyway.
bool isSmall(const IndexingMap &set) {
  for (const Variable &v : set.dimensions())
    if (!v.bounds.isFinite()) return false;
  const IndexingRelation relation(set);
  return BruteForce({&relation}).isSmall(relation, 200000);
}

TEST(ProjectionTest, PointsAreTheResults) {
  int64_t plain = 0, withVariables = 0, large = 0;
  forRandomSets(6000, [&](Random &, const IndexingMap &set) {
    auto projection = resultsOf(set);
    ASSERT_TRUE(projection.ok()) << projection.status();
    const std::set<Tuple> expected = resultsOfSet(set);
    if (projection->set.isKnownEmpty()) {
      EXPECT_TRUE(expected.empty());
      return;
    }
    if (!isSmall(projection->set)) {
      ++large;
      return;
    }
    std::set<Tuple> found;
    for (Tuple point : pointsOfSet(projection->set)) {
      point.resize(set.results().size());
      found.insert(std::move(point));
    }
    EXPECT_EQ(found, expected) << projection->set.str();
    EXPECT_EQ(projection->plain,
              projection->set.dimensions().size() == set.results().size());
    ++(projection->plain ? plain : withVariables);
  });
  EXPECT_GT(plain, 3000);
  EXPECT_GT(withVariables, 50);
  EXPECT_LT(large, 300);
}

TEST(ProjectionTest, SolvedEquationsKeepTheResults) {
  int64_t fewer = 0;
  forRandomSets(6000, [&](Random &, const IndexingMap &set) {
    auto solved = withSolvedEquations(set);
    ASSERT_TRUE(solved.ok()) << solved.status();
    const std::set<Tuple> expected = resultsOfSet(set);
    if (solved->isKnownEmpty()) {
      EXPECT_TRUE(expected.empty());
      return;
    }
    ASSERT_TRUE(isSmall(*solved)) << solved->str();
    EXPECT_EQ(resultsOfSet(*solved), expected) << solved->str();
    fewer += solved->constraints().size() < set.constraints().size();
  });
  EXPECT_GT(fewer, 300);
}

TEST(ProjectionTest, DeterminedVariablesCountOnce) {
  int64_t fewer = 0;
  auto free = [](const IndexingMap &map) {
    return llvm::count_if(map.dimensions(), [](const Variable &v) {
      return !v.bounds.isPoint();
    });
  };
  forRandomSets(6000, [&](Random &, const IndexingMap &set) {
    auto rest = withoutDetermined(set);
    ASSERT_TRUE(rest.ok()) << rest.status();
    const size_t expected = pointsOfSet(set).size();
    if (rest->isKnownEmpty()) {
      EXPECT_EQ(expected, 0u);
      return;
    }
    ASSERT_TRUE(isSmall(*rest)) << rest->str();
    EXPECT_EQ(pointsOfSet(*rest).size(), expected) << rest->str();
    fewer += free(*rest) < free(set);
  });
  EXPECT_GT(fewer, 300);
}

}  // namespace
}  // namespace indexical::testing
