#ifndef INDEXICAL_OPS_COLLECTIVES_COLLECTIVE_H
#define INDEXICAL_OPS_COLLECTIVES_COLLECTIVE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

//===-- Collectives -------------------------------------------------------===//
//
// Every device of a group runs the op with operands of its own. Maps name the
// member of the group whose operand is read (IndexingMap::members); a value
// that depends on the place of the device itself is a runtime variable.

inline constexpr llvm::StringLiteral kMember =
    "with the member of the group whose operand it is";

/// N operands, N results, unless said otherwise.
struct CollectiveShapes : OpDescriptor {
  /// Members of a group, the least and the most over all groups.
  Interval groupSize{1, Interval::kInfinity};
};

/// The members' operands, concatenated along `dimension`.
struct AllGatherOp : CollectiveShapes {
  int64_t dimension = 0;

  static constexpr OpKind kKinds[] = {
      {"all-gather", Traits().with(KernelRole::Bytes).withNote(kMember)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(groupSize, dimension);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(AllGatherOp)

/// Result k is combined from the operands k of all members.
struct AllReduceOp : CollectiveShapes {
  static constexpr OpKind kKinds[] = {
      {"all-reduce", Traits().with(KernelRole::Bytes).withNote(kMember)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(groupSize);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(AllReduceOp)

/// Reads as all-reduce does; each member has its part along `dimension`.
struct ReduceScatterOp : CollectiveShapes {
  int64_t dimension = 0;

  static constexpr OpKind kKinds[] = {
      {"reduce-scatter", Traits().with(KernelRole::Bytes).withNote(kMember)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(groupSize, dimension);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(ReduceScatterOp)

/// Each member's operand is cut along `dimension`, part k goes to member k, and
/// what arrives stands one behind the other along `dimension`, or along another
/// one, `joined`. Without a dimension there is one operand for each member to
/// which it goes, and one result for each from which it comes.
struct AllToAllOp : CollectiveShapes {
  std::optional<int64_t> dimension, joined;

  static constexpr OpKind kKinds[] = {
      {"all-to-all", Traits().with(KernelRole::Bytes).withNote(kMember)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(groupSize, dimension, joined);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(AllToAllOp)

/// Every member has the operands of the first one.
struct CollectiveBroadcastOp : CollectiveShapes {
  static constexpr OpKind kKinds[] = {
      {"collective-broadcast",
       Traits().with(KernelRole::Bytes).withNote(kMember)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(groupSize);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(CollectiveBroadcastOp)

/// Device `target` has the operands of device `source`. A device that is not a
/// target reads nothing.
struct CollectivePermuteOp : OpDescriptor {
  struct Pair {
    int64_t source, target;
    size_t hash() const { return fieldHash::all(source, target); }
    bool operator==(const Pair &o) const {
      return source == o.source && target == o.target;
    }
  };
  std::vector<Pair> pairs;
  int64_t deviceCount = -1;  ///< -1: not known

  static constexpr OpKind kKinds[] = {
      {"collective-permute",
       Traits()
           .with(KernelRole::Bytes)
           .withNote("one piece a pair of devices; `cover` where slices are "
                     "sent into a buffer")},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(pairs, deviceCount);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(CollectivePermuteOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_COLLECTIVES_COLLECTIVE_H
