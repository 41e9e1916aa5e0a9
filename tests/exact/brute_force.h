// Relations as sets of points, by looking at every value of every variable.
//
//   (d0){rt0} -> (d0 + rt0), d0 in [0, 1], rt0 in [5, 6]
//   points (0, 5, 5) (0, 6, 6) (1, 6, 5) (1, 7, 6)    index, element, rt0
//
// Shares nothing with exact/ but what a map is.
#ifndef INDEXICAL_TESTS_EXACT_BRUTE_FORCE_H
#define INDEXICAL_TESTS_EXACT_BRUTE_FORCE_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "indexical/indexing/relation.h"

namespace indexical::testing {

using Tuple = std::vector<int64_t>;

struct BruteForce {
  /// The values of runtime variables, in the order of their names.
  std::map<std::string, Interval> runtime;

  /// Variables of one name are one variable, with all the values that some
  /// piece allows.
  explicit BruteForce(const std::vector<const IndexingRelation *> &relations);

  /// (index, element, runtime) of all pairs.
  std::set<Tuple> points(const IndexingRelation &relation) const;
  /// Whether these are few enough to be looked at.
  bool isSmall(const IndexingRelation &relation, int64_t most = 20000) const;
};

/// The values of the dimensions at which a map of dimensions alone holds.
std::set<Tuple> pointsOfSet(const IndexingMap &set);

/// The number of values of dimensions and ranges at which the map holds, where
/// runtime variables have these, by position.
int64_t domainSize(const IndexingMap &map, const Tuple &runtime);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_EXACT_BRUTE_FORCE_H
