#include "indexical/program/module/device_groups.h"

namespace indexical {
namespace {

Interval known(int64_t count) {
  return count > 0 ? Interval::point(count) : Interval{1, Interval::kInfinity};
}

}  // namespace

Interval DeviceGroups::sizeOfAll() const {
  if (!channel) return known(replicas);
  return groups == ChannelGroups::Partitions
             ? known(partitions)
             : known(replicas) * known(partitions);
}

Interval DeviceGroups::sizeOfListed(Interval numbers) const {
  const bool each =
      channel && !globalIds && groups == ChannelGroups::ReplicasAndPartitions;
  return each ? numbers * known(partitions) : numbers;
}

int64_t DeviceGroups::numberCount() const {
  const Interval numbers = globalIds ? known(replicas) * known(partitions)
                           : channel && groups == ChannelGroups::Partitions
                               ? known(partitions)
                               : known(replicas);
  return numbers.isPoint() ? numbers.lower : -1;
}

}  // namespace indexical
