// Plans of collectives that bring a value from one sharding to another.
//
//   f32[64,64], 4 devices, from rows to columns
//
//   1 collective, 12,288 bytes
//     all-to-all   {0,1,2,3}: each device sends a quarter of its rows to each
//
// A plan is a list of steps. Each step is one collective, or slices what a
// device has already, which moves nothing. Three figures say what a plan costs:
// the bytes that all devices receive, the number of collectives, and the most
// bytes of arrays that live at once on a device. The answer has each plan that
// no other one beats in all three, the one with the fewest bytes first.
//
// There are two ways to find plans.
//   - By digits (digit_search.h): the tiles of a dimension are numbered in
//     digits, and each digit is one of a device's number. A step moves digits:
//     an all-gather makes one local, an all-to-all moves several between
//     dimensions.
//   - By boxes (box_messages.h): each device receives the boxes that it lacks,
//     by as few collective-permutes as their messages admit. This way always
//     moves the fewest bytes, of tiles of any sizes.
//
// Partial sums are added first if the search by digits fails; else a
// reduce-scatter adds them.
//
// Laws (tests/answers/reshard/reshard_test.cc): a plan, run on all devices,
// leaves each with its elements of the target; without parts, the first plan
// moves exactly needsOf(from, to).all (program/sharding/reshard.h); no plan
// moves less; no plan of the answer is beaten by another one.
#ifndef INDEXICAL_COST_RESHARD_RESHARD_PLANS_H
#define INDEXICAL_COST_RESHARD_RESHARD_PLANS_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/ops/shape.h"
#include "indexical/program/sharding/groups.h"
#include "indexical/program/sharding/sharding.h"

namespace indexical {

struct LocalModule;

/// One step of a plan.
struct ReshardStep {
  enum class Op : uint8_t {
    Slice,  ///< takes a part of what the device has: moves nothing
    AllGather,
    AllToAll,
    Permute,
    ReduceScatter,
    AllReduce,
  };
  Op op = Op::Slice;
  /// The members of each group in order; empty for a slice and a permute.
  DeviceLists groups;
  /// (source, target) of a permute.
  std::vector<std::pair<int64_t, int64_t>> pairs;
  /// The dimension of the value along which devices gather or slice. Nothing if
  /// there are several, or none.
  std::optional<int64_t> dimension;
  /// The sharding after the step, in HLO's form; empty if a device holds tiles
  /// that are not adjacent.
  std::string sharding;
  int64_t bytes = 0;  ///< that all devices receive
};
/// Returns `slice`, or the name that HLO gives the collective.
llvm::StringRef nameOf(ReshardStep::Op op);
bool isCollective(const ReshardStep &step);

struct ReshardPlan {
  std::vector<ReshardStep> steps;
  int64_t allBytes = 0;   ///< that all devices receive
  int64_t mostBytes = 0;  ///< of the device that receives most
  int64_t collectives = 0;
  /// The most bytes that an operand and the result of a step take together on a
  /// device; for permutes of boxes, both the value and the partial result
  /// count.
  int64_t peakBytes = 0;
  /// The program of each device, as a module in HLO and in StableHLO. Its
  /// parameter is the local array by the first sharding.
  std::string hlo, stablehlo;
  /// A function over whole values with the ops of Shardy, which needs a mesh.
  /// Empty if a step has no such form.
  std::string shardy;
};

struct ReshardOptions {
  /// Plans that need more bytes on a device are left out; std::nullopt: no plan
  /// is.
  std::optional<int64_t> memory;
  /// The bytes that one collective costs: the first plan has the fewest bytes
  /// + latency x collectives.
  int64_t latency = 0;
  /// The mesh of both shardings, `<["x"=4]>`, and its name. Empty: there is no
  /// text of Shardy.
  std::string mesh, meshName;
};

struct ReshardPlans {
  int64_t devices = 0;
  /// The fewest bytes that must move, over all devices and on each.
  int64_t neededBytes = 0;
  /// The bytes that move if each device gets the whole value first.
  int64_t replicationBytes = 0;
  std::vector<ReshardPlan> plans;
};

/// Returns the plans from one sharding of an array to another. Returns an error
/// if the sizes differ, a side has no global elements or no known number of
/// devices, the target has parts, the plans leave 64 bits, or no plan keeps to
/// the memory.
absl::StatusOr<ReshardPlans> plansOf(const ShardedRelation &from,
                                     const ShardedRelation &to,
                                     ElementType type,
                                     const ReshardOptions &options = {});

/// Returns the sharding in HLO's form, `{devices=[4,1]<=[4]}`. Returns nothing
/// if a device holds nothing, or if it has groups.
std::optional<std::string> hloTextOf(const Sharding &sharding);

}  // namespace indexical

#endif  // INDEXICAL_COST_RESHARD_RESHARD_PLANS_H
