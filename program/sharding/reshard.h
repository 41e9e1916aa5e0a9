// How much must move so that a value is held in another way.
//
//   f32[8] from {devices=[4]<=[4]} to {devices=[2,2]<=[4]
//                                      last_tile_dim_replicate}
//   each device has 2 elements and needs 4: it must receive 2, 8 bytes
//
// A device needs the elements that it is to hold and does not hold. It never
// needs padding. An element without parts takes as many messages as devices
// need it and do not hold it. Let an element be a sum of P parts, and let N
// devices need it. It takes at least N + P - 2 messages if one of them holds a
// part, and N + P - 1 if none does.
//
// Laws (tests/program/sharding/reshard_test.cc): needed(A, A) = 0;
// needed(replicated, B) = 0; needed(A, C) <= needed(A, B) + needed(B, C) over
// all devices.
#ifndef INDEXICAL_PROGRAM_SHARDING_RESHARD_H
#define INDEXICAL_PROGRAM_SHARDING_RESHARD_H

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/program/sharding/sharding.h"

namespace indexical {

/// The elements that must move. It counts no bytes, for an element may have
/// less than 8 bits.
struct ReshardNeeds {
  std::vector<int64_t> receives;  ///< the least number, by device
  /// The least number over all devices.
  int64_t all = 0;
  /// The number of elements, by device, that it alone holds and another one
  /// needs.
  std::vector<int64_t> sendsOnce;
  /// The number of elements that all devices receive if each of them gets the
  /// whole tensor.
  int64_t throughReplication = 0;
};

/// Returns what must move from one sharding of a tensor to another one. Returns
/// an error if the sizes differ, a side has no global elements, the target has
/// parts, a side does not say over how many devices it is, or a count leaves 64
/// bits.
absl::StatusOr<ReshardNeeds> needsOf(const ShardedRelation &from,
                                     const ShardedRelation &to);

/// Returns the number of bytes of `elements` elements that take so many bits in
/// memory (storedBits), rounded up to whole bytes.
int64_t bytesOf(int64_t elements, int64_t elementBits);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_SHARDING_RESHARD_H
