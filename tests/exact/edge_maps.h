// Random maps at the edge of 64 bits, and their points.
//
//   (d0, d1)[s0] -> ((d0 * 4611686018427387903 - 7) floordiv 3037000499, s0),
//   d0 in [-1, 1], d1 in [4611686018427387904, 4611686018427387905], …
//
// Boxes are tiny, so that all points can be enumerated. Factors, divisors,
// bounds and constants are near 2^31, 2^53, 2^62 and 2^63, of both signs, or
// small. A constant moves sums to such numbers.
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
/// Returns a map whose dimensions are near the results of `first` at one of its
/// points.
MapParts drawnBehind(Random &random, const MapParts &first);
/// Returns the map with one number changed a little, or the same map written
/// otherwise.
MapParts drawnLike(Random &random, const MapParts &parts);

/// Values of the dimensions, and the results there. A variable that is no
/// dimension takes all its values.
using PairSet = std::set<std::pair<std::vector<int64_t>, std::vector<int64_t>>>;

struct EdgePoints {
  PairSet pairs;
  int64_t domain = 0;  ///< points of all variables at which the map holds
  /// Whether every result and constraint fits into 64 bits at every point of
  /// the box.
  bool fits = true;
};

/// Returns the points by the trees alone, in 256 bits, or nothing if a divisor
/// is zero somewhere.
std::optional<EdgePoints> pointsOf(const MapParts &parts);
/// Returns the points of a map that the library made, or nothing if the box has
/// more than `most` points. It reads the map's table, and uses none of the
/// library's arithmetic.
std::optional<EdgePoints> pointsOf(const IndexingMap &map, int64_t most = 4096);

/// holdsAt returns whether a map holds at a point of all its variables, one
/// kind behind the other. resultsAt returns the map's results there, or nothing
/// if one leaves 64 bits. Neither uses the library's arithmetic.
bool holdsAt(const IndexingMap &map, const std::vector<int64_t> &at);
std::optional<std::vector<int64_t>> resultsAt(const IndexingMap &map,
                                              const std::vector<int64_t> &at);

/// Calls `visit` with every point of the box. Returns false if the box has too
/// many points.
bool forPoints(const std::vector<Interval> &box, int64_t most,
               llvm::function_ref<void(const std::vector<int64_t> &)> visit);

/// Returns all bounds of a map: of dimensions, ranges, runtime variables.
std::vector<Interval> boxOf(const IndexingMap &map);
std::vector<Interval> boxOf(const MapParts &parts);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_EXACT_EDGE_MAPS_H
