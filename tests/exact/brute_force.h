// Relations as sets of points, by looking at every value of every variable.
//
//   (d0){rt0} -> (d0 + rt0), d0 in [0, 1], rt0 in [5, 6]
//   points (0, 5, 5) (0, 6, 6) (1, 6, 5) (1, 7, 6)    index, element, rt0
//
// It shares no code with exact/, only the type of maps.
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
  /// Whether variables that no result of a map names, and that constraints name
  /// only with others of this kind, are no part of that map if they have
  /// values, as where maps are compared.
  bool dropsUnused = false;
  /// The values of runtime variables, in the order of their names.
  std::map<std::string, Interval> runtime;

  /// Takes variables of one name for one variable, with all the values that
  /// some piece allows.
  explicit BruteForce(const std::vector<const IndexingRelation *> &relations);

  /// Returns (index, element, runtime) for all pairs.
  std::set<Tuple> points(const IndexingRelation &relation) const;
  /// Returns whether the relation has few enough points to be enumerated.
  bool isSmall(const IndexingRelation &relation, int64_t most = 20000) const;
};

/// Returns the values of the dimensions at which the map holds. Requires a map
/// of dimensions only.
std::set<Tuple> pointsOfSet(const IndexingMap &set);

/// Returns the number of values of dimensions and ranges at which the map holds
/// if runtime variables have the values `runtime`, by position.
int64_t domainSize(const IndexingMap &map, const Tuple &runtime);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_EXACT_BRUTE_FORCE_H
