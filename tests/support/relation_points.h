// A relation as the set of its points, by enumeration.
//
// Every piece is evaluated at every value of its dimensions and ranges; runtime
// variables take their values from given tensors. A pair is (place of the
// dimension point, place of the result point), each in row major order:
//
//   (d0) -> (d0 * 2), domain: d0 in [0, 2]     {(0, 0), (1, 2), (2, 4)}
//
// The functions return an error for a relation that has a point outside of
// either tensor, a source outside of its tensor, or open bounds.
#ifndef INDEXICAL_TESTS_SUPPORT_RELATION_POINTS_H
#define INDEXICAL_TESTS_SUPPORT_RELATION_POINTS_H

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"
#include "tests/oracle/oracle.h"

namespace indexical::testing {

using PointPair = std::pair<int64_t, int64_t>;

struct RelationPoints {
  std::vector<PointPair> pairs;  ///< sorted, each once
  bool disjoint = true;          ///< no pair belongs to two pieces
};

/// The tensors that runtime variables name by number.
struct RuntimeTensors {
  llvm::ArrayRef<ArrayShape> shapes;
  const OperandValues &values;
  /// How far to look along a range without a bound. If 0, a little further than
  /// the tensors' sizes.
  int64_t mostOfRange = 0;
  /// Whether pointsWithin returns an error for a point outside of the tensors.
  bool strict = false;
  /// More points of one map are an error, ResourceExhausted.
  int64_t mostPoints = 20'000'000;
};

/// Returns the points of `relation`, which goes from a tensor of the sizes
/// `from` to one of the sizes `to`.
absl::StatusOr<RelationPoints> pointsOf(const IndexingRelation &relation,
                                        llvm::ArrayRef<int64_t> from,
                                        llvm::ArrayRef<int64_t> to,
                                        const RuntimeTensors &tensors);

/// Returns the points of a relation of unknown sizes, for the sizes `from` and
/// `to`. Points outside of the tensors are left out, or are an error if
/// `tensors.strict`.
absl::StatusOr<RelationPoints> pointsWithin(const IndexingRelation &relation,
                                            llvm::ArrayRef<int64_t> from,
                                            llvm::ArrayRef<int64_t> to,
                                            const RuntimeTensors &tensors);

/// Returns the pairs with their two parts swapped.
std::vector<PointPair> transposed(std::vector<PointPair> pairs);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_RELATION_POINTS_H
