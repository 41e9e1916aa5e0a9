// The collectives of a module, and the bytes that each device receives.
//
//   x = f32[4] parameter(0)
//   y = f32[16] all-gather(x), replica_groups={{0,1,2,3}}, dimensions={0}
//
//   4 members, 16 bytes each: a member receives and sends 48, all receive 192
//
//   op of n members, b bytes of operand      a member receives   all receive
//   all-gather                               (n-1) b             n (n-1) b
//   reduce-scatter, all-to-all               (n-1) b / n         (n-1) b
//   all-reduce                               2 (n-1) b / n       2 (n-1) b
//   collective-permute                       b, if another device is the source
//   collective-broadcast                     b but for the first (n-1) b
//   ragged-all-to-all                        up to its results   not known
//
// These are lower bounds for any algorithm, for the whole result, if every
// member holds something else. A start counts, and its done does not.
#ifndef INDEXICAL_COST_COMMUNICATION_COLLECTIVES_H
#define INDEXICAL_COST_COMMUNICATION_COLLECTIVES_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/interval.h"
#include "indexical/program/module/program.h"
#include "indexical/program/sharding/groups.h"

namespace indexical {

/// Bytes that are a fraction: those of all-reduce are 2 (n-1) b / n.
struct ByteFraction {
  int64_t numerator = 0, denominator = 1;
  int64_t floor() const { return numerator / denominator; }
  int64_t ceil() const { return floor() + (numerator % denominator != 0); }
};

/// One collective of a module, in one of its runs.
struct Collective {
  ComputationId computation;
  InstructionId instruction;
  llvm::StringRef op;  ///< `all-gather`; of a start, what it starts
  /// The members of each group, in order; empty if the op is a permute.
  DeviceLists groups;
  std::vector<std::pair<int64_t, int64_t>> pairs;  ///< of a permute
  int64_t trips = 1;                               ///< times that it runs
  bool tripsKnown = true;  ///< else each loop of unknown trips counts once
  std::vector<int64_t> operandBytes;  ///< of each operand array, on a device
  /// Bytes of a ragged exchange's results, which bound what is received.
  int64_t resultBytes = 0;
  /// An op of Shardy (shardy.h). If it is lowered later, it has no groups, and
  /// its bytes are not known.
  bool isShardy = false, isLowered = false;
  int64_t devices = 0;  ///< of the mesh of an op of Shardy; 0: the module's

  bool isRagged() const { return op == "ragged-all-to-all"; }
  int64_t bytes() const;
  /// Returns the number of members of the largest group; 2 for a permute.
  int64_t groupSize() const;

  /// Calls `each` with what each device receives if its operands had so many
  /// bytes. Devices that receive nothing are left out.
  using OfDevice = llvm::function_ref<void(int64_t device, ByteFraction)>;
  void received(int64_t bytes, OfDevice each) const;
  void sent(int64_t bytes, OfDevice each) const;
  /// Returns the bytes that all devices receive; nothing if they depend on
  /// values, or leave 64 bits.
  std::optional<int64_t> all(int64_t bytes) const;
  /// Calls `each` for every pair of devices with the bytes between them, if
  /// each part goes from its holder to its needers directly. A member of an
  /// all-reduce sends each other one its part and then its sum.
  using OfPair =
      llvm::function_ref<void(int64_t from, int64_t to, ByteFraction bytes)>;
  void transfers(int64_t bytes, OfPair each) const;
};

/// Returns the least and the most over all devices, rounded outwards.
Interval receivedRange(const Collective &of, int64_t devices);
Interval sentRange(const Collective &of, int64_t devices);

/// Returns the number of devices of a module: the given numbers, or else those
/// of its header, its shardings, or the numbers in its groups.
DeviceCounts deviceCountsOf(const Program &program, const Module &module,
                            std::optional<int64_t> partitions = std::nullopt,
                            std::optional<int64_t> replicas = std::nullopt);

/// Returns the collectives that the module's entry runs (if the module is a
/// snippet, those of all computations), in order, and then those of Shardy.
/// Returns an error, with its place, if groups have a number out of range or
/// twice.
absl::StatusOr<std::vector<Collective>> collectivesOf(
    const Program &program, const Module &module, const DeviceCounts &devices);

}  // namespace indexical

#endif  // INDEXICAL_COST_COMMUNICATION_COLLECTIVES_H
