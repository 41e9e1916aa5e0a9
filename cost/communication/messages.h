// Messages for the elements that devices use: private to
// cost/communication/.
//
//   an element that devices 0 and 1 use and device 2 holds      2 messages
//   a sum of parts on 0, 1, 2 that device 0 uses                2
//   the same sum, which devices 0 and 3 use                     3
//
// An element takes a message for each device that uses it and does not hold
// it. A sum of P parts that N devices use takes N + P - 2 messages if one of
// the N holds a part, and N + P - 1 if none does: its parts meet on one device,
// and the sum goes on from there.
#ifndef INDEXICAL_COST_COMMUNICATION_MESSAGES_H
#define INDEXICAL_COST_COMMUNICATION_MESSAGES_H

#include <cstdint>
#include <map>
#include <vector>

#include "indexical/same/partitioned/flow.h"
#include "indexical/cost/communication/reader_demand.h"

namespace indexical {

/// Elements that must move.
struct Need {
  std::vector<int64_t> byDevice;
  int64_t all = 0;
  bool isExact = true;
};

/// The numbers of the elements that a device uses, by the parts of the
/// elements.
using UsedNumbers = std::map<PartsId, std::vector<StridedNumbers>>;

/// Adds the numbers of the elements of `pieces` that the demand covers to
/// `used`.
void addUsed(const FlowPieces &pieces, const ReaderDemand &demand,
             UsedNumbers &used);

/// Adds the messages for what devices use. `holders[device]` is the least
/// device that holds the same elements of the value.
void addMessages(const std::vector<UsedNumbers> &used,
                 const std::vector<int64_t> &holders, const PartsTable &table,
                 Need &need);

}  // namespace indexical

#endif  // INDEXICAL_COST_COMMUNICATION_MESSAGES_H
