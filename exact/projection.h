// Projection: the results of a set, described by constraints.
//
//   x0 in [0, 3], x1 in [0, 1], results (x0 * 4 + x1)
//     ->  y0 in [0, 13], y0 mod 4 in [0, 1]
//
// Results are taken for known and the variables eliminated (elimination.h);
// what then still stands in constraints is projected out where that is exact:
// from one constraint, or from several in which it has no factor.
//
// Law (tests/exact/projection_test.cc, by enumeration): its points are the
// results.
#ifndef INDEXICAL_EXACT_PROJECTION_H
#define INDEXICAL_EXACT_PROJECTION_H

#include "absl/status/statusor.h"

#include "indexical/exact/system.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

struct Projection {
  /// Variables are the results, then what could not be eliminated: the results
  /// are those for which it has some value.
  IndexingMap set;
  /// Whether there are no such variables.
  bool plain = true;
};

/// An error where arithmetic leaves 64 bits.
absl::StatusOr<Projection> resultsOf(const IndexingMap &set);

/// The set with its equations solved: other variables, the same results.
///
///   x0 in [0, 31], x0 mod 8 in [3, 3], results (x0)
///     ->  t in [0, 3], results (t * 8 + 3)
absl::StatusOr<IndexingMap> withSolvedEquations(const IndexingMap &set);

/// A set of as many points: variables of which the others leave one value, by
/// an equation in which they have no factor, are gone.
///
///   x2 - x0 - x1 in [0, 0], x2 in [2, 9]   ->   x0 + x1 in [2, 9]
absl::StatusOr<IndexingMap> withoutDetermined(const IndexingMap &set);

}  // namespace indexical

#endif  // INDEXICAL_EXACT_PROJECTION_H
