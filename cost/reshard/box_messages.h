// The boxes that devices send each other, and rounds of them, private to
// cost/reshard/.
//
//   f32[6], 3 devices, from 2 2 2 elements to 4 2 0
//
//   device 1 sends [2:4] to 0, device 2 sends [4:6] to 1: one round
//
// Each device takes the elements that it lacks, and no others. These elements
// are cut where the tiles of the source begin. Each piece comes from a device
// that has it, and of several from one that sends the fewest pieces of this
// shape.
//
// A round is a collective-permute of pieces of one shape: no device sends two,
// and none receives two. By König's theorem the messages of one shape fit into
// as many rounds as one device sends or receives at most.
//
// Law (tests/answers/reshard/reshard_test.cc): the messages have the fewest
// elements that must move, needsOf(from, to).all, and no fewer rounds would do
// for them.
#ifndef INDEXICAL_COST_RESHARD_BOX_MESSAGES_H
#define INDEXICAL_COST_RESHARD_BOX_MESSAGES_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/sharding/sharding.h"

namespace indexical {

struct BoxMessage {
  int64_t from = 0, to = 0;
  ElementBox box;  ///< of the whole value
};
/// Messages of one shape, from each device and to each device at most one.
using MessageRound = std::vector<BoxMessage>;

/// The most messages of a plan.
constexpr int64_t kMostMessages = 1 << 16;

/// Returns the messages from one sharding without parts to another. Returns
/// nothing if there are more than kMostMessages.
std::optional<std::vector<BoxMessage>> messagesOf(const ShardedRelation &from,
                                                  const ShardedRelation &to,
                                                  int64_t devices);

/// Returns the messages in as few rounds as there can be.
std::vector<MessageRound> roundsOf(llvm::ArrayRef<BoxMessage> messages);

/// Returns for each edge (left, right) of a bipartite graph a colour, so that
/// no two edges of one node have the same: as many colours as the largest
/// degree.
std::vector<int64_t> coloursOf(
    llvm::ArrayRef<std::pair<int64_t, int64_t>> edges);

}  // namespace indexical

#endif  // INDEXICAL_COST_RESHARD_BOX_MESSAGES_H
