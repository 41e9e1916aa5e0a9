// Random pairs of relations of equal ranks, often equal or nearly so, and
// random sets.
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

/// Returns a pair whose variables are bounded, with a few values each. Runtime
/// variables have no sources; rt0 of one relation is rt0 of the other.
RelationPair randomRelations(Random &random);

/// Returns a map of reshapes, transposes, reverses, strides and windows, as ops
/// have them.
IndexingMap randomStructuredMap(Random &random, int64_t dimensions,
                                int64_t results);

/// Returns a set, as exact/system.h has it: simplified, of dimensions only, and
/// with few points. About every second set has constraints between its results.
IndexingMap randomSet(Random &random);

/// Calls `check` with so many random sets, until a test fails.
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
