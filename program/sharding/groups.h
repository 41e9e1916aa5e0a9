// The groups of a collective as lists of devices.
//
//   2 replicas, 4 partitions; device = replica * 4 + partition
//
//   all-reduce, {{0,1}}                          {0,4} {1,5} {2,6} {3,7}
//   all-reduce, channel, {{0,1}}                 {0,1,2,3,4,5,6,7}
//   all-to-all, channel, {{0,2},{1,3}}           {0,2} {4,6} {1,3} {5,7}
//   all-gather, channel, global ids, {{0,7}}     {0,7}
//
// An op says what the numbers in its groups are:
//   - without a channel they are replicas, and each partition is on its own;
//   - with a channel they are replicas, and a group has all their partitions;
//   - of an all-to-all, a permute or a broadcast with a channel they are
//     partitions, and each replica is on its own;
//   - with a channel and `use_global_device_ids` they are devices.
// Empty groups stand for one group of all these numbers, in order. The order in
// a group is the order of the parts that its members give or get.
//
// Source: XLA's operation semantics and GetParticipatingDevicesGroups.
#ifndef INDEXICAL_PROGRAM_SHARDING_GROUPS_H
#define INDEXICAL_PROGRAM_SHARDING_GROUPS_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/device_groups.h"

namespace indexical {

using DeviceLists = std::vector<std::vector<int64_t>>;

/// The number of devices that a program runs on. Both counts are at least 1.
struct DeviceCounts {
  int64_t replicas = 1, partitions = 1;
  /// Returns their product, or INT64_MAX if it leaves 64 bits.
  int64_t all() const {
    return checkedMul(replicas, partitions).value_or(INT64_MAX);
  }
};

/// Returns the numbers that an op's attribute lists, in each of its forms:
/// `{{0,1}}`, `[2,2]<=[4]T(0)`, `mesh['a'=2] {'a'}`, `dense<[[0, 1]]> : …`. A
/// literal of MLIR fills short groups up with -1, which the answer leaves out.
/// Returns an error if the text has none of these forms.
absl::StatusOr<DeviceLists> listedNumbers(llvm::StringRef text);

/// Returns the op that a start begins, or the op itself. Returns null if it is
/// not a collective.
const OpDescriptor *collectiveOf(const Op &op);
/// Returns whether the op can have groups. A permute has none.
bool hasGroups(const Op &op);

/// Returns the groups of a collective. Returns an error if a number is out of
/// range, or if a device is in two groups.
absl::StatusOr<DeviceLists> groupsOf(const Op &op, const DeviceCounts &devices);
/// The attributes of a collective that decide its groups.
struct GroupsSaid {
  llvm::StringRef numbers;  ///< the text of `replica_groups`; empty: all
  bool channel = false, globalIds = false;
  ChannelGroups groups = ChannelGroups::ReplicasAndPartitions;
};
/// Returns the groups of a collective with these attributes. Returns an error
/// if a number is out of range, or if a device is in two groups.
absl::StatusOr<DeviceLists> groupsOf(const GroupsSaid &said,
                                     const DeviceCounts &devices);

/// Returns the pairs (source, target) of a permute, as devices.
absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> pairsOf(
    const Op &op, const DeviceCounts &devices);

/// The largest number that the groups or pairs of a collective list, or -1, and
/// whether it has a channel. They bound the number of devices from below if
/// nothing else says it.
struct LargestNumber {
  int64_t number = -1;
  bool isChannel = false;
};
LargestNumber largestNumberOf(const Op &op);

/// The fewest replicas, partitions and devices that have all numbers of a
/// collective's groups or pairs.
struct FewestDevices {
  int64_t replicas = 1, partitions = 1, devices = 1;
};
/// Returns 1 for each if the op is not a collective, or lists no numbers.
FewestDevices fewestDevicesOf(const Op &op);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_SHARDING_GROUPS_H
