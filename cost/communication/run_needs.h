// The elements that the readers of a run use, and the devices that they come
// from: private to cost/communication/.
//
//   2 devices   s = f32[4] all-gather(v)    v: f32[2] on each
//               r = f32[2] slice(s), [0:2]
//
//   device 0 uses v 0, v 1 of its own; device 1 uses v 0, v 1 of device 0
//
// Elements are followed from the run's value through collectives and moves to
// its readers. Equal runs, such as those of a model's layers, are followed
// once.
#ifndef INDEXICAL_COST_COMMUNICATION_RUN_NEEDS_H
#define INDEXICAL_COST_COMMUNICATION_RUN_NEEDS_H

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include "indexical/cost/communication/collectives.h"
#include "indexical/same/partitioned/flow.h"
#include "indexical/cost/communication/messages.h"
#include "indexical/cost/communication/reader_demand.h"
#include "indexical/cost/communication/runs.h"
#include "indexical/same/partitioned/device_integers.h"

namespace indexical {

/// The number of each collective by its computation and instruction.
using CollectiveNumbers =
    std::map<std::pair<ComputationId, InstructionId>, size_t>;

/// Keeps references to all of its arguments.
class RunNeeds {
 public:
  using Run = Runs::Run;

  RunNeeds(const Module &module, const DeviceCounts &devices,
           llvm::ArrayRef<Collective> collectives,
           const CollectiveNumbers &numbers, const Runs &runs)
      : module_(module),
        devices_(devices),
        collectives_(collectives),
        numbers_(numbers),
        runs_(runs),
        integers_(module, devices) {}

  /// Returns what the run's readers need. `holders` has for each device the
  /// least one that has a copy of the run's value. Returns nothing if the run
  /// is not followed.
  const std::optional<Need> &of(const Run &run,
                                const std::vector<int64_t> &holders);
  /// Returns whether the run has readers, and each is known to read all of its
  /// operand.
  bool isAllRead(const Run &run);

 private:
  /// Numbers of values that are equal.
  template <typename T>
  class Interned {
   public:
    int64_t of(const T &value) {
      return numbers_.try_emplace(value, numbers_.size()).first->second;
    }

   private:
    std::map<T, int64_t> numbers_;
  };

  const Instruction &instructionOf(LeafNumber leaf) const {
    const auto &place = runs_.leaves().place(leaf);
    return module_.computations[place.computation]
        .instructions[place.instruction];
  }
  const ArrayShape &shapeOf(LeafNumber leaf) const {
    return instructionOf(leaf).shape.leaves()[runs_.leaves().place(leaf).leaf];
  }
  const ReaderDemand &demand(const LeafReader &reader);
  /// The input of follow() in numbers: runs with equal keys have equal needs.
  using Key = std::vector<int64_t>;
  Key keyOf(const Run &run, const std::vector<int64_t> &holders);
  void addStepTo(Key &key, LeafNumber leaf);
  std::optional<Need> follow(const Run &run,
                             const std::vector<int64_t> &holders);
  std::optional<Flow> flowOf(LeafNumber leaf,
                             const llvm::DenseMap<LeafNumber, Flow> &flows,
                             PartsTable &table);
  std::optional<Flow> moved(LeafNumber leaf,
                            const llvm::DenseMap<LeafNumber, Flow> &flows);
  std::optional<Flow> exchanged(LeafNumber leaf,
                                const llvm::DenseMap<LeafNumber, Flow> &flows,
                                PartsTable &table);

  const Module &module_;
  const DeviceCounts devices_;
  const llvm::ArrayRef<Collective> collectives_;
  const CollectiveNumbers &numbers_;
  const Runs &runs_;
  DeviceIntegers integers_;
  std::map<std::pair<const OpDescriptor *, int64_t>, ReaderDemand> demands_;
  std::map<Key, std::optional<Need>> needs_;
  Interned<std::vector<int64_t>> integerLists_;
  Interned<std::pair<DeviceLists, std::vector<std::pair<int64_t, int64_t>>>>
      groups_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_COMMUNICATION_RUN_NEEDS_H
