// The elements of one tensor that those of another may read, dimension by
// dimension. The covers of loops are composed of these.
//
// A dimension that is read is *equal* to one of the reading tensor, or any
// index of a range:
//
//   x[b, j] reads w[b, s] for every s     from [0, 3] x [0, 7]
//                                         to   equal to 0, any of [0, 15]
//   as a map  (d0, d1)[s0] -> (d0, s0),   turned  (d0, d1)[s0] -> (d0, s0)
//
// Each dimension of the reading tensor is equal to at most one that is read. So
// a box has an inverse of its own form, and a closure in one direction is one
// in the other.
//
// Laws (tests/program/maps/box_test.cc, by enumeration): `boxOf` contains the
// relation, `composed` the relational product, `join` both boxes; `relationOf`
// one way is the transpose of the other.
#ifndef INDEXICAL_PROGRAM_MAPS_BOX_H
#define INDEXICAL_PROGRAM_MAPS_BOX_H

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/interval.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/indices.h"
#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// A collective that a read element was moved by, and which of its members may
/// be read.
struct AnyMember {
  int64_t collective;
  Interval positions;
};

struct Box {
  struct Target {
    int64_t equal = -1;  ///< the dimension that it is equal to; -1: a range
    Interval range;      ///< where it is a range
  };
  llvm::SmallVector<Interval, 4> from;  ///< indices of the elements that read
  llvm::SmallVector<Target, 4> to;
  Precision precision = Precision::Cover;  ///< Cover, or Opaque
  /// The collectives that a read element may have been moved by, by their
  /// numbers.
  llvm::SmallVector<AnyMember, 0> members;

  /// Returns the indices of dimension k of `to`.
  Interval indices(size_t k) const {
    return to[k].equal < 0 ? to[k].range : from[to[k].equal];
  }
};

/// Returns the box in which every element reads itself, or nothing if there is
/// no element.
std::optional<Box> identityBox(const ArrayShape &shape);
/// Returns the box in which every element reads every element, or nothing if
/// there is none.
std::optional<Box> everythingBox(const ArrayShape &from, const ArrayShape &to);

/// Returns one box that contains all pieces of a relation from the elements
/// that read to those that are read, or nothing if these have no pairs. `from`
/// is the shape of the reading tensor, and `to` that of the one that is read.
std::optional<Box> boxOf(const IndexingRelation &relation,
                         const ArrayShape &from, const ArrayShape &to);

/// Returns the product of two boxes: `first` goes from a to b, `second` from b
/// to c, the product from a to c. Returns nothing if no element of b is in
/// both.
std::optional<Box> composed(const Box &first, const Box &second);

/// Makes `box` contain `other`. Returns whether it grew.
bool join(Box &box, const Box &other);
/// Returns whether every pair of `other` is seen to be one of `box`.
/// Conservative: false when unknown.
bool contains(const Box &box, const Box &other);

/// Replaces every interval that differs from that of `before` by all indices
/// there are, so that a box that grows again and again soon stops growing.
void widen(Box &box, const Box &before, const ArrayShape &from,
           const ArrayShape &to);

/// Returns the box as a map of the elements that read (output to input), or of
/// those that are read.
absl::StatusOr<IndexingRelation> relationOf(
    const Box &box, Direction direction,
    llvm::ArrayRef<AnyMember> members = {});

/// Returns the pieces in groups: each relation has those that pass the same
/// collectives.
std::vector<IndexingRelation> waysOf(const IndexingRelation &relation);
/// Returns, for each collective that the pieces pass, the interval of the
/// members that they read. Requires pieces that all pass the same collectives
/// (waysOf).
std::vector<AnyMember> membersOf(const IndexingRelation &way);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_BOX_H
