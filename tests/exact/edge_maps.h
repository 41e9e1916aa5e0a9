// Random maps at the edge of 64 bits, and what they are, point by point.
//
//   (d0, d1)[s0] -> ((d0 * 4611686018427387903 - 7) floordiv 3037000499, s0),
//   d0 in [-1, 1], d1 in [4611686018427387904, 4611686018427387905], …
//
// Boxes are tiny, so that all points can be looked at. Factors, divisors,
// bounds and constants are near 2^31, 2^53, 2^62 and 2^63, of both signs, or
// small; sums are moved to such numbers by a constant.
#ifndef INDEXICAL_TESTS_EXACT_EDGE_MAPS_H
#define INDEXICAL_TESTS_EXACT_EDGE_MAPS_H

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "indexical/indexing/indexing_map.h"
#include "tests/support/random.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {

MapParts drawnAtEdge(Random &random);
/// A map that takes the results of another one at some of its points.
MapParts drawnBehind(Random &random, const MapParts &first);
/// The map with one number of it changed a little, or written otherwise.
MapParts drawnLike(Random &random, const MapParts &parts);

/// Values of the dimensions, and the results there; a variable that is no
/// dimension takes all its values.
using PairSet = std::set<std::pair<std::vector<int64_t>, std::vector<int64_t>>>;

struct EdgePoints {
  PairSet pairs;
  int64_t domain = 0;  ///< points of all variables at which the map holds
  /// Whether every result and constraint fits 64 bits at every point of the
  /// box.
  bool fits = true;
};

/// By the trees alone, in 256 bits. Nothing where a divisor is zero somewhere.
std::optional<EdgePoints> pointsOf(const MapParts &parts);
/// The points of a map that the library made: its table is read, its arithmetic
/// not used.
/// Nothing where the box has more than `most` points.
std::optional<EdgePoints> pointsOf(const IndexingMap &map, int64_t most = 4096);

/// Whether a map holds at a point of all its variables, one kind behind the
/// other, and its results there: likewise. Nothing where one leaves 64 bits.
bool holdsAt(const IndexingMap &map, const std::vector<int64_t> &at);
std::optional<std::vector<int64_t>> resultsAt(const IndexingMap &map,
                                              const std::vector<int64_t> &at);

/// Calls `visit` with every point of the box, a vector; false: too many.
bool forPoints(const std::vector<Interval> &box, int64_t most,
               llvm::function_ref<void(const std::vector<int64_t> &)> visit);

/// All bounds of a map: dimensions, ranges, runtime variables.
std::vector<Interval> boxOf(const IndexingMap &map);
std::vector<Interval> boxOf(const MapParts &parts);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_EXACT_EDGE_MAPS_H
