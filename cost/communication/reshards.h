// The bytes that move between devices from a computed value to its readers, and
// the least number that must move.
//
//   v = f32[16] exponential(x)
//   s = f32[16] all-reduce(v), replica_groups={{0,1,2,3}}, to_apply=add
//   r = f32[4] dynamic-slice(s, offset), dynamic_slice_sizes={4}
//   y = f32[4] negate(r)
//
//   4 devices receive 96 bytes each, 384 in all; each needs 4 of the sums, for
//   which 3 parts must move: 192 bytes in all. The ratio is 2.
//
// A *reshard* is a maximal run of collectives and ops that only move, from one
// computed value to its readers. An element that is needed by N devices and
// held by H takes one message for each device that needs it and does not hold
// it. A sum of P parts takes N + P - 2 messages if one of the N holds a part,
// and N + P - 1 if none does (program/sharding/reshard.h). A single collective
// whose result is read whole has ratio 1.
//
// The copies of a parameter with a sharding are known. For any other value,
// each device's array counts as its own, and the figure is an upper bound. It
// is also an upper bound if readers use no box of their operand, or if a run is
// not followed.
//
// Laws (tests/cost/communication/reshards_test.cc): the least of random runs is
// that of an interpreter that follows each element by itself; all bytes are no
// fewer.
#ifndef INDEXICAL_COST_COMMUNICATION_RESHARDS_H
#define INDEXICAL_COST_COMMUNICATION_RESHARDS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/cost/communication/collectives.h"
#include "indexical/ops/shape.h"
#include "indexical/program/sharding/sharding.h"

namespace indexical {

/// The shardings of a whole array, before and after.
struct ReshardEnds {
  ShardedRelation from, to;
  ElementType type;
};

/// One reshard, with its figures in one of its runs.
struct Reshard {
  /// The array that is computed, or a parameter.
  ComputationId computation;
  InstructionId instruction;
  LeafId result;
  std::vector<size_t> collectives;  ///< their numbers in the module's list
  Interval receives, sends;         ///< bytes, over devices
  /// The bytes that all devices receive; nothing if values decide it.
  std::optional<int64_t> all;
  Interval needed;        ///< the least bytes that a device must receive
  int64_t neededAll = 0;  ///< the least over all devices
  bool isExact = false;   ///< else both are upper bounds of the least
  /// Whether elements were followed to their readers. Else all that is received
  /// counts as needed.
  bool isFollowed = true;
  int64_t trips = 1;
  bool tripsKnown = true;
  /// Nothing if the module does not state both: between ops on local arrays.
  std::optional<ReshardEnds> ends;

  /// Returns the number of bytes that could be saved in all trips: received,
  /// but not needed.
  int64_t saved() const;
};

/// Returns the reshards of the module, in the order of their first collectives.
/// Each operand array of each collective is in one of them.
std::vector<Reshard> reshardsOf(const Program &program, const Module &module,
                                const DeviceCounts &devices,
                                llvm::ArrayRef<Collective> collectives);

/// A run over more devices is not followed.
constexpr int64_t kMostFollowedDevices = 4096;

}  // namespace indexical

#endif  // INDEXICAL_COST_COMMUNICATION_RESHARDS_H
