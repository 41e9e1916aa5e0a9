// The bandwidths of links between devices, as a user states them.
//
//   within 8: 450 GB/s          hosts of 8 devices, and each device's links
//   between: 50 GB/s            to those of its host, and to all others
//
// A device sends and receives at once, at these rates. There is no default:
// without a topology no time is computed.
#ifndef INDEXICAL_COST_COMMUNICATION_TOPOLOGY_H
#define INDEXICAL_COST_COMMUNICATION_TOPOLOGY_H

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/cost/communication/collectives.h"

namespace indexical {

struct Topology {
  int64_t devicesPerHost = 1;
  double within = 0;              ///< bytes a second, within a host
  std::optional<double> between;  ///< between hosts; nothing: one host
};

/// Returns the topology of a text: a line `within N: RATE` and a line `between:
/// RATE`, or both with a `;` between them. A rate is a number and one of B/s,
/// kB/s, MB/s, GB/s, TB/s, in powers of a thousand. An error has its place.
absl::StatusOr<Topology> parseTopology(llvm::StringRef text);

/// The microseconds that a collective's bytes take on the links, if each part
/// goes directly from its sender to its receiver (Collective::transfers).
/// Nothing if no byte goes over a link of that kind, if values decide how many
/// do, or if the topology has no such link.
struct LinkTimes {
  std::optional<double> within, between;
};
LinkTimes linkTimesOf(const Collective &of, const Topology &topology,
                      int64_t devices);

}  // namespace indexical

#endif  // INDEXICAL_COST_COMMUNICATION_TOPOLOGY_H
