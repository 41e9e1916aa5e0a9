// Random pairs of relations of equal ranks, often nearly or really the same,
// and random sets.
#ifndef INDEXICAL_TESTS_EXACT_RANDOM_RELATIONS_H
#define INDEXICAL_TESTS_EXACT_RANDOM_RELATIONS_H

#include "indexing/relation.h"
#include "tests/random.h"

namespace indexical::testing {

struct RelationPair {
  IndexingRelation first, second;
  size_t dimensions = 0, results = 0;
};

/// Variables bounded, of a few values each; runtime variables without sources,
/// rt0 … of either are the same.
RelationPair randomRelations(Random &random);

/// Of reshapes, transposes, reverses, strides and windows: what ops make.
IndexingMap randomStructuredMap(Random &random, int64_t dimensions,
                                int64_t results);

/// A set, as exact/system.h has it: simplified, dimensions alone, few points,
/// with constraints between its results about every second time.
IndexingMap randomSet(Random &random);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_EXACT_RANDOM_RELATIONS_H
