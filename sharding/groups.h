// The groups of a collective as lists of devices.
//
//   2 replicas, 4 partitions; device = replica * 4 + partition
//
//   all-reduce, {{0,1}}                          {0,4} {1,5} {2,6} {3,7}
//   all-reduce, channel, {{0,1}}                 {0,1,2,3,4,5,6,7}
//   all-to-all, channel, {{0,2},{1,3}}           {0,2} {4,6} {1,3} {5,7}
//   all-gather, channel, global ids, {{0,7}}     {0,7}
//
// Numbers in groups are replicas, each partition alone, where there is no
// channel; replicas, on all partitions, where there is one; partitions, each
// replica alone, of an all-to-all, a permute, a broadcast; devices where the op
// says `use_global_device_ids`. Empty groups are one of all, in order. The
// order in a group is the order of the parts that its members give or get.
//
// Source: XLA's operation semantics and GetParticipatingDevicesGroups.
#ifndef INDEXICAL_SHARDING_GROUPS_H
#define INDEXICAL_SHARDING_GROUPS_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/op.h"
#include "indexical/program/device_groups.h"

namespace indexical {

using DeviceLists = std::vector<std::vector<int64_t>>;

/// How many devices a program runs on; both are at least 1.
struct DeviceCounts {
  int64_t replicas = 1, partitions = 1;
  int64_t all() const { return replicas * partitions; }
};

/// The numbers that an op's attribute lists, in each of its forms: `{{0,1}}`,
/// `[2,2]<=[4]T(0)`, `mesh['a'=2] {'a'}`, `dense<[[0, 1]]> : …`. Of a literal
/// of MLIR, -1 fills up short groups. An error where it has none of these
/// forms.
absl::StatusOr<DeviceLists> listedNumbers(llvm::StringRef text);

/// The op behind a start, or the op itself; null where it is no collective.
const OpDescriptor *collectiveOf(const Op &op);
/// Whether the op can have groups: no permute has.
bool hasGroups(const Op &op);

/// The groups of a collective. An error where a number is out of range, or a
/// device is in two groups.
absl::StatusOr<DeviceLists> groupsOf(const Op &op, const DeviceCounts &devices);
/// The same, of what an op says.
struct GroupsSaid {
  llvm::StringRef numbers;  ///< of `replica_groups`; empty: all
  bool channel = false, globalIds = false;
  ChannelGroups groups = ChannelGroups::ReplicasAndPartitions;
};
absl::StatusOr<DeviceLists> groupsOf(const GroupsSaid &said,
                                     const DeviceCounts &devices);

/// The pairs (source, target) of a permute, as devices.
absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> pairsOf(
    const Op &op, const DeviceCounts &devices);

}  // namespace indexical

#endif  // INDEXICAL_SHARDING_GROUPS_H
