// Random pairs of relations of equal ranks, often nearly or really the same,
// and random sets.
#ifndef INDEXICAL_TESTS_EXACT_RANDOM_RELATIONS_H
#define INDEXICAL_TESTS_EXACT_RANDOM_RELATIONS_H

#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/relation.h"
#include "tests/support/random.h"

namespace indexical::testing {

struct RelationPair {
  IndexingRelation first, second;
  size_t dimensions = 0, results = 0;
};

/// Variables bounded, of a few values each; runtime variables without sources,
/// rt0 … of either are the same.
RelationPair randomRelations(Random &random);

/// A map of reshapes, transposes, reverses, strides and windows: what ops make.
IndexingMap randomStructuredMap(Random &random, int64_t dimensions,
                                int64_t results);

/// A set, as exact/system.h has it: simplified, dimensions alone, few points,
/// with constraints between its results about every second time.
IndexingMap randomSet(Random &random);

/// Calls `check` with that many of them, until a test fails.
template <typename Check>
void forRandomSets(int64_t count, Check check) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const IndexingMap set = randomSet(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + set.str());
    check(random, set);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_EXACT_RANDOM_RELATIONS_H
