// How much must move so that a value is held in another way.
//
//   f32[8] from {devices=[4]<=[4]} to {devices=[2,2]<=[4]
//                                      last_tile_dim_replicate}
//   each device has 2 elements and needs 4: it must receive 2, 8 bytes
//
// A device needs the elements that it is to hold and does not hold; padding
// never. Where an element is a sum of P parts, N devices need it and H hold a
// part: at least N + P - 2 messages where N meets H, else N + P - 1; without
// parts, as many as devices need it and do not hold it.
//
// Laws (tests/sharding/reshard_test.cc): needed(A, A) = 0; needed(replicated,
// B) = 0; needed(A, C) <= needed(A, B) + needed(B, C) over all devices.
#ifndef INDEXICAL_SHARDING_RESHARD_H
#define INDEXICAL_SHARDING_RESHARD_H

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/sharding/sharding.h"

namespace indexical {

/// Elements, not bytes: an element may have less than 8 bits.
struct ReshardNeeds {
  std::vector<int64_t> receives;  ///< the least, by device
  /// The least over all devices.
  int64_t all = 0;
  /// What a device alone holds and another one needs.
  std::vector<int64_t> sendsOnce;
  /// What all devices receive if each gets all of it.
  int64_t throughReplication = 0;
};

/// What must move from one sharding of a tensor to another one. An error where
/// the sizes differ, a side has no global elements, the target has parts, a
/// side does not say over how many devices, or a count leaves 64 bits.
absl::StatusOr<ReshardNeeds> needsOf(const ShardedRelation &from,
                                     const ShardedRelation &to);

/// Bytes of so many elements, rounded up to whole ones.
int64_t bytesOf(int64_t elements, ElementType type);

}  // namespace indexical

#endif  // INDEXICAL_SHARDING_RESHARD_H
