// How many members the groups of a collective have.
//
//   2 replicas, 4 partitions, groups {{0,1}}
//     no channel                                2: replicas
//     channel, of partitions                    2: partitions
//     channel, of replicas and partitions       8: on all partitions each
//     the last, with global device ids          2: devices
//     no groups listed, no channel              2: all replicas
#ifndef INDEXICAL_PROGRAM_MODULE_DEVICE_GROUPS_H
#define INDEXICAL_PROGRAM_MODULE_DEVICE_GROUPS_H

#include <cstdint>

#include "indexical/indexing/interval.h"

namespace indexical {

/// The kind of number that a collective's groups list if it has a channel and
/// does not say that they are devices.
enum class ChannelGroups : uint8_t {
  Partitions,             ///< collective-permute, all-to-all…
  ReplicasAndPartitions,  ///< all-reduce, all-gather, reduce-scatter
};

struct DeviceGroups {
  int64_t replicas = -1, partitions = -1;  ///< -1: not known
  ChannelGroups groups = ChannelGroups::ReplicasAndPartitions;
  bool channel = false, globalIds = false;

  /// Returns the members of the one group of all, for a collective that lists
  /// none.
  Interval sizeOfAll() const;
  /// Returns the members of groups that list so many numbers.
  Interval sizeOfListed(Interval numbers) const;
  /// Returns how many numbers there are that groups can list; -1: not known.
  int64_t numberCount() const;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_DEVICE_GROUPS_H
