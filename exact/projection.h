// Projection: the results of a set, described by constraints.
//
//   x0 in [0, 3], x1 in [0, 1], results (x0 * 4 + x1)
//     ->  y0 in [0, 13], y0 mod 4 in [0, 1]
//
// Results count as known, and the variables are eliminated (elimination.h).
// Variables that remain in constraints are projected out if that is exact: from
// one constraint, or from several in which they have no factor.
//
// Law (tests/exact/projection_test.cc, by enumeration): the points of the
// projection are the results.
#ifndef INDEXICAL_EXACT_PROJECTION_H
#define INDEXICAL_EXACT_PROJECTION_H

#include "absl/status/statusor.h"

#include "indexical/exact/system.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

struct Projection {
  /// The variables are the results, then the variables that could not be
  /// eliminated. Results are in the projection if the set has a point with
  /// them.
  IndexingMap set;
  /// Whether all variables were eliminated.
  bool plain = true;
};

/// Returns the projection, or an error if arithmetic leaves 64 bits.
absl::StatusOr<Projection> resultsOf(const IndexingMap &set);

/// Returns the set with its equations solved: other variables, but equal
/// results.
///
///   x0 in [0, 31], x0 mod 8 in [3, 3], results (x0)
///     ->  t in [0, 3], results (t * 8 + 3)
absl::StatusOr<IndexingMap> withSolvedEquations(const IndexingMap &set);

/// Returns a set of as many points, without the variables that an equation, in
/// which they have no factor, determines from the others.
///
///   x2 - x0 - x1 in [0, 0], x2 in [2, 9]   ->   x0 + x1 in [2, 9]
absl::StatusOr<IndexingMap> withoutDetermined(const IndexingMap &set);

}  // namespace indexical

#endif  // INDEXICAL_EXACT_PROJECTION_H
